/** The servers that a suite names. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { checkDistinct } from '../distinct.ts';
import { quoteFix } from '../explain.ts';
import { reads } from '../readings.ts';
import type { Report } from '../report.ts';
import { key, Text, Timeout, timeout } from './scalars.ts';

const ServerName = reads(z.string().regex(/^(?!.*::)\S(?:.*\S)?$/), {
  expects: 'the name of a server, without "::"',
});

/** Numbers in command lines, environments and headers become text as written. */
const Written = reads(z.union([z.string(), z.number()]), {
  expects: 'text or a number',
  remedy: (value) => (typeof value === 'boolean' ? quoteFix(String(value)) : undefined),
});

const Command = reads(z.string().min(1), {
  expects: 'the name or path of a program',
  check: (value, pointer, report) => checkCommand(String(value), pointer, report),
});

function checkCommand(command: string, pointer: string, report: Report): boolean {
  const [program = '', ...rest] = command.trim().split(/\s+/);
  // A path may well hold spaces; the bare name of a program does not.
  if (rest.length === 0 || /[\\/]/.test(program)) return true;
  const hint = `Put ${JSON.stringify(program)} in command and [${rest.map((part) => JSON.stringify(part)).join(', ')}] in args.`;
  return report.add('SUITE027', pointer, '"command" holds a command line; it names the program alone', { hint });
}

const Texts = reads(z.record(z.string().min(1), Written), { expects: 'a map from names to texts' });

const Url = reads(z.string().regex(/^\S+$/), { expects: 'a URL', check: checkUrl });

function checkUrl(value: unknown, pointer: string, report: Report): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(String(value))?.[1];
  if (String(value).includes('${') || /^https?$/i.test(scheme ?? '')) return true;
  return report.add('SUITE003', pointer, '"url" must begin with http:// or https://');
}

const SERVER_KEYS = {
  type: key(
    reads(z.enum(['stdio', 'http', 'sse']), { expects: 'stdio, http or sse' }),
    'How it is spoken to. Default: stdio with a command, http with a URL.',
    'sse',
  ),
  command: key(Command, 'The program that is the server; never a shell line.', 'node'),
  args: key(reads(z.array(Written), { expects: 'a list of texts' }), 'Its arguments.', ['server.js']),
  env: key(Texts, `Environment variables. \${env:NAME} takes one over.`, { TOKEN: `\${env:TOKEN}` }),
  envFile: key(Text, 'A file of environment variables, relative to the file; env lies over it.', '.env'),
  cwd: key(Text, 'The folder it runs in, relative to the file.', 'servers/weather'),
  url: key(Url, 'Where it is, if it runs already.', 'https://example.com/mcp'),
  headers: key(Texts, 'Sent with every request; their values are secrets.', {
    Authorization: `Bearer \${input:key}`,
  }),
  isolation: key(
    reads(z.enum(['shared', 'trial']), { expects: 'shared or trial' }),
    'trial: a fresh process or session for every trial. Default: shared.',
    'trial',
  ),
  startTimeout: key(Timeout, 'For start, handshake and list of tools. Default 30s.', '1m'),
  callTimeout: key(timeout('10m'), 'For a call, begun anew by its progress. Default 60s, at most 10m.', '2m'),
};

const System = reads(z.strictObject(SERVER_KEYS), { title: () => 'a server', check: checkReach });

const Server = reads(
  z.strictObject({
    ...SERVER_KEYS,
    os: key(
      z.strictObject({
        windows: key(System, 'On Windows.', { command: 'server.exe' }),
        macos: key(System, 'On macOS.', { command: './server' }),
        linux: key(System, 'On Linux.', { command: './server' }),
      }),
      'What is otherwise on one system; lies over the other keys.',
      { windows: { command: 'server.exe' } },
    ),
  }),
  { title: () => 'a server', check: checkReach },
);

/** A server is a process or an address; the rest is known once the configuration files are read. */
function checkReach(value: unknown, pointer: string, report: Report): boolean {
  const { command, url, type } = value as { command?: string; url?: string; type?: string };
  const hint = 'Leave one of them out.';
  if (command !== undefined && url !== undefined) {
    return report.add('SUITE023', `${pointer}/url`, 'a server has a command or a url, not both', { key: true, hint });
  }
  const other = type === 'stdio' ? url : command;
  if (type === undefined || other === undefined) return true;
  const message = `the type ${type} does not go with ${type === 'stdio' ? 'a url' : 'a command'}`;
  return report.add('SUITE023', `${pointer}/type`, message, { hint });
}

const Nothing = z.null();
const ServerList = reads(z.array(ServerName), {
  expects: 'a list of names',
  check: (value, pointer, report) => checkDistinct(value as string[], pointer, 'server', report),
});
const ServerMap = z.record(
  ServerName,
  reads(z.union([Server, Nothing]), { choose: (value) => (value === null ? Nothing : Server) }),
);

export const Servers = reads(z.union([ServerList, ServerMap]), {
  expects: 'a list of names, or a map from names to servers',
  choose: (value) => (isMap(value) ? ServerMap : ServerList),
});

export type ServersInput = z.infer<typeof Servers>;
export type ServerInput = z.infer<typeof Server>;
export type SystemInput = z.infer<typeof System>;
