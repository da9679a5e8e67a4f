import { McproveError } from '../../errors.ts';
import type { SecretSink } from '../../servers/connection.ts';
import type { ModelEntry } from '../../suite/model.ts';
import type { ModelCode } from '../codes.ts';
import type { BaseUrl, Provider } from './providers.ts';

/** How a model is reached: worked out before anything starts, so that what is missing is told at once. */
export interface Access {
  baseUrl: string;
  /** Empty where none is sent. */
  apiKey: string;
  /** Where the key comes from, in words: `OPENAI_API_KEY`, or the model's `apiKey`. Null where there is none. */
  keyName: string | null;
  variables: Readonly<Record<string, string>>;
  /** False where the suite or the environment names another endpoint than the provider's own. */
  isOwnEndpoint: boolean;
}

/**
 * A model that has a `baseUrl` is sent its own `apiKey` or none; the provider's key from the environment goes to the
 * provider alone, or to where the environment itself says that the provider is.
 *
 * @throws McproveError MODEL003 for a base URL that is missing or none, MODEL004 for a missing key, SUITE013 for a variable
 *   that is not set
 */
export function accessOf(
  entry: ModelEntry,
  provider: Provider,
  { env, secrets }: { env: NodeJS.ProcessEnv; secrets: SecretSink },
): Access {
  const environment = new Environment(env, entry);
  const own = entry.apiKey === undefined ? null : environment.fill(entry.apiKey, 'apiKey').trim();
  if (own !== null) secrets.add(own);
  if (entry.baseUrl !== undefined || provider.baseUrl === null) {
    const baseUrl = checked(environment.fill(entry.baseUrl ?? '', 'baseUrl'), entry);
    const keyName = own === null ? null : ownKey(entry);
    return { baseUrl, apiKey: own ?? '', keyName, variables: {}, isOwnEndpoint: false };
  }
  const place = placeOf(provider.baseUrl, environment, entry);
  const keys = own === null ? keysOf(provider, environment, entry) : new Map([['', own]]);
  const names = [...keys.keys()];
  for (const name of provider.alsoSecret ?? []) {
    const value = environment.get(name);
    if (value !== undefined) keys.set(name, value);
  }
  for (const [name, value] of keys) if (name !== '') secrets.add(value);
  const [apiKey = ''] = keys.values();
  return {
    ...place,
    apiKey,
    keyName: own === null ? names.join(' and ') || null : ownKey(entry),
    variables: { ...place.variables, ...Object.fromEntries(keys) },
  };
}

function ownKey({ id }: ModelEntry): string {
  return `the \`apiKey\` of model "${id}"`;
}

type Place = Pick<Access, 'baseUrl' | 'variables' | 'isOwnEndpoint'>;

function placeOf(place: BaseUrl, environment: Environment, entry: ModelEntry): Place {
  if ('from' in place) {
    const value = label(environment.get(place.from), place.from, entry);
    return { baseUrl: place.url(value), variables: { [place.from]: value }, isOwnEndpoint: true };
  }
  const elsewhere = place.variable === undefined ? undefined : environment.get(place.variable);
  if (elsewhere === undefined) return { baseUrl: place.fixed, variables: {}, isOwnEndpoint: true };
  const written = checked(elsewhere, entry);
  const path = place.path === undefined || written.endsWith(place.path) ? '' : place.path;
  return { baseUrl: `${written}${path}`, variables: {}, isOwnEndpoint: `${written}${path}` === place.fixed };
}

/** A part of a host's name; anything else in it would lead to another host. */
function label(value: string | undefined, variable: string, entry: ModelEntry): string {
  if (value === undefined) throw missing(entry, variable);
  if (/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(value)) return value;
  throw new McproveError(
    'MODEL003' satisfies ModelCode,
    `${variable} is "${value}", but model "${entry.id}" needs letters, digits and "-"`,
    { hint: 'For another address give the model a `baseUrl`.' },
  );
}

/** The first set of variables of which all are set. */
function keysOf({ keys }: Provider, environment: Environment, entry: ModelEntry): Map<string, string> {
  if (keys.length === 0) return new Map();
  for (const names of keys) {
    const values = names.flatMap((name) => {
      const value = environment.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (values.length === names.length) return new Map(values);
  }
  throw missing(entry, keys.map((names) => names.join(' and ')).join(', or '));
}

function missing(entry: ModelEntry, variables: string): McproveError {
  return new McproveError('MODEL004' satisfies ModelCode, `model "${entry.id}" needs ${variables}, which is not set`, {
    hint: 'Set it in the environment, or run another model with --model.',
  });
}

function checked(baseUrl: string, entry: ModelEntry): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return baseUrl.replace(/\/+$/, '');
  const found =
    baseUrl === '' ? 'has no `baseUrl`' : `has the base URL "${baseUrl}", which is no http or https address`;
  throw new McproveError('MODEL003' satisfies ModelCode, `model "${entry.id}" ${found}`, {
    hint: 'Write where its API is, for example `baseUrl: http://localhost:8000/v1`.',
  });
}

/** The environment as a model may use it. A variable that is empty counts as not set. */
class Environment {
  readonly #env: NodeJS.ProcessEnv;
  readonly #entry: ModelEntry;

  constructor(env: NodeJS.ProcessEnv, entry: ModelEntry) {
    this.#env = env;
    this.#entry = entry;
  }

  /** Without white space around it, which a key read from a file often has and no header may. */
  get(name: string): string | undefined {
    const value = Object.hasOwn(this.#env, name) ? this.#env[name]?.trim() : undefined;
    return value === '' ? undefined : value;
  }

  fill(text: string, key: string): string {
    return text.replaceAll(/\$\{([^}]*)\}/g, (whole, inner: string) => {
      const [, name] = /^env:([A-Za-z_]\w*)$/.exec(inner) ?? [];
      if (name === undefined) {
        throw new McproveError('MODEL003', `${whole} in \`${key}\` of model "${this.#entry.id}" is not known here`, {
          hint: `Write \${env:NAME}.`,
        });
      }
      const value = this.get(name);
      if (value !== undefined) return value;
      throw new McproveError('SUITE013', `environment variable "${name}" is not set`, {
        hint: `The \`${key}\` of model "${this.#entry.id}" needs it.`,
      });
    });
  }
}
