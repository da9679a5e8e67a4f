import { RE2JS } from 're2js';
import { McproveError } from '../errors.ts';

/** Compiled patterns, so that one that is asked a thousand times is compiled once. Whoever makes it owns it. */
export interface Patterns {
  /**
   * Whether the unanchored RE2 pattern is found in the text; time linear in its length.
   *
   * @throws McproveError GRADE001 when the pattern is none
   */
  test(pattern: string, text: string): boolean;
}

/** @param capacity how many patterns are kept; the one unused for longest goes first */
export function createPatterns(capacity = 256): Patterns {
  const compiled = new Map<string, RE2JS>();

  function get(pattern: string): RE2JS {
    const known = compiled.get(pattern);
    if (known !== undefined) {
      if (compiled.size === capacity) {
        compiled.delete(pattern);
        compiled.set(pattern, known);
      }
      return known;
    }
    const fresh = compile(pattern);
    if (compiled.size === capacity) {
      const [oldest] = compiled.keys();
      if (oldest !== undefined) compiled.delete(oldest);
    }
    compiled.set(pattern, fresh);
    return fresh;
  }

  return { test: (pattern, text) => get(pattern).test(text) };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new McproveError('GRADE001', `the pattern ${JSON.stringify(pattern)} cannot be used: ${why}`, {
      hint: 'Patterns are RE2: without look-around and back-references.',
      cause,
    });
  }
}
