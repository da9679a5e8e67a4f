import { type Bits, emptyBits, hasBit, lowestCommon } from './bits.ts';

/**
 * The longest common subsequence of slots and columns. Of the longest ones, that with the earliest slots; each takes the
 * earliest column.
 *
 * @param rows for each slot the columns that it can take
 * @returns for each slot its column, or -1
 * @see Hirschberg 1977, "Algorithms for the longest common subsequence problem" (the table of suffix lengths)
 */
export function longestInOrder(rows: readonly Bits[], columns: number): Int32Array {
  const width = columns + 1;
  // The length of the longest one from this slot and this column on.
  const longest = new Uint32Array((rows.length + 1) * width);
  for (let slot = rows.length - 1; slot >= 0; slot -= 1) {
    const row = rows[slot] ?? emptyBits(columns);
    for (let column = columns - 1; column >= 0; column -= 1) {
      const here = slot * width + column;
      longest[here] = hasBit(row, column)
        ? 1 + (longest[here + width + 1] ?? 0)
        : Math.max(longest[here + 1] ?? 0, longest[here + width] ?? 0);
    }
  }

  const columnOf = new Int32Array(rows.length).fill(-1);
  let from = 0;
  rows.forEach((row, slot) => {
    // What follows only shrinks with a later column, so the earliest is the one to try.
    const column = lowestCommon(row, row, from);
    if (column === -1) return;
    const withIt = 1 + (longest[(slot + 1) * width + column + 1] ?? 0);
    if (withIt < (longest[slot * width + from] ?? 0)) return;
    columnOf[slot] = column;
    from = column + 1;
  });
  return columnOf;
}
