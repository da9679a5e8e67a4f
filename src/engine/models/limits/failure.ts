import { APICallError, JSONParseError } from '@ai-sdk/provider';
import { retryAfterMs } from './retryAfter.ts';

/** What a failed request means for the next one. */
export interface Failure {
  /** Whether the same request may go better another time. */
  isRetryable: boolean;
  /** Whether the provider has too much to do. */
  isOverload: boolean;
  /** How long the provider asks to be left alone; null where it does not say. */
  retryAfterMs: number | null;
  /** `openai answered 429` */
  text: string;
}

/** Timeouts, conflicts and too many requests; all 5xx (529 of Anthropic among them) are retried too. */
const PASSING = new Set([408, 409, 429]);
/** The request, the key or the account is wrong, and stays wrong. */
const LASTING = new Set([400, 401, 402, 403, 404]);

export function failureOf(error: unknown, provider: string): Failure {
  if (!APICallError.isInstance(error)) {
    return { isRetryable: false, isOverload: false, retryAfterMs: null, text: `${provider} failed` };
  }
  const { statusCode: status, responseHeaders, responseBody } = error;
  if (status === undefined) {
    const text = `${provider} could not be reached: ${error.message}`;
    return { isRetryable: error.isRetryable, isOverload: false, retryAfterMs: null, text };
  }
  if (status < 300) {
    const isRetryable = error.isRetryable || isCutOff(error);
    return { isRetryable, isOverload: false, retryAfterMs: null, text: `the answer of ${provider} broke off` };
  }
  const isOver = isQuotaUsedUp(error);
  return {
    isRetryable: !isOver && (PASSING.has(status) || status >= 500 || (error.isRetryable && !LASTING.has(status))),
    isOverload: !isOver && (status === 429 || status >= 500),
    retryAfterMs: retryAfterMs(responseHeaders, responseBody),
    text: `${provider} answered ${status}`,
  };
}

/** A 429 that no waiting ends: OpenAI says it so when an account has no money left. */
function isQuotaUsedUp({ statusCode, responseBody }: APICallError): boolean {
  return statusCode === 429 && /"insufficient_quota"/.test(responseBody ?? '');
}

/** Whether an answer began as JSON and cannot be read as such. A page of HTML would be the same page again. */
function isCutOff({ cause, responseBody }: APICallError): boolean {
  return JSONParseError.isInstance(cause) && /^\s*(?:$|[{[])/.test(responseBody ?? '');
}
