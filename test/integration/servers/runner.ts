/** A runner for the tests to kill: it leases the servers given as JSON, says "ready", and goes on for ever. */
import { createServerPool, type ServerDefinition } from '../../../src/engine/servers/index.ts';

const [, , definitions = '[]', runId = '', what] = process.argv;
const servers: ServerDefinition[] = JSON.parse(definitions);
const pool = createServerPool(servers, { runId });
const lease = pool.lease(new AbortController().signal);

if (what !== 'start') await lease;
else lease.catch(() => {});
process.stdout.write('ready\n');
if (what === 'exit') process.exit(0);
if (what === 'close') await pool.close();
else setInterval(() => {}, 1000);
