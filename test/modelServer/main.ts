/**
 * Runs a model server of its own: prints `{"url":"http://127.0.0.1:PORT"}` as one line, and ends on SIGTERM or SIGINT.
 *
 *     node test/modelServer/main.ts --port 0 --latency 50 --fault '429 retry-after=1' --plan 'judge=say {"score":1}'
 */
import { parseArgs } from 'node:util';
import { startModelServer } from './index.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'api-key': { type: 'string' },
    latency: { type: 'string', default: '0' },
    'chunk-latency': { type: 'string', default: '0' },
    /** One per request, in the order of arrival. */
    fault: { type: 'string', multiple: true, default: [] },
    /** `model=plan` */
    plan: { type: 'string', multiple: true, default: [] },
  },
});

const apiKey = values['api-key'];
const server = await startModelServer({
  port: Number(values.port),
  ...(apiKey === undefined ? {} : { apiKey }),
  latencyMs: Number(values.latency),
  chunkLatencyMs: Number(values['chunk-latency']),
  faults: values.fault,
  // A process of its own may serve for long, and nobody could read its log.
  log: false,
});
for (const entry of values.plan) {
  const equals = entry.indexOf('=');
  server.plan(entry.slice(0, equals), entry.slice(equals + 1));
}
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void server.close();
  });
}
