/** Builds dist/ once before the integration tests, which run what a user would run. */
import { execFileSync } from 'node:child_process';

export default function setup(): void {
  execFileSync(process.execPath, ['esbuild.mjs'], { stdio: 'inherit' });
}
