import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../../src/engine/record.ts';
import type { ApiProblem } from '../wireFormat.ts';

/** OpenAI looks for its key here; Azure in `api-key`. */
export function openaiKey(headers: IncomingHttpHeaders): string | undefined {
  const azure = headers['api-key'];
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? (typeof azure === 'string' ? azure : undefined);
}

/** The shape in which OpenAI reports errors, over both of its APIs. */
export function openaiError(problem: ApiProblem): Json {
  const [type, code] = kindOf(problem);
  const wait = problem.retryAfterSeconds;
  return {
    error: {
      message: wait === undefined ? problem.message : `${problem.message} Please try again in ${wait}s.`,
      type: problem.code === 'insufficient_quota' ? problem.code : type,
      param: problem.kind === 'contextOverflow' ? 'messages' : null,
      code: problem.code ?? code,
    },
  };
}

function kindOf({ kind, status }: ApiProblem): [type: string, code: string | null] {
  if (kind === 'badKey') return ['invalid_request_error', 'invalid_api_key'];
  if (kind === 'contextOverflow') return ['invalid_request_error', 'context_length_exceeded'];
  if (status === 404) return ['invalid_request_error', 'model_not_found'];
  if (status === 401) return ['invalid_request_error', kind === 'missingKey' ? null : 'invalid_api_key'];
  if (status === 403) return ['request_forbidden', 'unsupported_country_region_territory'];
  if (status === 429) return ['requests', 'rate_limit_exceeded'];
  if (status >= 500) return ['server_error', null];
  return ['invalid_request_error', null];
}
