import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { type Aim, atLeast } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { type Child, runNode, startServer } from '../children.ts';
import { cpuMsOf } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';
import type { SignedPayload } from '../x402/payloads.ts';
import { ourHeader } from '../x402/servers.ts';

type Round = { requests: number; rps: number; p50: number; p99: number; cpuUs: number };
type Side = Child & { name: 'off' | 'on'; url: string; rounds: Round[] };

export type TelemetryResults = {
  aims: readonly Aim[];
  sides: readonly { name: string; best: Round; cpuUsOfRounds: readonly number[] }[];
};

const ROUNDS = 4;
const ROUND_S = 4;
const CONNECTIONS = 32;
/** Most payments of a round; the warm-up touches each of the 256 shards of the ledger. */
const MAX_PAID = 2_400;
const WARM_UP_PAID = 1_500;
const WARM_UP_S = 12;
const PAYERS = 2_048;
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const PATH = '/api/agent/check_health';
const BODY = JSON.stringify({ url: 'https://example.com' });
const SECRET_BYTES = 32;

const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

/** Paid calls with the service's own telemetry on against off, rounds in turns; each side has a ledger of its own. */
export async function measureTelemetry(say: (line: string) => void): Promise<TelemetryResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const children: Child[] = [];
  try {
    const stub = await startServer(fileOf('../x402/stub-services.ts'));
    children.push(stub);
    const payloadFile = join(folder, 'payloads.json');
    const count = WARM_UP_PAID + ROUNDS * MAX_PAID;
    await runNode([fileOf('../x402/payloads.ts'), String(count), String(PAYERS), PAY_TO, payloadFile]);
    const payloads = JSON.parse(readFileSync(payloadFile, 'utf8')) as SignedPayload[];
    const sides: Side[] = [];
    for (const name of ['off', 'on'] as const) sides.push(await startSide(name, folder, stub.port));
    children.push(...sides);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const result = await runRound(side, round, payloads, folder);
        if (round > 0) side.rounds.push(result);
      }
    }
    return judged(sides, say);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startSide(name: Side['name'], parent: string, stubPort: number): Promise<Side> {
  const port = await reservePort(0, name, '');
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const objects = {
    PaymentLedger: 'PAYMENT_LEDGER',
    ResourceStore: 'RESOURCE_STORE',
    TenantRegistry: 'TENANT_REGISTRY',
  };
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(fileOf('both-worker.ts')),
      bindings: {
        BASE_URL: origin,
        CONTROL_URL: origin,
        OPERATOR_TENANT: 'C00000001',
        OPERATOR_PROJECT: 'local',
        TELEMETRY: name === 'on' ? 'control' : 'none',
        PAY_TO,
        RPC_URL: `http://127.0.0.1:${stubPort}/rpc`,
        FACILITATOR_URL: `http://127.0.0.1:${stubPort}`,
        LEDGER_SECRET: randomBytes(SECRET_BYTES).toString('hex'),
        FACILITATOR_CALLS_PER_S: '100000',
      },
      durableObjects: Object.entries({ ...objects, EntryStore: 'ENTRY_STORE' }).map(([className, binding]) => ({
        className,
        binding,
      })),
    },
    { method: 'GET', path: '/health' },
  );
  return { ...running, name, url: `${origin}${PATH}`, rounds: [] };
}

async function runRound(side: Side, round: number, payloads: readonly SignedPayload[], folder: string): Promise<Round> {
  const isWarmUp = round === 0;
  const from = isWarmUp ? 0 : WARM_UP_PAID + (round - 1) * MAX_PAID;
  const mine = payloads.slice(from, from + (isWarmUp ? WARM_UP_PAID : MAX_PAID));
  const headers = mine.map((payload, index) => ({
    'cf-connecting-ip': `198.18.${(index % 4096) >> 8}.${index & 255}`,
    'payment-signature': ourHeader(payload, side.url),
  }));
  const jobFile = join(folder, 'job.json');
  const seconds = isWarmUp ? WARM_UP_S : ROUND_S;
  writeFileSync(
    jobFile,
    JSON.stringify({ url: side.url, body: BODY, connections: CONNECTIONS, seconds, headers, once: true }),
  );
  const beforeMs = cpuMsOf(side.pid);
  const delivered = JSON.parse(await runNode([fileOf('../x402/load.mjs'), jobFile])) as Omit<Round, 'cpuUs'> & {
    statuses: Record<string, number>;
    failures: number;
  };
  const { statuses, failures, ...result } = delivered;
  const others = Object.keys(statuses).filter((status) => status !== '200');
  if (others.length > 0 || failures > 0)
    throw new Error(`telemetry ${side.name}: ${JSON.stringify(statuses)}, ${failures} failures`);
  return { ...result, cpuUs: ((cpuMsOf(side.pid) - beforeMs) * 1000) / result.requests };
}

function judged(sides: readonly Side[], say: (line: string) => void): TelemetryResults {
  const delivered = sides.map(({ name, rounds }) => ({
    name,
    best: rounds.reduce((least, round) => (round.cpuUs < least.cpuUs ? round : least)),
    cpuUsOfRounds: rounds.map(({ cpuUs }) => Math.round(cpuUs)),
  }));
  for (const { name, best, cpuUsOfRounds } of delivered)
    say(
      `telemetry ${name.padEnd(3)} ${best.cpuUs.toFixed(0)} us CPU/paid call (rounds ${cpuUsOfRounds.join(', ')}),` +
        ` ${best.rps.toFixed(0)} calls/s, p50 ${best.p50.toFixed(2)} ms, p99 ${best.p99.toFixed(2)} ms`,
    );
  const cpuOf = (name: string): number => delivered.find((side) => side.name === name)?.best.cpuUs ?? Number.NaN;
  const ratio = cpuOf('off') / cpuOf('on');
  return { aims: [atLeast('paid calls, telemetry on against off, by CPU', ratio, 0.95, 'x')], sides: delivered };
}
