/** Amounts as written: `$0.05`. */
export const MONEY = /^\$(\d+(?:\.\d+)?)$/;

/** @returns US dollars, or NaN where the text is no amount */
export function usd(text: string): number {
  return Number(MONEY.exec(text)?.[1] ?? Number.NaN);
}
