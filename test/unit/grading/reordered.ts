import type { Json } from '../../../src/engine/record.ts';

/** The same value with the keys of every object in another order. */
export function reordered(value: Json, seed: number): Json {
  if (Array.isArray(value)) return value.map((element) => reordered(element, seed));
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort((a, b) => hash(a, seed) - hash(b, seed));
  return Object.fromEntries(keys.map((key) => [key, reordered(value[key] ?? null, seed)]));
}

function hash(text: string, seed: number): number {
  let sum = seed % 65_521;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return sum;
}
