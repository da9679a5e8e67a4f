import type { Failure } from './failure.ts';

/** Of one request, the first try counted. */
const MOST_TRIES = 6;
/** All tries of one request and the waiting between them. The queue before a place does not count: others are at work. */
const MOST_TOTAL_MS = 5 * 60_000;
/** The most that is waited because a provider asks for it. */
const MOST_RETRY_AFTER_MS = 2 * 60_000;
/** Most waiting before the second try, where the provider says nothing. */
const FIRST_WAIT_MS = 2000;
/** From try to try. The five waits take up to 140 s, 70 s on average: longer than the minute for which most quotas hold. */
const WAIT_FACTOR = 3;
const MOST_WAIT_MS = 60_000;

/** How often, and for how long, one request is tried again. */
export class Patience {
  readonly #random: () => number;
  #tries = 0;
  #spentMs = 0;

  /** @param random in [0, 1) */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Exponential backoff with full jitter, so that those who failed together do not come back together; or as long as the
   * provider asks for.
   *
   * @param tookMs how long the failed try took
   * @returns milliseconds before the next try; null when there is none
   * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
   */
  waitAfter({ isRetryable, retryAfterMs }: Failure, tookMs: number): number | null {
    this.#tries += 1;
    this.#spentMs += tookMs;
    if (!isRetryable || this.#tries === MOST_TRIES) return null;
    const waitMs =
      retryAfterMs === null
        ? this.#random() * Math.min(FIRST_WAIT_MS * WAIT_FACTOR ** (this.#tries - 1), MOST_WAIT_MS)
        : Math.min(retryAfterMs, MOST_RETRY_AFTER_MS);
    this.#spentMs += waitMs;
    return this.#spentMs > MOST_TOTAL_MS ? null : waitMs;
  }
}
