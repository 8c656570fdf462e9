import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import { isCreditMonth } from '../../../src/payment/credits/lines.ts';
import { openCreditRows } from '../../../src/payment/credits/rows.ts';
import { openSql } from '../../support/management/sqlite.ts';

const START_MS = Date.UTC(2026, 9, 31, 23, 59);
const DAY_MS = 86_400_000;

function account(database = new DatabaseSync(':memory:')) {
  let nowMs = START_MS;
  const book = createCreditBook(openCreditRows(openSql(database)), () => nowMs);
  return {
    ...book,
    database,
    advance: (ms: number): void => {
      nowMs += ms;
    },
    topUp: (number: number, amountMicroUsdc = 5_000_000): void => {
      const pledge = { paymentKey: `payment-${number}`, shard: 'a1', capability: 'credits_5', amountMicroUsdc };
      book.pledge(pledge);
      for (const open of book.openPledges())
        book.resolve(open, { state: 'settled', capability: 'credits_5', amountMicroUsdc });
    },
    call: (id: string, amountMicroUsdc = 60_000): void => {
      const about = { id, fingerprint: id, capability: 'check_health', clientId: 'client-1' };
      book.reserve({ ...about, amountMicroUsdc, capMicroUsdc: 5_000_000, authorizedAtMs: nowMs });
      book.capture(id, 1, `report-${id}`);
    },
  };
}

describe('the movements of an account', () => {
  test('are its top-ups and its paid calls with what was left after each, newest first; a release is none', () => {
    const { advance, ...one } = account();
    one.topUp(1);
    advance(1_000);
    one.call('a');
    advance(1_000);
    one.reserve({
      id: 'b',
      fingerprint: 'b',
      capability: 'check_health',
      clientId: 'client-1',
      amountMicroUsdc: 60_000,
      capMicroUsdc: 5_000_000,
      authorizedAtMs: START_MS,
    });
    one.release('b', 1, true);
    expect(one.lines({ limit: 10 })).toEqual({
      months: ['2026-10'],
      lines: [
        {
          atMs: START_MS + 1_000,
          id: 'a',
          kind: 'call',
          capability: 'check_health',
          amountMicroUsdc: 60_000,
          balanceMicroUsdc: 4_940_000,
          reportId: 'report-a',
          clientId: 'client-1',
        },
        expect.objectContaining({ kind: 'top_up', amountMicroUsdc: 5_000_000, balanceMicroUsdc: 5_000_000 }),
      ],
    });
  });

  test('are read by month, in UTC, and a page at a time', () => {
    const { advance, ...one } = account();
    one.topUp(1);
    for (const id of ['a', 'b', 'c']) one.call(id); // Of one millisecond.
    advance(60_000);
    one.call('d');
    expect(one.lines({ month: '2026-11', limit: 10 }).lines.map(({ id }) => id)).toEqual(['d']);
    expect(one.lines({ limit: 10 }).months).toEqual(['2026-11', '2026-10']);
    const first = one.lines({ limit: 2 }).lines;
    const rest = one.lines({ limit: 10, after: first.at(-1) }).lines;
    expect([...first, ...rest]).toEqual(one.lines({ limit: 10 }).lines);
    expect(rest).toHaveLength(3);
  });

  test('of before there were lines are those of the calls and the top-ups that are kept', () => {
    const { database, topUp, call } = account();
    topUp(1);
    call('a');
    database.exec('DROP TABLE credit_lines');
    const again = account(database);
    expect(again.lines({ limit: 10 }).lines.map(({ kind, balanceMicroUsdc }) => [kind, balanceMicroUsdc])).toEqual(
      expect.arrayContaining([
        ['call', 4_940_000],
        ['top_up', null],
      ]),
    );
    again.call('b');
    expect(account(database).lines({ limit: 10 }).lines).toHaveLength(3);
  });

  test('are kept for 400 days', () => {
    const { advance, ...one } = account();
    one.topUp(1);
    advance(401 * DAY_MS);
    one.prune();
    expect(one.lines({ limit: 10 }).lines).toEqual([]);
  });

  test.each(['2026-13', '2026-00', '26-01', '2026-1', "2026-11' OR 1=1", ''])('%j is no month', (month) => {
    expect(isCreditMonth(month)).toBe(false);
  });
});

describe('the end of an account', () => {
  test('takes the balance only where the owner agreed, and keeps what says which payments were credited', () => {
    const one = account();
    one.topUp(1);
    one.call('a');
    expect(one.forfeit(false)).toEqual({ ok: false, reason: 'credits_left' });
    expect(one.view().balanceMicroUsdc).toBe(4_940_000);
    expect(one.forfeit(true)).toEqual({ ok: true, forfeitedMicroUsdc: 4_940_000 });
    expect(one.view().balanceMicroUsdc).toBe(0);
    expect(one.lines({ limit: 10 }).lines).toEqual([]);
    one.topUp(1);
    expect(one.view().balanceMicroUsdc).toBe(0); // P6: a payment is credited once.
    expect(one.standing('a')).toMatchObject({ state: 'captured' });
    expect(one.forfeit(false)).toEqual({ ok: true, forfeitedMicroUsdc: 0 });
  });

  test('waits for a call that runs and for a top-up that is not settled', () => {
    const one = account();
    one.topUp(1);
    const about = { id: 'r', fingerprint: 'r', capability: 'check_health', clientId: 'client-1' };
    one.reserve({ ...about, amountMicroUsdc: 60_000, capMicroUsdc: 5_000_000, authorizedAtMs: START_MS });
    expect(one.forfeit(true)).toEqual({ ok: false, reason: 'credits_under_way' });
    one.release('r', 1, false);
    one.pledge({ paymentKey: 'payment-2', shard: 'a1', capability: 'credits_5', amountMicroUsdc: 5_000_000 });
    expect(one.forfeit(true)).toEqual({ ok: false, reason: 'credits_under_way' });
  });
});
