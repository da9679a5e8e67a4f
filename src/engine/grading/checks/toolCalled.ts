import type { Call, StageName } from '../../record.ts';
import type { ToolCondition } from '../../suite/model.ts';
import { matchesTool } from '../../suite/toolName.ts';
import { judgeAnswer } from '../answer.ts';
import { compareValue, matchesValue } from '../compare.ts';
import type { Evidence } from '../evidence.ts';
import { givenArguments } from '../fit.ts';
import { counted, listed } from '../inWords.ts';
import { differencesSentence } from '../sentences.ts';
import { calledTools } from './calledTools.ts';
import { type Evaluation, failed, notMeasured, onTheWhole, passed } from './evaluation.ts';

/** Whether such calls were made. The arguments are compared in partial mode; `match` is about the route alone. */
export function toolCalled(condition: ToolCondition, evidence: Evidence): Evaluation {
  return settle(condition, evidence, false);
}

export function toolNotCalled(condition: ToolCondition, evidence: Evidence): Evaluation {
  return settle(condition, evidence, true);
}

type State = 'holds' | 'fails' | 'open' | 'pending';

/** Every group must hold, and of a group one alternative. */
function settle(condition: ToolCondition, evidence: Evidence, negated: boolean): Evaluation {
  const found = { expected: { tools: condition.tools.map((group) => [...group]) }, actual: calledTools(evidence) };
  const wantedErrors: string[] = [];
  const groups = condition.tools.map((group) => {
    const tallies = group.map((tool) => tally(tool, condition, evidence));
    if (condition.result?.isError === true && !negated)
      wantedErrors.push(...tallies.flatMap(({ sure }) => sure.map((call) => call.id)));
    return { group, tallies, state: bestOf(tallies.map((each) => stateOf(each, condition, evidence, negated))) };
  });
  const first = (state: State) => groups.find((each) => each.state === state);

  const broken = first('fails');
  if (broken !== undefined && evidence.endedByRoute && !negated && !isCertain(broken.tallies, condition)) {
    return onTheWhole(evidence, failed('', found));
  }
  if (broken !== undefined) {
    const reason = negated
      ? `${wasCalled(broken)}, which must not be.`
      : failedReason(broken.group, broken.tallies, condition, evidence);
    return failed(reason, { ...found, stage: stageOf(broken.tallies, negated) });
  }
  if (first('pending') !== undefined) return onTheWhole(evidence, passed('', found));
  const open = first('open');
  if (open !== undefined)
    return notMeasured(`${listed(open.group)}: the record does not hold the results that would tell.`, found);
  const names = groups.map((each) => (negated ? each.group.join(' or ') : wasCalled(each)));
  const were = names.length === 1 ? 'was' : 'were';
  return passed(negated ? `${listed(names)} ${were} not called.` : `${listed(names)}.`, { wantedErrors });
}

interface Tally {
  tool: string;
  /** Calls of the tool, whatever their arguments. */
  called: Call[];
  sure: Call[];
  /** Fit but for a result that the record does not hold. */
  open: number;
}

function tally(tool: string, condition: ToolCondition, evidence: Evidence): Tally {
  const called = evidence.calls.filter((call) => matchesTool(tool, call.server, call.tool));
  const sure: Call[] = [];
  let open = 0;
  for (const call of called) {
    const { arguments: args, result } = condition;
    if (args !== undefined && !matchesValue(args, givenArguments(call), 'partial', evidence.patterns)) continue;
    const asked = result !== undefined && evidence.testCase.execute !== false;
    const state = !asked ? 'met' : judgeAnswer(result, call, null, evidence.patterns).state;
    if (state === 'met') sure.push(call);
    if (state === 'unknown') open += 1;
  }
  return { tool, called, sure, open };
}

/** What is certain whatever the open calls are, and whatever would still have followed. */
function stateOf({ sure, open }: Tally, { count }: ToolCondition, { cutShort }: Evidence, negated: boolean): State {
  const { min, max } = count ?? { min: 1, max: Number.POSITIVE_INFINITY };
  const most = cutShort === null ? sure.length + open : Number.POSITIVE_INFINITY;
  const certainlyIn = sure.length >= min && most <= max;
  const certainlyOut = most < min || sure.length > max;
  if (certainlyIn) return negated ? 'fails' : 'holds';
  if (certainlyOut) return negated ? 'holds' : 'fails';
  return cutShort === null ? 'open' : 'pending';
}

/** Is it broken whatever calls would have followed: by more of them than there may be? */
function isCertain(tallies: readonly Tally[], { count }: ToolCondition): boolean {
  return count !== null && tallies.every(({ sure }) => sure.length > count.max);
}

/** One alternative is enough. */
function bestOf(states: readonly State[]): State {
  for (const state of ['holds', 'open', 'pending'] as const) if (states.includes(state)) return state;
  return 'fails';
}

function stageOf(tallies: readonly Tally[], negated: boolean): StageName {
  const rightTool = !negated && tallies.some(({ called }) => called.length > 0);
  return rightTool ? 'toolCalled' : 'toolSelected';
}

function wasCalled({ tallies }: { tallies: readonly Tally[] }): string {
  const best = tallies.find(({ sure }) => sure.length > 0);
  if (best === undefined) return `${tallies.map(({ tool }) => tool).join(' or ')} was called`;
  return `${best.tool} was called${best.sure.length === 1 ? '' : ` ${best.sure.length} times`}`;
}

function failedReason(
  group: readonly string[],
  tallies: readonly Tally[],
  condition: ToolCondition,
  { patterns }: Evidence,
): string {
  const name = group.join(' or ');
  const best = tallies.find(({ called }) => called.length > 0);
  const [call] = best?.called ?? [];
  if (best === undefined || call === undefined) return `${name} was not called.`;
  const fitting = best.sure.length;
  if (condition.count !== null) {
    const { min, max } = condition.count;
    const bound = min === max ? `${min}` : fitting < min ? `at least ${min}` : `at most ${max}`;
    return `${counted(fitting, 'such call')} of ${name}, expected ${bound}.`;
  }
  const differences =
    condition.arguments === undefined
      ? []
      : compareValue(condition.arguments, givenArguments(call), 'partial', patterns);
  if (differences.length > 0)
    return `${name} was called with other arguments: ${differencesSentence(differences, 'the whole')}.`;
  return `${name} was called, but no call of it came to the expected result.`;
}
