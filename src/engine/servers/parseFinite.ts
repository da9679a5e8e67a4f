import type { Json } from '../record.ts';

/**
 * `JSON.parse`, but a number too large for one (`1e999`) is null and not Infinity: as null it will be written to the run
 * file, and what is graded now must be what is graded when it is read again.
 *
 * @throws SyntaxError
 */
export function parseFinite(text: string): Json {
  if (!/\d[eE]\+?\d|\d{300}/.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, (_, value) => (value === Infinity || value === -Infinity ? null : value)) as Json;
}
