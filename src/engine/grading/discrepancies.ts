import type { Call, Discrepancy } from '../record.ts';
import type { ExpectedCall, MatchOptions } from '../suite/model.ts';
import { matchesTool } from '../suite/toolName.ts';
import type { Arrangement, Slot } from './arrange.ts';
import { compareValue, countDifferences } from './compare.ts';
import { argumentMode, type FitRules, givenArguments, judgeOutcome } from './fit.ts';
import { pairNearest } from './nearestCalls.ts';
import { nearestName, neverOffered, type Offer } from './neverOffered.ts';

/** Every way in which an arrangement differs from what was expected: authored order first, then the calls left over. */
export function discrepanciesOf(
  arrangement: Arrangement,
  calls: readonly Call[],
  match: Pick<MatchOptions, 'order' | 'extras'>,
  rules: FitRules,
  offer: Offer,
): Discrepancy[] {
  const unmet = arrangement.required.filter((slot) => slot.call === -1);
  const open = unmet.filter((slot) => slot.misplaced === -1);
  const partners = pairNearest(open, arrangement.left, (slot, index) => costOf(slot.expected, calls[index], rules));
  const partnerOf = new Map(open.map((slot, index) => [slot, arrangement.left[partners[index] ?? -1]]));
  const paired = new Set(partnerOf.values());
  const found = unmet.map((slot): Discrepancy => {
    const misplaced = calls[slot.misplaced];
    if (misplaced !== undefined) return outOfOrder(slot, misplaced, arrangement, calls, match.order);
    return unmetCall(slot.expected, calls[partnerOf.get(slot) ?? -1], rules, offer);
  });

  const leftOver = arrangement.left.filter((index) => !paired.has(index));
  const tooMany = match.order === 'exact' || exceeds(leftOver.length, match.extras);
  for (const index of leftOver) {
    const call = calls[index];
    if (call !== undefined) found.push(extra(call, tooMany || arrangement.beyond.has(index), offer));
  }
  return found;
}

/** Are more calls left over than may be? */
export function exceeds(count: number, extras: MatchOptions['extras']): boolean {
  if (extras === 'allow') return false;
  return count > (extras === 'forbid' ? 0 : extras);
}

/** How many arguments differ; null for another tool. */
function costOf(expected: ExpectedCall, call: Call | undefined, rules: FitRules): number | null {
  if (call === undefined || !matchesTool(expected.tool, call.server, call.tool)) return null;
  const mode = argumentMode(expected, rules);
  return mode === null ? 0 : countDifferences(expected.arguments ?? {}, givenArguments(call), mode, rules.patterns);
}

function unmetCall(expected: ExpectedCall, call: Call | undefined, rules: FitRules, offer: Offer): Discrepancy {
  const { at, tool } = expected;
  const missing = { kind: 'missing' as const, at, tool, expected: expected.arguments ?? null };
  const unknown = neverOffered(tool, offer);
  // With a name that nobody offers, it does not matter with which arguments the model called it as well.
  if (call === undefined || unknown.neverOffered === true) return { ...missing, ...unknown };
  const mode = argumentMode(expected, rules);
  const given = givenArguments(call);
  const differences = mode === null ? [] : compareValue(expected.arguments ?? {}, given, mode, rules.patterns);
  if (differences.length > 0) {
    const wanted = expected.arguments ?? {};
    return {
      kind: 'argumentMismatch',
      at,
      call: call.id,
      tool: call.tool,
      expected: wanted,
      actual: given,
      differences,
    };
  }
  const { text, differences: inResult } = judgeOutcome(expected, call, rules);
  const kind = call.error === undefined ? {} : { kind: call.error.kind };
  return { ...missing, ...unknown, refused: { call: call.id, text, ...kind, differences: inResult } };
}

function extra(call: Call, counts: boolean, offer: Offer): Discrepancy {
  const { id, tool } = call;
  const hallucinated = isHallucinated(call, offer);
  const isUnknown = hallucinated || !isKnown(call, offer);
  return {
    kind: 'extra',
    call: id,
    tool,
    arguments: givenArguments(call),
    ...(hallucinated ? { hallucinated } : {}),
    ...(isUnknown ? nearestName(tool, offer.offered) : {}),
    counts,
  };
}

function isKnown({ server, tool }: Call, { offered, withheld = [] }: Offer): boolean {
  return server !== null || [...offered, ...withheld].some((each) => each.tool === tool);
}

/** True for a tool that no server offered at any moment of the trial. */
function isHallucinated(call: Call, offer: Offer): boolean {
  const { offered, toolListChanged } = offer;
  if (isKnown(call, offer)) return false;
  return call.error?.kind === 'unknownTool' || (offered.length > 0 && !toolListChanged);
}

function outOfOrder(
  slot: Slot,
  call: Call,
  { required }: Arrangement,
  calls: readonly Call[],
  order: MatchOptions['order'],
): Discrepancy {
  const { at } = slot.expected;
  const { id, tool } = call;
  const position = required.indexOf(slot);
  if (order === 'exact') {
    return {
      kind: 'outOfOrder',
      at,
      call: id,
      tool,
      text: `call ${slot.misplaced + 1}, expected as call ${position + 1}`,
    };
  }
  const before = required.slice(0, position).findLast((other) => other.call > slot.misplaced);
  const after = required.slice(position + 1).find((other) => other.call !== -1 && other.call < slot.misplaced);
  const [other, text] = before === undefined ? [after, 'made after'] : [before, 'made before'];
  const where = before === undefined ? 'expected before it' : 'expected after it';
  const neighbour = calls[other?.call ?? -1];
  const words = neighbour === undefined ? 'not where it was expected' : `${text} ${neighbour.tool}, ${where}`;
  return { kind: 'outOfOrder', at, call: id, tool, text: words };
}
