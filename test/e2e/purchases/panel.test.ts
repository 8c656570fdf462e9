import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { panelResult } from '../../../src/capabilities/panel-results.ts';
import { defineEnvelope } from '../../../src/capabilities/results.ts';
import { type ChatReply, type ChatServer, crowdOf, startChatServer } from '../../support/stack/chat-server.ts';
import { officialClient } from '../../support/stack/official-client.ts';
import { codeOf } from '../../support/stack/presenting.ts';

const PATH = '/api/panels/visibility_panel_4';
const PRICE = 6_500_000n;
const names = ['alpha', 'beta', 'gamma', 'delta'] as const;
type Name = (typeof names)[number];
const order = { brand: 'Example Desk', niche: 'help desk software', competitors: ['Sample Support'] };

/** What every engine says, unless a test says otherwise. */
const sound: ChatReply = {
  kind: 'say',
  text: '1. **Example Desk**: a solid help desk for small teams.\n2. **Sample Support**: a cheaper help desk.',
};
const refusal: ChatReply = { kind: 'say', text: "I'm sorry, but I can't help with that." };
/** A model that is gone: it is not asked again for the same prompt. */
const down: ChatReply = { kind: 'status', status: 404 };

let stack: Stack;
const servers = new Map<Name, ChatServer>();
let replyOf: (name: Name) => ChatReply | Promise<ChatReply>;
beforeAll(async () => {
  for (const name of names) servers.set(name, await startChatServer({ reply: () => replyOf(name) }));
  const rows = names.map((name) => ({
    name,
    kind: 'openai-compatible',
    model: `model-${name}`,
    url: servers.get(name)?.url,
    usd_per_run: 0.1,
  }));
  stack = await startStack({ bindings: { ANSWER_ENGINES: JSON.stringify(rows) } });
});
beforeEach(() => {
  replyOf = () => sound;
});
afterAll(async () => {
  await stack?.stop();
  for (const server of servers.values()) await server.stop();
});

const countAsked = (): readonly number[] => names.map((name) => servers.get(name)?.requests.length ?? 0);

/** What each engine was asked during the work, in prompts. */
async function countDuring<T>(work: () => Promise<T>): Promise<{ came: T; asked: readonly number[] }> {
  const before = countAsked();
  const came = await work();
  return { came, asked: countAsked().map((count, at) => count - (before[at] ?? 0)) };
}

const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stack.api.url}${PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Buys with the official client, raised to the price, and notes the payment that it signed. */
async function buy(buyer: Account, body: object): Promise<{ answer: Response; payment: string }> {
  const client = officialClient(buyer);
  client.setSpendControls({ maxAmountPerPayment: '$7' });
  let payment = '';
  const noting: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    payment = request.headers.get('payment-signature') ?? payment;
    return fetch(request);
  };
  const answer = await wrapFetchWithPayment(noting, client)(`${stack.api.url}${PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(payment).not.toBe('');
  return { answer, payment };
}

const panelEnvelope = z.strictObject(defineEnvelope(panelResult).shape);
type SoldPanel = z.infer<typeof panelEnvelope>;

/** A result that is exactly what a panel's row says. */
function readPanel(text: string): SoldPanel {
  const result: unknown = JSON.parse(text);
  const read = panelEnvelope.parse(result);
  expect(read).toEqual(result);
  return read;
}

const balanceOf = (buyer: Account): Promise<bigint> => stack.chain.balance(buyer.address);
/** Money for two: a second payment would find what it takes. */
const fund = (): Promise<Account> => stack.chain.freshAccount(2n * PRICE);

describe('a panel of four engines is bought by the official client', () => {
  test('each engine by itself and all pooled; the same payment gets the same bytes and takes nothing more', async () => {
    const buyer = await fund();
    const crowds = new Map(names.map((name) => [name, crowdOf(6)]));
    const together = crowdOf(24);
    replyOf = async (name) => {
      await Promise.all([crowds.get(name)?.join(), together.join()]);
      return sound;
    };
    const { came, asked } = await countDuring(() => buy(buyer, order));
    expect(came.answer.status).toBe(200);
    const text = await came.answer.text();
    const result = readPanel(text);
    expect(asked).toEqual([30, 30, 30, 30]);
    // Six of each engine at a time, and no engine waits for another.
    expect([...crowds.values()].map((crowd) => crowd.most())).toEqual([6, 6, 6, 6]);
    expect(together.most()).toBe(24);
    expect(result.engines.map(({ name, model, status, valid }) => [name, model, status, valid])).toEqual(
      names.map((name) => [name, `model-${name}`, 'measured', 30]),
    );
    expect(new Set(result.engines.map((engine) => engine.run_id)).size).toBe(4);
    expect(result.degraded).toBe(false);
    expect(result.pooled).toMatchObject({
      engines: 4,
      mention_rate: { value: 1, n: 120 },
      competitors: [{ name: 'Sample Support', mention_rate: { value: 1, n: 120 }, verdict: 'too_close_to_call' }],
    });
    expect(result.differences).toHaveLength(6);
    expect(result.prompts.asked.map(({ answers }) => answers.map(({ engine }) => engine))).toEqual(
      Array.from({ length: 30 }, () => names),
    );
    expect(await balanceOf(buyer)).toBe(PRICE);
    // No question names the brand or who it is compared with.
    const questions = [...servers.values()].flatMap(({ requests }) => requests.map(({ body }) => JSON.stringify(body)));
    expect(questions.join('\n')).not.toMatch(/example desk|sample support/i);

    const again = await countDuring(() => post(order, { 'payment-signature': came.payment }));
    expect(again.came.status).toBe(200);
    expect(await again.came.text()).toBe(text);
    expect(again.asked).toEqual([0, 0, 0, 0]);
    expect(await balanceOf(buyer)).toBe(PRICE);
  });

  test('its report is read again, and the catalogue offers it beside the 19', async () => {
    const { answer } = await buy(await fund(), order);
    const { report_id: id } = readPanel(await answer.text());
    const page = await fetch(`${stack.api.url}/reports/${id}.html`);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(names.filter((name) => !html.includes(name))).toEqual([]);
    const index = (await (await fetch(`${stack.api.url}/api/agent/index`)).json()) as Record<string, object>;
    expect(index['panels']).toMatchObject({ visibility_panel_4: { available: true, amount: String(PRICE) } });
    expect(index['engines']).toMatchObject(names.map((name) => ({ name, model: `model-${name}` })));
  });
});

describe.each([
  ['that is down', down],
  ['that refuses all 30 prompts', refusal],
])('an engine %s', (_what, reply) => {
  test('is not charged for; once it answers, the same payment buys, and the others are not asked again', async () => {
    const buyer = await fund();
    replyOf = (name) => (name === 'beta' ? reply : sound);
    const first = await buy(buyer, order);
    expect([first.answer.status, await codeOf(first.answer)]).toEqual([502, 'measurement_incomplete']);
    expect(await balanceOf(buyer)).toBe(2n * PRICE);

    replyOf = () => sound;
    const { came, asked } = await countDuring(() => post(order, { 'payment-signature': first.payment }));
    expect(came.status).toBe(200);
    expect(asked).toEqual([0, 30, 0, 0]);
    expect(readPanel(await came.text()).engines.map(({ status }) => status)).toEqual(names.map(() => 'measured'));
    expect(await balanceOf(buyer)).toBe(PRICE);
  });

  test('is `unavailable` where that was agreed, and spoils no figure of the other three', async () => {
    const buyer = await fund();
    replyOf = (name) => (name === 'beta' ? reply : sound);
    const { answer } = await buy(buyer, { ...order, allow_partial: true });
    expect(answer.status).toBe(200);
    const result = readPanel(await answer.text());
    expect(result.engines.map(({ name, status }) => [name, status])).toEqual(
      names.map((name) => [name, name === 'beta' ? 'unavailable' : 'measured']),
    );
    expect(result.engines.map(({ valid }) => valid)).toEqual([30, 0, 30, 30]);
    expect(result.degraded).toBe(true);
    expect(result.pooled).toMatchObject({ engines: 3, mention_rate: { value: 1, n: 90 } });
    expect(result.differences).toHaveLength(3);
    expect(result.notes.join(' ')).toContain('not measured');
  });

  test('is not sold by itself: four of them are measurement_incomplete, whatever was agreed, and nothing is charged', async () => {
    const buyer = await fund();
    replyOf = () => reply;
    const { answer } = await buy(buyer, { ...order, allow_partial: true });
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'measurement_incomplete']);
    expect(await balanceOf(buyer)).toBe(2n * PRICE);
  });
});
