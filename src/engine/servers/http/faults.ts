/** Words for what HTTP brings in place of an answer of MCP's. */
import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { isObject } from '../isObject.ts';
import { shorten } from '../serverLine.ts';
import { TransportFault } from '../transportFault.ts';

const READ_OF_ERRORS = 64 * 1024;
const MOST_MS_OF_ERRORS = 500;

/** The address as it may be shown: query, user and password may hold secrets. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** There was no answer: no connection, or it broke off before the head of one. */
export function connectionFault(error: unknown, url: URL): TransportFault {
  const code = codeOf(error);
  const shown = shownUrl(url);
  const text = error instanceof Error ? error.message : String(error);
  const why = WORDS[code] ?? (CERTIFICATE.test(code) ? `its certificate is not trusted: ${text}` : text);
  const named = code === '' ? why : `${why} (${code})`;
  if (BROKEN_OFF.has(code))
    return new TransportFault('cutOff', `broke off the connection to ${shown}: ${named}`, { cause: error });
  const hint = CERTIFICATE.test(code)
    ? 'For a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its file; certificates are always checked.'
    : 'Is it running, and the URL right?';
  return new TransportFault('unreachable', `cannot be reached at ${shown}: ${named}`, { hint, cause: error });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'it was reset',
  EPIPE: 'it was closed',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no connection in time',
  EPROTO: 'it does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
};
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE']);
const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME/;

/** Of the first where a name has several addresses. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return first === undefined ? '' : codeOf(first);
}

/** An answer whose status says no. */
export function statusFault(status: number, headers: Headers, body: Buffer, url: URL): TransportFault {
  const shown = `HTTP ${status}${STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`} at ${shownUrl(url)}`;
  const said = saidIn(headers, body);
  const challenge = headers.get('www-authenticate') ?? '';
  if (status === 401) {
    return new TransportFault('signIn', `needs sign-in: it answered ${shown}${said}`, { hint: SIGN_IN, status });
  }
  if (status === 403) {
    const scope = /\bscope="([^"]*)"/.exec(challenge)?.[1];
    const wanted = scope === undefined ? '' : `; it wants the scope ${shorten(scope)}`;
    const hint = `The token in "headers" may not do this, or there is none. ${SIGN_IN}`;
    return new TransportFault('signIn', `refuses access: it answered ${shown}${wanted}${said}`, { hint, status });
  }
  const hint = status === 404 || status === 405 ? 'Is the URL that of the MCP endpoint?' : undefined;
  return new TransportFault('notMcp', `answered ${shown}${said}`, { hint, status });
}

const SIGN_IN = 'Put a token into "headers", such as Authorization: Bearer …, from a variable.';

/** A redirect out of the origin, where headers must not be sent. */
export function redirectFault(status: number, from: URL, to: URL): TransportFault {
  const text = `redirects (HTTP ${status}) from ${shownUrl(from)} to another origin, ${to.origin}, which is not followed`;
  return new TransportFault('notMcp', text, { hint: 'If that is right, write the new URL.', status });
}

/** A success that holds no MCP. */
export function contentFault(status: number, headers: Headers, body: Buffer, url: URL): TransportFault {
  const type = headers.get('content-type');
  const isPage = /^\s*text\/html/i.test(type ?? '');
  const what = isPage ? 'a web page' : type === null ? 'something without a content type' : shorten(type);
  const hint = isPage ? 'Is the URL that of the MCP endpoint, and does it want a token in "headers"?' : undefined;
  const text = `answered HTTP ${status} with ${what} in place of JSON or an event stream, at ${shownUrl(url)}`;
  return new TransportFault('notMcp', `${text}${saidIn(headers, body)}`, { hint, status });
}

/** `: "Sign in"`: the title of a page, the message of a JSON error, or how a text begins. */
function saidIn(headers: Headers, body: Buffer): string {
  const text = body.toString('utf8').trim();
  if (text === '') return '';
  if (/^\s*text\/html/i.test(headers.get('content-type') ?? '')) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim().replaceAll(/\s+/g, ' ');
    return title === undefined || title === '' ? '' : `, a page titled ${shorten(title)}`;
  }
  return `: ${shorten(messageIn(text) ?? text)}`;
}

function messageIn(text: string): string | null {
  try {
    const value = JSON.parse(text);
    const { error, message, error_description: described } = isObject(value) ? value : {};
    for (const entry of [isObject(error) ? error.message : described, message, error]) {
      if (typeof entry === 'string') return entry;
    }
  } catch {
    // A text like any other.
  }
  return null;
}

/** The beginning of a body that is only quoted; whatever happens to the rest. */
export async function readBeginning(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), MOST_MS_OF_ERRORS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > READ_OF_ERRORS) break;
    }
  } catch {
    // What came is enough.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
