/** Which of the configured servers is meant. */
import { McproveError, nearest, visibleLine, type WorkspaceServers } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { displayPath } from '../text/places.ts';
import { padEnd, width } from '../text/width.ts';

type Server = WorkspaceServers['servers'][number];

const EXAMPLE = '{ "mcpServers": { "my-server": { "command": "node", "args": ["server.mjs"] } } }';

/**
 * @returns null for a person who does not want to choose
 * @throws McproveError INIT001 where there is none, INIT002 where there are several and nobody to ask, INIT003 for a name
 *   that none has
 */
export async function chooseServer(
  { servers, problems }: Pick<WorkspaceServers, 'servers' | 'problems'>,
  options: { server?: string; yes?: boolean },
  context: Context,
): Promise<Server | null> {
  const [first] = servers;
  if (first === undefined) {
    if (problems.some(({ severity }) => severity === 'error')) {
      throw new McproveError('INIT001', 'no configured server can be used', { hint: 'Mend what is said above.' });
    }
    throw new McproveError('INIT001', 'no MCP server is configured here', {
      hint: `Describe yours in a file .mcp.json in this folder: ${EXAMPLE}`,
    });
  }
  const names = servers.map(({ name }) => name);
  if (options.server !== undefined) {
    const found = servers.find(({ name }) => name === options.server);
    if (found !== undefined) return found;
    const near = nearest(options.server, names);
    throw new McproveError('INIT003', `no server "${options.server}" is configured here`, {
      hint: near === undefined ? `There is ${names.join(', ')}.` : `Did you mean "${near}"?`,
    });
  }
  if (servers.length === 1 || options.yes === true) return first;
  if (context.ask !== null) return askFor(servers, context);
  throw new McproveError('INIT002', `${servers.length} servers are configured: ${names.join(', ')}`, {
    hint: `Say which one: mcprove init --server ${first.name}`,
  });
}

async function askFor(servers: readonly Server[], { ask, err, cwd }: Context): Promise<Server | null> {
  const column = Math.max(...servers.map(({ name }) => width(visibleLine(name))));
  err.line('Which server is the suite for?');
  for (const [index, { name, origin }] of servers.entries()) {
    const number = `${index + 1}`.padStart(String(servers.length).length);
    const from = err.ink.dim(displayPath(origin.file, cwd));
    err.line(`  ${err.ink.bold(number)}  ${padEnd(visibleLine(name), column)}  ${from}`);
  }
  for (;;) {
    const answer = (await ask?.(`Number or name [1]: `)) ?? null;
    if (answer === null) return null;
    const chosen =
      answer === '' ? servers[0] : (servers[Number(answer) - 1] ?? servers.find(({ name }) => name === answer));
    if (chosen !== undefined) return chosen;
    err.line(`There is no "${visibleLine(answer)}": a number from 1 to ${servers.length}, or a name.`);
  }
}
