import { isSecret, SHORTEST_SECRET } from '../servers/serverEnvironment.ts';

/** Says what a key file holds, and is the same in all of them. */
const KEY_FILE_MARK = /^-----(?:BEGIN|END) [A-Z0-9 ]+-----$/;

/**
 * What must not be shown of a value that is a secret: the value without the white space around it (a `.env` file from
 * Windows leaves a carriage return, and servers trim), without quotes around that, without `Bearer` before it; of several
 * lines each (a server may print the first alone); and where it is a JSON document, as cloud providers hand out their
 * credentials, each text in it under the name of a secret.
 *
 * @returns the longest first; nothing under 8 characters
 */
export function secretsIn(value: string): string[] {
  const parts = new Set<string>();
  addParts(value, parts);
  return [...parts].filter((part) => part.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

function addParts(value: string, parts: Set<string>): void {
  const core = value.trim();
  // What is long enough only with the space around it is searched for with it.
  parts.add(core.length >= SHORTEST_SECRET ? core : value);
  parts.add(core.replace(/^(["'`])(.*)\1$/s, '$2').trim());
  parts.add(core.replace(/^(?:bearer|basic|token)\s+/i, ''));
  if (core.startsWith('{') || core.startsWith('[')) addMembers(core, parts);
  if (!/[\r\n]/.test(core)) return;
  for (const line of core.split(/[\r\n]+/)) {
    const text = line.trim();
    if (!KEY_FILE_MARK.test(text) && /[\p{L}\p{N}]/u.test(text)) parts.add(text);
  }
}

function addMembers(text: string, parts: Set<string>): void {
  try {
    JSON.parse(text, (name, member: unknown) => {
      if (typeof member === 'string' && isSecret(name, member)) addParts(member, parts);
      return member;
    });
  } catch {
    // Not a JSON document after all.
  }
}
