import { basename, sep } from 'node:path';
import type { Problem } from '../../errors.ts';
import { nearest } from '../../suite/nearest.ts';
import type { ServerCode } from '../codes.ts';
import type { SecretSink } from '../connection.ts';
import { isSecret, SHORTEST_SECRET } from '../serverEnvironment.ts';
import type { VariableSyntax } from './dialects.ts';
import type { Written } from './draft.ts';
import { type InputDeclaration, type Inputs, inputVariable } from './inputs.ts';
import type { Machine } from './places.ts';

/** The variables of each syntax, for hints. */
const KNOWN: Readonly<Record<VariableSyntax, readonly string[]>> = {
  shell: ['NAME', 'NAME:-default'],
  vscode: [
    ...['env:NAME', 'input:id', 'workspaceFolder', 'workspaceFolderBasename', 'userHome', 'cwd', 'pathSeparator'],
    '/',
  ],
  cursor: ['env:NAME', 'workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator', '/'],
  windsurf: ['env:NAME'],
  suite: ['env:NAME', 'input:id'],
  none: [],
};

/** Names that VS Code fills in from what is open in the editor. */
const OF_AN_EDITOR =
  /^(?:file|fileBasename\w*|fileDirname\w*|fileExtname|fileWorkspaceFolder\w*|relativeFile\w*|lineNumber|columnNumber|selectedText|execPath|execInstallFolder|taskVar|workspaceRoot)$/;

/** Where the values of variables come from; of what is taken, everything secret is told. */
export class Variables {
  readonly #machine: Machine;
  readonly #inputs: ReadonlyMap<string, string>;
  readonly #secrets: SecretSink;

  /** @param inputs values by id, given for this run */
  constructor(machine: Machine, inputs: ReadonlyMap<string, string>, secrets: SecretSink) {
    this.#machine = machine;
    this.#inputs = inputs;
    this.#secrets = secrets;
  }

  /** Fills a text; what cannot be filled is a problem at the text's place, and never an empty text. */
  fill(written: Written, server: string): { text: string; problems: Problem[] } {
    const { variables } = written.scope;
    if (variables === 'none') return { text: written.text, problems: [] };
    const problems: Problem[] = [];
    // Each value goes in as it is: what stands in it is not filled again.
    const text = written.text.replaceAll(/\$\{([^}]*)\}/g, (whole, inner: string) => {
      const found = variables === 'shell' ? this.#shell(inner, server) : this.#named(whole, inner, written, server);
      if (typeof found === 'string') return found;
      problems.push({ ...found, ...written.at });
      return found.severity === 'error' ? '' : whole;
    });
    return { text, problems };
  }

  /** Gives the value back, after telling it if its name says that it is secret. */
  told(name: string, value: string): string {
    if (isSecret(name, value)) this.#secrets.add(value);
    return value;
  }

  /** Tells a value that is secret whatever it is called. */
  tellSecret(value: string): void {
    if (value.length >= SHORTEST_SECRET) this.#secrets.add(value);
  }

  #shell(inner: string, server: string): string | Trouble {
    const [, name, fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
    if (name === undefined) return unknown(`\${${inner}}`, 'shell');
    const value = this.#variable(name);
    // As in a shell, `:-` also stands in for an empty value.
    if (fallback !== undefined && (value === undefined || value === '')) return this.told(name, fallback);
    if (value !== undefined) return this.told(name, value);
    return notSet(name, server, 'shell', `Set it, or write \${${name}:-default}.`);
  }

  #named(whole: string, inner: string, written: Written, server: string): string | Trouble {
    const { variables, folder } = written.scope;
    const colon = inner.indexOf(':');
    const kind = colon < 0 ? inner : inner.slice(0, colon + 1);
    const name = colon < 0 ? '' : inner.slice(colon + 1);
    const isKnown = KNOWN[variables].some((known) => known === inner || (colon >= 0 && known.startsWith(kind)));
    if (!isKnown || (colon >= 0 && name === '')) return this.#strange(whole, inner, written);
    switch (kind) {
      case 'env:': {
        const value = this.#variable(name);
        return value === undefined ? notSet(name, server, variables, 'Set it before the run.') : this.told(name, value);
      }
      case 'input:':
        return this.#input(name, written, server);
      case 'workspaceFolderBasename':
        return basename(folder);
      case 'userHome':
        return this.#machine.home;
      case 'pathSeparator':
      case '/':
        return sep;
      default:
        return folder;
    }
  }

  /** The form of another dialect is left as it stands, as in the editors, where it may well be meant so. */
  #strange(whole: string, inner: string, { text, scope: { variables }, at }: Written): Trouble {
    const mayBeMeant = variables === 'vscode' || variables === 'cursor';
    if (!mayBeMeant || !/^[A-Za-z_]\w*$/.test(inner) || OF_AN_EDITOR.test(inner)) return unknown(whole, variables);
    const near = inner.length > 3 ? nearest(inner, KNOWN[variables]) : undefined;
    const meant = `\${${near ?? `env:${inner}`}}`;
    return {
      code: 'MCP014',
      severity: 'warning',
      message: `${whole} is not filled in here, and is handed on as it stands`,
      hint: `Write ${meant}.`,
      fix: { title: `Write ${meant}`, range: at.range, text: JSON.stringify(text.replaceAll(whole, meant)) },
    };
  }

  #input(id: string, { scope: { inputs } }: Written, server: string): string | Trouble {
    const input = inputs.declared.get(id);
    if (input === undefined && !inputs.isOpen) return undeclared(id, inputs);
    // An empty variable is how CI systems hand on a secret that is not there.
    const given = this.#inputs.get(id) ?? (this.#variable(inputVariable(id)) || undefined);
    const value = given ?? (input?.type === 'command' ? undefined : (input?.default ?? undefined));
    if (value === undefined) return noValue(id, input, server);
    if (given !== undefined && input?.options != null && !input.options.includes(given)) {
      return badInput(
        `the value given for input "${id}" is none of its options`,
        `They are ${input.options.join(', ')}.`,
      );
    }
    if (input?.isPassword === true) this.tellSecret(value);
    return this.told(id, value);
  }

  #variable(name: string): string | undefined {
    const { env, platform } = this.#machine;
    if (Object.hasOwn(env, name)) return env[name];
    if (platform !== 'win32') return undefined;
    const key = Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase());
    return key === undefined ? undefined : env[key];
  }
}

/** A problem whose place is not yet known. */
type Trouble = Omit<Problem, 'range' | 'pointer' | 'code'> & { code: ServerCode };

function unknown(whole: string, syntax: VariableSyntax): Trouble {
  const known = KNOWN[syntax].map((inside) => `\${${inside}}`);
  const [last = '', ...others] = known.reverse();
  const hint = others.length === 0 ? `Known is ${last}.` : `Known are ${others.reverse().join(', ')} and ${last}.`;
  return { code: codeFor(syntax), severity: 'error', message: `${whole} is not a variable that is known here`, hint };
}

function notSet(name: string, server: string, syntax: VariableSyntax, hint: string): Trouble {
  const message = `environment variable "${name}" is not set (needed by server "${server}")`;
  return { code: codeFor(syntax), severity: 'error', message, hint };
}

function codeFor(syntax: VariableSyntax): ServerCode {
  return syntax === 'suite' ? 'SUITE013' : 'MCP014';
}

function badInput(message: string, hint: string, related?: Problem['related']): Trouble {
  return { code: 'MCP011', severity: 'error', message, hint, ...(related === undefined ? {} : { related }) };
}

function undeclared(id: string, { declared, at }: Inputs): Trouble {
  const where = at === null ? 'the file has no "inputs"' : `"inputs" (line ${at.range.start.line}) does not have it`;
  const near = nearest(id, declared.keys());
  const hint = near === undefined ? 'Declare it under "inputs".' : `Did you mean "${near}"?`;
  return badInput(`input "${id}" is not declared: ${where}`, hint);
}

function noValue(id: string, input: InputDeclaration | undefined, server: string): Trouble {
  const about = input?.description == null ? '' : `: ${input.description.replace(/[.:]$/, '')}`;
  const give = `Give it with --input ${id}=…, or set ${inputVariable(id)}.`;
  const related = input === undefined ? undefined : { message: 'declared here', range: input.at.range };
  if (input?.type === 'command') {
    return badInput(`input "${id}" comes from a command, which only an editor can run`, give, related);
  }
  const options = input?.options == null ? '' : ` It is one of ${input.options.join(', ')}.`;
  return badInput(`input "${id}" has no value${about} (needed by server "${server}")`, `${give}${options}`, related);
}
