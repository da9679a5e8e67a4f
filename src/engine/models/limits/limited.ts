import type { LanguageModelV4, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { failureOf } from './failure.ts';
import { type Gate, type Place, waitingText } from './gate.ts';
import { Patience } from './patience.ts';

/** Why a request was tried again, and how long was waited before. */
export interface Retry {
  text: string;
  waitMs: number;
}

export interface LimitedOptions {
  /** Ends all waiting at once. */
  signal: AbortSignal;
  /** `waiting 12 s: openai answered 429`; null when the waiting is over. */
  onWaiting(text: string | null): void;
  /** A request is about to be sent, the first time or again. */
  onTry?(): void;
  onRetry?(retry: Retry): void;
  /** In [0, 1), for the jitter. */
  random?: (() => number) | undefined;
}

/** The same model behind its provider's gate, each request tried again as long as that may help. */
export function limited(model: LanguageModelV4, gate: Gate, options: LimitedOptions): LanguageModelV4 {
  const { signal, onTry, onRetry, random = Math.random } = options;
  let isWaiting = false;

  function tell(text: string | null): void {
    if (text === null && !isWaiting) return;
    isWaiting = text !== null;
    options.onWaiting(text);
  }

  async function ask<T>(send: () => PromiseLike<T>): Promise<{ answer: T; place: Place }> {
    const ticket = gate.takeTicket();
    const patience = new Patience(random);
    for (;;) {
      const place = gate.enterNow() ?? (await gate.enter({ ticket, signal, onWaiting: tell }));
      tell(null);
      onTry?.();
      const begin = performance.now();
      try {
        return { answer: await abortable(send(), signal), place };
      } catch (error) {
        if (signal.aborted) {
          place.leave('failed');
          throw error;
        }
        await recover(error, place, patience.waitAfter(failureOf(error, gate.provider), performance.now() - begin));
      }
    }
  }

  /** Gives the place back and waits until the request may be sent again. Throws the error where it may not. */
  async function recover(error: unknown, place: Place, waitMs: number | null): Promise<void> {
    const { text, isOverload, retryAfterMs } = failureOf(error, gate.provider);
    // While the place is still taken, so that nobody slips in between.
    if (waitMs !== null && retryAfterMs !== null) gate.pause(waitMs, text);
    place.leave(isOverload ? 'overloaded' : 'failed');
    if (waitMs === null) throw error;
    onRetry?.({ text, waitMs: Math.round(waitMs) });
    if (retryAfterMs !== null) return;
    tell(waitingText(waitMs, text));
    await sleep(waitMs, signal);
  }

  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call) {
      const { answer, place } = await ask(() => model.doGenerate(call));
      place.leave('answered');
      return answer;
    },
    async doStream(call) {
      const { answer, place } = await ask(() => model.doStream(call));
      return { ...answer, stream: untilRead(answer.stream, place) };
    },
  };
}

/** A stream that keeps its place until it has been read, has failed, or nobody reads on. */
function untilRead(stream: LanguageModelV4StreamResult['stream'], place: Place): LanguageModelV4StreamResult['stream'] {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        place.leave('answered');
        controller.close();
      } catch (error) {
        place.leave('failed');
        controller.error(error);
      }
    },
    async cancel(reason) {
      place.leave('failed');
      await reader.cancel(reason);
    },
  });
}

/** A model that is deaf to its signal must not keep its place. */
function abortable<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort));
  });
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await abortable(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(timer);
  }
}
