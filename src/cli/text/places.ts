/** From a JSON pointer in a suite to a place that a person can open, and the line that stands there. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { type Json, type SourceRange, type Suite, visibleLine } from '../../engine/index.ts';
import { excerpt } from './excerpt.ts';
import type { Page } from './page.ts';

/** A value of the suite by its JSON pointer, or with `key` the key before it. */
export interface Spot {
  pointer: string;
  key: boolean;
}

export interface Places {
  /** `file:line:column` of a place; the pointer itself where the suite is not at hand. */
  name(place: string | Spot): string;
  /** The line with a mark under the place; [] where the suite is not at hand. */
  excerpt(place: string | Spot, page: Page): string[];
  /** What forbids a call that no entry of a route expects. @param route pointer of the route */
  extras(route: string): Spot;
  /** The place of an argument of an expected call, however the call was written. */
  argument(call: string, path: string): string;
}

/** @param text the suite's file as it was when `suite` was read */
export function placesIn(suite: Pick<Suite, 'snapshot' | 'locate'>, text: string, cwd: string): Places {
  return {
    name: (place) => placeName(rangeOf(suite, place), cwd),
    excerpt: (place, page) => excerpt(text, rangeOf(suite, place), page),
    extras: (route) => extrasSpot(suite.snapshot, route),
    argument: (call, path) => argumentPointer(suite.snapshot, call, path),
  };
}

/** The text of a suite's file, for excerpts; '' once the file is another one than was read. */
export async function textOf(suite: Pick<Suite, 'file' | 'hash'>): Promise<string> {
  const text = await readFile(suite.file, 'utf8').catch(() => '');
  const withoutMark = text.startsWith('\ufeff') ? text.slice(1) : text;
  return createHash('sha256').update(withoutMark).digest('hex') === suite.hash ? withoutMark : '';
}

/** Where only the record is at hand: the suite has changed since, or is gone. */
export function noPlaces(snapshot: Json): Places {
  return {
    name: (place) => visibleLine(typeof place === 'string' ? place : place.pointer),
    excerpt: () => [],
    extras: (route) => extrasSpot(snapshot, route),
    argument: (call, path) => argumentPointer(snapshot, call, path),
  };
}

/** `file:line:column`, the file as seen from `cwd`. */
export function placeName(range: SourceRange, cwd: string): string {
  return `${displayPath(range.file, cwd)}:${range.start.line}:${range.start.column}`;
}

/** Relative where that is shorter to read, with forward slashes on every system. */
export function displayPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return visibleLine(path === '' || path.startsWith(`..${sep}..`) ? file : path.replaceAll(sep, '/'));
}

function rangeOf({ locate }: Pick<Suite, 'locate'>, place: string | Spot): SourceRange {
  return typeof place === 'string' ? locate(place) : locate(place.pointer, { key: place.key });
}

/** Where extras are forbidden by a key of `match`, that one; else the key of the route, or `none`. */
function extrasSpot(snapshot: Json, route: string): Spot {
  const owner = route.slice(0, route.lastIndexOf('/'));
  for (const from of [`${owner}/match`, '/defaults/match']) {
    if (valueAt(snapshot, `${from}/extras`) !== undefined) return { pointer: `${from}/extras`, key: false };
    if (valueAt(snapshot, `${from}/order`) === 'exact') return { pointer: `${from}/order`, key: false };
  }
  return { pointer: route, key: valueAt(snapshot, route) !== 'none' };
}

/** An expected call is a name, `{ name: arguments }`, or the long form with `tool` and `arguments`. */
function argumentPointer(snapshot: Json, call: string, path: string): string {
  const written = valueAt(snapshot, call);
  if (written === null || typeof written !== 'object' || Array.isArray(written)) return call;
  if (written.tool !== undefined) return `${call}/arguments${path}`;
  const name = Object.keys(written)[0];
  return name === undefined ? call : `${call}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${path}`;
}

/** @param pointer a JSON pointer; undefined where it leads nowhere */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const raw of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined;
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(key)] : value[key];
  }
  return value;
}
