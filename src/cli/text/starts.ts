/** What a run would start, for somebody who has to decide whether they trust it. */
import { type ServerStart, visibleLine } from '../../engine/index.ts';
import type { Page } from './page.ts';
import { displayPath, placeName } from './places.ts';
import { padEnd, width } from './width.ts';

/** Two lines for each server: exactly what is started or called, then with what. Never cut: all of it counts. */
export function startLines(starts: readonly ServerStart[], { cwd, ink }: { cwd: string; ink: Page['ink'] }): string[] {
  if (starts.length === 0) return [`    ${ink.dim('nothing is started')}`];
  const names = starts.map(({ server }) => visibleLine(server));
  const column = Math.max(...names.map(width));
  return starts.flatMap((start, index) => {
    const { origin, range, how } = start;
    const from = range === undefined ? displayPath(origin.file, cwd) : placeName(range, cwd);
    const about =
      how.kind === 'command'
        ? [`in ${displayPath(how.cwd, cwd)}`, ...list('env', how.env)]
        : [how.transport, ...list('headers', how.headers)];
    const what = how.kind === 'command' ? how.argv.map(word).join(' ') : visibleLine(how.url);
    return [
      `    ${padEnd(names[index] ?? '', column)}  ${what}`,
      `    ${' '.repeat(column)}  ${ink.dim([...about, `from ${from}`].join(' · '))}`,
    ];
  });
}

function list(label: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${label} ${names.map(visibleLine).join(', ')}`];
}

/** One argument, so that it can be told where it ends. */
function word(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : visibleLine(JSON.stringify(text));
}
