/**
 * Pairs what is left on both sides, the pair that differs least first; of equal ones the earliest on the left, then on
 * the right. Only for the report: it never decides anything.
 *
 * @param cost whole number from 0, or null for a pair that cannot be
 * @returns for each on the left the position of its partner on the right, or -1
 */
export function pairNearest<L, R>(
  left: readonly L[],
  right: readonly R[],
  cost: (left: L, right: R) => number | null,
): Int32Array {
  // A pair as one number: a thousand by a thousand of them must not cost a million objects.
  const byCost = new Map<number, number[]>();
  for (const [i, one] of left.entries()) {
    for (const [j, other] of right.entries()) {
      const price = cost(one, other);
      if (price === null) continue;
      const pairs = byCost.get(price);
      if (pairs === undefined) byCost.set(price, [i * right.length + j]);
      else pairs.push(i * right.length + j);
    }
  }
  const partner = new Int32Array(left.length).fill(-1);
  const taken = new Set<number>();
  for (const price of [...byCost.keys()].sort((a, b) => a - b)) {
    for (const pair of byCost.get(price) ?? []) {
      const i = Math.floor(pair / right.length);
      const j = pair % right.length;
      if (partner[i] !== -1 || taken.has(j)) continue;
      partner[i] = j;
      taken.add(j);
    }
  }
  return partner;
}
