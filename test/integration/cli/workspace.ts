/** A folder of its own with suites, the fault server, and the built command line to run in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunEnd, RunHead, Trial } from '../../../src/engine/record.ts';
import { gone, marked } from '../servers/faultServer.ts';

const project = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const shim = join(project, 'dist/cli.js');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'mcprove-cli-'));
  /** In the environment of every server that is started here. */
  readonly #mark = basename(this.folder);

  constructor(files: Record<string, string> = {}) {
    copyFileSync(join(project, 'test/fixtures/servers/fault.mjs'), join(this.folder, 'fault.mjs'));
    mkdirSync(join(this.folder, '.mcprove'));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text.replaceAll('@MARK@', this.#mark));
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const { PATH = '' } = process.env;
    return spawn(process.execPath, [shim, ...args], {
      cwd: this.folder,
      env: { PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return ended(this.start(args, env));
  }

  /** Oldest first. */
  runs(): { head: RunHead; trials: Trial[]; end: RunEnd | null }[] {
    const folder = join(this.folder, '.mcprove/runs');
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.run.jsonl'));
    return names.sort().map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const records = lines.map((line) => JSON.parse(line));
      return {
        head: RunHead.parse(records[0]),
        trials: records.filter(({ kind }) => kind === 'trial').map((record) => Trial.parse(record)),
        end: records.some(({ kind }) => kind === 'end') ? RunEnd.parse(records.at(-1)) : null,
      };
    });
  }

  /** Settles when no server of this folder runs any more. */
  async serversGone(limitMs: number): Promise<void> {
    await gone(this.#mark, limitMs);
  }

  get servers(): number {
    return marked(this.#mark).length;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** Settles as soon as what was printed holds the words; the output stays readable. */
export function printed(child: ChildProcess, words: string, stream: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    child[stream]?.on('data', (chunk: Buffer | string) => {
      text += chunk.toString();
      if (text.includes(words)) resolve();
    });
    child.once('close', () => reject(new Error(`ended without printing ${JSON.stringify(words)}: ${text}`)));
  });
}
