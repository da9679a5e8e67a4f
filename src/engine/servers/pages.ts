import type { Json } from '../record.ts';
import { isObject } from './isObject.ts';
import { shorten, shortJson } from './serverLine.ts';

const MAX_PAGES = 64;
const MAX_ENTRIES = 2000;

/** A list that cannot be used as a whole; the message says why, without naming the server. */
export class ListError extends Error {
  readonly duplicate: boolean;

  constructor(message: string, { duplicate = false } = {}) {
    super(message);
    this.duplicate = duplicate;
  }
}

/**
 * Reads a whole list, page by page.
 *
 * @param what in the singular: `tool` for `tools/list`, whose answer has the list under `tools`
 * @param page asks for one page and gives the raw result
 * @throws ListError when there is no end to it, or the answer is no list
 */
export async function readPages(
  what: 'tool' | 'resource' | 'prompt',
  page: (cursor: string | null) => Promise<Json>,
): Promise<Json[]> {
  const entries: Json[] = [];
  const cursors = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 0; ; pages++) {
    if (pages === MAX_PAGES) throw new ListError(`its ${what} list has more than ${MAX_PAGES} pages`);
    const result = await page(cursor);
    const { [`${what}s`]: list, nextCursor } = isObject(result) ? result : {};
    if (!Array.isArray(list)) throw new ListError(`its answer to ${what}s/list holds no list: ${shortJson(result)}`);
    entries.push(...list);
    if (entries.length > MAX_ENTRIES) {
      throw new ListError(`it offers more than ${MAX_ENTRIES.toLocaleString('en')} ${what}s`);
    }
    if (typeof nextCursor !== 'string') return entries;
    if (cursors.has(nextCursor)) throw new ListError(`its ${what} list repeats the cursor ${shorten(nextCursor)}`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}
