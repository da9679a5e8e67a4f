import type { Json } from '../record.ts';
import { holdsLiteral, isTypeWord } from '../suite/matchers.ts';

const LONGEST = 80;
const plainKey = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u;

/**
 * A value inside a sentence: `{ city: "Berlin" }`, or what it is where that would be longer than 80 characters.
 * Never a part of a value: half a secret is one that nobody recognises, and redacts, any more.
 */
export function inWords(value: Json | undefined): string {
  return value === undefined ? 'missing' : told(value, false);
}

/** The same for an expected value, in which `$string` is a matcher and no text: `{ city: $string }`. */
export function expectedInWords(value: Json): string {
  return told(value, true);
}

function told(value: Json, matchers: boolean): string {
  const written = write(value, LONGEST, matchers);
  if (written !== null && written.length <= LONGEST) return written;
  if (typeof value === 'string') return `a text of ${counted(value.length, 'character')}`;
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'element')}`;
  return `an object with ${counted(Object.keys(value ?? {}).length, 'key')}`;
}

/** Null as soon as it takes more room than there is, so that the work is bounded by the room. */
function write(value: Json, room: number, matchers: boolean): string | null {
  if (typeof value === 'string') {
    if (value.length > room) return null;
    return matchers && isTypeWord(value) ? value : JSON.stringify(value);
  }
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value))
    return writeParts(
      value.map((part) => ['', part, matchers]),
      room,
      '[',
      ']',
    );
  const keys = Object.keys(value);
  if (keys.length > room) return null;
  const named = keys.map(
    (key): Part => [
      `${plainKey.test(key) ? key : JSON.stringify(key)}: `,
      value[key] ?? null,
      matchers && !holdsLiteral(key),
    ],
  );
  return named.length === 0 ? '{}' : writeParts(named, room, '{ ', ' }');
}

/** What stands before it, the value, and whether matchers may stand in it. */
type Part = [name: string, value: Json, matchers: boolean];

function writeParts(parts: readonly Part[], room: number, open: string, close: string): string | null {
  let line = open;
  for (const [name, value, matchers] of parts) {
    const part = write(value, room - line.length - name.length, matchers);
    if (part === null) return null;
    line += `${line === open ? '' : ', '}${name}${part}`;
    if (line.length > room) return null;
  }
  return line + close;
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first few, and how many more: `a, b, c and 4 more`. */
export function listed(items: readonly string[], shown = 3): string {
  const first = items.slice(0, shown).join(', ');
  return items.length > shown ? `${first} and ${items.length - shown} more` : first;
}
