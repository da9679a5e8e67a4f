/** Requests that one provider is sent at the same time, at most. */
const MOST_IN_FLIGHT = 64;

/** A request's permission to be under way. */
export interface Place {
  /** Gives the place back. `overloaded` when the provider said that it has too much to do. */
  leave(outcome: 'answered' | 'overloaded' | 'failed'): void;
}

interface Entry {
  /** From `takeTicket`. */
  ticket: number;
  signal: AbortSignal;
  /** Told when it has to wait, and again when the reason changes. */
  onWaiting(text: string): void;
}

interface Queued extends Entry {
  resolve(place: Place): void;
}

/**
 * The gate before one provider, for the life of a run. It lets in as many requests as the provider bears: half as many once
 * the provider is overloaded, then one more whenever as many were answered as may be under way. Whoever came first goes
 * first; a request that is tried again keeps its turn. A pause holds for everybody, so that nobody runs against a provider
 * that has said when it will be back.
 */
export class Gate {
  readonly provider: string;
  readonly #most: number;
  readonly #queue: Queued[] = [];
  #limit: number;
  #inFlight = 0;
  #tickets = 0;
  /** Grows with each lowering: what was sent before it says nothing about the new limit. */
  #epoch = 0;
  #answered = 0;
  #pause: { until: number; why: string } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(provider: string, most: number = MOST_IN_FLIGHT) {
    this.provider = provider;
    this.#most = most;
    this.#limit = most;
  }

  /** Requests that may be under way now. */
  get limit(): number {
    return this.#limit;
  }

  get isPaused(): boolean {
    return this.#pauseMs() > 0;
  }

  /** A turn in the queue; earlier ones go first. */
  takeTicket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  /** A place that is free and that nobody waits for; null where there is none. */
  enterNow(): Place | null {
    if (this.#queue.length > 0 || this.#inFlight >= this.#limit || this.isPaused) return null;
    this.#inFlight += 1;
    return this.#place();
  }

  /**
   * Waits for a place.
   *
   * @throws the signal's reason, at once, when it aborts
   */
  enter(entry: Entry): Promise<Place> {
    const { signal, ticket } = entry;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#queue.splice(this.#queue.indexOf(queued), 1);
        this.#admit();
        reject(signal.reason);
      };
      const queued: Queued = {
        ...entry,
        resolve(place) {
          signal.removeEventListener('abort', onAbort);
          resolve(place);
        },
      };
      const behind = this.#queue.findIndex((other) => other.ticket > ticket);
      this.#queue.splice(behind === -1 ? this.#queue.length : behind, 0, queued);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#admit();
      if (this.#queue.includes(queued)) entry.onWaiting(this.#whyWaiting());
    });
  }

  /** Lets nobody in for so long; a longer pause that runs already goes on. */
  pause(ms: number, why: string): void {
    if (ms <= this.#pauseMs()) return;
    this.#pause = { until: performance.now() + ms, why };
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#admit();
    for (const { onWaiting } of [...this.#queue]) onWaiting(this.#whyWaiting());
  }

  #admit(): void {
    const pauseMs = this.#pauseMs();
    if (pauseMs > 0 && this.#queue.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#admit();
      }, Math.ceil(pauseMs));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#inFlight < this.#limit) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#inFlight += 1;
      next.resolve(this.#place());
    }
  }

  #place(): Place {
    const epoch = this.#epoch;
    let isHeld = true;
    return {
      leave: (outcome) => {
        if (!isHeld) return;
        isHeld = false;
        if (epoch === this.#epoch) this.#adapt(outcome);
        this.#inFlight -= 1;
        this.#admit();
      },
    };
  }

  #adapt(outcome: 'answered' | 'overloaded' | 'failed'): void {
    if (outcome === 'overloaded') {
      this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, this.#inFlight) / 2));
      this.#epoch += 1;
      this.#answered = 0;
    } else if (outcome === 'answered') {
      this.#answered += 1;
      if (this.#answered < this.#limit || this.#limit >= this.#most) return;
      this.#limit += 1;
      this.#answered = 0;
    }
  }

  #pauseMs(): number {
    return this.#pause === null ? 0 : Math.max(0, this.#pause.until - performance.now());
  }

  #whyWaiting(): string {
    const pauseMs = this.#pauseMs();
    if (pauseMs > 0 && this.#pause !== null) return waitingText(pauseMs, this.#pause.why);
    const requests = this.#limit === 1 ? '1 request' : `${this.#limit} requests`;
    return `waiting for a place: ${this.provider} gets ${requests} at a time`;
  }
}

/** `waiting 12 s: openai answered 429` */
export function waitingText(ms: number, why: string): string {
  const seconds = ms < 1000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000);
  return `waiting ${seconds} s: ${why}`;
}
