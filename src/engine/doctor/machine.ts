import type { ServerDefinition } from '../servers/index.ts';
import { type Examination, type Finding, someOf } from './finding.ts';
import { findProgram } from './findProgram.ts';

/** Node, and the programs that the servers and the runner itself look for on the PATH. */
export function examineMachine(servers: readonly ServerDefinition[], env: NodeJS.ProcessEnv): Examination {
  const findings: Finding[] = [
    { level: 'ok', text: `Node.js ${process.versions.node} on ${process.platform} ${process.arch}` },
  ];
  for (const [program, users] of programsOf(servers)) {
    const file = findProgram(program, env);
    if (file !== null) findings.push({ level: 'ok', text: `${program} is ${file}` });
    else {
      findings.push({
        level: 'error',
        text: `${program} is not on the PATH; needed by ${someOf(users)}`,
        remedy: 'Install it, or write its full path under "command".',
      });
    }
  }
  const git = findProgram('git', env);
  if (git === null) {
    findings.push({
      level: 'warning',
      text: 'git is not on the PATH, so runs do not note the commit they were made at',
      remedy: 'Install git, or do without.',
    });
  } else findings.push({ level: 'ok', text: `git is ${git}` });
  return { kind: 'machine', title: 'This machine', findings };
}

/** Commands without a path, each with the servers that it starts. */
function programsOf(servers: readonly ServerDefinition[]): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  for (const { name, transport } of servers) {
    // With a PATH of its own it is looked for elsewhere; its start will tell.
    if (transport.kind !== 'stdio' || /[\\/]/.test(transport.command) || 'PATH' in transport.env) continue;
    programs.set(transport.command, [...(programs.get(transport.command) ?? []), name]);
  }
  return programs;
}
