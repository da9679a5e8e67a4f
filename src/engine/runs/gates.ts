import type { ModelFactory } from '../models/index.ts';
import { Gate } from '../models/limits/index.ts';
import type { ServerDefinition } from '../servers/index.ts';
import type { Gates } from '../trial/index.ts';

/** Calls that one server is sent at the same time, at most, by all trials together. */
const MOST_CALLS = 32;

/** The gates of one run: models that are asked at the same place share one, and so do all trials that call a server. */
export class RunGates {
  readonly #providers = new Map<string, Gate>();
  readonly #models = new Map<string, string>();
  readonly #servers: ReadonlyMap<string, Gate>;
  readonly #random: (() => number) | undefined;

  constructor(
    models: Iterable<ModelFactory>,
    servers: readonly ServerDefinition[],
    /** In [0, 1), for the jitter of waits. */
    random?: () => number,
  ) {
    for (const { id, provider, endpoint } of models) {
      // A model that is asked nowhere, the scripted one, needs no gate.
      if (endpoint === null) continue;
      const place = `${provider} ${endpoint.baseUrl}`;
      this.#models.set(id, place);
      if (!this.#providers.has(place)) this.#providers.set(place, new Gate(provider));
    }
    this.#servers = new Map(servers.map(({ name }) => [name, new Gate(name, MOST_CALLS)]));
    this.#random = random;
  }

  /** What stands for a model's provider. */
  placeOf(model: string | null): string | null {
    return model === null ? null : (this.#models.get(model) ?? model);
  }

  isPaused(place: string | null): boolean {
    return place !== null && this.#providers.get(place)?.isPaused === true;
  }

  forTrial(model: string | null): Gates {
    const place = this.placeOf(model);
    const gate = place === null ? undefined : this.#providers.get(place);
    return { model: gate, servers: this.#servers, random: this.#random };
  }
}
