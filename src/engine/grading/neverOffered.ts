import type { OfferedTool, Transcript } from '../record.ts';
import { nearest } from '../suite/nearest.ts';
import { isGlob, matchesTool } from '../suite/toolName.ts';

/** What is known of the tools that the trial could use. */
export interface Offer {
  /** Every tool that a server offered at any moment; empty where nobody listed them. */
  offered: readonly OfferedTool[];
  /** Those that the servers have and the case keeps from its model. */
  withheld?: readonly Pick<OfferedTool, 'server' | 'tool'>[] | undefined;
  /** A server announced a changed list: then a tool not in it may still have existed. */
  toolListChanged: boolean;
}

export function offerOf({ offered, withheld, toolListChanged }: Transcript): Offer {
  return { offered, withheld, toolListChanged };
}

/**
 * Whether a name or glob of a suite means no tool of any server, and which name is near. Empty for one that means some, and
 * where nobody knows what there is; where a list changed, the near name alone.
 */
export function neverOffered(name: string, offer: Offer): { neverOffered?: true; nearest?: string } {
  const known = [...offer.offered, ...(offer.withheld ?? [])];
  if (known.length === 0 || known.some((each) => matchesTool(name, each.server, each.tool))) return {};
  return { ...(offer.toolListChanged ? {} : { neverOffered: true }), ...nearestName(name, known) };
}

export function nearestName(
  name: string,
  known: readonly Pick<OfferedTool, 'server' | 'tool'>[],
): { nearest?: string } {
  if (isGlob(name)) return {};
  const qualified = name.includes('::');
  const names = known.map((each) => (qualified ? `${each.server}::${each.tool}` : each.tool));
  const found = nearest(name, [...new Set(names)].sort());
  return found === undefined ? {} : { nearest: found };
}
