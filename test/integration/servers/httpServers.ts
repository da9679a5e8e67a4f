/** The servers of test/fixtures that speak HTTP, in this process, as the tests need them. */
import type { TestContext } from 'vitest';
import type { ServerAddress, ServerDefinition, ServerNotice } from '../../../src/engine/servers/index.ts';
import { createServerPool } from '../../../src/engine/servers/index.ts';
import { until } from './faultServer.ts';

export interface HttpFixture {
  url: string;
  sseUrl: string;
  seen: { deleted: number };
  open(): number;
  sessions(): number;
  forget(): void;
  close(): Promise<void>;
}

export interface FaultFixture {
  origin: string;
  log: { path: string; http: string; method?: string; headers: Record<string, string> }[];
  open(path: string): number;
  close(): Promise<void>;
}

const httpServer = new URL('../../fixtures/servers/http.mjs', import.meta.url);
const faultServer = new URL('../../fixtures/servers/faultHttp.mjs', import.meta.url);

export async function startHttpServer(options: { token?: string } = {}): Promise<HttpFixture> {
  return (await import(String(httpServer))).startHttpServer(options);
}

export async function startFaultServer(options: { tls?: boolean; other?: string } = {}): Promise<FaultFixture> {
  return (await import(String(faultServer))).startFaultServer(options);
}

export function remote(
  url: string,
  over: Partial<Omit<ServerDefinition, 'transport'> & Omit<ServerAddress, 'url'>> = {},
): ServerDefinition {
  const { kind = 'http', headers = {}, ...rest } = over;
  return {
    name: 'remote',
    transport: { kind, url, headers },
    isolation: 'shared',
    origin: { file: '/suite/.mcp.json', pointer: '/mcpServers/remote' },
    startTimeoutMs: 5000,
    callTimeoutMs: 5000,
    ...rest,
  };
}

/** A pool that is closed when the test ends, which is then failed if the server still has a request open. */
export function remotePool({ onTestFinished }: TestContext, definition: ServerDefinition, open: () => number) {
  const notices: ServerNotice[] = [];
  const pool = createServerPool([definition], { runId: 'test', onNotice: (notice) => notices.push(notice) });
  onTestFinished(async () => {
    await pool.close();
    await until(open, 0, 1000);
  });
  return { pool, notices };
}
