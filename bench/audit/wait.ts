import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { MAX_CONCURRENT_FETCHES } from '../../src/audit/core/gather.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { startServer } from '../children.ts';
import { median } from '../process-usage.ts';
import { inFolder, oursAsTool, runOnce } from './command-lines.ts';

const LATENCY_MS = 80;
const TURNS = 7;
const LIMIT = { ratio: 1.4, wallMs: 1100 } as const;
const PEER_TIMEOUT_MS = 60_000;
const fileOf = (path: string): string => new URL(path, import.meta.url).pathname;

/** A chain of the good demo site, each request of which waits for the answer before it: no order is faster. */
const LONGEST_CHAIN = [
  'page',
  'mcp-ai-catalog',
  'mcp-catalog-url:0',
  'mcp-discover',
  'mcp-initialize:0',
  'mcp-tools:0',
  'mcp-version',
] as const;

const exchangeSchema = z.object({
  role: z.string(),
  method: z.string(),
  url: z.string(),
  requestHeaders: z.record(z.string(), z.string()),
  requestBody: z.string().optional(),
  sameAs: z.string().optional(),
});
const recordingSchema = z.object({ snapshots: z.tuple([z.object({ exchanges: z.array(exchangeSchema) })]) });
type RecordedRequest = z.infer<typeof exchangeSchema>;

export type Wait = {
  requests: number;
  oursMs: number;
  bareMs: number;
  idealMs: number;
  chain: number;
  peerMs?: number;
  aims: readonly Aim[];
};

/** How long an audit waits for a site that is far away, beside a program that only makes the same requests. */
export async function measureWait(say: (line: string) => void, peer?: string): Promise<Wait> {
  const site = await startServer(fileOf('good-site.ts'), [String(LATENCY_MS)]);
  const origin = `http://127.0.0.1:${site.port}`;
  try {
    return inFolder((folder) => {
      const exchanges = recordExchanges(origin, folder);
      const made = exchanges.filter(({ sameAs }) => sameAs === undefined);
      writeRequests(made, join(folder, LIST));
      const took = timeInTurns(origin, folder, peer);
      const result = { requests: made.length, ...computeIdeal(exchanges, made.length), ...took };
      for (const line of describeWait(result)) say(line);
      const aims = [
        atMost('audit of a site 80 ms away, wall over a bare crawl', took.oursMs / took.bareMs, LIMIT.ratio, 'x'),
        atMost('audit of a site 80 ms away, wall', took.oursMs, LIMIT.wallMs, 'ms'),
      ];
      return { ...result, aims };
    });
  } finally {
    await site.stop();
  }
}

const LIST = 'requests.json';

function recordExchanges(origin: string, folder: string): readonly RecordedRequest[] {
  const file = join(folder, 'recording.json');
  const recorder = { ...oursAsTool, args: (url: string) => ['audit', url, '--json', '--snapshot', file] };
  runOnce(recorder, `${origin}/`, join(folder, 'usage.json'));
  const [{ exchanges }] = recordingSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).snapshots;
  return exchanges;
}

/** Leaves for the bare crawl what an audit asked for. */
function writeRequests(made: readonly RecordedRequest[], file: string): void {
  const requests = made.map(({ method, url, requestHeaders, requestBody }) => {
    const { pathname, search } = new URL(url);
    return { method, path: pathname + search, headers: requestHeaders, body: requestBody };
  });
  writeFileSync(file, JSON.stringify({ requests }));
}

function timeInTurns(
  origin: string,
  folder: string,
  peer: string | undefined,
): Pick<Wait, 'oursMs' | 'bareMs' | 'peerMs'> {
  const ours: number[] = [];
  const bare: number[] = [];
  const peers: number[] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const oursMs = runOnce(oursAsTool, `${origin}/`, join(folder, 'usage.json')).wallMs;
    const bareMs = timeNode([fileOf('bare-crawl.mjs'), origin, join(folder, LIST)], folder);
    const peerMs = peer === undefined ? undefined : timeNode([findProgram(peer), `${origin}/`], folder, false);
    if (turn === 0) continue; // It fills the caches.
    ours.push(oursMs);
    bare.push(bareMs);
    if (peerMs !== undefined) peers.push(peerMs);
  }
  const least = { oursMs: median(ours), bareMs: median(bare) };
  return peers.length === 0 ? least : { ...least, peerMs: median(peers) };
}

/** The command of a package, from the checkout of it. */
function findProgram(folder: string): string {
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const path = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (path === undefined) throw new Error(`${folder} names no command`);
  return join(folder, path);
}

/** @param mustPass false for a peer, which ends with other codes than 0 for sites that it finds wanting */
function timeNode(args: readonly string[], folder: string, mustPass = true): number {
  const startedMs = performance.now();
  const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' };
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: PEER_TIMEOUT_MS,
  });
  if (mustPass && status !== 0) throw new Error(`${args[0] ?? ''} ended with ${status}: ${stderr.slice(0, 500)}`);
  return performance.now() - startedMs;
}

/** The start page alone, then as many at a time as there are connections; and the longest chain. */
function computeIdeal(exchanges: readonly RecordedRequest[], made: number): Pick<Wait, 'idealMs' | 'chain'> {
  const roles = new Set(exchanges.map(({ role }) => role));
  const missing = LONGEST_CHAIN.filter((role) => !roles.has(role));
  if (missing.length > 0) throw new Error(`the demo site was not asked for ${missing.join(', ')}`);
  const rounds = 1 + Math.ceil((made - 1) / MAX_CONCURRENT_FETCHES);
  return { idealMs: Math.max(rounds, LONGEST_CHAIN.length) * LATENCY_MS, chain: LONGEST_CHAIN.length };
}

function describeWait({ requests, oursMs, bareMs, idealMs, chain, peerMs }: Omit<Wait, 'aims'>): readonly string[] {
  return [
    `wait, ${requests} requests at ${LATENCY_MS} ms: ours ${oursMs.toFixed(0)} ms, bare crawl ${bareMs.toFixed(0)} ms, ${round(oursMs / bareMs)} x (medians)`,
    `wait, ideal schedule: ${idealMs} ms (${idealMs / LATENCY_MS} rounds of ${MAX_CONCURRENT_FETCHES} with the start page alone; longest chain ${chain} requests, ${chain * LATENCY_MS} ms)`,
    ...(peerMs === undefined ? [] : [`wait, peer: ${peerMs.toFixed(0)} ms, ours ${round(oursMs / peerMs)} x`]),
  ];
}
