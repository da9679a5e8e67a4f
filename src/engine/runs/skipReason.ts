import type { Case } from '../suite/model.ts';
import type { PlanEnvironment } from './planned.ts';

/** The names of operating systems in `requires.os`. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };

/** Why a cell is not to be run here; null when it is. */
export function skipReason(testCase: Case, model: string | null, environment: PlanEnvironment): string | null {
  if (testCase.skip !== null) return testCase.skip;
  const { env, os } = testCase.requires;
  const missing = env.filter((name) => (environment.env[name] ?? '') === '');
  if (missing.length > 0) return `needs the environment variable${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`;
  const system = SYSTEMS[environment.platform] ?? environment.platform;
  if (os.length > 0 && !os.includes(system)) return `needs ${os.join(' or ')}; this is ${system}`;
  if (model === 'scripted' && testCase.script === null) return 'has no `script` for the model scripted';
  return null;
}
