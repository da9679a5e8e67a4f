import { relative } from 'node:path';
import type { Problem } from '../../errors.ts';
import type { Suite } from '../../suite/model.ts';
import { type ConfigFile, readConfigFile } from './configFile.ts';
import { isSameServer, type ServerDraft } from './draft.ts';
import type { InputDeclaration, Inputs } from './inputs.ts';
import { foldersUpwards, type Machine, placesIn, userPlaces } from './places.ts';

interface Named {
  draft: ServerDraft | null;
  problems: Problem[];
  isUnknown: boolean;
}

/**
 * The files in which the servers of a suite may be described, read when they are asked for: those of the nearest folder
 * first, and those of the user last, for a server that is named. Problems of a file are told once it was needed.
 */
export class Sources {
  readonly #folders: readonly string[];
  readonly #workspace: string;
  readonly #machine: Machine;
  readonly #read = new Map<string, readonly ConfigFile[]>();
  readonly #needed = new Set<ConfigFile>();

  constructor({ file, workspace }: Pick<Suite, 'file' | 'workspace'>, machine: Machine) {
    this.#folders = foldersUpwards(file, workspace);
    this.#workspace = workspace;
    this.#machine = machine;
  }

  /** All servers of the nearest folder that describes any. */
  nearest(): { drafts: ServerDraft[]; problems: Problem[] } {
    const files = this.#folders.map((folder) => this.#filesOf(folder)).find((found) => found.length > 0) ?? [];
    const drafts = new Map<string, ServerDraft>();
    const problems: Problem[] = [];
    for (const [index, file] of files.entries()) {
      this.#needed.add(file);
      for (const [name, draft] of file.servers) {
        if (drafts.has(name)) continue;
        drafts.set(name, draft);
        problems.push(...clashes(draft, files.slice(index + 1)));
      }
    }
    return { drafts: [...drafts.values()], problems };
  }

  /**
   * The server of a name. Null where no file has it; `isUnknown` where one that may have it cannot be read, which is
   * among its problems.
   *
   * @param isComplete the suite says all about it, and no file of the user is to change that
   */
  named(name: string, isComplete: boolean): Named {
    for (const folder of this.#folders) {
      const found = this.#namedIn(this.#filesOf(folder), name);
      if (found !== null) return found;
    }
    if (isComplete) return { draft: null, problems: [], isUnknown: false };
    const users = this.#userFiles();
    const draft = users.flatMap((file) => file.servers.get(name) ?? [])[0] ?? null;
    // Files of the user are told of only where the server might have been in one of them.
    for (const file of draft === null ? users.filter(isBroken) : []) this.#needed.add(file);
    return { draft, problems: [], isUnknown: draft === null && users.some(isBroken) };
  }

  #namedIn(files: readonly ConfigFile[], name: string): Named | null {
    for (const [index, file] of files.entries()) {
      this.#needed.add(file);
      const draft = file.servers.get(name);
      if (draft !== undefined) return { draft, problems: clashes(draft, files.slice(index + 1)), isUnknown: false };
    }
    return files.some(isBroken) ? { draft: null, problems: [], isUnknown: true } : null;
  }

  /** Of every file that was needed. */
  problems(): Problem[] {
    return [...this.#needed].flatMap(({ problems }) => problems);
  }

  /** What a suite may name: the inputs that the files on its way up declare, and any other. */
  inputs(): Inputs {
    const declared = new Map<string, InputDeclaration>();
    for (const file of this.#folders.flatMap((folder) => this.#filesOf(folder))) {
      for (const [id, input] of file.inputs.declared) if (!declared.has(id)) declared.set(id, input);
    }
    return { declared, at: null, isOpen: true };
  }

  /** Every file up to the workspace, as it is shown, and the names of the servers in them. */
  known(): { files: string[]; servers: string[] } {
    const files = this.#folders.flatMap((folder) => this.#filesOf(folder));
    return {
      files: files.map(({ file }) => relative(this.#workspace, file)),
      servers: [...new Set(files.flatMap(({ servers }) => [...servers.keys()]))],
    };
  }

  #filesOf(folder: string): readonly ConfigFile[] {
    return this.#once(folder, () => placesIn(folder).flatMap((place) => readConfigFile(place) ?? []));
  }

  #userFiles(): readonly ConfigFile[] {
    return this.#once('', () =>
      userPlaces(this.#machine, this.#workspace).flatMap((place) => readConfigFile(place) ?? []),
    );
  }

  #once(key: string, read: () => ConfigFile[]): readonly ConfigFile[] {
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const files = read();
    this.#read.set(key, files);
    return files;
  }
}

function isBroken({ problems }: ConfigFile): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** Another file of the same folder that says something else of the server. */
function clashes(draft: ServerDraft, others: readonly ConfigFile[]): Problem[] {
  const other = others
    .map(({ servers }) => servers.get(draft.name))
    .find((each) => each !== undefined && !isSameServer(draft, each));
  if (other === undefined) return [];
  const { file, start } = other.at.range;
  return [
    {
      ...{ code: 'MCP018', severity: 'warning', ...draft.at },
      message: `server "${draft.name}" is also defined, differently, at ${file}:${start.line}:${start.column}; this one is used`,
      hint: 'Remove one, or write both alike.',
      related: { message: 'defined differently here', range: other.at.range },
    },
  ];
}
