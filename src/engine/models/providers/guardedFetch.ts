/**
 * A fetch for one model. A request leaves for the origin of the model's base URL or not at all, whatever the provider's
 * package makes of it; and without the headers of a key where the model has none, as packages insist on sending one.
 */
export function guardedFetch(
  fetch: typeof globalThis.fetch,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): typeof globalThis.fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const address = input instanceof Request ? input.url : input;
    if (new URL(address).origin !== origin) throw new Error(`a request for ${origin} was about to go elsewhere`);
    if (apiKey !== '') return fetch(input, init);
    const headers = new Headers(init?.headers);
    for (const name of KEY_HEADERS) headers.delete(name);
    return fetch(input, { ...init, headers });
  };
}

const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'x-amz-security-token'];
