import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file that a bare command name starts, as the PATH has it; null where it has none. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, platform = process.platform): string | null {
  const windows = platform === 'win32';
  const path = Object.entries(env).find(([key]) => (windows ? key.toUpperCase() : key) === 'PATH')?.[1] ?? '';
  const endings = windows ? ['', ...(env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`);
      if (isProgram(file)) return file;
    }
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
