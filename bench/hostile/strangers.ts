import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { type Aim, atMost, round } from '../aims.ts';
import { median } from '../process-usage.ts';
import { signMany } from '../x402/payloads.ts';
import { ourHeader } from '../x402/servers.ts';
import { type RunningStack, withStack } from './load.ts';

/** Mean and median in milliseconds of an honest task; a refused caller waits as long as `Retry-After` says. */
type Times = { mean: number; median: number; refused: number };
export type Slowed = { task: string; alone: Times; beside: Times };
export type Strangers = { filled: Readonly<Record<string, number>>; tasks: readonly Slowed[] };

const TRIES = 40;
const PAUSE_MS = 100;
const MAX_RATIO = 2;
const TIMEOUT_MS = 60_000;
/** As many as ever were the ceilings of all callers together, and some. */
const FILL = { registrations: 2_200, nonces: 21_000 } as const;
const FILLERS = 16;
/** What the stranger goes on sending meanwhile, each second. */
const RATES = { nonce: 50, registration: 30, forged: 20 } as const;
const SECOND_MS = 1_000;
const NETWORKS = 50;
const REDIRECT = 'http://127.0.0.1:51999/callback';
const CHAIN_ID = 8453;
const CAPABILITY = 'visibility_check';

/** A hundred addresses: 50 networks of /64 of one IPv6 /48, and 50 of IPv4. */
const strangerAt = (turn: number): string => {
  const index = turn % (2 * NETWORKS);
  return index < NETWORKS ? `2001:db8:bad:${index.toString(16)}::1` : `203.0.113.${index}`;
};
/** An honest caller comes once. */
const honestAt = (turn: number): string => `198.51.${100 + (turn >> 8)}.${turn & 255}`;

const agent = new Agent({ connections: FILLERS + 8, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
type Answer = { status: number; retryMs: number; cookie: string; json: Record<string, unknown> };

async function post(url: string, caller: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': caller, ...headers },
    body: JSON.stringify(body),
    dispatcher: agent,
  });
  const text = await answer.body.text();
  const set = [answer.headers['set-cookie'] ?? []].flat();
  return {
    status: answer.statusCode,
    retryMs: Number(answer.headers['retry-after'] ?? 0) * SECOND_MS,
    cookie: set.map((line) => line.split(';', 1)[0]).join('; '),
    json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

const asksNonce = (api: string, caller: string): Promise<Answer> => post(`${api}/signin/siwe/nonce`, caller, {});
const registers = (api: string, caller: string, name: string): Promise<Answer> => {
  const metadata = { client_name: name, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  return post(`${api}/oauth/register`, caller, metadata);
};

/** Does one honest task; resolves to how long it would have to wait before trying again, or 0. */
type Task = { name: string; run: (turn: number) => Promise<number> };

function tasksOf(stack: RunningStack, credentials: readonly string[]): readonly Task[] {
  const { api } = stack;
  const { host } = new URL(api);
  return [
    {
      name: 'sign-in',
      run: async (turn) => {
        const wallet = privateKeyToAccount(generatePrivateKey());
        const given = await asksNonce(api, honestAt(turn));
        if (given.status !== 200) return waitOf(given);
        const statement = 'Sign in to Sightline. This costs nothing and sends no transaction.';
        const terms = { domain: host, uri: `${api}/signin`, version: '1', chainId: CHAIN_ID, statement } as const;
        const message = createSiweMessage({ ...terms, address: wallet.address, nonce: String(given.json['nonce']) });
        const signature = await wallet.signMessage({ message });
        const headers = { cookie: given.cookie };
        return waitOf(await post(`${api}/signin/siwe`, honestAt(turn), { message, signature }, headers));
      },
    },
    {
      name: 'client registration',
      run: async (turn) => waitOf(await registers(api, honestAt(turn), `Honest ${turn}`)),
    },
    {
      name: 'purchase of a measurement',
      run: async (turn) => {
        const headers = { 'payment-signature': credentials[turn] ?? '' };
        const body = { brand: 'Example Desk', niche: 'standing desks' };
        return waitOf(await post(`${api}/api/agent/${CAPABILITY}`, honestAt(turn), body, headers));
      },
    },
  ];
}

function waitOf({ status, retryMs, json }: Answer): number {
  if (status < 300) return 0;
  if (retryMs > 0) return retryMs;
  throw new Error(`an honest task was refused for good: ${status} ${JSON.stringify(json).slice(0, 200)}`);
}

/** Honest tasks alone, then with a stranger who has filled all it can and goes on. */
export function measureStrangers(say: (line: string) => void): Promise<Strangers> {
  return withStack(async (stack) => {
    const victim = stack.payers[0];
    if (victim === undefined) throw new Error('the stack has no payers');
    const url = `${stack.api}/api/agent/${CAPABILITY}`;
    const own = await signMany(
      2 * TRIES + 2,
      [{ key: victim.privateKey, from: victim.address }],
      stack.payTo,
      CAPABILITY,
    );
    const tasks = tasksOf(
      stack,
      own.map((payload) => ourHeader(payload, url)),
    );
    for (const { run } of tasks) await run(2 * TRIES); // Loads what is loaded at first use.
    const alone: Times[] = [];
    for (const task of tasks) alone.push(await timesOf(task, 0));
    const filled = await fill(stack.api);
    say(`stranger with ${2 * NETWORKS} addresses, before: ${JSON.stringify(filled)}`);
    const stop = await keepOn(stack, victim.address);
    const beside: Times[] = [];
    for (const task of tasks) beside.push(await timesOf(task, TRIES));
    await stop();
    const slowed = tasks.map(({ name }, index) => ({
      task: name,
      alone: alone[index] ?? NOTHING,
      beside: beside[index] ?? NOTHING,
    }));
    for (const one of slowed) say(slowedLine(one));
    return { filled, tasks: slowed };
  });
}

const NOTHING: Times = { mean: Number.NaN, median: Number.NaN, refused: 0 };

async function timesOf({ run }: Task, from: number): Promise<Times> {
  const times: number[] = [];
  let refused = 0;
  for (let turn = from; turn < from + TRIES; turn += 1) {
    const startMs = performance.now();
    const waitMs = await run(turn);
    times.push(performance.now() - startMs + waitMs);
    if (waitMs > 0) refused += 1;
    await sleep(PAUSE_MS);
  }
  return { mean: times.reduce((sum, ms) => sum + ms, 0) / TRIES, median: median(times), refused };
}

/** Asks for everything that was counted for all callers together, as fast as it is answered. Tells the statuses. */
async function fill(api: string): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  const all = (name: string, count: number, send: (turn: number) => Promise<Answer>): Promise<unknown> => {
    let turn = 0;
    const one = async (): Promise<void> => {
      while (turn < count) {
        turn += 1;
        const { status } = await send(turn);
        const key = `${name} ${status}`;
        seen[key] = (seen[key] ?? 0) + 1;
      }
    };
    return Promise.all(Array.from({ length: FILLERS }, one));
  };
  await all('registration', FILL.registrations, (turn) => registers(api, strangerAt(turn), `Stranger ${turn}`));
  await all('nonce', FILL.nonces, (turn) => asksNonce(api, strangerAt(turn)));
  return seen;
}

/** Sends at the rates until it is stopped: nonces, registrations, and payments that name the victim without its key. */
async function keepOn(stack: RunningStack, victim: `0x${string}`): Promise<() => Promise<void>> {
  const url = `${stack.api}/api/agent/${CAPABILITY}`;
  const forger = { key: generatePrivateKey(), from: victim };
  const forged = (await signMany(TRIES * 100, [forger], stack.payTo, CAPABILITY)).map((payload) =>
    ourHeader(payload, url),
  );
  const body = { brand: 'Stranger', niche: 'standing desks' };
  const sends: Readonly<Record<keyof typeof RATES, (turn: number) => Promise<Answer>>> = {
    nonce: (turn) => asksNonce(stack.api, strangerAt(turn)),
    registration: (turn) => registers(stack.api, strangerAt(turn), `Later ${turn}`),
    forged: (turn) => post(url, strangerAt(turn), body, { 'payment-signature': forged[turn % forged.length] ?? '' }),
  };
  const running = new Set<Promise<unknown>>();
  const timers = (Object.keys(sends) as (keyof typeof RATES)[]).map((name) => {
    let turn = 0;
    return setInterval(() => {
      turn += 1;
      const sent = sends[name](turn).catch(() => undefined); // What becomes of a stranger's request is of no interest.
      running.add(sent);
      void sent.then(() => running.delete(sent));
    }, SECOND_MS / RATES[name]);
  });
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}

const timesText = ({ mean, median: middle, refused }: Times): string =>
  `${round(mean)} ms (median ${round(middle)} ms${refused === 0 ? '' : `, ${refused} of ${TRIES} refused`})`;

const slowedLine = ({ task, alone, beside }: Slowed): string =>
  `${task}: alone ${timesText(alone)}, beside a stranger ${timesText(beside)}`;

export const strangerAims = ({ tasks }: Strangers): Aim[] =>
  tasks.map(({ task, alone, beside }) =>
    atMost(
      `${task} beside a stranger with 100 addresses against alone (mean)`,
      beside.mean / alone.mean,
      MAX_RATIO,
      'x',
    ),
  );
