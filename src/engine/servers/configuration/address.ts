import type { Problem } from '../../errors.ts';
import type { ServerCode } from '../codes.ts';
import type { ServerAddress } from '../connection.ts';
import type { Place, ServerDraft, Written } from './draft.ts';
import type { Variables } from './variables.ts';

type Fail = (code: ServerCode, at: Place, message: string, hint: string, severity?: Problem['severity']) => void;

/** What is negotiated in the open. Every other header may hold a secret. */
const PUBLIC = new Set(['accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-type', 'user-agent']);

/**
 * Where a server is, and what it is sent; what is wrong has been told to `fail`. Values of headers are told as secrets,
 * with the part behind a scheme such as `Bearer` for itself.
 */
export function readAddress(
  draft: ServerDraft & { url: Written },
  fill: (written: Written) => string | null,
  variables: Variables,
  fail: Fail,
): ServerAddress {
  const headers: Record<string, string> = {};
  for (const [name, written] of draft.headers) {
    const value = fill(written);
    if (value === null || !checkHeader(name, value, written.at, fail)) continue;
    headers[name] = value;
    if (!PUBLIC.has(name.toLowerCase())) tellHeader(value, variables);
  }
  const url = fill(draft.url);
  if (url !== null) checkUrl(url, draft, fail);
  return { kind: draft.type?.kind === 'sse' ? 'sse' : 'http', url: url ?? '', headers };
}

function tellHeader(value: string, variables: Variables): void {
  variables.tellSecret(value);
  const credentials = /^[A-Za-z][\w-]* +(\S+)$/.exec(value)?.[1];
  if (credentials !== undefined) variables.tellSecret(credentials);
}

/** A token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/;

function checkHeader(name: string, value: string, at: Place, fail: Fail): boolean {
  if (!HEADER_NAME.test(name)) {
    fail('MCP012', at, `${JSON.stringify(name)} is no name of a header`, 'A name holds letters, digits and dashes.');
    return false;
  }
  const position = value.search(/[^\t\x20-\x7e]/);
  if (position < 0) return true;
  const isBreak = /[\r\n]/.test(value.charAt(position));
  const what = isBreak ? 'a line break' : 'a character that is not plain ASCII';
  const hint = 'Look for what came along with the value when it was copied.';
  fail('MCP012', at, `header "${name}" contains ${what} at character ${position + 1}`, hint);
  return false;
}

/** What the URL resolves to is not shown: it may hold a secret. */
function checkUrl(text: string, { url: { at }, headers }: ServerDraft & { url: Written }, fail: Fail): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) {
    fail('MCP008', at, 'this is no URL', 'Write the whole address: https://example.com/mcp.');
    return;
  }
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') {
    fail('MCP008', at, `scheme "${scheme}" is not known`, 'Servers are spoken to over http or https.');
    return;
  }
  if (url.username !== '' || url.password !== '') {
    fail('MCP009', at, 'the URL holds a user name or password', 'Send them in a header, from a variable.');
  }
  const secret = [...headers.keys()].find((name) => !PUBLIC.has(name.toLowerCase()));
  if (scheme === 'http' && secret !== undefined && !isLoopback(url.hostname)) {
    fail('MCP010', at, `header "${secret}" is sent without TLS to another machine`, 'Use https.', 'warning');
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}
