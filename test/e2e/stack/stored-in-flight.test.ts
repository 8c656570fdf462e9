import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Anvil, startAnvil } from '../../../local/chain/anvil.ts';
import { type ChainClient, createFundedClient } from '../../../local/chain/chain.ts';
import { USDC, usdcAbi } from '../../../local/chain/usdc.ts';
import type { StackWorkers } from '../../../local/stack-workers.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { fromFreshCaller } from '../../conformance/support/caller.ts';
import { pdf } from '../../support/audit/pdf.ts';
import { callOnCredits } from '../../support/stored/credit-call.ts';
import { askDirectly, countDeadPrompts, listReports, listRuns, readPrompts } from '../../support/stored/direct.ts';
import {
  BUSY_SITE,
  CHAT_USD,
  IN_FLIGHT_FILES,
  IN_FLIGHT_PACK,
  type InFlight,
  LOCKED_CALLER,
  SEARCH,
  type SignedCase,
  type TransferCase,
} from '../../support/stored/in-flight.ts';
import { CHARTS, HOOKS, type Outside, PUSH, startOutside } from '../../support/stored/outside.ts';
import { shiftAlarms, unpack } from '../../support/stored/pack.ts';
import { buy, signPurchase } from '../../support/stored/purchase.ts';
import { paymentSchema, type Settler, startSettler } from '../../support/stored/settler.ts';
import { ask, ORIGINS, startStored, useOriginsOf, waitForPorts } from '../../support/stored/stack.ts';

// Workers of an earlier day ended in the middle of their work, and today's code finds what they left: it goes on with each thing
// as its rule says. `scripts/record-stored-in-flight.ts` made it. The clock goes on some time after the recording's end.

/** How long no Worker ran. Leases end meanwhile; the run that waits is not over yet. */
const AWAY_MS = 20_000;
/** So many blocks and more are behind the latest safe one. */
const SAFE_BLOCKS = '0x50';
const PAYER_MICRO_USDC = 20_000_000n;
const PRICE_MICRO_USDC = 60_000n;
const REPEATS = 90;
const WAIT = { timeout: 90_000, interval: 500 };
const MAX_AGE_S = 7 * 86_400;

useOriginsOf('inFlight');

let folder = '';
let record: InFlight;
let setBackMs = 0;
let anvil: Anvil;
let client: ChainClient;
let settler: Settler;
let outside: Outside;
let workers: StackWorkers;
const stops: (() => Promise<unknown>)[] = [];

const inFolder = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(inFolder(name), 'utf8');
const nowMs = (): number => Date.now() - setBackMs;
const control = (method: string, ...params: unknown[]): Promise<unknown> => client.request({ method, params } as never);

/** The chain of the recording, which goes on at the time of the Workers. */
async function startOldChain(): Promise<void> {
  anvil = await startAnvil();
  stops.unshift(anvil.stop);
  ({ client } = await createFundedClient(anvil.rpcUrl));
  await control('anvil_loadState', `0x${gzipSync(textOf(IN_FLIGHT_FILES.chain)).toString('hex')}`);
  ({ client } = await createFundedClient(anvil.rpcUrl)); // What was loaded knows nothing of the money of the first one.
  settler = await startSettler(client);
  stops.unshift(settler.stop);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-in-flight-'));
  unpack(readFileSync(IN_FLIGHT_PACK), folder);
  record = JSON.parse(textOf(IN_FLIGHT_FILES.record)) as InFlight; // The recorder wrote it.
  await startOldChain();
  const release = await waitForPorts();
  outside = await startOutside();
  stops.unshift(outside.stop);
  setBackMs = Date.now() - Date.parse(record.recordedAt) - AWAY_MS;
  await control('evm_setTime', Math.floor(nowMs() / 1000));
  const { payload } = paymentSchema.parse(decodePaymentSignatureHeader(record.signed.refused_but_paid.credential));
  await settler.broadcast(payload);
  await control('anvil_mine', SAFE_BLOCKS, '0x1');
  shiftAlarms(inFolder(IN_FLIGHT_FILES.state), setBackMs);
  workers = await startStored({
    folder: inFolder(IN_FLIGHT_FILES.state),
    setBackMs,
    release,
    bindings: {
      ...record.bindings,
      RPC_URL: anvil.rpcUrl,
      FACILITATOR_URL: settler.url,
      // So that nothing but the ledger's own marks refuses old transfers.
      TRANSFER_MAX_AGE_S: String(MAX_AGE_S),
    },
    controlBindings: { CHAT_USD, UNPAID_ENGINE_USD_PER_HOUR: String(Number(CHAT_USD) * 1.5) },
    webhookBindings: record.webhookBindings,
    directoryKey: () => textOf(IN_FLIGHT_FILES.key),
  });
  stops.unshift(workers.api.stop);
  // What the queue brings a Worker of a new version: the run that waits has no time to lose.
  await askDirectly({ do: 'send', queue: 'PROMPTS', bodies: record.runs.prompts.slice(0, -1) });
  await askDirectly({ do: 'send', queue: 'PROMPTS_DLQ', bodies: record.runs.prompts.slice(-1) });
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
});

type Answer = { status: number; body: Record<string, unknown> };
const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
});

/** Presents a payment until it is decided, as an honest client does. */
async function buyUntilDecided(purchase: Parameters<typeof buy>[0]): Promise<Answer> {
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const answer = await answerOf(await buy(purchase));
    if (answer.status !== 503 && answer.body['code'] !== 'payment_in_progress') return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error(`not decided after ${REPEATS} times`);
}

const payerOf = ({ payer }: { payer: `0x${string}` }) => privateKeyToAccount(payer).address;
const spentBy = async (purchase: { payer: `0x${string}` }): Promise<bigint> =>
  PAYER_MICRO_USDC -
  (await client.readContract({ address: USDC, abi: usdcAbi, functionName: 'balanceOf', args: [payerOf(purchase)] }));
const timesAsked = (operation: 'verify' | 'settle', purchase: { payer: `0x${string}` }): number =>
  settler.asked.filter((call) => call === `${operation} ${payerOf(purchase).toLowerCase()}`).length;
const wasRead = ({ body }: { body: Record<string, unknown> }): boolean =>
  outside.asked.includes(new URL(z.string().parse(body['url'])).pathname);

describe('signed payments', () => {
  test.each<[SignedCase, boolean]>([
    ['verifying', true],
    ['working', true],
    ['settling', false],
    ['unknown', false],
  ])('P2, P3: one that was %s is sold and charged once; its work is done anew: %s', async (name, isWorkedAgain) => {
    const purchase = record.signed[name];
    const answer = await buyUntilDecided(purchase);
    expect(answer).toMatchObject({ status: 200, body: { capability: 'check_health' } });
    expect([await spentBy(purchase), timesAsked('settle', purchase)]).toEqual([PRICE_MICRO_USDC, 1]);
    expect(wasRead(purchase)).toBe(isWorkedAgain);
    expect(await answerOf(await buy(purchase))).toEqual(answer);
  });

  test.each<SignedCase>(['settled_unanswered', 'refused_but_paid'])(
    'P3, P4: one that was %s is found on chain, and its result is served without another settlement',
    async (name) => {
      const purchase = record.signed[name];
      const status = async () => (await answerOf(await buy(purchase))).status;
      await expect.poll(status, WAIT).toBe(200);
      expect([await spentBy(purchase), timesAsked('settle', purchase)]).toEqual([PRICE_MICRO_USDC, 0]);
      expect(wasRead(purchase)).toBe(false);
    },
  );

  test('P4: one that was refused is refused in the words of then, and costs nothing', async () => {
    const purchase = record.signed.refused;
    expect(await answerOf(await buy(purchase))).toMatchObject({
      status: 402,
      body: { code: 'settlement_refused', error: expect.stringContaining('invalid_transaction_state') },
    });
    expect([await spentBy(purchase), timesAsked('settle', purchase)]).toEqual([0n, 0]);
  });

  test('P18: one that ran out unused is dropped with its result', async () => {
    expect(record.expiredReport).not.toBe('');
    await expect.poll(listReports, WAIT).not.toContain(record.expiredReport);
    const purchase = record.signed.expired;
    expect(await answerOf(await buy(purchase))).toMatchObject({ status: 402, body: { code: 'authorization_expired' } });
    expect(await spentBy(purchase)).toBe(0n);
  });

  test('P16: one whose row was pruned buys nothing, neither by its signature nor by its transaction', async () => {
    const sale = record.prunedSale;
    expect(await answerOf(await buy(sale))).toMatchObject({ status: 402, body: { code: 'authorization_expired' } });
    expect(await answerOf(await buy({ ...sale, credential: sale.transaction }))).toMatchObject({
      status: 409,
      body: { code: 'transfer_is_settlement' },
    });
  });

  test('P27: twenty failures of then count', async () => {
    const order = { capability: 'check_health', body: { url: `${ORIGINS.outside}/another` } };
    const purchase = await signPurchase(record.failing, order, { nowMs: nowMs() });
    expect(await answerOf(await buy(purchase))).toMatchObject({ status: 429, body: { code: 'too_many_failures' } });
  });
});

describe('transfers', () => {
  const present = async (name: TransferCase): Promise<Answer> => {
    const { hash, ...order } = record.transfers[name];
    return buyUntilDecided({ ...order, credential: hash });
  };

  test('P16: a sold one whose row was pruned is still refused, and one of the same time that bought nothing is not', async () => {
    expect(await present('pruned')).toMatchObject({ status: 402, body: { code: 'transfer_too_old' } });
    expect(await present('kept_back')).toMatchObject({ status: 200 });
  });

  test('P20: one whose transaction an earlier version marked is used', async () => {
    expect(await present('marked_spent')).toMatchObject({ status: 409, body: { code: 'payment_already_used' } });
  });

  test.each<TransferCase>(['working', 'released'])('P15: one that was %s buys once', async (name) => {
    expect(await present(name)).toMatchObject({ status: 200 });
    expect(await present(name)).toMatchObject({ status: 409, body: { code: 'payment_already_used' } });
  });
});

describe('credits', () => {
  test('P6: a pack whose settlement got no answer is credited, and a call that had not ended is debited once', async () => {
    const browser = newBrowser(ORIGINS.api);
    for (const [name, value] of record.cookies) browser.cookies.set(name, value);
    const account = async () => (await browser.open('/account')).html;
    await expect.poll(account, WAIT).toContain('$10.00');
    const call = () => callOnCredits(record.tokens.person, record.creditCall);
    await expect.poll(() => call().catch(String), WAIT).toMatchObject({ balance: '9.940000' });
    expect(await call()).toEqual(await call());
    expect(await account()).toContain('$9.94');
  });
});

describe('measurements', () => {
  const answersSchema = z.looseObject({
    run: z.looseObject({ answers: z.array(z.looseObject({ status: z.string() })) }),
  });

  test('P11: the run goes on to its end with the prompts that waited, and its payment settles', async () => {
    const { waiting } = record.runs;
    const answer = await buyUntilDecided(waiting);
    expect(answer).toMatchObject({ status: 200, body: { run_id: waiting.runId } });
    expect((await readPrompts()).consumed).toBeGreaterThanOrEqual(record.runs.prompts.length - 1);
    const run = await answerOf(await ask({ at: 'api', call: `GET /runs/${waiting.runId}.json` }));
    const { answers } = answersSchema.parse(run.body).run;
    const failed = answers.filter(({ status }) => status !== 'answered');
    expect([answers.length, failed]).toEqual([30, [expect.objectContaining({ reason: 'not_delivered' })]]);
    expect(timesAsked('settle', waiting)).toBe(1);
  });

  test('the dead letters of both versions are counted together', async () => {
    await expect.poll(countDeadPrompts, WAIT).toBe(2);
  });

  test('P11: a run whose prompts are lost ends at its deadline, and its payment begins another', async () => {
    const { lost } = record.runs;
    const stateOf = async () => (await listRuns()).find(({ runId }) => runId === lost.runId)?.state;
    await expect.poll(stateOf, WAIT).toBe('incomplete');
    const answer = await buyUntilDecided(lost);
    expect(answer).toMatchObject({ status: 200, body: { run_id: expect.not.stringMatching(lost.runId) } });
    expect(timesAsked('settle', lost)).toBe(1);
  });
});

describe('counters', () => {
  const signIn = (headers: Record<string, string>): Promise<Response> =>
    ask({ at: 'api', call: 'POST /signin/operator', body: { secret: record.bindings['OPERATOR_SECRET'] }, headers });

  test('A4: failed sign-ins of then keep their caller out, and no other', async () => {
    expect((await signIn({ 'cf-connecting-ip': LOCKED_CALLER })).status).toBe(429);
    expect((await signIn(fromFreshCaller())).status).toBe(200);
  });

  test('F6: previews of then count against their site', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', ...fromFreshCaller() };
    const answer = await ask({ at: 'api', call: 'POST /audit/stream', body: { url: BUSY_SITE }, headers });
    expect(await answerOf(answer)).toMatchObject({ status: 429, body: { code: 'target_busy' } });
  });

  test('what chats of then cost counts', async () => {
    const body = { messages: [{ role: 'user', content: SEARCH.pdf.query }] };
    const call = `POST ${SEARCH.library}/chat/completions`;
    const answer = await ask({ at: 'control', call, body, token: record.tokens.control });
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('within an hour')]);
  });
});

describe('notifications', () => {
  const messagesSchema = z.object({
    messages: z.array(z.looseObject({ seq: z.number(), user_id: z.string().nullable(), state: z.string() })),
  });
  const token = (): string => record.tokens.webhook;
  const messageOf = async (user: string) => {
    const listed = await ask({ at: 'webhook', call: 'GET /messages', token: token() });
    return messagesSchema.parse(await listed.json()).messages.find((message) => message.user_id === user);
  };
  const stateOf = async (user: string) => (await messageOf(user))?.state;
  const webhooksOf = (user: string) =>
    outside.received.filter(({ path, body }) => path === HOOKS && body.includes(`"user_id":"${user}"`));

  test('what a receiver could not take is delivered', async () => {
    const { delivering } = record.users;
    await expect.poll(() => stateOf(delivering), WAIT).toBe('worked');
    expect(webhooksOf(delivering).length).toBe(1);
  });

  test('W7: a dead letter is listed, and delivered when it is replayed', async () => {
    const { dead } = record.users;
    const message = await messageOf(dead);
    expect([message?.state, webhooksOf(dead)]).toEqual(['dead', []]);
    const body = { message: message?.seq };
    const answer = await ask({ at: 'webhook', call: 'POST /messages:replay', token: token(), body });
    expect(await answerOf(answer)).toMatchObject({ status: 200, body: { replayed: 1 } });
    await expect.poll(() => stateOf(dead), WAIT).toBe('worked');
    expect(webhooksOf(dead).length).toBe(1);
  });

  test('a push that was not taken comes again, under its number', async () => {
    const pushes = () =>
      outside.received.filter(({ path, body }) => path === PUSH && body.includes(record.users.pushed));
    await expect.poll(() => pushes().length, WAIT).toBe(1);
    const { id, token: own } = record.channel;
    expect(pushes()[0]?.headers).toMatchObject({
      'x-goog-channel-id': id,
      'x-goog-channel-token': own,
      'x-goog-resource-state': 'add',
    });
  });
});

describe('AI search', () => {
  const rowsSchema = z.looseObject({ result: z.array(z.looseObject({ id: z.string() })) });
  const get = (path: string): Promise<Response> =>
    ask({ at: 'control', call: `GET ${path}`, token: record.tokens.control });
  const rowsOf = async (path: string) => rowsSchema.parse(await (await get(path)).json()).result;
  const find = async (instance: string, query: string, kind: string): Promise<string> => {
    const body = { query, ai_search_options: { retrieval: { retrieval_type: kind } } };
    const call = `POST ${instance}/search`;
    return (await ask({ at: 'control', call, body, token: record.tokens.control })).text();
  };

  test('a crawl goes on where it was, to its end', async () => {
    const ended = async () => (await rowsOf(`${SEARCH.charts}/jobs`))[0]?.['end_reason'];
    await expect.poll(ended, WAIT).toBe('completed');
    const keys = (await rowsOf(`${SEARCH.charts}/items`)).map(({ key, status }) => `${String(key)} ${String(status)}`);
    expect(keys.toSorted()).toEqual(CHARTS.map((path) => `${ORIGINS.outside}${path} completed`));
    const [first, second, ...rest] = CHARTS;
    expect(outside.asked).not.toContain(first);
    expect(outside.asked).not.toContain(second);
    expect(outside.asked).toEqual(expect.arrayContaining(rest));
    expect(await find(SEARCH.charts, 'chart 2 pdf', 'keyword')).toContain(second);
  });

  test('a PDF is listed, read and found, and can be indexed again', async () => {
    const { name, words, query } = SEARCH.pdf;
    const listed = async () => (await rowsOf(`${SEARCH.library}/items`)).map(({ key, status }) => [key, status]);
    expect(await listed()).toEqual([[name, 'completed']]);
    const [item] = await rowsOf(`${SEARCH.library}/items`);
    const path = `${SEARCH.library}/items/${item?.id}`;
    expect(await (await get(`${path}/chunks`)).text()).toContain(words);
    const file = new Uint8Array(await (await get(`${path}/download`)).arrayBuffer());
    expect(file).toEqual(pdf([[words], ['The second page']], 'Tides'));
    for (const kind of ['keyword', 'vector']) expect(await find(SEARCH.library, query, kind)).toContain(words);
    const body = { next_action: 'INDEX' };
    const again = await ask({ at: 'control', call: `PATCH ${path}`, body, token: record.tokens.control });
    expect(again.status).toBe(200);
    await expect.poll(listed, WAIT).toEqual([[name, 'completed']]);
    expect(await find(SEARCH.library, query, 'keyword')).toContain(words);
  });
});
