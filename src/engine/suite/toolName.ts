/** Tool names as they stand in a suite: a name or a glob, perhaps with its server: `weather::get_*`. */
import picomatch from 'picomatch';

/** MCP's own limit for a tool name. A longer one, which only a hostile server sends, meets no glob but its own text. */
const LONGEST_NAME = 128;

/** Each `*` multiplies the worst case of backtracking; four stay well under a second on the longest name. */
export const MOST_STARS = 4;

const GLOB = /[*?{[]/;

/**
 * Does a tool of a server fit a name or glob of the suite?
 *
 * @param pattern `get_weather`, `pods_*`, `weather::*`; without a server it fits that of any server
 * @param server  null where no server offered the tool: then a pattern with a server does not fit
 */
export function matchesTool(pattern: string, server: string | null, tool: string): boolean {
  const cut = pattern.indexOf('::');
  if (cut < 0) return matchesGlob(pattern, tool);
  return server !== null && matchesGlob(pattern.slice(0, cut), server) && matchesGlob(pattern.slice(cut + 2), tool);
}

/** Is it a pattern for several tools, and not the name of one? */
export function isGlob(pattern: string): boolean {
  return GLOB.test(pattern);
}

type Matcher = (name: string) => boolean;

/** Compiled globs, since grading asks for each pair of expected and actual call. Bounded; holds nothing but patterns. */
const compiled = new Map<string, Matcher>();
const MOST_COMPILED = 1000;

function matchesGlob(pattern: string, name: string): boolean {
  if (pattern === name || pattern === '*') return true;
  if (!isGlob(pattern) || name.length > LONGEST_NAME) return false;
  let matcher = compiled.get(pattern);
  if (matcher === undefined) {
    matcher = compile(pattern);
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(pattern, matcher);
  }
  return matcher(name);
}

function compile(pattern: string): Matcher {
  if (pattern.split('*').length - 1 > MOST_STARS) return () => false;
  // A tool name is flat text, not a path: `*` crosses slashes and leading dots, and no pattern negates.
  return picomatch(pattern, { bash: true, dot: true, nonegate: true, noextglob: true, windows: false });
}
