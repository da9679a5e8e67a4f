import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { McproveError } from '../../errors.ts';
import type { Attempt, Reason } from '../../record.ts';
import { Lines } from '../../suite/lines.ts';
import type { Clock } from '../clock.ts';
import type { TrialCode } from '../codes.ts';
import { errorText } from '../errorText.ts';
import { NO_USAGE } from '../usage.ts';
import { readCallList } from './callList.ts';
import { readRunFile } from './runFile.ts';

/** A larger trace is refused. */
const MAX_TRACE_BYTES = 32 * 1024 * 1024;

/**
 * Reads the trace of a `trace` case: a JSON list of calls, or a run file (`.jsonl`) with exactly one trial, which then brings
 * its replies, its usage, its duration and its end along. A file that cannot be used ends the attempt as errored `trace`.
 *
 * @param path absolute
 */
export async function readTrace(path: string, signal: AbortSignal, clock: Clock): Promise<Attempt> {
  const startedAt = clock.startedAt;
  const unread = (end: Attempt['transcript']['end']): Attempt => ({
    transcript: { offered: [], toolListChanged: false, steps: [], end },
    usage: NO_USAGE,
    costUsd: null,
    startedAt,
    durationMs: clock.now(),
  });
  const reason = (cause: Reason['cause'], text: string): Reason => ({ stage: 'trace', cause, text });

  const cancelled = () => unread({ kind: 'cancelled', reason: reason('user', 'cancelled before the trace was read') });

  if (signal.aborted) return cancelled();
  try {
    const trace = new Lines(path, await readText(path, signal));
    return { ...readAttempt(trace), startedAt };
  } catch (error) {
    if (signal.aborted) return cancelled();
    if (!(error instanceof McproveError)) throw error;
    return unread({ kind: 'errored', reason: reason('config', errorText(error)) });
  }
}

function readAttempt(trace: Lines): Omit<Attempt, 'startedAt'> {
  const input = { trace: basename(trace.file) };
  if (trace.file.endsWith('.jsonl')) {
    const { transcript, usage, costUsd, unpriced, durationMs } = readRunFile(trace);
    const steps = transcript.steps.filter((step) => step.phase === 'steps');
    const merged = {
      kind: 'trace' as const,
      phase: 'steps' as const,
      input,
      replies: steps.flatMap((step) => step.replies),
      calls: steps.flatMap((step) => step.calls),
      durationMs,
    };
    return {
      transcript: { ...transcript, steps: [merged] },
      usage,
      costUsd,
      ...(unpriced === undefined ? {} : { unpriced }),
      durationMs,
    };
  }
  const step = { kind: 'trace' as const, phase: 'steps' as const, input, replies: [], durationMs: 0 };
  return {
    transcript: {
      offered: [],
      toolListChanged: false,
      steps: [{ ...step, calls: readCallList(trace) }],
      end: { kind: 'completed' },
    },
    usage: NO_USAGE,
    costUsd: null,
    durationMs: 0,
  };
}

/**
 * @throws McproveError TRACE001 when the file cannot be read, TRACE002 when it is too large, TRACE003 when it is not UTF-8
 */
async function readText(path: string, signal: AbortSignal): Promise<string> {
  const name = basename(path);
  let bytes: Buffer;
  try {
    const info = await stat(path);
    if (!info.isFile())
      throw new McproveError('TRACE001' satisfies TrialCode, `trace file "${name}" cannot be read: it is no file`);
    if (info.size > MAX_TRACE_BYTES) {
      const mib = (info.size / 1024 / 1024).toFixed(1);
      throw new McproveError(
        'TRACE002' satisfies TrialCode,
        `trace file "${name}" has ${mib} MiB; the limit is 32 MiB`,
      );
    }
    bytes = await readFile(path, { signal });
  } catch (error) {
    if (signal.aborted || error instanceof McproveError || !(error instanceof Error) || !('code' in error)) throw error;
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new McproveError('TRACE001' satisfies TrialCode, `trace file "${name}" cannot be read: ${why}`, {
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new McproveError('TRACE003' satisfies TrialCode, `trace file "${name}" is not UTF-8`, { cause: error });
  }
}
