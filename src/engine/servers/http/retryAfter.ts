/** Waits before the second, third and fourth try, where the server does not say how long. */
const BACKOFF_MS = [500, 1000, 2000];
/** What one request may wait in all. */
const MOST_MS = 30_000;

/**
 * How long to wait before a request that was answered with 429 or 503 is made again; null when it is not.
 *
 * @param header   `Retry-After`: seconds, or a date
 * @param tries    how often it was made
 * @param waitedMs what it waited before
 * @param now      in ms since 1970
 */
export function retryDelay(header: string | null, tries: number, waitedMs: number, now: number): number | null {
  const asked = header === null ? null : readRetryAfter(header, now);
  // Jitter, so that what was refused together does not come back together.
  const backoff = BACKOFF_MS[tries - 1];
  const delay = asked ?? (backoff === undefined ? null : backoff * (0.5 + Math.random() / 2));
  return delay === null || tries > 10 || waitedMs + delay > MOST_MS ? null : delay;
}

/** In ms from now; null where it cannot be read. */
function readRetryAfter(header: string, now: number): number | null {
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
