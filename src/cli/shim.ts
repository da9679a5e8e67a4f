/**
 * The first thing that runs. It is built for old versions of Node, so that they can say what is wrong, and answers
 * `--version` before anything else is loaded.
 */
import { version } from './version.ts';

const NEEDED = [22, 15] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `mcprove needs Node.js ${NEEDED.join('.')} or newer; this is ${process.versions.node} (${process.execPath}). ` +
      'Install a newer one from https://nodejs.org, or put it first on the PATH.\n',
  );
  process.exitCode = 2;
} else {
  // Node itself warns wherever it finds both, in the middle of our output; that the first one wins is documented.
  if (process.env.FORCE_COLOR !== undefined) delete process.env.NO_COLOR;
  // Not awaited: old versions could not parse that. What `main` throws ends the process as any bug would.
  void import('./main.ts').then(({ main }) => main(args));
}
