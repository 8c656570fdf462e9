import { wrapFetchWithPayment } from '@x402/fetch';
import type { Account } from '../../local/chain/chain.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { type ChatServer, startChatServer } from '../../test/support/stack/chat-server.ts';
import { officialClient } from '../../test/support/stack/official-client.ts';
import { sign } from '../../test/support/stack/presenting.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { median } from '../process-usage.ts';
import { NICHE, prompts, simulatedTexts } from './market.ts';

/** Times in milliseconds, in the order of the calls; the first of each kind finds the Worker cold. */
export type PaidCall = {
  engineMs: number;
  idealMs: number;
  /** From the unpaid request to the whole result, by the official client. */
  wallMs: readonly number[];
  /** The same, from the request that carries the payment on. */
  signedMs: readonly number[];
  /** From the paid request to the first `progress` event, and to the first that counts an answer. */
  firstEventMs: readonly number[];
  firstAnswerMs: readonly number[];
};

const CALLS = 5;
const ENGINE_MS = 200;
const LANES = 6;
const WALL_SHARE = 2;
const FIRST_EVENT_S = 0.5;
const BUYER_MICRO_USDC = 100_000_000n;
const TIMEOUT_MS = 60_000;
const order = { capability: 'visibility_check', body: { brand: 'Example Desk', niche: NICHE } };

/** The local stack with its chain and facilitator, and an engine on loopback that takes its time. */
export async function measurePaidCall(): Promise<PaidCall> {
  const server = await startEngine();
  try {
    const stack = await startStack({
      bindings: {
        ANSWER_ENGINE: 'openai-compatible',
        ANSWER_ENGINE_URL: server.url,
        ANSWER_ENGINE_MODEL: 'bench',
      },
    });
    try {
      return await measureCalls(stack, server);
    } finally {
      await stack.stop();
    }
  } finally {
    await server.stop();
  }
}

export function paidCallLines({
  engineMs,
  idealMs,
  wallMs,
  signedMs,
  firstEventMs,
  firstAnswerMs,
}: PaidCall): string[] {
  const list = (times: readonly number[]): string => times.map((time) => time.toFixed(0)).join(', ');
  return [
    `paid call, 30 answers of ${engineMs} ms, ideal ${idealMs} ms: ${list(wallMs)} ms (median ${round(median(wallMs) / idealMs)}x); of that from the signed request on ${list(signedMs)} ms`,
    `paid call, event stream: first progress event after ${list(firstEventMs)} ms, the first that counts an answer after ${list(firstAnswerMs)} ms`,
  ];
}

export const paidCallAims = ({ idealMs, wallMs, firstEventMs }: PaidCall): Aim[] => [
  atMost('visibility_check, paid, wall against the ideal (median)', median(wallMs) / idealMs, WALL_SHARE, 'x'),
  atMost('visibility_check, first progress event (median)', median(firstEventMs) / 1000, FIRST_EVENT_S, 's'),
];

/** Says what the simulated engine would, in the time of a fast model. */
async function startEngine(): Promise<ChatServer> {
  const texts = await simulatedTexts('paid call');
  const byPrompt = new Map(prompts.map(({ text }, at) => [text, texts[at] ?? '']));
  return startChatServer({
    reply: (prompt) => ({ kind: 'say', text: byPrompt.get(prompt) ?? '', delayMs: ENGINE_MS }),
  });
}

async function measureCalls(stack: Stack, server: ChatServer): Promise<PaidCall> {
  const buyer = await stack.chain.freshAccount(BUYER_MICRO_USDC);
  const plain = await inTurn(() => buyPlain(stack, buyer));
  const streamed = await inTurn(() => buyStreamed(stack, buyer));
  const expected = 2 * CALLS * prompts.length;
  if (server.requests.length !== expected)
    throw new Error(`the engine was asked ${server.requests.length} times, not ${expected}`);
  return {
    engineMs: ENGINE_MS,
    idealMs: Math.ceil(prompts.length / LANES) * ENGINE_MS,
    wallMs: plain.map(({ wallMs }) => wallMs),
    signedMs: plain.map(({ signedMs }) => signedMs),
    firstEventMs: streamed.map(({ firstEventMs }) => firstEventMs),
    firstAnswerMs: streamed.map(({ firstAnswerMs }) => firstAnswerMs),
  };
}

async function inTurn<Took>(call: () => Promise<Took>): Promise<readonly Took[]> {
  const took: Took[] = [];
  for (let count = 0; count < CALLS; count += 1) took.push(await call());
  return took;
}

/** As a buyer does it: the official client asks, signs the terms it gets and asks again. */
async function buyPlain(stack: Stack, buyer: Account): Promise<{ wallMs: number; signedMs: number }> {
  const client = officialClient(buyer);
  client.setSpendControls({ maxAmountPerPayment: '$4' });
  let signedAtMs = Number.NaN;
  const noting: typeof fetch = (input, init) => {
    signedAtMs = performance.now(); // The last request is the paid one.
    return fetch(input, init);
  };
  const startedMs = performance.now();
  const answer = await wrapFetchWithPayment(noting, client)(`${stack.api.url}/api/agent/${order.capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order.body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const result = (await answer.json()) as { prompts?: { valid: number } };
  const endedMs = performance.now();
  if (answer.status !== 200 || result.prompts?.valid !== prompts.length)
    throw new Error(`the paid call answered ${answer.status}: ${JSON.stringify(result).slice(0, 300)}`);
  return { wallMs: endedMs - startedMs, signedMs: endedMs - signedAtMs };
}

async function buyStreamed(stack: Stack, buyer: Account): Promise<{ firstEventMs: number; firstAnswerMs: number }> {
  const credential = await sign(stack, buyer, order);
  const startedMs = performance.now();
  const answer = await fetch(`${stack.api.url}/api/agent/${order.capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'payment-signature': credential },
    body: JSON.stringify(order.body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  let [text, firstEventMs, firstAnswerMs] = ['', Number.NaN, Number.NaN];
  for await (const piece of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    const tookMs = performance.now() - startedMs;
    if (Number.isNaN(firstEventMs) && text.includes('event: progress')) firstEventMs = tookMs;
    if (Number.isNaN(firstAnswerMs) && /"done":[1-9]/.test(text)) firstAnswerMs = tookMs;
  }
  if (!text.includes('event: result')) throw new Error(`the stream ended without a result: ${text.slice(-300)}`);
  return { firstEventMs, firstAnswerMs };
}
