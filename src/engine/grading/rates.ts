/**
 * Shares are compared as exact quotients: 199 of 200 does not reach 100%, and 9 of 10 reaches 90%. A quotient of two counts
 * is rounded once, to the nearest double; a bar may have been rounded twice on its way (99.9 / 100), so two units in the last
 * place are forgiven. Two different quotients of counts up to a million lie a thousand times further apart.
 */
const FORGIVEN = 2 * Number.EPSILON;

/** Does `part` of `whole` reach the bar? Over nothing no bar is reached. */
export function reaches(part: number, whole: number, bar: number): boolean {
  return whole > 0 && part / whole >= bar - FORGIVEN;
}

/** Does `part` of `whole` stay within the bar? Over nothing no bar is kept. */
export function staysWithin(part: number, whole: number, bar: number): boolean {
  return whole > 0 && part / whole <= bar + FORGIVEN;
}

/** A share for a person: `80%`, `99.5%`; cut to one decimal, never rounded up to a bar that was missed. */
export function percent(share: number): string {
  return `${Math.floor(share * 1000 + 1e-6) / 10}%`;
}

/** A bar as it was written: `99.95%`. */
export function writtenBar(bar: number): string {
  return `${Number((bar * 100).toPrecision(12))}%`;
}
