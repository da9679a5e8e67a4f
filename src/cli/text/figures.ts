/** Figures in words. */

/** `1 trial`, `2 trials`, `1,200 trials`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `66.7%`, never rounded up to 100% nor down to 0%: 1,999 of 2,000 is 99.9%. */
export function percent(share: number): string {
  const tenths = share === 0 || share === 1 ? share * 1000 : Math.min(999, Math.max(1, Math.round(share * 1000)));
  return `${(tenths / 10).toFixed(tenths % 10 === 0 ? 0 : 1)}%`;
}

/** `44%–100%`, each end to the nearest whole per cent. */
export function interval([low, high]: readonly [number, number]): string {
  return `${Math.round(low * 100)}%–${Math.round(high * 100)}%`;
}

/** `$0.0123`; of small sums the first two figures that count. */
export function dollars(usd: number): string {
  return `$${usd >= 0.01 ? usd.toFixed(4) : Number(usd.toPrecision(2))}`;
}
