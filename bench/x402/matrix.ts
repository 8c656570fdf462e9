import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, runNode, startServer } from '../children.ts';
import { cpuMsOf, peakMiBOf } from '../process-usage.ts';
import type { SignedPayload } from './payloads.ts';
import { type Server, startFloor, startLedgerFloor, startOurs, startPeer } from './servers.ts';

/** One round of load on one server. `cpuUs`: CPU of the server process per request, in microseconds. */
export type Round = {
  requests: number;
  rps: number;
  p50: number;
  p99: number;
  cpuUs: number;
  statuses: Record<string, number>;
  failures: number;
};

export type Kind = 'unpaid' | 'paid';
/** The round with the least CPU per request, and the CPU of all counted rounds. */
export type Case = { server: string; kind: Kind; connections: number; best: Round; cpuUsOfRounds: readonly number[] };

export type X402Results = {
  cases: readonly Case[];
  peakMiB: Readonly<Record<string, number>>;
  answer402: Readonly<Record<string, { headerBytes: number; bodyBytes: number }>>;
  stubCalls: Readonly<Record<string, number>>;
};

const ROUNDS = 3;
const ROUND_S = 4;
const WARM_UP_S = 1.5;
/** The many first: their warm-up touches every shard of the ledger. */
const CONNECTIONS = [32, 1] as const;
/** Signed payments; a round that uses up its share ends early. */
const PAYLOADS = 14_000;
const PAYERS = 2_048;
/** Largest number of paid requests of a round and of a warm-up; the peer keeps no ledger, so it may see a payment twice. */
const MAX_PAID = 2_400;
const MAX_PAID_PEER = 8_000;
/** Enough to touch each of the 256 shards of the ledger. */
const MAX_WARM_UP_PAID = 1_500;
const PAID_WARM_UP_S = 12;
const CALLERS = 4_096;
const BODY = JSON.stringify({ url: 'https://example.com' });
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const REQUEST_TIMEOUT_MS = 10_000;

const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

/** `GUARD` is ours with its guard against floods of facilitator calls in force; the floors do the least of each kind. */
export const OURS = 'sightline';
export const GUARD = 'sightline, facilitator guard on';
export const FLOOR = 'floor: constant 402';
export const LEDGER_FLOOR = 'floor: 2 calls, 3 ledger writes';
export const PEER = '@x402/hono + bazaar';
export const PLAIN_PEER = '@x402/hono';

/** Measures all servers case by case, their rounds interleaved, so that a noisy minute hits all alike. */
export async function measureX402(say: (line: string) => void): Promise<X402Results> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const children: Child[] = [];
  try {
    const stub = await startServer(new URL('./stub-services.ts', import.meta.url).pathname);
    children.push(stub);
    say(`signing ${PAYLOADS} payments of ${PAYERS} payers`);
    const payloadFile = join(folder, 'payloads.json');
    await runNode([fileOf('payloads.ts'), String(PAYLOADS), String(PAYERS), PAY_TO, payloadFile]);
    const payloads = JSON.parse(readFileSync(payloadFile, 'utf8')) as SignedPayload[];
    const around = { folder, payTo: PAY_TO, stubPort: stub.port };
    const servers = [
      await startOurs(OURS, 'lifted', around),
      await startOurs(GUARD, 'kept', around),
      await startPeer(PEER, true, around),
      await startPeer(PLAIN_PEER, false, around),
    ];
    servers.push(await startFloor(FLOOR, servers[0]?.url ?? '', around), await startLedgerFloor(LEDGER_FLOOR, around));
    children.push(...servers);
    const probed = await Promise.all(servers.map(async (one) => [one.name, await probe(one)] as const));
    const answer402 = Object.fromEntries(probed);
    const cases = await measureCases(servers, payloads, join(folder, 'job.json'), say);
    const peakMiB = Object.fromEntries(servers.map(({ name, pid }) => [name, peakMiBOf(pid)]));
    const counts = await fetch(`http://127.0.0.1:${stub.port}/counts`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { cases, peakMiB, answer402, stubCalls: (await counts.json()) as Record<string, number> };
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCases(
  servers: readonly Server[],
  payloads: readonly SignedPayload[],
  jobFile: string,
  say: (line: string) => void,
): Promise<Case[]> {
  const cursors = new Map(servers.map(({ name }) => [name, 0]));
  const cases: Case[] = [];
  for (const kind of ['unpaid', 'paid'] as const) {
    for (const connections of CONNECTIONS) {
      const measured = servers.filter(({ name }) => isMeasured(name, kind, connections));
      const rounds = new Map<string, Round[]>(measured.map(({ name }) => [name, []]));
      for (let round = 0; round <= ROUNDS; round += 1) {
        const warmUp = round === 0;
        for (const server of measured) {
          const at = cursors.get(server.name) ?? 0;
          const { headers, next } = headersOf(server, kind, payloads, at, warmUp);
          const seconds = warmUp ? (kind === 'paid' && connections > 1 ? PAID_WARM_UP_S : WARM_UP_S) : ROUND_S;
          const job = { url: server.url, body: BODY, connections, seconds, headers, once: kind === 'paid' };
          const result = await runRound(server, job, jobFile);
          // Only what was sent is used up, give or take one request per connection.
          cursors.set(server.name, kind === 'unpaid' ? at : Math.min(next, at + usedBy(result, connections)));
          checkStatuses(server, kind, result);
          if (!warmUp) rounds.get(server.name)?.push(result);
        }
      }
      for (const [server, results] of rounds) cases.push(summarise(server, kind, connections, results, say));
    }
  }
  return cases;
}

/** The guard concerns payments, the first floor has none. One line about guard and ledger floor is enough. */
function isMeasured(name: string, kind: Kind, connections: number): boolean {
  if (name === GUARD || name === LEDGER_FLOOR) return kind === 'paid' && connections > 1;
  return name !== FLOOR || kind === 'unpaid';
}

/** Connections take their payloads in turns; the slowest may be behind the fastest, so whole turns are skipped. */
const usedBy = ({ requests }: Round, connections: number): number => requests + 8 * connections;

function summarise(
  server: string,
  kind: Kind,
  connections: number,
  rounds: readonly Round[],
  say: (line: string) => void,
): Case {
  const best = rounds.reduce((least, round) => (round.cpuUs < least.cpuUs ? round : least));
  const { rps, p50, p99, cpuUs, requests } = best;
  say(
    `${kind.padEnd(6)} c=${String(connections).padEnd(2)} ${server.padEnd(31)} ${cpuUs.toFixed(0).padStart(6)} us CPU/request` +
      ` ${rps.toFixed(0).padStart(6)} requests/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  (${requests} requests)`,
  );
  return { server, kind, connections, best, cpuUsOfRounds: rounds.map((round) => Math.round(round.cpuUs)) };
}

/** What `load.mjs` is given. */
type Job = {
  url: string;
  body: string;
  connections: number;
  seconds: number;
  headers: readonly Record<string, string>[];
  once: boolean;
};

/** Sends one round, and adds to its figures the CPU that the server used for it. */
export async function runRound(server: Server, job: Job, jobFile: string): Promise<Round> {
  writeFileSync(jobFile, JSON.stringify(job));
  const beforeMs = cpuMsOf(server.pid);
  const result = JSON.parse(await runNode([fileOf('load.mjs'), jobFile])) as Omit<Round, 'cpuUs'>;
  return { ...result, cpuUs: ((cpuMsOf(server.pid) - beforeMs) * 1000) / result.requests };
}

/** Unpaid requests come from many callers, since free answers are limited per caller; payments are used once. */
function headersOf(server: Server, kind: Kind, payloads: readonly SignedPayload[], at: number, warmUp: boolean) {
  if (kind === 'unpaid') {
    const headers = Array.from({ length: CALLERS }, (_, index) => ({ 'cf-connecting-ip': callerAt(index) }));
    return { headers, next: at };
  }
  const isPeer = server.name.startsWith(PLAIN_PEER);
  const wanted = warmUp ? MAX_WARM_UP_PAID : isPeer ? MAX_PAID_PEER : MAX_PAID;
  const from = isPeer ? 0 : at;
  const mine = payloads.slice(from, from + wanted);
  const headers = mine.map((payload, index) => ({
    'cf-connecting-ip': callerAt(index),
    'payment-signature': server.headerOf(payload),
  }));
  return { headers, next: from + mine.length };
}

const callerAt = (index: number): string => `198.18.${(index % CALLERS) >> 8}.${index & 255}`;

/** A server that answers anything else is not the one that should be measured. */
export function checkStatuses(server: Server, kind: Kind, { statuses, failures }: Round): void {
  const wanted = kind === 'unpaid' ? '402' : '200';
  const others = Object.keys(statuses).filter((status) => status !== wanted);
  if (others.length === 0 && failures === 0) return;
  throw new Error(`${server.name} ${kind}: ${JSON.stringify(statuses)}, ${failures} failures`);
}

async function probe({ url }: Server): Promise<{ headerBytes: number; bodyBytes: number }> {
  const response = await fetch(url, { method: 'POST', body: BODY, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  return {
    headerBytes: response.headers.get('payment-required')?.length ?? 0,
    bodyBytes: (await response.text()).length,
  };
}
