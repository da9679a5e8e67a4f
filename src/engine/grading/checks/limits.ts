import type { Json } from '../../record.ts';
import { ended } from '../../sentence.ts';
import type { Bound, Limits } from '../../suite/model.ts';
import { matchesTool } from '../../suite/toolName.ts';
import { isUnanswered } from '../answer.ts';
import type { Evidence } from '../evidence.ts';
import { counted } from '../inWords.ts';
import { type Evaluation, failed, notApplicable, notMeasured, onTheWhole, passed } from './evaluation.ts';

/** A figure that only grows while a trial goes on. */
interface Figure {
  name: string;
  unit: (value: number) => string;
  bound: Bound;
  /** Undefined where nothing was measured; then `why` says so. */
  value: number | undefined;
  /** True where more may be missing from the value: what is over the bound is over it, what is not may be. */
  partial?: boolean;
  why?: string;
  /** The limit binds nothing here: no call of that tool ran; or the subject has no such figure and the limit is inherited. */
  notApplicable?: boolean;
}

type Measured = Pick<Figure, 'value' | 'why' | 'partial' | 'notApplicable'>;

/** Each within its bound, inclusive. One that is exceeded decides; then one that could not be measured. */
export function limits(value: Limits, evidence: Evidence, inherited: boolean): Evaluation {
  const figures = figuresOf(value, evidence, inherited).map((figure) => unlessEnded(figure, evidence));
  const found = {
    expected: boundsAsJson(figures),
    actual: Object.fromEntries(figures.map(({ name, value: actual }) => [name, actual ?? null])) as Json,
  };
  const broken = figures.filter((figure) => isBroken(figure, evidence));
  if (broken.length > 0) return failed(`${broken.map(sentence).join('; ')}.`, found);
  const unmeasured = figures.find(
    (figure) => figure.notApplicable !== true && (figure.value === undefined || figure.partial),
  );
  if (unmeasured !== undefined)
    return notMeasured(ended(`${unmeasured.name}: ${unmeasured.why ?? 'not measured'}`), found);
  const measured = figures.filter((figure) => figure.notApplicable !== true);
  if (measured.length === 0)
    return notApplicable(`${figures.map(({ name, why }) => `${name}: ${why ?? ''}`).join('; ')}.`);
  const evaluation = passed(`${measured.map(({ unit, value: actual }) => unit(actual ?? 0)).join(', ')}.`);
  // Figures only grow: what has been reached stays so, what has not been exceeded may be yet.
  const certain = measured.every(({ bound, value: actual = 0 }) => bound.max === null && actual >= (bound.min ?? 0));
  return certain ? evaluation : onTheWhole(evidence, { ...evaluation, ...found });
}

/** What had not grown to its least when the trial was ended on purpose might have, had it gone on. */
function unlessEnded(figure: Figure, { attempt, endedByRoute }: Evidence): Figure {
  const { name, bound, value = 0, partial } = figure;
  // Without execution it is the first reply that is judged, and all its calls are there.
  const isEnded = endedByRoute || (attempt.transcript.end.kind === 'stoppedEarly' && name !== 'toolCalls');
  if (!isEnded || partial === true || bound.min === null || value >= bound.min) return figure;
  return { ...figure, notApplicable: true, why: 'the trial was ended on purpose before' };
}

function isBroken({ bound, value, partial, notApplicable: free }: Figure, { cutShort }: Evidence): boolean {
  if (value === undefined || free === true) return false;
  const over = bound.max !== null && value > bound.max;
  return over || (cutShort === null && partial !== true && bound.min !== null && value < bound.min);
}

function sentence({ name, unit, bound, value = 0 }: Figure): string {
  const over = bound.max !== null && value > bound.max;
  const shown = unit === dollars ? unit : String;
  const limit = over ? `at most ${shown(bound.max ?? 0)}` : `at least ${shown(bound.min ?? 0)}`;
  return `${name}: ${unit(value)}, expected ${limit}`;
}

const NO_TIMES = 'the trace holds no times';

const milliseconds = (value: number): string => `${Math.round(value)} ms`;
/** All figures that count, so that what is shown over a bound looks it. */
const dollars = (value: number): string => `$${Number(value.toPrecision(6))}`;
const of = (noun: string) => (value: number) => counted(value, noun);

function figuresOf(value: Limits, evidence: Evidence, inherited: boolean): Figure[] {
  const { facts, attempt, testCase } = evidence;
  const { kind } = testCase.subject;
  const noModel = kind === 'tool' ? 'no model takes part' : undefined;
  const figures: Figure[] = [];
  const add = (name: string, bound: Bound | undefined, unit: Figure['unit'], rest: Measured): void => {
    if (bound !== undefined) figures.push({ name, bound, unit, ...rest });
  };
  const absent = (why: string) => ({ value: undefined, why, notApplicable: inherited });
  const noReplies = noModel ?? (kind === 'trace' && facts.turns === 0 ? 'the trace holds no replies' : undefined);

  add('toolCalls', value.toolCalls, of('call'), noModel === undefined ? { value: facts.calls } : absent(noModel));
  add('turns', value.turns, of('turn'), noReplies === undefined ? { value: facts.turns } : absent(noReplies));
  add(
    'tokens',
    value.tokens,
    of('token'),
    noReplies === undefined
      ? {
          value: facts.tokens.total,
          partial: !facts.tokens.complete,
          why: 'the provider reported no usage for some replies',
        }
      : absent(noReplies),
  );
  add('cost', value.costUsd, dollars, noModel === undefined ? costOf(evidence, absent) : absent(noModel));
  add(
    'duration',
    value.durationMs,
    milliseconds,
    kind === 'trace' && attempt.durationMs === 0 ? absent(NO_TIMES) : { value: attempt.durationMs },
  );
  for (const [tool, bound] of Object.entries(value.toolDurationMs ?? {})) {
    add(`toolDuration of ${tool}`, bound, milliseconds, slowest(tool, evidence, absent));
  }
  return figures;
}

/** What is known of a cost counts; that the rest is not known counts only against staying within a bound. */
function costOf({ attempt, facts, testCase }: Evidence, absent: (why: string) => Measured): Measured {
  const { costUsd, unpriced } = attempt;
  if (unpriced !== undefined) return { value: costUsd ?? undefined, partial: true, why: unpriced };
  if (costUsd !== null) return { value: costUsd };
  if (testCase.subject.kind === 'trace') return absent('the trace holds no cost');
  return facts.turns === 0 ? { value: 0 } : { value: undefined, why: 'the cost was not recorded' };
}

function slowest(tool: string, { judged, testCase }: Evidence, absent: (why: string) => Measured): Measured {
  const ran = judged.filter((call) => matchesTool(tool, call.server, call.tool) && !isUnanswered(call));
  if (ran.length === 0) return { value: undefined, why: 'no call of it ran', notApplicable: true };
  const value = ran.reduce((most, call) => Math.max(most, call.durationMs), 0);
  return testCase.subject.kind === 'trace' && value === 0 ? absent(NO_TIMES) : { value };
}

function boundsAsJson(figures: readonly Figure[]): Json {
  return Object.fromEntries(
    figures.map(({ name, bound: { min, max } }) => [
      name,
      { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) },
    ]),
  );
}
