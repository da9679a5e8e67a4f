import { STATUS_CODES } from 'node:http';
import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import type { Endpoint, ModelFactory } from './modelFactory.ts';

type Asked = Pick<ModelFactory, 'provider' | 'model' | 'endpoint'>;

/**
 * What went wrong between us and a provider, in a sentence or two for a person: who answered what, and what to do. Never
 * holds a key.
 *
 * @returns null for an error that is none of an API call
 */
export function explainFailure(error: unknown, asked: Asked): string | null {
  if (!APICallError.isInstance(error)) return null;
  const host = URL.canParse(error.url) ? new URL(error.url).host : asked.provider;
  const { statusCode } = error;
  const what =
    statusCode === undefined
      ? host === ''
        ? error.message
        : `no answer from ${host}: ${error.message}`
      : `${host} answered ${statusCode}: ${saidBy(error)}`;
  const remedy = statusCode === undefined ? unreached(error, asked) : answered(statusCode, error, asked);
  if (remedy === null) return what;
  return `${/[.?!]$/.test(what) ? what : `${what}.`} ${remedy}`;
}

/** The provider's own words. Where its error has another shape than its package knows, they are still in the body. */
function saidBy({ message, responseBody, statusCode = 0, cause }: APICallError): string {
  const body = responseBody?.trim() ?? '';
  if (PAGE.test(body)) return `a web page${titleOf(body)}`;
  if (TypeValidationError.isInstance(cause)) return `an answer of another form than its API's${placeOf(cause)}`;
  if (JSONParseError.isInstance(cause) && body !== '') return `JSON that cannot be read: ${quote(body)}`;
  if (!SAYS_NOTHING.test(message) && message !== STATUS_CODES[statusCode]) return message;
  const words = wordsIn(parsed(body));
  if (words !== null) return words;
  if (body === '') return message === '' ? 'nothing more' : message;
  return message === '' ? quote(body) : `${message}: ${quote(body)}`;
}

function quote(body: string): string {
  return body.length > MOST_QUOTED ? `${body.slice(0, MOST_QUOTED)}…` : body;
}

/** Where a form was broken first, as the schema of the provider's package tells it. */
function placeOf({ cause }: TypeValidationError): string {
  if (typeof cause !== 'object' || cause === null || !('issues' in cause) || !Array.isArray(cause.issues)) return '';
  const [issue]: unknown[] = cause.issues;
  if (typeof issue !== 'object' || issue === null || !('path' in issue) || !Array.isArray(issue.path)) return '';
  const what = 'message' in issue && typeof issue.message === 'string' ? ` (${issue.message})` : '';
  return `: at /${issue.path.join('/')}${what}`;
}

const PAGE = /^\s*(?:<!doctype html|<html)/i;
const MOST_QUOTED = 300;

/** What packages say where they found no message. */
const SAYS_NOTHING = /^(?:|Provider returned error|Invalid JSON response)$/;

function titleOf(page: string): string {
  const title = /<title>([^<]{1,80})<\/title>/i.exec(page)?.[1]?.trim();
  return title === undefined ? '' : `, "${title}"`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The deepest text under the names that providers give their messages; `raw` is what OpenRouter passes on. */
function wordsIn(value: unknown, depth = 0): string | null {
  if (typeof value === 'string')
    return value.trim() === '' ? null : (wordsIn(parsed(value), depth + 1) ?? value.trim());
  if (typeof value !== 'object' || value === null || depth > 6) return null;
  for (const name of ['error', 'metadata', 'raw', 'detail', 'details', 'message', 'msg', 'Message']) {
    const found = Object.hasOwn(value, name) ? wordsIn(value[name as keyof typeof value], depth + 1) : null;
    if (found !== null) return found;
  }
  return Array.isArray(value) ? wordsIn(value[0], depth + 1) : null;
}

function answered(status: number, error: APICallError, asked: Asked): string | null {
  const { provider, model, endpoint } = asked;
  if (endpoint === null) return null;
  const baseUrl = `\`baseUrl\`, ${endpoint.baseUrl}`;
  const andUrl = endpoint.isOwn ? '' : ` and ${baseUrl}`;
  if (status === 401 || isBadKey(error)) return checkKey(endpoint);
  if (status === 402) return 'The account behind the key has no credit left.';
  if (status === 403) return `${checkKey(endpoint)} It may not be allowed to use ${model}.`;
  const isElsewhere =
    PAGE.test(error.responseBody ?? '') || status === 405 || TypeValidationError.isInstance(error.cause);
  if (isElsewhere && !endpoint.isOwn) return `Check ${baseUrl}: it mostly ends in /v1.`;
  if (status !== 404) return null;
  if (provider === 'ollama') return `Fetch the model with \`ollama pull ${model}\`.`;
  if (provider === 'azure') return `Check the name of the deployment, "${model}"${andUrl}.`;
  return `Check the name of the model, "${model}"${andUrl}.`;
}

/** Google answers a wrong key with a 400. */
function isBadKey({ statusCode, responseBody = '', message }: APICallError): boolean {
  return statusCode === 400 && (/API_KEY_INVALID/.test(responseBody) || /API key not valid/i.test(message));
}

function checkKey({ keyName }: Endpoint): string {
  return keyName === null ? 'It asks for a key: give the model an `apiKey`.' : `Check ${keyName}.`;
}

function unreached(error: APICallError, { provider, endpoint }: Asked): string | null {
  if (endpoint === null) return null;
  const code = codeIn(error.cause);
  if (/CERT|SIGNATURE/.test(code)) return 'If its certificate is right, name its issuer in NODE_EXTRA_CA_CERTS.';
  if (code === 'ECONNREFUSED' && provider === 'ollama') return 'Is Ollama running? `ollama serve` starts it.';
  if (endpoint.isOwn) return UNREACHABLE.has(code) ? 'Check the network, and the proxy if there is one.' : null;
  return UNREACHABLE.has(code) ? `Check that a server runs at ${endpoint.baseUrl}.` : null;
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** As `connectionFailure` leaves it. */
function codeIn(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return '';
  return typeof cause.code === 'string' ? cause.code : '';
}
