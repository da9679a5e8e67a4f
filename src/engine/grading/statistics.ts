/** The 97.5% quantile of the standard normal distribution, for two-sided 95% intervals. */
const Z = 1.959963984540054;

/**
 * Wilson score interval, 95%, of a share of independent trials.
 *
 * @param passed whole number in [0, total]
 * @param total  whole number from 1
 * @returns lower and upper end in [0, 1]; exactly 0 for no success and exactly 1 for nothing but successes
 * @throws RangeError for other numbers
 * @see Wilson 1927, "Probable inference, the law of succession, and statistical inference"
 */
export function wilson(passed: number, total: number): [number, number] {
  requireCounts(passed, total);
  if (total === 0) throw new RangeError('there is no interval over nothing');
  const share = passed / total;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * total)) / (1 + z2 / total);
  const half = (Z / (1 + z2 / total)) * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total));
  return [passed === 0 ? 0 : Math.max(0, middle - half), passed === total ? 1 : Math.min(1, middle + half)];
}

/**
 * pass@k: the probability that at least one of k trials passes, estimated without bias from n trials of which c passed:
 * 1 - C(n - c, k) / C(n, k), as a product that neither overflows nor cancels.
 *
 * @param k whole number in [1, n]
 * @throws RangeError for other numbers
 * @see Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1
 */
export function passAtK(n: number, c: number, k: number): number {
  requireCounts(c, n);
  requireDraw(k, n);
  if (n - c < k) return 1;
  return 1 - drawAll(n - c, n, k);
}

/**
 * pass^k: the probability that all of k trials pass, estimated without bias from n trials of which c passed:
 * C(c, k) / C(n, k).
 *
 * @param k whole number in [1, n]
 * @throws RangeError for other numbers
 * @see Yao et al. 2024, "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", section 3
 */
export function passHatK(n: number, c: number, k: number): number {
  requireCounts(c, n);
  requireDraw(k, n);
  return c < k ? 0 : drawAll(c, n, k);
}

/** C(some, k) / C(all, k): the probability that k drawn without replacement all belong to `some`. */
function drawAll(some: number, all: number, k: number): number {
  let probability = 1;
  for (let drawn = 0; drawn < k; drawn += 1) probability *= (some - drawn) / (all - drawn);
  return probability;
}

function requireCounts(part: number, whole: number): void {
  if (!Number.isInteger(part) || !Number.isInteger(whole) || part < 0 || part > whole) {
    throw new RangeError(`${part} of ${whole} is no count of trials`);
  }
}

function requireDraw(k: number, n: number): void {
  if (!Number.isInteger(k) || k < 1 || k > n)
    throw new RangeError(`k must be a whole number from 1 to ${n}; it is ${k}`);
}
