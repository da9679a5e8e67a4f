/** A set of small whole numbers, 32 to a word: what matching a thousand calls with a thousand asks for. */
export type Bits = Uint32Array;

export function emptyBits(size: number): Bits {
  return new Uint32Array((size + 31) >>> 5);
}

export function hasBit(bits: Bits, index: number): boolean {
  return (((bits[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;
}

export function addBit(bits: Bits, index: number): void {
  const word = index >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31));
}

export function removeBit(bits: Bits, index: number): void {
  const word = index >>> 5;
  bits[word] = (bits[word] ?? 0) & ~(1 << (index & 31));
}

/** The lowest member of `a ∩ b` from `start` on, or -1. */
export function lowestCommon(a: Bits, b: Bits, start = 0): number {
  let word = start >>> 5;
  let common = ((a[word] ?? 0) & (b[word] ?? 0) & (-1 << (start & 31))) >>> 0;
  while (common === 0) {
    word += 1;
    if (word >= a.length) return -1;
    common = ((a[word] ?? 0) & (b[word] ?? 0)) >>> 0;
  }
  return word * 32 + 31 - Math.clz32(common & -common);
}

export function intersect(a: Bits, b: Bits): Bits {
  return a.map((word, index) => word & (b[index] ?? 0));
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word of bits) {
    for (; word !== 0; word &= word - 1) count += 1;
  }
  return count;
}
