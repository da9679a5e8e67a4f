/** Rates as written: `90%` or `0.9`. */
export const PERCENT = /^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%$/;

/** @returns a share in [0, 1] */
export function rateOf(written: string | number): number {
  return typeof written === 'number' ? written : Number(written.slice(0, -1)) / 100;
}
