import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerReport } from '../../../src/payment/ledger/books.ts';
import { listShardNames, MAX_LOOKED_AT, openBooks, READ_LINES } from '../../../src/payment/ledger/books-rows.ts';
import { openOutbox } from '../../../src/payment/ledger/outbox.ts';
import { createReporting } from '../../../src/payment/ledger/reporting.ts';
import type { LedgerRow } from '../../../src/payment/ledger/row.ts';
import { openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import { formatDay } from '../../../src/payment/ledger/totals.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { DAY_MS, liveClaim, NOW, refused, settledPhase, settling, signedRow } from './cases.ts';

const DAY = formatDay(NOW);
const refusedPhase = { ...refused, state: 'refused' as const, reason: 'insufficient_funds' };
const payerOf = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;

/** A shard over memory, and how its reports come to the books. */
function shardOf(name: string, sql = memorySqlite().sql) {
  const rows = openLedgerRows(sql, 86_400);
  const report = (books: ReturnType<typeof openBooks>, isLost: () => boolean = () => false, isTwice = false) => {
    const { flush } = createReporting({
      outbox: () => rows.outbox,
      send: async (sent) => {
        books.take({ shard: name, ...sent }, NOW);
        if (isTwice) books.take({ shard: name, ...sent }, NOW);
        if (isLost()) throw new Error('the answer is lost');
      },
      wait: async () => undefined,
      onFailure: () => undefined,
    });
    return flush();
  };
  return { sql, rows, report };
}

const sellIn = ({ rows }: ReturnType<typeof shardOf>, key: string, change: Partial<LedgerRow> = {}): void => {
  rows.write(signedRow(liveClaim, { key, ...change }));
  rows.advance(
    signedRow(settling, { key, ...change }),
    signedRow({ ...settledPhase, settledAtMs: NOW }, { key, ...change }),
  );
};

describe('what shards report', () => {
  test('adds up to one line each, with the payments as they are and who paid most', async () => {
    const books = openBooks(memorySqlite().sql);
    const [first, second] = [shardOf('00'), shardOf('7f')];
    sellIn(first, 'a', { payer: payerOf(1) });
    sellIn(first, 'b', { payer: payerOf(2), amountMicroUsdc: 250_000, capability: 'full_audit' });
    sellIn(second, 'c', { payer: payerOf(1) });
    second.rows.write(signedRow(liveClaim, { key: 'd' }));
    for (const shard of [first, second]) expect(await shard.report(books)).toBe(true);
    expect(books.read(DAY).lines).toEqual([
      { day: DAY, kind: 'sale', capability: 'check_health', method: 'x402', reason: '', count: 2, microUsdc: 120_000 },
      { day: DAY, kind: 'sale', capability: 'full_audit', method: 'x402', reason: '', count: 1, microUsdc: 250_000 },
    ]);
    expect(books.payers([DAY], 5)).toEqual([
      { payer: payerOf(2), count: 1, microUsdc: 250_000 },
      { payer: payerOf(1), count: 2, microUsdc: 120_000 },
    ]);
    expect(books.openPayments()).toEqual([{ state: 'claimed', count: 1, oldestAtMs: NOW - 10_000 }]);
    const listed = books.payments({ limit: 10 }).payments.map(({ key, state }) => `${key} ${state}`);
    expect(listed.toSorted()).toEqual(['a settled', 'b settled', 'c settled', 'd claimed']);
  });

  test('is counted once, however often it comes, and no change is lost with an answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            act: fc.constantFrom('sell', 'claim', 'refuse', 'remove', 'report', 'reopen'),
            key: fc.constantFrom('a', 'b', 'c', 'd'),
            isLost: fc.boolean(),
            isTwice: fc.boolean(),
          }),
          { maxLength: 40 },
        ),
        async (steps) => {
          const books = openBooks(memorySqlite().sql);
          let shard = shardOf('a0');
          for (const { act, key, isLost, isTwice } of steps) {
            const row = shard.rows.read(key);
            if (act === 'sell' && row === undefined) sellIn(shard, key);
            if (act === 'claim' && row === undefined) shard.rows.write(signedRow(liveClaim, { key }));
            if (act === 'refuse' && row?.phase.state === 'claimed')
              shard.rows.advance(row, signedRow(refusedPhase, { key }));
            if (act === 'remove' && row !== undefined) shard.rows.remove(row);
            if (act === 'report') await shard.report(books, () => isLost, isTwice);
            if (act === 'reopen') shard = shardOf('a0', shard.sql);
          }
          await shard.report(books);
          expect(shard.rows.outbox.hasNews()).toBe(false);
          expect(books.read('').lines).toEqual(
            shard.rows.totals('').toSorted((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0)),
          );
          const listed = books.payments({ limit: 50 }).payments.map(({ key, state }) => `${key} ${state}`);
          const stored = ['a', 'b', 'c', 'd'].flatMap((key) => {
            const row = shard.rows.read(key);
            return row === undefined ? [] : [`${key} ${row.phase.state}`];
          });
          expect(listed.toSorted()).toEqual(stored);
        },
      ),
      { numRuns: budgetFor(60, 400) },
    );
  });

  test('says of a payment that is gone that it is, when the shard was killed in between or has too much to remember', async () => {
    const books = openBooks(memorySqlite().sql);
    const shard = shardOf('11');
    const unknown = signedRow({ ...settling, state: 'unknown' }, { key: 'held' });
    const claimed = Array.from({ length: 2_001 }, (_, index) => signedRow(liveClaim, { key: `claim-${index}` }));
    for (const row of [unknown, ...claimed]) shard.rows.write(row);
    await shard.report(books);
    expect(books.openPayments().map(({ state, count }) => `${count} ${state}`)).toEqual(['2001 claimed', '1 unknown']);

    shard.rows.removeUnpaid(unknown, 'expired_unused');
    for (const row of claimed) shard.rows.remove(row);
    // A new payment under the key of one that is gone is there.
    shard.rows.write(signedRow(settledPhase, { key: 'claim-7' }));
    const revived = shardOf('11', shard.sql);
    await revived.report(books);
    expect(books.openPayments()).toEqual([]);
    expect(books.payments({ limit: 10 }).payments.map(({ key }) => key)).toEqual(['claim-7']);
    expect(revived.rows.outbox.hasNews()).toBe(false);
  });

  test('of a shard of an earlier version begins with all that it has booked, in bounded parts', async () => {
    const { sql } = memorySqlite();
    const old = shardOf('0a', sql);
    for (let day = 0; day < 400; day += 1)
      for (const capability of ['check_health', 'full_audit', 'compare'])
        old.rows.advance(
          signedRow(settling, { capability }),
          signedRow({ ...settledPhase, settledAtMs: NOW - day * DAY_MS }, { capability }),
        );
    for (let index = 0; index < 1_200; index += 1) old.rows.write(signedRow(settledPhase, { key: `old-${index}` }));
    for (const table of ['outbox', 'outbox_marks']) sql.exec(`DROP TABLE ${table}`); // As before there were any.
    const now = shardOf('0a', sql);
    const books = openBooks(memorySqlite().sql);
    expect(books.read('').missing).toHaveLength(256);
    const sizes: number[] = [];
    const reporting = createReporting({
      outbox: () => now.rows.outbox,
      send: async (report) => {
        sizes.push(report.lines.length, report.payments.length);
        books.take({ shard: '0a', ...report }, NOW);
      },
      wait: async () => undefined,
      onFailure: () => undefined,
    });
    expect(await reporting.flush()).toBe(true);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    const { lines, missing } = books.read('');
    expect([lines.length, lines.reduce((sum, { count }) => sum + count, 0)]).toEqual([1_200, 1_200]);
    expect(missing).toEqual(listShardNames().filter((name) => name !== '0a'));
    expect(books.payments({ limit: 100, states: ['settled'] }).payments).toHaveLength(100);
    // And once only.
    expect(await shardOf('0a', sql).report(books)).toBe(true);
    expect(books.read('').lines.reduce((sum, { count }) => sum + count, 0)).toBe(1_200);
  });

  test('waits for books that are away, and sales go on', async () => {
    const shard = shardOf('01');
    sellIn(shard, 'a');
    let failures = 0;
    const reporting = createReporting({
      outbox: () => shard.rows.outbox,
      send: () => Promise.reject(new Error('away')),
      wait: async () => undefined,
      onFailure: () => {
        failures += 1;
      },
    });
    await reporting.note();
    expect([failures, shard.rows.outbox.hasNews()]).toEqual([1, true]);
    sellIn(shard, 'b');
    const books = openBooks(memorySqlite().sql);
    expect(await shard.report(books)).toBe(true);
    expect(books.read('').lines).toMatchObject([{ kind: 'sale', count: 2 }]);
  });

  test('gathers what comes within a moment into one report', async () => {
    const shard = shardOf('02');
    const sent: Pick<LedgerReport, 'lines' | 'payments'>[] = [];
    let isOver: () => void = () => undefined;
    const reporting = createReporting({
      outbox: () => shard.rows.outbox,
      send: async (report) => void sent.push(report),
      wait: () => new Promise((resolve) => (isOver = resolve)),
      onFailure: () => undefined,
    });
    sellIn(shard, 'a');
    const noted = reporting.note();
    for (const key of ['b', 'c']) sellIn(shard, key);
    void reporting.note();
    isOver();
    await noted;
    expect(sent).toHaveLength(1);
    expect(sent[0]?.payments).toHaveLength(3);
  });
});

test('of more lines than one answer holds the oldest are left out', () => {
  const books = openBooks(memorySqlite().sql);
  const reasons = Math.floor(READ_LINES / 400) + 1;
  const lines = Array.from({ length: 400 }, (_, back) => formatDay(NOW - back * DAY_MS)).flatMap((day) =>
    Array.from({ length: reasons }, (_, reason) => ({
      day,
      kind: 'failure' as const,
      capability: 'check_health',
      method: 'x402' as const,
      reason: `reason_${reason}`,
      count: 1,
      microUsdc: 1,
    })),
  );
  books.take({ shard: '00', seq: 1, lines, payments: [], removed: [] }, NOW);
  const read = books.read('').lines;
  expect(read).toHaveLength(READ_LINES);
  expect([read[0]?.day, read[0]?.reason]).toEqual([DAY, 'reason_0']);
  expect(read.filter(({ day }) => day === DAY)).toHaveLength(reasons);
});

describe('pages of payments', () => {
  const filled = (count: number, change: (index: number) => Partial<LedgerRow> = () => ({})) => {
    const books = openBooks(memorySqlite().sql);
    const shard = shardOf('00');
    for (let index = 0; index < count; index += 1)
      shard.rows.write(
        signedRow(index % 10 === 0 ? refusedPhase : settledPhase, {
          key: `key-${index}`,
          firstClaimedAtMs: NOW - index * 1_000,
          ...change(index),
        }),
      );
    return { books, shard };
  };

  test('are newest first, by state, capability and payer, without gaps or repeats', async () => {
    const { books, shard } = filled(60, (index) => ({
      payer: payerOf(index % 3),
      capability: index % 2 === 0 ? 'check_health' : 'full_audit',
    }));
    await shard.report(books);
    for (const [query, expected] of [
      [{}, (): boolean => true],
      [{ states: ['refused'] as const }, (index: number) => index % 10 === 0],
      [{ payer: payerOf(2) }, (index: number) => index % 3 === 2],
      [{ capability: 'full_audit', payer: payerOf(1) }, (index: number) => index % 2 === 1 && index % 3 === 1],
    ] as const) {
      const seen: string[] = [];
      let before: { atMs: number; row: number } | undefined;
      do {
        const page = books.payments({ ...query, limit: 7, before });
        seen.push(...page.payments.map(({ key }) => key));
        before = page.next;
      } while (before !== undefined);
      const all = Array.from({ length: 60 }, (_, index) => index).filter(expected);
      expect(seen).toEqual(all.map((index) => `key-${index}`));
    }
  });

  test('that find little look at so many and no more, and say where to go on', async () => {
    const rare = MAX_LOOKED_AT + 200;
    const { books, shard } = filled(rare + 1, (index) => (index === rare ? { capability: 'compare' } : {}));
    await shard.report(books);
    const first = books.payments({ capability: 'compare', limit: 50 });
    expect(first.payments).toEqual([]);
    const second = books.payments({ capability: 'compare', limit: 50, before: first.next });
    expect(second.payments.map(({ key }) => key)).toEqual([`key-${rare}`]);
    expect(second.next).toBeUndefined();
  });
});

test('an outbox that a step failed in tells what is stored, and not what was meant', async () => {
  const { sql, transaction } = memorySqlite();
  const rows = openLedgerRows(sql, 86_400);
  rows.write(signedRow(liveClaim, { key: 'a' }));
  expect(() =>
    transaction(() => {
      rows.advance(signedRow(settling, { key: 'a' }), signedRow(settledPhase, { key: 'a' }));
      throw new Error('no room');
    }),
  ).toThrow('no room');
  rows.forget();
  const taken = rows.outbox.take();
  expect(taken?.lines).toEqual([]);
  expect(taken?.payments).toMatchObject([{ key: 'a', state: 'claimed' }]);
  expect(openOutbox(sql).hasNews()).toBe(true);
});
