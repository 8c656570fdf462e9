import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { INDEX_TOOL } from '../../src/capabilities/service.ts';
import { type Aim, atLeast } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { type Child, runNode } from '../children.ts';
import { cpuMsOf } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';
import { countToolTokens, type ToolTokens } from './tool-tokens.ts';

/** Requests a second of the best round of each side, by what is asked, and the least CPU of a request in microseconds. */
export type McpCase = { asked: string; ours: McpRound; sdk: McpRound; ratio: number };
export type McpRound = { perS: number; cpuUs: number };
export type McpResults = { cases: readonly McpCase[]; lists: readonly ToolTokens[]; aims: readonly Aim[] };

/** Ours against the SDK's handler without our layers. */
const MIN_RATIO = 0.8;
const ROUNDS = 4;
const ROUND_S = 3;
const WARM_UP_S = 2;
const CONNECTIONS = 16;
const CALLERS = 4_096;
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const VERSION = '2026-07-28';

const CASES = [
  { asked: 'tools/list', method: 'tools/list', params: {} },
  { asked: 'free tools/call', method: 'tools/call', params: { name: INDEX_TOOL, arguments: {} } },
] as const;

type Side = Child & { name: 'ours' | 'sdk'; url: string };

/** Measures both sides in turns, so that a noisy minute hits both. */
export async function measureMcp(say: (line: string) => void): Promise<McpResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const sides: Side[] = [];
  try {
    sides.push(await startSide('ours', './ours-worker.ts', folder), await startSide('sdk', './sdk-worker.ts', folder));
    const cases: McpCase[] = [];
    for (const one of CASES) cases.push(await measureCase(one, sides, join(folder, 'job.json'), say));
    const aims = cases.map(({ asked, ratio }) =>
      atLeast(`MCP, ${asked} against the bare SDK handler`, ratio, MIN_RATIO, 'x'),
    );
    const counted = countToolTokens(say);
    return { cases, lists: counted.lists, aims: [...aims, ...counted.aims] };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startSide(name: Side['name'], entry: string, around: string): Promise<Side> {
  const port = await reservePort(0, name, '');
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(around, name);
  mkdirSync(folder, { recursive: true });
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL(entry, import.meta.url).pathname),
      flags: ['enable_request_signal'],
      bindings: { BASE_URL: origin, PAY_TO },
    },
    { method: 'POST', path: '/mcp' },
  );
  return { ...running, name, url: `${origin}/mcp` };
}

async function measureCase(
  { asked, method, params }: (typeof CASES)[number],
  sides: readonly Side[],
  jobFile: string,
  say: (line: string) => void,
): Promise<McpCase> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const rounds: Record<Side['name'], McpRound[]> = { ours: [], sdk: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const side of sides) {
      const headers = headersOf(method, 'name' in params ? params.name : undefined);
      const seconds = round === 0 ? WARM_UP_S : ROUND_S;
      writeFileSync(
        jobFile,
        JSON.stringify({ url: side.url, body, connections: CONNECTIONS, seconds, headers, once: false }),
      );
      const result = await runRound(jobFile, side);
      if (round > 0) rounds[side.name].push(result);
    }
  }
  const [ours, sdk] = [bestOf(rounds.ours), bestOf(rounds.sdk)];
  const ratio = ours.perS / sdk.perS;
  const shown = ({ perS, cpuUs }: McpRound): string => `${perS.toFixed(0)} requests/s (${cpuUs.toFixed(0)} us CPU)`;
  say(`${asked}: ours ${shown(ours)}, SDK alone ${shown(sdk)}: ${ratio.toFixed(2)} x`);
  return { asked, ours, sdk, ratio };
}

const bestOf = (rounds: readonly McpRound[]): McpRound => ({
  perS: Math.max(...rounds.map(({ perS }) => perS)),
  cpuUs: Math.min(...rounds.map(({ cpuUs }) => cpuUs)),
});

/** Free calls are limited per caller, so they come from many. */
const headersOf = (method: string, name: string | undefined): readonly Record<string, string>[] =>
  Array.from({ length: CALLERS }, (_, index) => ({
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
    'cf-connecting-ip': `198.18.${index >> 8}.${index & 255}`,
  }));

/** A side that answers anything but 200 is not the one that should be measured. */
async function runRound(jobFile: string, { name, pid }: Side): Promise<McpRound> {
  const load = new URL('../x402/load.mjs', import.meta.url).pathname;
  const beforeMs = cpuMsOf(pid);
  const { requests, rps, statuses, failures } = JSON.parse(await runNode([load, jobFile])) as {
    requests: number;
    rps: number;
    statuses: Record<string, number>;
    failures: number;
  };
  if (Object.keys(statuses).some((status) => status !== '200') || failures > 0) {
    throw new Error(`${name}: ${JSON.stringify(statuses)}, ${failures} failures`);
  }
  return { perS: rps, cpuUs: ((cpuMsOf(pid) - beforeMs) * 1000) / requests };
}
