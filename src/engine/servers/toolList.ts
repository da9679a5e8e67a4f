import { createHash } from 'node:crypto';
import type { Json } from '../record.ts';
import type { Tool } from './connection.ts';
import { isObject } from './isObject.ts';
import { ListError, readPages } from './pages.ts';
import { type Finding, shorten, shortJson } from './serverLine.ts';

const MAX_DESCRIPTION = 64 * 1024;
const MAX_SCHEMA = 1024 * 1024;

export interface ToolList {
  tools: readonly Tool[];
  /** Tools that cannot be used, by name, and why. */
  refused: ReadonlyMap<string, string>;
  findings: readonly Finding[];
  /** Of all tools in order, 16 hex digits. */
  hash: string;
}

/**
 * Reads the whole list, page by page. One bad tool does not spoil the others: it is left out, with a finding.
 *
 * @param page asks for one page and gives the raw result
 * @throws ListError when there is no end to it, two tools share a name, or the answer is no list
 */
export async function readToolList(server: string, page: (cursor: string | null) => Promise<Json>): Promise<ToolList> {
  return checkTools(server, await readPages('tool', page));
}

function checkTools(server: string, entries: readonly Json[]): ToolList {
  const tools: Tool[] = [];
  const refused = new Map<string, string>();
  const findings: Finding[] = [];
  const seen = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const name = isObject(entry) && typeof entry.name === 'string' && entry.name !== '' ? entry.name : null;
    const earlier = name === null ? undefined : seen.get(name);
    if (earlier !== undefined) {
      throw new ListError(
        `it offers two tools named ${shorten(name ?? '')} (numbers ${earlier + 1} and ${index + 1})`,
        { duplicate: true },
      );
    }
    if (name === null || !isObject(entry)) {
      findings.push({ kind: 'badTool', text: `tool number ${index + 1} has no name; left out` });
      continue;
    }
    seen.set(name, index);
    const fault = schemaFault('inputSchema', entry.inputSchema);
    if (fault !== null) {
      refused.set(name, fault);
      findings.push({ kind: 'badTool', text: `tool ${shorten(name)} is left out: ${fault}` });
      continue;
    }
    tools.push(readTool(server, name, entry, findings));
  }
  return { tools, refused, findings, hash: hashOf(tools.map(({ hash }) => hash)) };
}

/** What is merely odd is mended, with a finding. */
function readTool(server: string, name: string, entry: { [key: string]: Json }, findings: Finding[]): Tool {
  const odd = (text: string): void => {
    findings.push({ kind: 'oddTool', text: `tool ${shorten(name)}: ${text}` });
  };
  let description = '';
  if (typeof entry.description === 'string') description = entry.description;
  else if (entry.description !== undefined) odd('its description is no text');
  if (description.length > MAX_DESCRIPTION) {
    odd(`its description is cut at 64 KiB (it has ${description.length.toLocaleString('en')} characters)`);
    description = description.slice(0, MAX_DESCRIPTION);
  }
  const inputSchema = entry.inputSchema ?? null;
  if (isObject(inputSchema) && inputSchema.type !== 'object') odd('its inputSchema does not say "type": "object"');
  const outputFault = entry.outputSchema === undefined ? null : schemaFault('outputSchema', entry.outputSchema);
  if (outputFault !== null) odd(`${outputFault}; taken as not declared`);
  const outputSchema = outputFault === null ? entry.outputSchema : undefined;
  const annotations = readAnnotations(entry.annotations);
  const told = { server, name, description, inputSchema, outputSchema, annotations };
  return { ...told, hash: hashOf({ ...told, outputSchema: outputSchema ?? null, annotations: { ...annotations } }) };
}

function schemaFault(key: string, schema: Json | undefined): string | null {
  if (schema === undefined) return `it has no ${key}`;
  if (!isObject(schema)) return `its ${key} is no object: ${shortJson(schema)}`;
  return JSON.stringify(schema).length > MAX_SCHEMA ? `its ${key} is larger than 1 MiB` : null;
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function readAnnotations(annotations: Json | undefined): Tool['annotations'] {
  const read: Tool['annotations'] = {};
  if (!isObject(annotations)) return read;
  for (const hint of HINTS) {
    const value = annotations[hint];
    if (typeof value === 'boolean') read[hint] = value;
  }
  return read;
}

/** 16 hex digits that do not depend on the order of keys. */
function hashOf(value: Json): string {
  const sorted = JSON.stringify(value, (_key, entry: unknown) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
  return createHash('sha256').update(sorted).digest('hex').slice(0, 16);
}
