import type { ExpectedCall, MatchOptions } from '../suite/model.ts';
import { matchEarliest } from './bipartite.ts';
import { type Bits, countBits, emptyBits, hasBit, intersect, removeBit } from './bits.ts';
import { longestInOrder } from './sequence.ts';

/** One place that an expected call offers to an actual one. */
export interface Slot {
  expected: ExpectedCall;
  /** Position of that expected call in the route. */
  index: number;
  /** The actual call that meets it, by position, or -1. */
  call: number;
  /** The actual call that would meet it but for its place in the order, or -1. */
  misplaced: number;
}

/** Expected and actual calls side by side. */
export interface Arrangement {
  /** In authored order. */
  required: Slot[];
  /** What `count` allows beyond the required ones. */
  optional: Slot[];
  /** Positions of the calls that met nothing, in order. */
  left: number[];
  /** Those of `left` that only a full `count` keeps from meeting its expected call. */
  beyond: Set<number>;
}

/**
 * Puts actual calls to expected ones.
 *
 * @param rows for each expected call the actual ones that meet it, by position
 * @param total how many actual calls there are
 */
export function arrange(
  expected: readonly ExpectedCall[],
  rows: readonly Bits[],
  total: number,
  order: MatchOptions['order'],
): Arrangement {
  const required = slotsOf(expected, rows, total, ({ count }) => count?.min ?? 1);
  const optional = order === 'any' ? slotsOf(expected, rows, total, ({ count }) => optionalSlots(count, total)) : [];
  const slots = [...required, ...optional];
  const placed = place(slots, required.length, total, order);
  const columnOf = order === 'any' ? sparingCounts(placed, slots, required.length, total) : placed;

  const free = emptyBits(total).fill(-1);
  const filled = expected.map(() => 0);
  slots.forEach((slot, index) => {
    slot.call = columnOf[index] ?? -1;
    if (slot.call === -1) return;
    removeBit(free, slot.call);
    filled[slot.index] = (filled[slot.index] ?? 0) + 1;
  });
  if (order !== 'any') markMisplaced(required, free, total);

  const left = Array.from({ length: total }, (_, index) => index).filter((index) => hasBit(free, index));
  return { required, optional, left, beyond: beyondCount(expected, rows, filled, left) };
}

interface SlotWithRow extends Slot {
  row: Bits;
}

function slotsOf(
  expected: readonly ExpectedCall[],
  rows: readonly Bits[],
  total: number,
  count: (expected: ExpectedCall) => number,
): SlotWithRow[] {
  return expected.flatMap((each, index) => {
    // More than a few slots beyond the calls there are change nothing but the length of the report.
    const slots = Math.min(count(each), total + MISSING_SHOWN);
    const row = rows[index] ?? emptyBits(total);
    return Array.from({ length: slots }, () => ({ expected: each, index, row, call: -1, misplaced: -1 }));
  });
}

/** How many slots of one expected call are reported as missing, at most. */
const MISSING_SHOWN = 20;

function optionalSlots(count: ExpectedCall['count'], total: number): number {
  return count === null ? 0 : Math.min(count.max - count.min, total);
}

function place(
  slots: readonly SlotWithRow[],
  required: number,
  total: number,
  order: MatchOptions['order'],
): Int32Array {
  const rows = slots.map((slot) => slot.row);
  if (order === 'any') return matchEarliest(rows, required, total);
  if (order === 'inOrder') return longestInOrder(rows, total);
  return Int32Array.from(rows, (row, index) => (index < total && hasBit(row, index) ? index : -1));
}

/**
 * Of the matchings that serve as many slots, one that leaves over the fewest calls which a full `count` alone keeps out: the
 * verdict must not depend on which of them was found. A call that fits an expected one with a `count` is left over only when
 * that is full; so as many as can be of these calls are to be matched, and what is left over is to be taken from the others.
 * Slots that take any of the others, as many as can be left over, ask for just that.
 *
 * @see Mendelsohn and Dulmage 1958, "Some generalizations of the problem of distinct representatives": what can be matched on
 *   either side can be matched together
 */
function sparingCounts(placed: Int32Array, slots: readonly SlotWithRow[], required: number, total: number): Int32Array {
  const counting = emptyBits(total);
  for (const { expected, row } of slots) if (expected.count !== null) addAll(counting, row);
  const taken = (columns: Int32Array): number => columns.filter((column) => column !== -1).length;
  const isLeft = Array.from({ length: total }, (_, call) => hasBit(counting, call));
  for (const call of placed) if (call !== -1) isLeft[call] = false;
  if (!isLeft.includes(true)) return placed;

  const rows = slots.map((slot) => slot.row);
  const spared = taken(
    matchEarliest(
      rows.map((row) => intersect(row, counting)),
      rows.length,
      total,
    ),
  );
  const left = total - taken(placed) - (countBits(counting) - spared);
  const others = emptyBits(total).fill(-1);
  for (let call = 0; call < total; call += 1) if (hasBit(counting, call)) removeBit(others, call);
  for (let call = total; call < others.length * 32; call += 1) removeBit(others, call);
  const fillers = Array.from({ length: left }, () => others);
  return matchEarliest([...rows, ...fillers], required, total).slice(0, slots.length);
}

function addAll(bits: Bits, more: Bits): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) | (more[word] ?? 0);
}

/** What is left on both sides and fits is out of order; it is taken off the free ones. */
function markMisplaced(required: readonly SlotWithRow[], free: Bits, total: number): void {
  const open = required.filter((slot) => slot.call === -1);
  const columnOf = matchEarliest(
    open.map((slot) => intersect(slot.row, free)),
    open.length,
    total,
  );
  open.forEach((slot, index) => {
    slot.misplaced = columnOf[index] ?? -1;
    if (slot.misplaced !== -1) removeBit(free, slot.misplaced);
  });
}

function beyondCount(
  expected: readonly ExpectedCall[],
  rows: readonly Bits[],
  filled: readonly number[],
  left: readonly number[],
): Set<number> {
  const full = expected.map((each, index) => each.count !== null && (filled[index] ?? 0) >= each.count.max);
  return new Set(left.filter((call) => rows.some((row, index) => full[index] === true && hasBit(row, call))));
}
