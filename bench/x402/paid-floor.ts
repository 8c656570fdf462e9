import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Aim, atMost, round } from '../aims.ts';
import { type Child, runNode, startServer } from '../children.ts';
import { median } from '../process-usage.ts';
import { checkStatuses, type Round, runRound } from './matrix.ts';
import type { SignedPayload } from './payloads.ts';
import { type Server, startHonestFloor, startOurs, startPeer } from './servers.ts';

/** One side over all counted rounds. */
type Side = { server: string; cpuUsOfRounds: readonly number[]; rpsOfRounds: readonly number[]; cpuUs: number };
export type PaidResults = { aims: readonly Aim[]; sides: readonly Side[]; ratios: Readonly<Record<string, number>> };

/** Short rounds in turns: a noisy moment hits neighbours alike, and each ratio is of neighbours. */
const ROUNDS = 8;
const MAX_ROUND_S = 10;
const CONNECTIONS = 32;
const WARM_UP_PAID = 3_200;
const ROUND_PAID = 1_280;
const PAYERS = 2_048;
const CALLERS = 4_096;
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const BODY = JSON.stringify({ url: 'https://example.com' });
const LIMIT = 1.3;
const OURS = 'sightline';
const FLOOR = 'honest floor';
const PEER = '@x402/hono';

const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

/**
 * A paid request of ours against the least that one can be: `honest-floor-worker.ts`. Each payment is presented once to
 * ours; floor and peer keep no rule, so they may see one again.
 */
export async function measurePaid(say: (line: string) => void): Promise<PaidResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const children: Child[] = [];
  try {
    const stub = await startServer(fileOf('./stub-services.ts'));
    children.push(stub);
    const payloadFile = join(folder, 'payloads.json');
    const count = WARM_UP_PAID + ROUNDS * ROUND_PAID;
    await runNode([fileOf('payloads.ts'), String(count), String(PAYERS), PAY_TO, payloadFile]);
    const payloads = JSON.parse(readFileSync(payloadFile, 'utf8')) as SignedPayload[];
    const around = { folder, payTo: PAY_TO, stubPort: stub.port };
    const servers: Server[] = [];
    const begin = async (starting: Promise<Server>): Promise<void> => {
      const server = await starting;
      servers.push(server);
      children.push(server);
    };
    await begin(startOurs(OURS, 'lifted', around));
    await begin(startHonestFloor(FLOOR, around));
    await begin(startPeer(PEER, false, around));
    const rounds = new Map<string, Round[]>(servers.map(({ name }) => [name, []]));
    mkdirSync(join(folder, 'jobs'));
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      for (const server of turn % 2 === 0 ? servers : servers.toReversed()) {
        const result = await runTurn(server, turn, payloads, join(folder, 'jobs', 'job.json'));
        if (turn > 0) rounds.get(server.name)?.push(result);
      }
    }
    return judge(rounds, say);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTurn(
  server: Server,
  turn: number,
  payloads: readonly SignedPayload[],
  jobFile: string,
): Promise<Round> {
  const from = turn === 0 ? 0 : WARM_UP_PAID + (turn - 1) * ROUND_PAID;
  const mine = payloads.slice(from, from + (turn === 0 ? WARM_UP_PAID : ROUND_PAID));
  const headers = mine.map((payload, index) => ({
    'cf-connecting-ip': `198.18.${(index % CALLERS) >> 8}.${index & 255}`,
    'payment-signature': server.headerOf(payload),
  }));
  const seconds = turn === 0 ? 3 * MAX_ROUND_S : MAX_ROUND_S;
  const job = { url: server.url, body: BODY, connections: CONNECTIONS, seconds, headers, once: true };
  const result = await runRound(server, job, jobFile);
  checkStatuses(server, 'paid', result);
  return result;
}

function judge(rounds: ReadonlyMap<string, readonly Round[]>, say: (line: string) => void): PaidResults {
  const sides = [...rounds].map(([server, results]): Side => {
    const cpuUsOfRounds = results.map(({ cpuUs }) => Math.round(cpuUs));
    const rpsOfRounds = results.map(({ rps }) => Math.round(rps));
    return { server, cpuUsOfRounds, rpsOfRounds, cpuUs: median(cpuUsOfRounds) };
  });
  for (const { server, cpuUs, cpuUsOfRounds, rpsOfRounds } of sides) {
    say(
      `paid c=${CONNECTIONS} ${server.padEnd(13)} ${cpuUs.toFixed(0).padStart(6)} us CPU/request (${cpuUsOfRounds.join(' ')})` +
        `  ${median(rpsOfRounds).toFixed(0)} requests/s`,
    );
  }
  const ratioOf = (one: string, two: string): number =>
    median((rounds.get(one) ?? []).map(({ cpuUs }, turn) => cpuUs / (rounds.get(two)?.[turn]?.cpuUs ?? Number.NaN)));
  const ratios = {
    'ours / honest floor': ratioOf(OURS, FLOOR),
    'ours / @x402/hono': ratioOf(OURS, PEER),
    'honest floor / @x402/hono': ratioOf(FLOOR, PEER),
  };
  for (const [name, ratio] of Object.entries(ratios)) say(`ratio of CPU ${name}: ${round(ratio)}`);
  const name = `paid request c=${CONNECTIONS}, CPU against the honest floor`;
  return { aims: [atMost(name, ratios['ours / honest floor'], LIMIT, 'x')], sides, ratios };
}
