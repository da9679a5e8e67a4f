import type { Problem, SourceRange } from '../errors.ts';
import type { SecretSink } from './connection.ts';
import { isSecret } from './serverEnvironment.ts';

/** `.mcp.json` knows `${VAR}` and `${VAR:-default}`; a suite knows `${env:VAR}`. */
type VariableDialect = 'mcpFile' | 'suite';

/** The syntax of each, for hints. */
const KNOWN = { mcpFile: ['NAME', 'NAME:-default'], suite: ['env:NAME'] } as const;

export interface Place {
  pointer: string;
  range: SourceRange;
}

/** A text as it stands in a file, its variables still in it. */
export interface Written {
  text: string;
  at: Place;
  dialect: VariableDialect;
}

/** The environment that variables are filled from; what is taken from it and looks secret is told. */
export class Variables {
  readonly #env: NodeJS.ProcessEnv;
  readonly #secrets: SecretSink;

  constructor(env: NodeJS.ProcessEnv, secrets: SecretSink) {
    this.#env = env;
    this.#secrets = secrets;
  }

  get(name: string): string | undefined {
    return Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
  }

  /** Gives the value back, after telling it if its name says that it is secret. */
  told(name: string, value: string): string {
    if (isSecret(name, value)) this.#secrets.add(value);
    return value;
  }
}

/** Fills a text; a variable that is not set is a problem at the text's place, and never an empty text. */
export function fillVariables(
  written: Written,
  server: string,
  variables: Variables,
): { text: string; problems: Problem[] } {
  const problems: Problem[] = [];
  const fail = (message: string, hint: string): string => {
    const code = written.dialect === 'suite' ? 'SUITE013' : 'MCP014';
    problems.push({ code, severity: 'error', message, hint, ...written.at });
    return '';
  };
  // Each value goes in as it is: what stands in it is not filled again.
  const text = written.text.replaceAll(/\$\{([^}]*)\}/g, (whole, inner: string) => {
    const { name, fallback } = readVariable(inner, written.dialect);
    if (name === undefined) {
      const known = KNOWN[written.dialect].map((inside) => `\${${inside}}`).join(' and ');
      return fail(`${whole} is not a variable that is known here`, `Known are ${known}.`);
    }
    const value = variables.get(name);
    // As in a shell, `:-` also stands in for an empty value.
    if (fallback !== undefined && (value === undefined || value === '')) return variables.told(name, fallback);
    if (value !== undefined) return variables.told(name, value);
    const hint = written.dialect === 'suite' ? 'Set it before the run.' : `Set it, or write \${${name}:-default}.`;
    return fail(`environment variable "${name}" is not set (needed by server "${server}")`, hint);
  });
  return { text, problems };
}

function readVariable(inner: string, dialect: VariableDialect): { name?: string; fallback?: string } {
  const [, name, fallback] =
    (dialect === 'suite' ? /^env:([A-Za-z_]\w*)$/ : /^([A-Za-z_]\w*)(?::-(.*))?$/s).exec(inner) ?? [];
  return { ...(name === undefined ? {} : { name }), ...(fallback === undefined ? {} : { fallback }) };
}
