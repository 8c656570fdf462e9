import { expect, test } from 'vitest';
import { renderDocument, type Html } from '../../../src/web/design/shell.tsx';
import { renderMoney } from '../../../src/web/console/money.tsx';
import { renderPayments } from '../../../src/web/console/payments.tsx';
import { renderRuns } from '../../../src/web/console/runs.tsx';
import { foreignAddresses, treeOf } from '../../support/audit/page-tree.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';

const NOW = 1_795_000_000_000;
const LIST = { filter: { state: '', capability: '', payer: '' }, capabilities: [], nowMs: NOW } as const;
const line = { day: '2026-11-22', method: 'x402' as const, count: 1, microUsdc: 60_000 };

/** Each page with these texts, each once, wherever a payer, a facilitator or a model could have put it. */
const pages: Record<string, (texts: readonly string[]) => Html> = {
  money: (texts) =>
    renderMoney({
      payersOf: 'today and yesterday',
      nowMs: NOW,
      payers: texts.map((payer) => ({ payer, count: 1, microUsdc: 1 })),
      revenue: {
        days: 7,
        firstDay: '2026-11-16',
        shards: 256,
        unread: 0,
        lines: [
          { ...line, kind: 'sale', capability: 'check_health', reason: '' },
          ...texts.map((reason) => ({ ...line, kind: 'failure' as const, capability: 'check_health', reason })),
        ],
        facilitator: { read: true, distrustedAtMs: null },
        creditUses: {
          read: true,
          uses: texts.map((capability) => ({ day: '2026-11-22', capability, count: 1, microUsdc: 1 })),
        },
        unpaid: { read: true, counts: [] },
        engine: { read: true, runs: [], microUsdPerRun: 1 },
        updatedAtMs: NOW,
      },
    }),
  payments: (texts) =>
    renderPayments({
      ...LIST,
      shards: 256,
      unread: 0,
      payments: texts.map((text) => ({
        id: text,
        method: 'transfer',
        capability: text,
        amountMicroUsdc: 60_000,
        payer: text,
        state: 'refused',
        attempt: 1,
        firstClaimedAtMs: NOW,
        claimedAtMs: NOW,
        failures: 0,
        reason: text,
        proof: { by: 'transfer', verified: true, provenPayer: false, blockTimeS: NOW / 1000 },
      })),
    }),
  runs: (texts) =>
    renderRuns({
      queues: texts.map((name) => ({ name, read: true, messages: 1, bytes: 1 })),
      deadLetters: { read: true, days: texts.map((day) => ({ day, count: 1 })) },
      runs: {
        read: true,
        runs: texts.map((text) => ({
          runId: text,
          capability: text,
          engine: text,
          engineName: `row ${text}`,
          model: text,
          startedAtMs: NOW,
          deadlineMs: NOW,
          endedAtMs: NOW,
          answered: 1,
          failed: 1,
          total: 30,
          state: 'complete',
        })),
      },
    }),
};

/** Texts that one page holds. */
const AT_ONCE = 25;

test.each(Object.keys(pages))('X8: no text changes the parsed tree of the console page %s', async (name) => {
  const page = async (texts: readonly string[]): Promise<string> =>
    String(await renderDocument({ title: name, children: pages[name]?.(texts) }));
  const harmless = treeOf(await page(Array.from({ length: AT_ONCE }, (_, index) => `A harmless text ${index}`)));
  expect(harmless.length).toBeGreaterThan(50);
  for (let at = 0; at + AT_ONCE <= xssStrings.length; at += AT_ONCE) {
    const texts = xssStrings.slice(at, at + AT_ONCE);
    expect([texts, treeOf(await page(texts))]).toEqual([texts, harmless]);
  }
});

test.each(xssStrings.filter((text) => text.includes(':')).slice(0, 60))(
  'X6: a transaction that is no hash (%j) leads nowhere but to the explorer',
  async (transaction) => {
    const proof = { by: 'transfer' as const, verified: true, provenPayer: false };
    const base = { id: 'a', method: 'transfer' as const, capability: 'c', amountMicroUsdc: 1, payer: 'p', attempt: 1 };
    const times = { firstClaimedAtMs: NOW, claimedAtMs: NOW, settledAtMs: NOW, failures: 0 };
    const payment = { ...base, ...times, state: 'settled' as const, transaction, proof };
    const view = renderPayments({ ...LIST, shards: 256, unread: 0, payments: [payment] });
    const page = String(await renderDocument({ title: 'Payments', children: view }));
    const isOurs = (address: string): boolean => address.startsWith('/') || address.startsWith('#');
    expect(foreignAddresses(page, isOurs)).toEqual([]);
    expect(page.match(/href="https?:\/\/(?!basescan\.org\/)/g)).toBeNull();
  },
);
