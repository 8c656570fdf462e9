import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Account } from '../../local/chain/chain.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { fillIn, listCode, listPrinted, readPage, runPrinted } from '../support/guides/printed.ts';

const BUYER = fileURLToPath(new URL('support/a2a-buyer.ts', import.meta.url));
const MAX_CLIENT_MS = 60_000;
const SKILL = 'check_llms_txt';
const PRICE = 70_000n;
/** The SDK of 1.0, its compatibility layer for 0.3, and the client of 0.2, which reads `agent.json`. */
const ERAS = ['1.0', '0.3', '0.2'] as const;
type Era = (typeof ERAS)[number];

const seen = z.looseObject({
  kind: z.string(),
  id: z.string().optional(),
  state: z.string().optional(),
  text: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  data: z.unknown().optional(),
});
const bought = z.object({ quoted: seen, paid: seen, read: seen });
const streamed = z.object({ quoted: seen, events: z.array(seen), read: seen });
const canceled = z.object({ quoted: seen, canceled: seen, late: z.unknown().optional() });

let stack: Stack;
let buyer: Account;
beforeAll(async () => {
  stack = await startStack();
  buyer = await stack.chain.freshAccount(10_000_000n);
});
afterAll(() => stack?.stop());

/** What the official client of an era did. */
async function act(era: Era, action: string, skill: string, input: Record<string, unknown> = {}): Promise<unknown> {
  const run = await promisify(execFile)(
    process.execPath,
    [BUYER, era, stack.api.url, action, skill, JSON.stringify(input)],
    { timeout: MAX_CLIENT_MS, env: { ...process.env, A2A_BUYER_KEY: buyer.privateKey } },
  );
  const outcome = z.object({ answer: z.unknown(), error: z.string() }).partial().parse(JSON.parse(run.stdout));
  expect(outcome.error).toBeUndefined();
  return outcome.answer;
}

async function spent<T>(during: () => Promise<T>): Promise<{ value: T; moved: readonly bigint[] }> {
  const balances = () => Promise.all([buyer, stack.seller].map(({ address }) => stack.chain.balance(address)));
  const [buyerBefore = 0n, sellerBefore = 0n] = await balances();
  const value = await during();
  const [buyerAfter = 0n, sellerAfter = 0n] = await balances();
  return { value, moved: [buyerBefore - buyerAfter, sellerAfter - sellerBefore] };
}

const COMPLETED = { 'x402.payment.status': 'payment-completed' };

describe.each(ERAS)('the official A2A client of %s, unchanged', (era) => {
  test('reads the card, asks, pays by x402 and gets the result; USDC moves once', async () => {
    const { value, moved } = await spent(async () =>
      bought.parse(await act(era, 'buy', SKILL, { url: stack.sites.good })),
    );
    const { quoted, paid, read } = value;
    expect(quoted).toMatchObject({
      state: 'input-required',
      metadata: {
        'x402.payment.status': 'payment-required',
        'x402.payment.required': { x402Version: 2, accepts: [{ scheme: 'exact', amount: String(PRICE) }] },
      },
    });
    expect(paid).toMatchObject({
      id: quoted.id,
      state: 'completed',
      metadata: {
        ...COMPLETED,
        'x402.payment.receipts': [{ success: true, network: 'eip155:8453', transaction: expect.stringMatching(/^0x/) }],
      },
      data: { capability: SKILL, evidence: { untrusted: true } },
    });
    expect(JSON.stringify(paid.data).toLowerCase()).not.toContain(buyer.address.toLowerCase());
    expect({ ...read, kind: paid.kind }).toEqual(paid);
    expect(moved).toEqual([PRICE, PRICE]);
  });

  test('follows the work as a stream, whose last event is the end', async () => {
    const { value, moved } = await spent(async () =>
      streamed.parse(await act(era, 'stream', SKILL, { url: stack.sites.poor })),
    );
    const { quoted, events, read } = value;
    expect(quoted.state).toBe('input-required');
    const [first] = events;
    const last = events.at(-1);
    expect(first).toMatchObject({
      id: quoted.id,
      state: 'working',
      metadata: { 'x402.payment.status': 'payment-verified' },
    });
    expect(last).toMatchObject({ state: 'completed', metadata: COMPLETED });
    expect(events.some(({ data }) => JSON.stringify(data ?? null).includes('untrusted'))).toBe(true);
    expect(read).toMatchObject({ state: 'completed' });
    expect(moved).toEqual([PRICE, PRICE]);
  });

  test('cancels a task that is not paid: its payment is not taken afterwards', async () => {
    const { value, moved } = await spent(async () =>
      canceled.parse(await act(era, 'cancel', SKILL, { url: stack.sites.good })),
    );
    expect(value.canceled).toMatchObject({ id: value.quoted.id, state: 'canceled' });
    expect(String(value.late)).toMatch(/over|canceled/);
    expect(moved).toEqual([0n, 0n]);
  });

  test('gets the free catalogue without paying', async () => {
    const answer = seen.parse(await act(era, 'ask', 'index'));
    expect(answer).toMatchObject({ kind: 'message', data: { capabilities: { [SKILL]: { price_usd: '0.070000' } } } });
    expect(answer.text).toContain(SKILL);
  });

  test('learns what to send where a text is not understood, and no model answers it', async () => {
    const answer = seen.parse(await act(era, 'ask', 'text:How visible is my bakery?'));
    expect(answer).toMatchObject({ state: 'input-required' });
    expect(answer.text).toContain('"skill": "check_health"');
  });
});

describe('the guide, as it is printed', () => {
  const page = readPage('guides/a2a.md');
  const [ask = '', pay = ''] = listCode(page, 'json');
  const [program = ''] = listCode(page, 'js');
  const [, command = ''] = /`(SERVICE=[^`]* node buy\.mjs [^`]*)`/.exec(page) ?? [];

  test('has no code that is not run here', () => {
    expect(listPrinted(page).map(({ code }) => code)).toEqual([ask, pay, program]);
    const [, install = ''] = /`npm install ([^`]+)`/.exec(page) ?? [];
    const modules = [...program.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name);
    expect(install.split(' ')).toEqual([...new Set(modules)]);
  });

  test('asks for a skill', async () => {
    const [, version = ''] = /`A2A-Version: ([^`]+)`/.exec(page) ?? [];
    const [, extension = ''] = /`A2A-Extensions: ([^`]+)`/.exec(page) ?? [];
    const answer = await fetch(`${stack.api.url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': version, 'a2a-extensions': extension },
      body: fillIn(ask, { 'https://example.com': stack.sites.good }),
    });
    const { result } = z
      .object({
        result: z.object({ task: z.object({ status: z.object({ state: z.string(), message: z.looseObject({}) }) }) }),
      })
      .parse(await answer.json());
    expect(result.task.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { metadata: { 'x402.payment.status': 'payment-required', 'x402.payment.required': { x402Version: 2 } } },
    });
  });

  test('pays by the members that it names, and prints the result', async () => {
    for (const member of Object.keys(JSON.parse(pay) as object)) expect(program).toContain(`'${member}': `);
    const folder = mkdtempSync(join(tmpdir(), 'sightline-a2a-guide-'));
    try {
      // Packages of judges, and above them those of the product: a reader has both in one folder.
      const own = join(folder, 'own');
      mkdirSync(own);
      symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(own, 'node_modules'));
      symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
      writeFileSync(join(own, 'buy.mjs'), program);
      const meant = {
        'https://sightline.example': stack.api.url,
        '0x...': buyer.privateKey,
        'https://example.com': stack.sites.good,
      };
      const { value, moved } = await spent(() => runPrinted(fillIn(command, meant), own));
      expect(JSON.parse(value)).toMatchObject({ capability: 'check_health' });
      const price = BigInt(catalog.find(({ name }) => name === 'check_health')?.priceMicroUsdc ?? 0);
      expect(moved).toEqual([price, price]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
