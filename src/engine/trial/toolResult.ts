import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Call, CallResult, Json } from '../record.ts';
import { isObject } from '../servers/isObject.ts';
import { parseFinite } from '../servers/parseFinite.ts';

/** Of one result a model is sent at most this much text (UTF-8), and at most this much in images (base64). */
export const MAX_TEXT_BYTES = 256 * 1024;
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** `note` is set where the model was sent less than the tool gave. */
export interface ToldResult {
  output: LanguageModelV4ToolResultOutput;
  note: string | null;
}

type Part = { type: 'text'; text: string } | { type: 'image'; data: string; mediaType: string };

/** The kinds of image that the providers with vision all take. */
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * What a model is told of a finished call. Texts and embedded texts stand as they are, images as images, structured content
 * only where no text says the same; what a model cannot be shown is named in its place.
 */
export function tellResult(call: Call): ToldResult {
  const { result } = call;
  if (result === undefined) {
    return { output: { type: 'error-text', value: call.error?.text ?? 'the tool gave no result' }, note: null };
  }
  const parts = capImages(partsOf(result));
  const { shown, note } = capText(parts);
  const hasImages = shown.some((part) => part.type === 'image');
  if (result.isError || !hasImages) {
    const value = shown.map((part) => (part.type === 'text' ? part.text : imageName(part))).join('\n');
    const text = value === '' ? '(the tool returned nothing)' : value;
    return { output: { type: result.isError ? 'error-text' : 'text', value: text }, note };
  }
  const value = shown.map((part) =>
    part.type === 'text'
      ? part
      : { type: 'file' as const, data: { type: 'data' as const, data: part.data }, mediaType: part.mediaType },
  );
  return { output: { type: 'content', value }, note };
}

function partsOf(result: CallResult): Part[] {
  const parts = result.content.map(partOf);
  const { structured } = result;
  if (structured === undefined || parts.some((part) => part.type === 'text' && says(part.text, structured))) {
    return parts;
  }
  return [...parts, { type: 'text', text: JSON.stringify(structured) }];
}

function partOf(block: Json): Part {
  if (!isObject(block)) return unknownPart(typeof block, block);
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'image' && typeof data === 'string') return imageOr('image', data, mimeType);
  if (type === 'audio' && typeof data === 'string') return named(`audio, ${mediaType(mimeType)}, ${size(data.length)}`);
  if (type === 'resource') return resourcePart(block.resource ?? null);
  if (type === 'resource_link') {
    const words = [block.title ?? block.name, block.uri, block.description].filter((word) => typeof word === 'string');
    return named(`resource link: ${words.join(', ')}`);
  }
  return unknownPart(typeof type === 'string' ? type : 'none', block);
}

function resourcePart(resource: Json): Part {
  if (!isObject(resource)) return unknownPart('resource', resource);
  const { uri, text, blob, mimeType } = resource;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof blob !== 'string') return unknownPart('resource', resource);
  return imageOr(typeof uri === 'string' ? `resource ${uri}` : 'resource', blob, mimeType);
}

function imageOr(what: string, data: string, mimeType: Json | undefined): Part {
  const type = mediaType(mimeType);
  return IMAGE_TYPES.has(type)
    ? { type: 'image', data, mediaType: type }
    : named(`${what}, ${type}, ${size(data.length)}`);
}

function mediaType(mimeType: Json | undefined): string {
  return typeof mimeType === 'string' ? mimeType : 'of unknown type';
}

function unknownPart(type: string, block: Json): Part {
  return named(`content of unknown type "${type}", ${size(JSON.stringify(block).length)}`);
}

function named(what: string): Part {
  return { type: 'text', text: `[${what}]` };
}

function imageName(part: Extract<Part, { type: 'image' }>): string {
  return `[image, ${part.mediaType}, ${size(part.data.length)}]`;
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function capImages(parts: readonly Part[]): Part[] {
  let left = MAX_IMAGE_BYTES;
  return parts.map((part) => {
    if (part.type === 'text') return part;
    left -= part.data.length;
    return left < 0 ? { type: 'text', text: imageName(part) } : part;
  });
}

/** Cuts the texts where they pass the cap together, at the border of a character, and says so in the text itself. */
function capText(parts: readonly Part[]): { shown: Part[]; note: string | null } {
  const total = parts.reduce((sum, part) => (part.type === 'text' ? sum + Buffer.byteLength(part.text) : sum), 0);
  if (total <= MAX_TEXT_BYTES) return { shown: [...parts], note: null };
  const note = `cut for the model: ${size(MAX_TEXT_BYTES)} of ${size(total)} of text`;
  let left = MAX_TEXT_BYTES;
  const shown: Part[] = [];
  for (const part of parts) {
    if (part.type !== 'text') shown.push(part);
    else if (left > 0) {
      const text = headOf(part.text, left);
      left = text.length < part.text.length ? 0 : left - Buffer.byteLength(text);
      shown.push({ type: 'text', text });
    }
  }
  shown.push({ type: 'text', text: `[${note}]` });
  return { shown, note };
}

function headOf(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** Whether a text is this value as JSON, spacing and the order of keys aside. */
function says(text: string, value: Json): boolean {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return false;
  try {
    return sameJson(parseFinite(text), value);
  } catch {
    return false; // a text that is no JSON says something else
  }
}

function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
