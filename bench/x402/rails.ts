import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { loadKeccak } from '../../src/lib/ethereum.ts';
import { MINUTE_MS } from '../../src/lib/time.ts';
import { createChallenges, type PaymentChallenge } from '../../src/payment/rails/mpp/challenge.ts';
import { encodeJson } from '../../src/payment/rails/mpp/encoding.ts';
import { CHAIN_ID, USDC } from '../../src/payment/terms/constants.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { type Child, startServer } from '../children.ts';
import { median } from '../process-usage.ts';
import { checkStatuses, type Kind, type Round, runRound } from './matrix.ts';
import { signerOf, type SignedPayload, signMany } from './payloads.ts';
import { type Server, startOurs } from './servers.ts';

type Side = { side: string; cpuUsOfRounds: readonly number[]; cpuUs: number };
export type RailsResults = { aims: readonly Aim[]; sides: readonly Side[]; ratios: Readonly<Record<string, number>> };

/** Short rounds in turns: a noisy moment hits neighbours alike, and each ratio is of neighbours. */
const ROUNDS = 20;
const UNPAID_S = 1.5;
const MAX_PAID_S = 10;
const CONNECTIONS = 32;
const WARM_UP_PAID = 1_600;
const ROUND_PAID = 512;
const PAYERS = 1_024;
const CALLERS = 4_096;
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const BODY = JSON.stringify({ url: 'https://example.com' });
const LIMITS = { unpaid: 1.15, paid: 1.1 } as const;
/** Challenges are made ahead of their time, so that they outlive the signing of thousands. */
const AHEAD_MS = 45 * MINUTE_MS;

/** What is measured against what. */
const PAIRS = {
  unpaid: ['402 with x402 and MPP', '402 with x402 alone'],
  paid: ['paid by MPP', 'paid by x402'],
} as const;

/** What a second rail costs an answer 402, and what a payment by it costs. */
export async function measureRails(say: (line: string) => void): Promise<RailsResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const children: Child[] = [];
  try {
    const stub = await startServer(new URL('./stub-services.ts', import.meta.url).pathname);
    children.push(stub);
    const around = { folder, payTo: PAY_TO, stubPort: stub.port };
    const secret = randomBytes(32).toString('hex');
    const both = await startOurs('both rails', 'lifted', around, { LEDGER_SECRET: secret });
    children.push(both);
    const alone = await startOurs('x402 alone', 'lifted', around, { LEDGER_SECRET: secret, MPP: 'off' });
    children.push(alone);
    const count = WARM_UP_PAID + ROUNDS * ROUND_PAID;
    say(`signing ${2 * count} payments of ${PAYERS} payers`);
    const signers = Array.from({ length: PAYERS }, () => signerOf(generatePrivateKey()));
    const x402 = (await signMany(count, signers, PAY_TO)).map((one) => ({ 'payment-signature': both.headerOf(one) }));
    const mpp = await signForChallenges(count, signers, secret, both.url);
    mkdirSync(join(folder, 'jobs'));
    const jobFile = join(folder, 'jobs', 'job.json');
    const unpaid = [sendUnpaid(both, jobFile), sendUnpaid(alone, jobFile)] as const;
    const paid = [sendPaid(both, mpp, jobFile), sendPaid(both, x402, jobFile)] as const;
    const judged = [judge('unpaid', await takeTurns(unpaid), say), judge('paid', await takeTurns(paid), say)];
    return {
      aims: judged.map(({ aim }) => aim),
      sides: judged.flatMap(({ sides }) => sides),
      ratios: Object.fromEntries(judged.map(({ name, ratio }) => [name, ratio])),
    };
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

type Turn = (turn: number) => Promise<Round>;

/** The first round warms up. */
async function takeTurns([one, two]: readonly [Turn, Turn]): Promise<readonly [Round[], Round[]]> {
  const rounds: [Round[], Round[]] = [[], []];
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    const order = turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const side of order) {
      const result = await (side === 0 ? one : two)(turn);
      if (turn > 0) rounds[side].push(result);
    }
  }
  return rounds;
}

const sendUnpaid =
  (server: Server, jobFile: string): Turn =>
  async () => {
    const headers = Array.from({ length: CALLERS }, (_, index) => ({ 'cf-connecting-ip': callerAt(index) }));
    const job = { url: server.url, body: BODY, connections: CONNECTIONS, seconds: UNPAID_S, headers, once: false };
    return check(server, 'unpaid', await runRound(server, job, jobFile));
  };

const sendPaid =
  (server: Server, payments: readonly Record<string, string>[], jobFile: string): Turn =>
  async (turn) => {
    const from = turn === 0 ? 0 : WARM_UP_PAID + (turn - 1) * ROUND_PAID;
    const mine = payments.slice(from, from + (turn === 0 ? WARM_UP_PAID : ROUND_PAID));
    const headers = mine.map((payment, index) => ({ 'cf-connecting-ip': callerAt(index), ...payment }));
    const seconds = turn === 0 ? 3 * MAX_PAID_S : MAX_PAID_S;
    const job = { url: server.url, body: BODY, connections: CONNECTIONS, seconds, headers, once: true };
    return check(server, 'paid', await runRound(server, job, jobFile));
  };

function check(server: Server, kind: Kind, result: Round): Round {
  checkStatuses(server, kind, result);
  return result;
}

const callerAt = (index: number): string => `198.18.${(index % CALLERS) >> 8}.${index & 255}`;

function judge(kind: Kind, rounds: readonly [Round[], Round[]], say: (line: string) => void) {
  const sides = PAIRS[kind].map((side, at): Side => {
    const cpuUsOfRounds = (rounds[at] ?? []).map(({ cpuUs }) => Math.round(cpuUs));
    return { side, cpuUsOfRounds, cpuUs: median(cpuUsOfRounds) };
  });
  for (const { side, cpuUs, cpuUsOfRounds } of sides)
    say(
      `c=${CONNECTIONS} ${side.padEnd(22)} ${cpuUs.toFixed(0).padStart(6)} us CPU/request (${cpuUsOfRounds.join(' ')})`,
    );
  const [mine, theirs] = rounds;
  const ratio = median(mine.map(({ cpuUs }, turn) => cpuUs / (theirs[turn]?.cpuUs ?? Number.NaN)));
  const name = `${PAIRS[kind][0]} / ${PAIRS[kind][1]}`;
  say(`ratio of CPU ${name}: ${round(ratio)}`);
  return { name, ratio, sides, aim: atMost(`${name}, CPU`, ratio, LIMITS[kind], 'x') };
}

/** Credentials as the official client of MPP makes them, each for a challenge of its own. */
async function signForChallenges(
  count: number,
  signers: Parameters<typeof signMany>[1],
  secret: string,
  url: string,
): Promise<{ authorization: string }[]> {
  const { hashText } = await loadKeccak();
  const amountMicroUsdc = findCapability('check_health')?.priceMicroUsdc ?? 0;
  const terms = { realm: new URL(url).hostname, chainId: CHAIN_ID, currency: USDC, recipient: PAY_TO, amountMicroUsdc };
  const issued = await createChallenges([secret], url, [terms]).issue(Date.now() + AHEAD_MS);
  const challenges = Array.from({ length: count }, () => issued.fresh().list).flat();
  const signed = await signMany(count, signers, PAY_TO, 'check_health', (index) => {
    const challenge = challenges[index];
    return `0x${hashText(`${challenge?.id}${challenge?.realm}`)}`;
  });
  return challenges.flatMap((challenge, index) => {
    const payload = signed[index];
    return payload === undefined ? [] : [{ authorization: formatCredential(challenge, payload) }];
  });
}

function formatCredential(challenge: PaymentChallenge, { authorization, signature }: SignedPayload): string {
  const credential = {
    challenge: { ...challenge, request: encodeJson(challenge.request) },
    payload: { type: 'authorization', ...authorization, signature },
    source: `did:pkh:eip155:${CHAIN_ID}:${authorization.from}`,
  };
  return `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`;
}
