import { McproveError } from '../errors.ts';
import type { Redactor } from '../runs/index.ts';
import { type Connection, createServerPool, type ServerDefinition, type Violation } from '../servers/index.ts';
import { counted, type Examination, type Finding } from './finding.ts';
import { toolFindings } from './toolFindings.ts';

export interface ServerRequest {
  env: NodeJS.ProcessEnv;
  redactor: Redactor;
  signal: AbortSignal;
}

/** For the lists of resources and prompts. */
const LIST_MS = 10_000;

const REMEDIES: Readonly<Record<string, string>> = {
  junk: 'stdout is for messages alone: let it log to stderr.',
  gluedJunk: 'stdout is for messages alone: let it log to stderr.',
};

/**
 * Starts one server, asks what it offers, and ends it.
 *
 * @throws the signal's reason when it aborts; the server has ended by then
 */
export async function examineServer(definition: ServerDefinition, request: ServerRequest): Promise<Examination> {
  const { env, redactor, signal } = request;
  const { name, origin, range } = definition;
  const pool = createServerPool([definition], { runId: 'doctor', env });
  const findings: Finding[] = [];
  const started = performance.now();
  try {
    const lease = await pool.lease(signal);
    const tookMs = Math.round(performance.now() - started);
    const [connection] = lease.connections;
    const [facts] = pool.facts();
    const version = facts?.version === null || facts?.version === undefined ? 'no version' : `version ${facts.version}`;
    const protocol = facts?.protocol === null || facts?.protocol === undefined ? '' : `, MCP ${facts.protocol}`;
    findings.push({ level: 'ok', text: `answers after ${tookMs.toLocaleString('en')} ms: ${version}${protocol}` });
    if (connection !== undefined) findings.push(...(await offerFindings(connection, signal)));
    await lease.release();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof McproveError)) throw error;
    const { code, message, hint } = error;
    // The title names it already.
    const text = message.replace(`server "${name}" `, '');
    findings.push({ level: 'error', code, text, ...(hint === undefined ? {} : { remedy: hint }) });
  } finally {
    await pool.close();
  }
  const told = (text: string): string => String(redactor.redact(text));
  return {
    kind: 'server',
    title: name,
    server: { origin, ...(range === undefined ? {} : { range }), target: told(targetOf(definition)) },
    findings: findings.map((finding) => ({ ...finding, text: told(finding.text) })),
  };
}

async function offerFindings(connection: Connection, signal: AbortSignal): Promise<Finding[]> {
  const { tools } = connection;
  const counts = tools.length === 0 ? [] : [counted(tools.length, 'tool')];
  const failures: Finding[] = [];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  const [resources, prompts] = await Promise.all([connection.listResources(inTime), connection.listPrompts(inTime)]);
  for (const [noun, { value, error }] of [['resource', resources] as const, ['prompt', prompts] as const]) {
    if (value !== undefined && value.length > 0) counts.push(counted(value.length, noun));
    if (error !== undefined) failures.push(notListed(`${noun}s`, error.text));
  }
  signal.throwIfAborted();
  const offer: Finding[] = counts.length === 0 ? [] : [{ level: 'ok', text: counts.join(', ') }];
  return [...offer, ...toolFindings(tools), ...failures, ...connection.violations.map(violation)];
}

function notListed(what: string, why: string): Finding {
  return { level: 'warning', text: `its ${what} cannot be listed: ${why}`, remedy: 'This is a fault of the server.' };
}

function violation({ kind, text, count }: Violation): Finding {
  const times = count === 1 ? '' : ` (${count.toLocaleString('en')} times in all)`;
  return { level: 'warning', text: `${text}${times}`, remedy: REMEDIES[kind] ?? 'This is a fault of the server.' };
}

/** Its command line, or where it is; what stands in an address behind the path, or before the host, may be a key. */
function targetOf({ transport }: ServerDefinition): string {
  if (transport.kind !== 'stdio' && URL.canParse(transport.url)) {
    const { protocol, host, pathname, search } = new URL(transport.url);
    return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
  }
  if (transport.kind !== 'stdio') return transport.kind;
  const words = [transport.command, ...transport.args];
  return words.map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
