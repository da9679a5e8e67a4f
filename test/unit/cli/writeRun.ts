/** The run file that the events of a scenario would have left behind. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, Trial, Verdict } from '../../../src/engine/index.ts';

/**
 * @param workspace gets a folder `.mcprove/runs`
 * @param options.ended false for a run that was cut off
 * @returns the path of the file
 */
export function writeRun(workspace: string, events: readonly RunEvent[], options: { ended?: boolean } = {}): string {
  const planned = events.find((event) => event.type === 'planned');
  const ended = events.find((event) => event.type === 'ended');
  if (planned === undefined || ended === undefined) throw new Error('not the events of a run');
  const trials = events.flatMap((event): Trial[] => (event.type === 'trialEnded' ? [event.trial] : []));

  let text = `${JSON.stringify(planned.head)}\n`;
  const index: [string, Verdict, number, number][] = [];
  for (const trial of trials) {
    const line = JSON.stringify(trial);
    index.push([trial.id, trial.verdict, Buffer.byteLength(text), Buffer.byteLength(line)]);
    text += `${line}\n`;
  }
  if (options.ended !== false) text += `${JSON.stringify({ ...ended.end, trials: index })}\n`;

  const folder = join(workspace, '.mcprove', 'runs');
  mkdirSync(folder, { recursive: true });
  const time = planned.head.startedAt.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
  const file = join(folder, `${time}-suite-${planned.head.id}.run.jsonl`);
  writeFileSync(file, text);
  return file;
}
