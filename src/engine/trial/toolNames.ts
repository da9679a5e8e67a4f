import { McproveError } from '../errors.ts';
import type { Connection, Tool } from '../servers/connection.ts';
import type { ToolPolicy } from '../suite/model.ts';
import { nearest } from '../suite/nearest.ts';
import { matchesTool } from '../suite/toolName.ts';
import type { TrialCode } from './codes.ts';

/** A tool and the connection that calls it. */
export interface Offer {
  tool: Tool;
  connection: Connection;
}

/** Every tool of these servers, in the servers' order. */
export function allTools(connections: readonly Connection[]): Offer[] {
  return connections.flatMap((connection) => connection.tools.map((tool) => ({ tool, connection })));
}

/** Whether a case lets its model see a tool. `deny` beats `allow`. */
export function isAllowed(tool: Tool, policy: ToolPolicy): boolean {
  const named = (pattern: string) => matchesTool(pattern, tool.server, tool.name);
  if (policy.readOnly && tool.annotations.readOnlyHint !== true) return false;
  if (policy.deny.some(named)) return false;
  return policy.allow === null || policy.allow.some(named);
}

/**
 * The one tool that a suite means by `server::tool` or `tool`.
 *
 * @returns undefined where there is none
 * @throws McproveError TRIAL001 when several servers offer it and the name does not say which
 */
export function toolNamed<T extends Offer>(name: string, offers: readonly T[]): T | undefined {
  const [found, ...more] = offers.filter(
    ({ tool }) => tool.name === name || (name.includes('::') && `${tool.server}::${tool.name}` === name),
  );
  if (found === undefined || more.length === 0) return found;
  const servers = [found, ...more].map(({ tool }) => tool.server);
  throw new McproveError('TRIAL001' satisfies TrialCode, `tool "${name}" is offered by ${servers.join(' and ')}`, {
    hint: `Write ${servers.map((server) => `"${server}::${name}"`).join(' or ')}.`,
  });
}

const MOST_NAMES_TOLD = 20;

/** Tells that there is no such tool, and what there is. */
export function noSuchTool(name: string, known: readonly string[]): string {
  const close = nearest(name, known);
  if (close !== undefined) return `There is no tool "${name}". Did you mean "${close}"?`;
  if (known.length === 0) return `There is no tool "${name}"; no tools are offered at all.`;
  const more = known.length > MOST_NAMES_TOLD ? ', …' : '';
  return `There is no tool "${name}". Available: ${known.slice(0, MOST_NAMES_TOLD).join(', ')}${more}.`;
}
