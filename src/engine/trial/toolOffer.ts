import type { OfferedTool, Transcript } from '../record.ts';
import type { Connection, Tool } from '../servers/connection.ts';
import type { ToolPolicy } from '../suite/model.ts';
import { allTools, isAllowed, noSuchTool, type Offer, toolNamed } from './toolNames.ts';

/** A tool under the name by which a model is offered it. */
export interface AliasedTool extends Offer {
  alias: string;
}

/**
 * The tools that a model is offered, and the two ways between their names and the names it knows them by. Such an alias
 * matches `^[a-zA-Z0-9_-]{1,64}$`, which every provider takes, and is unique: the server stands before the tool where two
 * servers have one of that name. A tool keeps its alias for the whole trial, even if it leaves and comes back.
 */
export interface ToolOffer {
  /** Looks at the servers' lists again, as a host does before each turn. False when nothing changed since the last time. */
  refresh(): boolean;
  /** What is offered now. */
  now(): readonly AliasedTool[];
  byAlias(alias: string): AliasedTool | undefined;
  /**
   * The alias of what a suite calls `server::tool` or `tool`; the name itself where no such tool is offered.
   *
   * @throws McproveError TRIAL001 when several servers offer it and the name does not say which
   */
  nameOf(tool: string): string;
  /** Tells a model that it knows no tool by this alias, and which it knows. */
  noSuchTool(alias: string): string;
  /** Whatever was offered at some moment of the trial. */
  readonly ever: readonly OfferedTool[];
  /** Whatever the servers had at some moment, and the case kept from its model. */
  readonly withheld: readonly WithheldTool[];
}

type WithheldTool = NonNullable<Transcript['withheld']>[number];

export function offerTools(connections: readonly Connection[], policy: ToolPolicy): ToolOffer {
  const aliases = new Map<string, string>();
  const taken = new Set<string>();
  const ever: OfferedTool[] = [];
  const withheld = new Map<string, WithheldTool>();
  let seen: (readonly Tool[])[] = [];
  let current = new Map<string, AliasedTool>();

  function aliasOf(tool: Tool, isShared: boolean): string {
    const key = JSON.stringify([tool.server, tool.name]);
    const known = aliases.get(key);
    if (known !== undefined) return known;
    const alias = freeAlias(isShared ? `${tool.server}__${tool.name}` : tool.name, taken);
    aliases.set(key, alias);
    taken.add(alias);
    ever.push({ server: tool.server, tool: tool.name, hash: tool.hash });
    return alias;
  }

  function keepFrom({ server, name }: Tool): void {
    withheld.set(JSON.stringify([server, name]), { server, tool: name });
  }

  const offer: ToolOffer = {
    refresh() {
      const lists = connections.map((connection) => connection.tools);
      if (seen.length > 0 && lists.every((list, index) => list === seen[index])) return false;
      seen = lists;
      const all = allTools(connections);
      const allowed = all.filter(({ tool }) => isAllowed(tool, policy));
      if (allowed.length < all.length) {
        for (const { tool } of all) if (!isAllowed(tool, policy)) keepFrom(tool);
      }
      const sharing = new Map<string, number>();
      for (const { tool } of allowed) sharing.set(tool.name, (sharing.get(tool.name) ?? 0) + 1);
      current = new Map(
        allowed.map(({ tool, connection }) => {
          const alias = aliasOf(tool, (sharing.get(tool.name) ?? 0) > 1);
          return [alias, { alias, tool, connection }];
        }),
      );
      return true;
    },
    now: () => [...current.values()],
    byAlias: (alias) => current.get(alias),
    nameOf: (name) => toolNamed(name, [...current.values()])?.alias ?? name,
    noSuchTool: (alias) => noSuchTool(alias, [...current.keys()]),
    ever,
    get withheld() {
      return [...withheld.values()];
    },
  };
  offer.refresh();
  return offer;
}

const LONGEST_ALIAS = 64;

function freeAlias(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_ALIAS) || 'tool';
  // As a key of an object this one would set the prototype.
  let alias = safe === '__proto__' ? '_proto_' : safe;
  for (let n = 2; taken.has(alias); n += 1) {
    const suffix = `_${n}`;
    alias = safe.slice(0, LONGEST_ALIAS - suffix.length) + suffix;
  }
  return alias;
}
