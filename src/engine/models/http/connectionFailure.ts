import { APICallError } from '@ai-sdk/provider';

/**
 * The error of a request that got no whole answer. It may go better another time, unless the other side cannot be trusted,
 * there is no such host, or nobody listens on this very machine: whoever has to start something there wants to hear of it now.
 */
export function connectionFailure(cause: Error, url: URL): APICallError {
  const code = codeOf(cause);
  return new APICallError({
    message: WORDS[code] ?? cause.message,
    url: url.href,
    requestBodyValues: {},
    // A bare code: where the AI SDK finds an error with one of its own, it makes every failure one to be tried again.
    cause: { code },
    isRetryable: !LASTING.test(code) && !(code === 'ECONNREFUSED' && HERE.test(url.hostname)),
  });
}

/** The code of Node's error; of the first of several where a name has several addresses. Empty where there is none. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? codeOf(first) : '';
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const HERE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Certificates, protocols and names: the next try would end in the same way. */
const LASTING = /CERT|SIGNATURE|_SSL_|EPROTO|^ENOTFOUND$|^ERR_/;
