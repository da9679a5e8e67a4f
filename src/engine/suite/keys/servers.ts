/** The servers that a suite names. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { checkDistinct } from '../distinct.ts';
import { quoteFix } from '../explain.ts';
import { reads } from '../readings.ts';
import type { Report } from '../report.ts';
import { key, Text } from './scalars.ts';

const ServerName = reads(z.string().regex(/^(?!.*::)\S(?:.*\S)?$/), {
  expects: 'the name of a server, without "::"',
});

/** Numbers in command lines and environments become text as written. */
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

const Server = reads(
  z.strictObject({
    command: key(Command, 'The program that is the server; never a shell line.', 'node'),
    args: key(reads(z.array(Written), { expects: 'a list of texts' }), 'Its arguments.', ['server.js']),
    env: key(
      reads(z.record(z.string().min(1), Written), { expects: 'a map from names to texts' }),
      `Environment variables. \${env:NAME} takes one over.`,
      { TOKEN: `\${env:TOKEN}` },
    ),
    cwd: key(Text, 'The folder it runs in, relative to the file.', 'servers/weather'),
  }),
  { title: () => 'a server' },
);

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
