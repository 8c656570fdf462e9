import { howToConfigure } from '../../../src/models/port.ts';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, type StackSettings, startStack } from '../../../local/stack.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { defineEnvelope } from '../../../src/capabilities/results.ts';
import { type ChatReply, type ChatServer, crowdOf, startChatServer } from '../../support/stack/chat-server.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { officialClient } from '../../support/stack/official-client.ts';
import { codeOf, type Order, present, presentUntilDecided, sign } from '../../support/stack/presenting.ts';

const FAULTY = fileURLToPath(new URL('../../support/stack/fault-engine-worker.ts', import.meta.url));
/** A lease, and looks within it. */
const LEASE_MS = 30_000;
const REPEATS = 6;
/** Longest wait of the chat server for an event that it waits for, in milliseconds. */
const PATIENCE_MS = 20_000;
const check = { brand: 'Example Desk', niche: 'help desk software' };
const versus = { ...check, competitor_brand: 'Sample Support' };

type Bought = Record<string, unknown> & {
  run_id: string;
  weak_spots: { topic: string }[];
  engine: { kind: string; simulated: boolean };
  prompts: { valid: number; asked: { index: number; status: string; sha256?: string }[] };
  failures: { total: number; by_reason: Record<string, number> };
};

/** Buys with the official client, raised to the price and otherwise as its documentation sets it up. */
async function buy(stack: Stack, buyer: Account, capability: string, body: object): Promise<Response> {
  const client = officialClient(buyer);
  client.setSpendControls({ maxAmountPerPayment: '$4' });
  return wrapFetchWithPayment(fetch, client)(`${stack.api.url}/api/agent/${capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A result that is exactly what the catalogue's row says. */
async function resultOf(answer: Response, capability: string): Promise<Bought> {
  const result = (await answer.json()) as Bought;
  expect({ status: answer.status, result }).toMatchObject({ status: 200 });
  const row = findCapability(capability);
  if (!row) throw new Error('no such row');
  expect(z.strictObject(defineEnvelope(row.result).shape).parse(result)).toEqual(result);
  return result;
}

type StreamEvent = { name: string; data: Record<string, unknown> & { done?: number } };

/** Presents a payment as a client does that wants to see progress. */
const presentForEvents = (stack: Stack, order: Required<Order>, credential: string): Promise<Response> =>
  fetch(`${stack.api.url}/api/agent/${order.capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'payment-signature': credential },
    body: JSON.stringify(order.body),
  });

/** The events of an answer, each as soon as it is there. @throws TypeError when the connection breaks. */
async function* eventsOf(answer: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) as StreamEvent['data'] };
    }
  }
}

/** What the chat server says about help desks. */
const saying = (prompt: string): ChatReply => ({
  kind: 'say',
  text: `1. ${prompt.includes('cheap') ? '**Sample Support**' : '**Example Desk**'}: fine.\n2. **Third Way**: fine.`,
  citations: ['https://www.third.example/a'],
});

describe('with the local stack up, the official client buys', () => {
  let stack: Stack;
  let buyer: Account;
  beforeAll(async () => {
    stack = await startStack();
    buyer = await stack.chain.freshAccount(100_000_000n);
  });
  afterAll(() => stack.stop());

  test('visibility_check, then visibility_fix_pack with the weak spots just received', async () => {
    const result = await resultOf(await buy(stack, buyer, 'visibility_check', check), 'visibility_check');
    expect(result.engine).toMatchObject({ kind: 'simulated', simulated: true });
    expect(result['warnings']).toContainEqual(expect.stringContaining('simulated engine'));
    expect(result.prompts.asked).toHaveLength(30);
    const answers = await fetch(`${stack.api.url}/runs/${result.run_id}.json`);
    const { run } = (await answers.json()) as { run: { answers: { text: string; sha256: string }[] } };
    expect(run.answers.map(({ sha256 }) => sha256)).toEqual(result.prompts.asked.map(({ sha256 }) => sha256));
    const pack = { ...check, weak_spots: result.weak_spots };
    const fixes = await resultOf(await buy(stack, buyer, 'visibility_fix_pack', pack), 'visibility_fix_pack');
    expect((fixes['fixes'] as { topic: string }[]).map(({ topic }) => topic)).toEqual(
      result.weak_spots.map(({ topic }) => topic),
    );
  });

  test('visibility_vs_competitor, on 30 answers for both', async () => {
    const result = await resultOf(
      await buy(stack, buyer, 'visibility_vs_competitor', versus),
      'visibility_vs_competitor',
    );
    expect(result.prompts).toMatchObject({ total: 30, valid: 30 });
    const { both, neither, brand_only, competitor_only } = result['discordant'] as Record<string, number>;
    expect([both, neither, brand_only, competitor_only].reduce((sum, count) => (sum ?? 0) + (count ?? 0), 0)).toBe(30);
  });

  test('and the catalogue says that all 19 are available', async () => {
    const index = (await (await fetch(`${stack.api.url}/api/agent/index`)).json()) as {
      capabilities: Record<string, { available: boolean }>;
    };
    expect(Object.values(index.capabilities).map(({ available }) => available)).toEqual(
      Array.from({ length: 19 }, () => true),
    );
  });
});

describe('with an engine that speaks the OpenAI chat API', () => {
  let stack: Stack;
  let server: ChatServer;
  let reply: (prompt: string, nth: number) => Promise<ChatReply>;
  beforeAll(async () => {
    server = await startChatServer({ reply: (prompt, nth) => reply(prompt, nth) });
    stack = await startStack({
      bindings: {
        ANSWER_ENGINE: 'openai-compatible',
        ANSWER_ENGINE_URL: server.url,
        ANSWER_ENGINE_MODEL: 'asked-model',
        ANSWER_ENGINE_KEY: 'sk-of-the-operator',
      },
    });
  });
  afterAll(async () => {
    await stack.stop();
    await server.stop();
  });

  test('the same three are bought; every prompt is a message of its own, six at a time', async () => {
    const crowd = crowdOf(6);
    reply = async (prompt, nth) => {
      await crowd.join();
      // Every seventh call fails as a busy API does, and works when it is asked again.
      return nth % 7 === 6 ? { kind: 'status', status: nth % 2 === 0 ? 429 : 503 } : saying(prompt);
    };
    const buyer = await stack.chain.freshAccount(100_000_000n);
    const result = await resultOf(await buy(stack, buyer, 'visibility_check', check), 'visibility_check');
    expect(result.engine).toEqual({
      kind: 'openai-compatible',
      model: 'asked-model',
      served_models: ['served-model-1'],
      simulated: false,
    });
    expect(result['warnings']).toEqual([]);
    expect(result['sources']).toEqual([{ domain: 'third.example', answers: 30 }]);
    expect(result.prompts.valid).toBe(30);
    for (const { body } of server.requests)
      expect((body as { messages: unknown }).messages).toEqual([
        { role: 'user', content: expect.stringContaining('help desk software') },
      ]);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toMatch(/example desk|sample support/i);
    expect(crowd.most()).toBe(6);
    await resultOf(await buy(stack, buyer, 'visibility_vs_competitor', versus), 'visibility_vs_competitor');
    const pack = { ...check, weak_spots: result.weak_spots };
    await resultOf(await buy(stack, buyer, 'visibility_fix_pack', pack), 'visibility_fix_pack');
  });

  test('progress comes as an event while the work is done: the first six are told of before the others are answered', async () => {
    const told = Promise.withResolvers<void>();
    const patience = setTimeout(() => told.resolve(), PATIENCE_MS);
    let [asked, answered] = [0, 0];
    reply = async (prompt) => {
      if ((asked += 1) > 6) await told.promise;
      answered += 1;
      return saying(prompt);
    };
    const buyer = await stack.chain.freshAccount(1_950_000n);
    const order = { capability: 'visibility_check', body: check };
    const answer = await presentForEvents(stack, order, await sign(stack, buyer, order));
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const events: StreamEvent[] = [];
    for await (const event of eventsOf(answer)) {
      events.push(event);
      if (event.data.done !== 6) continue;
      expect(answered).toBe(6);
      clearTimeout(patience);
      told.resolve();
    }
    expect(answered).toBe(30);
    expect(events.map(({ data }) => data.done)).toContain(6);
    expect(events.filter(({ name }) => name !== 'progress').map(({ name }) => name)).toEqual(['result']);
    expect(events.at(-1)?.data).toMatchObject({ prompts: { valid: 30 } });
  });
});

describe('with ANSWER_ENGINE=none', () => {
  let stack: Stack;
  let facilitator: FaultFacilitator;
  beforeAll(async () => {
    stack = await startStack({
      bindings: { ANSWER_ENGINE: 'none' },
      facilitatorFor: async (url) => {
        facilitator = await startFaultFacilitator(url);
        return facilitator.url;
      },
    });
  });
  afterAll(async () => {
    await stack.stop();
    await facilitator.stop();
  });

  test.each([
    ['visibility_check', check],
    ['visibility_vs_competitor', versus],
  ])(
    '%s answers 503 with the steps to configure one, and no payment is verified, claimed or settled',
    async (capability, body) => {
      const unpaid = await present(stack, { capability, body });
      expect(unpaid.headers.get('payment-required')).toBeNull();
      expect(await unpaid.json()).toMatchObject({
        status: 503,
        code: 'engine_not_configured',
        how_to_configure: howToConfigure,
      });
      const buyer = await stack.chain.freshAccount(100_000_000n);
      // A payment for a capability of the same price cannot be: the terms of another row, and a hash, must not help either.
      const credential = await sign(stack, buyer, { capability: 'visibility_fix_pack', body: {} });
      for (const payment of [credential, `0x${'3c'.repeat(32)}`])
        expect(await codeOf(await present(stack, { capability, body }, payment))).toBe('engine_not_configured');
      expect(facilitator.calls).toMatchObject({ verify: 0, settle: 0 });
    },
  );

  test('the catalogue says that they are not available, and the fix pack is sold all the same', async () => {
    const index = (await (await fetch(`${stack.api.url}/api/agent/index`)).json()) as {
      capabilities: Record<string, { available: boolean }>;
    };
    const missing = Object.entries(index.capabilities).filter(([, { available }]) => !available);
    expect(missing.map(([name]) => name)).toEqual(['visibility_check', 'visibility_vs_competitor']);
    const buyer = await stack.chain.freshAccount(100_000_000n);
    const pack = { ...check, weak_spots: [{ topic: 'Price and value' }] };
    await resultOf(await buy(stack, buyer, 'visibility_fix_pack', pack), 'visibility_fix_pack');
  });
});

describe('with faults on the way', () => {
  let stack: Stack;
  let buyer: Account;
  const settings: StackSettings = {
    entry: FAULTY,
    bindings: { ANSWER_ENGINE: 'faulty', ANSWER_TIMEOUT_S: '1', VISIBILITY_RUN_S: '15' },
  };
  beforeAll(async () => {
    stack = await startStack(settings);
    buyer = await stack.chain.freshAccount(100_000_000n);
  });
  afterAll(() => stack.stop());

  const acme = (niche: string) => ({ brand: 'Acme', niche });

  /** What the fault worker saw of the prompts about a niche. */
  const fatesOf = async (niche: string): Promise<{ index: number; messages: number; calls: number }[]> =>
    (await fetch(`${stack.api.url}/fates?niche=${encodeURIComponent(niche)}`)).json() as never;

  test('a fifth of the calls throw and a tenth of the messages come twice: 24 answers, each prompt counted once', async () => {
    const body = acme('throws and doubled');
    const result = await resultOf(await buy(stack, buyer, 'visibility_check', body), 'visibility_check');
    const fates = await fatesOf(body.niche);
    expect(fates.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(fates.filter(({ messages }) => messages !== 1)).toEqual([
      { index: 3, messages: 2, calls: 2 },
      { index: 13, messages: 2, calls: 2 },
      { index: 23, messages: 2, calls: 2 },
    ]);
    expect(result).toMatchObject({
      degraded: true,
      mention_rate: { value: 1, n: 24, worst_case: { low: 0.8, high: 1 } },
      rivals: [{ name: 'Rival One', mentioned: 24 }],
      failures: { total: 6, by_reason: { engine_fault: 6 } },
    });
    expect(result.prompts.asked.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(result.prompts.asked.filter(({ status }) => status === 'failed').map(({ index }) => index)).toEqual([
      0, 5, 10, 15, 20, 25,
    ]);
    const kept = await fetch(`${stack.api.url}/runs/${result.run_id}.json`);
    const { run } = (await kept.json()) as { run: { answers: { index: number; text?: string }[] } };
    expect(run.answers.filter(({ index }) => index % 10 === 3).map(({ text }) => text?.split('\n')[0])).toEqual([
      '1. **Acme**: answer to prompt 3, call 1.',
      '1. **Acme**: answer to prompt 13, call 1.',
      '1. **Acme**: answer to prompt 23, call 1.',
    ]);
  });

  test('one call hangs: the run ends with the other 29', async () => {
    const result = await resultOf(await buy(stack, buyer, 'visibility_check', acme('hang')), 'visibility_check');
    expect(result).toMatchObject({ degraded: false, failures: { total: 1, by_reason: { timeout: 1 } } });
  });

  test('both at once leave 23: 502, nothing is settled, and the payment is good for another niche', async () => {
    const payer = await stack.chain.freshAccount(1_950_000n);
    const order = { capability: 'visibility_check', body: acme('throws and hang') };
    const credential = await sign(stack, payer, order);
    const answer = await present(stack, order, credential);
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'measurement_incomplete']);
    expect(await stack.chain.balance(payer.address)).toBe(1_950_000n);
    const other = { ...order, body: acme('busy') };
    expect((await present(stack, other, credential)).status).toBe(200);
    expect(await stack.chain.balance(payer.address)).toBe(0n);
  });

  test('a busy engine is asked again until it answers', async () => {
    const result = await resultOf(await buy(stack, buyer, 'visibility_check', acme('busy too')), 'visibility_check');
    expect(result.failures.total).toBe(0);
  });

  test('the consumer dies in the middle: the same payment measures after all, and is charged once', async () => {
    const payer = await stack.chain.freshAccount(3_900_000n); // Two prices: a second charge would find its money.
    const order = { capability: 'visibility_check', body: acme('slow') };
    const credential = await sign(stack, payer, order);
    const seen: StreamEvent[] = [];
    let crashed: Promise<void> | undefined;
    try {
      for await (const event of eventsOf(await presentForEvents(stack, order, credential))) {
        seen.push(event);
        const { done = 0 } = event.data;
        if (0 < done && done < 30) crashed ??= stack.api.crash(); // Some answers are there, more are on their way.
      }
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError); // The connection broke.
    }
    expect(crashed).toBeDefined();
    await crashed;
    expect(new Set(seen.map(({ name }) => name))).toEqual(new Set(['progress']));
    expect(seen.at(-1)?.data.done).toBeLessThan(30);
    expect(await stack.chain.balance(payer.address)).toBe(3_900_000n);
    let answer = await presentUntilDecided(stack, order, credential);
    // The queue of this machine forgets its messages with a crash, so the first run ends incomplete; another begins once
    // the lease of the dead Worker is over.
    for (let again = 0; answer.status === 502 && again < REPEATS; again += 1) {
      await sleep(LEASE_MS / REPEATS);
      answer = await presentUntilDecided(stack, order, credential);
    }
    const result = await resultOf(answer, 'visibility_check');
    expect(result.prompts.valid).toBe(30);
    expect(await stack.chain.balance(payer.address)).toBe(1_950_000n);
    const again = await presentUntilDecided(stack, order, credential);
    expect((await resultOf(again, 'visibility_check')).run_id).toBe(result.run_id);
    expect(await stack.chain.balance(payer.address)).toBe(1_950_000n);
  });
});
