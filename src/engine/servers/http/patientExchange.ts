import { setTimeout as wait } from 'node:timers/promises';
import type { Finding } from '../serverLine.ts';
import { seconds } from '../sessionText.ts';
import { TransportFault } from '../transportFault.ts';
import type { Connections, HttpAnswer, Outgoing } from './exchange.ts';
import { connectionFault, readBeginning, statusFault } from './faults.ts';
import { retryDelay } from './retryAfter.ts';

/** Makes requests, and makes them again where the server is busy (429, 503), as it asks or after a while. */
export class PatientExchange {
  readonly #connections: Connections;
  readonly #onFinding: (finding: Finding) => void;
  /** Of each request that waits, why. */
  readonly #waiting = new Map<symbol, string>();

  constructor(connections: Connections, onFinding: (finding: Finding) => void) {
    this.#connections = connections;
    this.#onFinding = onFinding;
  }

  /** Why a request waits that was not sent again yet; null when none does. */
  get waiting(): string | null {
    const [first] = this.#waiting.values();
    return first ?? null;
  }

  /**
   * @throws TransportFault when there is no connection, or it stays busy for longer than is waited
   * @throws the signal's reason, at once, when it aborts
   */
  async exchange(url: URL, outgoing: Outgoing, signal: AbortSignal): Promise<HttpAnswer> {
    let waitedMs = 0;
    for (let tries = 1; ; tries++) {
      const answer = await this.#connections.exchange(url, outgoing, signal).catch((error) => {
        throw signal.aborted ? error : connectionFault(error, url);
      });
      if (answer.status !== 429 && answer.status !== 503) return answer;
      const delay = retryDelay(answer.headers.get('retry-after'), tries, waitedMs, Date.now());
      if (delay === null) throw await stillBusy(answer, url, tries, waitedMs);
      answer.body.resume();
      await this.#wait(delay, answer.status, signal);
      waitedMs += delay;
    }
  }

  async #wait(ms: number, status: number, signal: AbortSignal): Promise<void> {
    const key = Symbol('wait');
    this.#waiting.set(key, `it was waiting, for the server answered HTTP ${status}`);
    const text = `answered HTTP ${status}; waited ${shownSeconds(ms)} and asked again`;
    this.#onFinding({ kind: 'busy', text });
    try {
      await wait(ms, undefined, { signal });
    } finally {
      this.#waiting.delete(key);
    }
  }
}

async function stillBusy(answer: HttpAnswer, url: URL, tries: number, waitedMs: number): Promise<TransportFault> {
  const { status, headers, body } = answer;
  const header = headers.get('retry-after');
  const asked = header === null ? '' : `, to be asked again after ${header.trim().slice(0, 40)}`;
  const tried = waitedMs === 0 ? '' : `, after ${tries} tries in ${shownSeconds(waitedMs)}`;
  const { message } = statusFault(status, headers, await readBeginning(body), url);
  return new TransportFault('notMcp', `${message}${asked}${tried}`, { status });
}

function shownSeconds(ms: number): string {
  return seconds(Math.round(ms / 100) * 100);
}
