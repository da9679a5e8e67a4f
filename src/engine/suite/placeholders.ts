/** `{{name}}` in a text; `{{{{` is a literal `{{`. */
import type { Json } from '../record.ts';

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'placeholder'; name: string; raw: string }
  /** Opened and never closed. */
  | { kind: 'open'; raw: string };

/** Gives the value of a name; a name it does not know is left to it. */
export type Lookup = (name: string) => Json;

export function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}

/** `calls[0].text`, `calls[-1].json.items[0]`: what the scripted model fills from the calls made so far. */
export function isCallName(name: string): boolean {
  return /^calls\[-?\d+\]\.(?:text|json(?:\.[^.[\]\s]+|\[\d+\])*)$/.test(name);
}

export function parseTemplate(text: string): Part[] {
  const parts: Part[] = [];
  let plain = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    plain += text.slice(at, open);
    if (text.startsWith('{{{{', open)) {
      plain += '{{';
      at = open + 4;
      continue;
    }
    const close = text.indexOf('}}', open);
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
    if (close < 0) return [...parts, { kind: 'open', raw: text.slice(open) }];
    parts.push({ kind: 'placeholder', name: text.slice(open + 2, close).trim(), raw: text.slice(open, close + 2) });
    at = close + 2;
  }
  plain += text.slice(at);
  if (plain !== '') parts.push({ kind: 'text', text: plain });
  return parts;
}

/** The name, where the text is one placeholder and nothing else: then the value keeps its type. */
export function wholePlaceholder(text: string): string | undefined {
  if (!text.startsWith('{{') || !text.endsWith('}}')) return undefined;
  const [first, ...rest] = parseTemplate(text);
  return first?.kind === 'placeholder' && rest.length === 0 ? first.name : undefined;
}

/**
 * The text with every placeholder replaced: texts as they are, other values as JSON.
 *
 * @param guard applied to each value that is put in
 */
export function fillText(text: string, lookup: Lookup, guard = (value: string): string => value): string {
  if (!hasPlaceholder(text)) return text;
  return parseTemplate(text)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'open') return part.raw;
      const value = lookup(part.name);
      return guard(typeof value === 'string' ? value : JSON.stringify(value));
    })
    .join('');
}

/** Every text in the value filled, keys left alone; a text that is one placeholder takes the value with its type. */
export function fillValue(value: Json, lookup: Lookup): Json {
  if (typeof value === 'string') {
    if (!hasPlaceholder(value)) return value;
    const whole = wholePlaceholder(value);
    return whole === undefined ? fillText(value, lookup) : lookup(whole);
  }
  return mapMembers(value, (member) => fillValue(member, lookup));
}

/** Applies a function to each member or element; scalars come back as they are. Maps stay without a prototype. */
export function mapMembers(value: Json, change: (member: Json, key: string) => Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member, index) => change(member, String(index)));
  const mapped: { [key: string]: Json } = Object.create(null);
  for (const [key, member] of Object.entries(value)) mapped[key] = change(member, key);
  return mapped;
}
