/** The calls of a trial in the order in which they happened, with what was wrong about each; missing ones at the end. */
import {
  type Call,
  type CallErrorKind,
  type Discrepancy,
  inlineExpected,
  inlineJson,
  type Trial,
  visibleLine,
} from '../../engine/index.ts';
import type { Ink } from '../terminal.ts';
import { counted } from '../text/figures.ts';
import type { Page } from '../text/page.ts';
import { padEnd, padStart, truncate, width } from '../text/width.ts';

interface Row {
  sign: ' ' | '~' | '+' | '-' | '!';
  number: string;
  text: string;
  note: string;
}

const SHOWN = 30;
/** Columns from which there is room for notes beside the calls; else they stand below. */
const NOTES_BESIDE = 72;
/** One long call is not to push all notes out of sight. */
const LONGEST_BESIDE = 72;

const NOTE: Record<Discrepancy['kind'], string> = {
  missing: 'missing',
  extra: 'extra',
  outOfOrder: 'out of order',
  argumentMismatch: 'argument mismatch',
};

export const CALL_ERROR: Record<CallErrorKind, string> = {
  content: 'answered with an error',
  protocol: 'protocol error',
  timeout: 'timed out',
  unknownTool: 'no such tool',
  invalidArguments: 'invalid arguments',
  crashed: 'server crashed',
  cancelled: 'cancelled',
};

export function callLines(trial: Trial, discrepancies: readonly Discrepancy[], page: Page): string[] {
  const calls = callsOf(trial);
  const several = new Set(trial.transcript.offered.map((tool) => tool.server)).size > 1;
  // A trace may hold hundreds of thousands of calls: no more is laid out than is shown.
  const notes = firstNotes(discrepancies);
  const made = calls.slice(0, SHOWN).map((call, index) => madeRow(call, index, several, notes.get(call.id)));
  const missing = discrepancies.filter((discrepancy) => discrepancy.kind === 'missing');
  const lines = layOut([...made, ...missing.slice(0, SHOWN).map(missingRow)], page);
  if (calls.length > SHOWN) lines.push(page.ink.dim(`  … and ${counted(calls.length - SHOWN, 'call')} more`));
  if (missing.length > SHOWN) {
    lines.push(page.ink.dim(`  … and ${counted(missing.length - SHOWN, 'missing call')} more`));
  }
  return lines;
}

/** Those that a route is about, in the order in which they were asked for; a call's number is its place here. */
export function callsOf(trial: Trial): Call[] {
  return trial.transcript.steps.filter((step) => step.phase === 'steps').flatMap((step) => step.calls);
}

/** `server::tool`, the server only where there are several to confuse. */
export function callName(call: Pick<Call, 'server' | 'tool'>, several: boolean): string {
  return visibleLine(several && call.server !== null ? `${call.server}::${call.tool}` : call.tool);
}

/** By the id of the call: the first thing that is wrong about it. */
function firstNotes(discrepancies: readonly Discrepancy[]): Map<string, Discrepancy> {
  const notes = new Map<string, Discrepancy>();
  for (const discrepancy of discrepancies) {
    if (discrepancy.kind !== 'missing' && !notes.has(discrepancy.call)) notes.set(discrepancy.call, discrepancy);
  }
  return notes;
}

function madeRow(call: Call, index: number, several: boolean, about: Discrepancy | undefined): Row {
  const notes = [];
  if (about !== undefined) notes.push(about.kind === 'extra' && !about.counts ? 'extra, allowed' : NOTE[about.kind]);
  if (call.error !== undefined) notes.push(CALL_ERROR[call.error.kind]);
  return {
    sign: signOf(about),
    number: String(index + 1),
    text: `${callName(call, several)} ${inlineJson(call.arguments, 300)}`,
    note: notes.join(', '),
  };
}

function signOf(about: Discrepancy | undefined): Row['sign'] {
  if (about === undefined) return ' ';
  if (about.kind === 'extra') return about.counts ? '+' : ' ';
  return about.kind === 'outOfOrder' ? '!' : '~';
}

function missingRow(missing: Extract<Discrepancy, { kind: 'missing' }>): Row {
  const { expected } = missing;
  const isNothing = expected === null || (typeof expected === 'object' && Object.keys(expected).length === 0);
  const args = isNothing ? '' : ` ${inlineExpected(expected, 300)}`;
  return { sign: '-', number: '', text: `${visibleLine(missing.tool)}${args}`, note: NOTE.missing };
}

function layOut(rows: readonly Row[], page: Page): string[] {
  const numbers = Math.max(...rows.map((row) => row.number.length), 1);
  const room = page.columns - numbers - 3;
  const beside = page.columns >= NOTES_BESIDE;
  const notes = beside ? Math.max(...rows.map((row) => width(row.note))) + 2 : 0;
  const texts = Math.min(room - notes, LONGEST_BESIDE, Math.max(...rows.map((row) => width(row.text))));
  return rows.flatMap(({ sign, number, text, note }) => {
    const style = styleOf(sign, page.ink);
    const head = `${sign} ${padStart(number, numbers)} `;
    if (note === '') return [style(head + truncate(text, room))];
    if (beside) return [style(`${head}${padEnd(truncate(text, texts), texts)}  ${note}`)];
    return [style(head + truncate(text, room)), style(' '.repeat(numbers + 3) + note)];
  });
}

function styleOf(sign: Row['sign'], ink: Ink): (text: string) => string {
  if (sign === '+' || sign === '~') return ink.red;
  if (sign === '!') return ink.yellow;
  return sign === '-' ? ink.green : String;
}
