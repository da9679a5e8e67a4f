import type { IncomingMessage } from 'node:http';
import { McproveError } from '../../errors.ts';
import type { ModelCode } from '../codes.ts';

const MOST_REDIRECTS = 5;

export function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
}

/**
 * Where a redirect sends the same request on. Followed is only what stays within the origin and repeats the request as it
 * is (307, 308): a key goes to no other host, port or scheme, and no prompt is lost.
 *
 * @throws McproveError MODEL005 for every other redirect
 */
export function nextAddress(from: URL, { statusCode, headers }: IncomingMessage, redirects: number): URL {
  const { location = '' } = headers;
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to?.origin !== from.origin) {
    const where = to === null ? 'an address that is none' : `another origin, ${to.origin}`;
    throw refused(from, `redirects to ${where}`, 'Nothing was sent there. If it is right, write it as `baseUrl`.');
  }
  if (statusCode !== 307 && statusCode !== 308) {
    throw refused(from, `redirects to ${to.pathname}, which drops the request`, 'Write that address as `baseUrl`.');
  }
  if (redirects === MOST_REDIRECTS) throw refused(from, 'redirects without end', 'Check `baseUrl`.');
  return to;
}

function refused(from: URL, what: string, hint: string): McproveError {
  return new McproveError('MODEL005' satisfies ModelCode, `${from.host} ${what}`, { hint });
}
