import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { DIALECTS, type Dialect } from './dialects.ts';

/** A file that may hold servers. */
export interface ConfigPlace {
  file: string;
  dialect: Dialect;
  /** `${workspaceFolder}`, and what relative paths are relative to. */
  folder: string;
  /** Where a server runs that says nothing about it. */
  cwd: string;
}

/** What a user's own files are looked for by. */
export interface Machine {
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
}

/** The folders from that of a suite up to its workspace, the nearest first. */
export function foldersUpwards(file: string, workspace: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    folders.push(folder);
    const rest = relative(workspace, folder);
    if (rest === '' || rest.split(sep)[0] === '..' || isAbsolute(rest)) return folders;
  }
}

/** In the order in which they count. */
const IN_A_FOLDER: readonly (readonly [path: string, dialect: Dialect])[] = [
  ['.mcp.json', DIALECTS.claude],
  ['.vscode/mcp.json', DIALECTS.vscode],
  ['.cursor/mcp.json', DIALECTS.cursor],
  ['.vscode/settings.json', DIALECTS.settings],
  ['.devcontainer/devcontainer.json', DIALECTS.devContainer],
];

export function placesIn(folder: string): ConfigPlace[] {
  return IN_A_FOLDER.map(([path, dialect]) => ({ file: join(folder, path), dialect, folder, cwd: folder }));
}

/** The files of the user alone, in the order in which they count. */
export function userPlaces({ env, home, platform }: Machine, workspace: string): ConfigPlace[] {
  const place = (file: string, dialect: Dialect, cwd: string): ConfigPlace => ({
    ...{ file, dialect, cwd },
    folder: workspace,
  });
  return [
    place(join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'), DIALECTS.copilot, workspace),
    place(join(home, '.cursor', 'mcp.json'), DIALECTS.cursor, workspace),
    place(join(claudeFolder(env, home, platform), 'claude_desktop_config.json'), DIALECTS.claudeDesktop, home),
    place(join(home, '.codeium', 'windsurf', 'mcp_config.json'), DIALECTS.windsurf, workspace),
  ];
}

function claudeFolder(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Claude');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Claude');
}
