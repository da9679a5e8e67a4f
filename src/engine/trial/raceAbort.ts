/**
 * Settles as `work` does, or rejects with the signal's reason the moment it aborts, so that work which ignores its signal
 * cannot hold anybody up. What such work comes to afterwards is dropped.
 */
export function raceAbort<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const settle = (give: () => void) => {
      signal.removeEventListener('abort', onAbort);
      give();
    };
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
