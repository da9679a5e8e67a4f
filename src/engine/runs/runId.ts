import { randomBytes } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A new id in the form of a ULID: 10 digits of time in milliseconds, 16 of chance. Later ids sort after earlier ones.
 *
 * @see https://github.com/ulid/spec
 */
export function newRunId(now: Date): string {
  let id = '';
  let left = now.getTime();
  for (let place = 0; place < 10; place++) {
    id = DIGITS.charAt(left % 32) + id;
    left = Math.floor(left / 32);
  }
  for (const byte of randomBytes(16)) id += DIGITS.charAt(byte % 32);
  return id;
}
