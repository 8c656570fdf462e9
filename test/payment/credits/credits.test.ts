import { describe, expect, test } from 'vitest';
import type { ReserveRequest } from '../../../src/payment/credits/credits.ts';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import { memoryCreditRows } from '../../support/workers/credit-rows.ts';

const SHARD = 'a1';
const DAY_MS = 86_400_000;
const NOW_MS = 1_800_000_000_000;

/** An account with a balance and a clock that is moved by hand. */
function account(balanceMicroUsdc = 1_000_000) {
  let nowMs = NOW_MS;
  const book = createCreditBook(memoryCreditRows(), () => nowMs);
  let topUps = 0;
  const topUp = (amountMicroUsdc: number): void => {
    topUps += 1;
    const about = { paymentKey: `payment-${topUps}`, shard: SHARD, capability: 'credits_5', amountMicroUsdc };
    book.pledge(about);
    for (const pledge of book.openPledges()) {
      book.resolve(pledge, { state: 'settled', capability: 'credits_5', amountMicroUsdc });
    }
  };
  if (balanceMicroUsdc > 0) topUp(balanceMicroUsdc);
  return {
    ...book,
    topUp,
    advance: (ms: number): void => {
      nowMs += ms;
    },
    balance: () => book.view().balanceMicroUsdc,
  };
}

const call = (change: Partial<ReserveRequest> = {}): ReserveRequest => ({
  id: 'call-1',
  fingerprint: 'f1',
  capability: 'check_health',
  clientId: 'client-1',
  amountMicroUsdc: 60_000,
  capMicroUsdc: 5_000_000,
  authorizedAtMs: NOW_MS,
  ...change,
});

describe('P6: a call on prepaid credits', () => {
  test('is reserved, then captured: the balance falls once, and the reserve is gone', () => {
    const { reserve, capture, view } = account();
    expect(reserve(call())).toEqual({ outcome: 'reserved', attempt: 1 });
    expect(view()).toMatchObject({ balanceMicroUsdc: 940_000, reservedMicroUsdc: 60_000 });
    expect(capture('call-1', 1, 'report-1')).toMatchObject({ reportId: 'report-1', balanceMicroUsdc: 940_000 });
    expect(view()).toMatchObject({ balanceMicroUsdc: 940_000, reservedMicroUsdc: 0 });
  });

  test('costs nothing when it is released, and can be tried again as a new attempt', () => {
    const { reserve, release, balance } = account();
    reserve(call());
    expect(release('call-1', 1, false)).toBe(true);
    expect(balance()).toBe(1_000_000);
    expect(reserve(call())).toEqual({ outcome: 'reserved', attempt: 2 });
  });

  test('is refused with balance and price when other calls hold the rest', () => {
    const { reserve } = account(100_000);
    expect(reserve(call({ amountMicroUsdc: 60_000 })).outcome).toBe('reserved');
    expect(reserve(call({ id: 'call-2', amountMicroUsdc: 60_000 }))).toEqual({
      outcome: 'insufficient_credits',
      balanceMicroUsdc: 40_000,
      priceMicroUsdc: 60_000,
    });
    expect(reserve(call({ id: 'call-3', amountMicroUsdc: 40_000 })).outcome).toBe('reserved');
  });

  test('that is repeated while it runs is in progress, and afterwards gets what was stored: one debit', () => {
    const { reserve, capture, balance } = account();
    reserve(call());
    expect(reserve(call())).toEqual({ outcome: 'in_progress', retryAfterS: 5 });
    capture('call-1', 1, 'report-1');
    expect(reserve(call())).toMatchObject({ outcome: 'done', call: { reportId: 'report-1', amountMicroUsdc: 60_000 } });
    expect(balance()).toBe(940_000);
  });

  test.each([
    ['runs', () => undefined],
    ['was released', ({ release }: ReturnType<typeof account>) => release('call-1', 1, false)],
    ['was captured', ({ capture }: ReturnType<typeof account>) => capture('call-1', 1, 'report-1')],
  ])('under the id of one with other arguments that %s is a conflict', (_name, before) => {
    const made = account();
    made.reserve(call());
    before(made);
    expect(made.reserve(call({ fingerprint: 'f2' }))).toEqual({ outcome: 'conflict' });
  });

  test('captures once: the same attempt and report again is the same answer, another report is refused', () => {
    const { reserve, capture, balance } = account();
    reserve(call());
    const first = capture('call-1', 1, 'report-1');
    expect(capture('call-1', 1, 'report-1')).toEqual(first);
    expect(capture('call-1', 1, 'report-2')).toBe(false);
    expect(balance()).toBe(940_000);
  });

  test('of an attempt that is no longer current captures, renews and releases nothing', () => {
    const { reserve, capture, renew, release, advance, balance } = account();
    reserve(call());
    advance(30_000);
    expect(reserve(call())).toEqual({ outcome: 'reserved', attempt: 2 });
    expect(capture('call-1', 1, 'report-1')).toBe(false);
    expect(renew('call-1', 1)).toBe(false);
    expect(release('call-1', 1, false)).toBe(false);
    expect(capture('call-1', 2, 'report-2')).toMatchObject({ reportId: 'report-2' });
    expect(capture('call-1', 1, 'report-1')).toBe(false);
    expect(balance()).toBe(940_000);
  });

  test('whose lease ran out captures nothing, even when nobody took it over', () => {
    const { reserve, capture, advance, balance } = account();
    reserve(call());
    advance(30_000);
    expect(capture('call-1', 1, 'report-1')).toBe(false);
    expect(balance()).toBe(1_000_000);
  });

  test('is renewed by 30 s each time and by no means past 180 s', () => {
    const { reserve, renew, capture, advance } = account();
    reserve(call());
    for (let at = 10; at < 180; at += 10) {
      advance(10_000);
      expect(renew('call-1', 1)).toBe(true);
    }
    advance(9_999);
    expect(reserve(call()).outcome).toBe('in_progress');
    advance(1);
    expect(renew('call-1', 1)).toBe(false);
    expect(capture('call-1', 1, 'report-1')).toBe(false);
  });

  test('that lapsed stays lapsed when the clock is set back: what it held is spent', () => {
    const { reserve, capture, advance, view } = account(60_000);
    reserve(call());
    advance(31_000);
    expect(reserve(call({ id: 'call-2' })).outcome).toBe('reserved');
    advance(-31_000);
    expect(capture('call-1', 1, 'report-1')).toBe(false);
    expect(capture('call-2', 1, 'report-2')).toMatchObject({ balanceMicroUsdc: 0 });
    expect(view().balanceMicroUsdc).toBe(0);
  });

  test('is refused beside 20 that run', () => {
    const { reserve } = account(100_000_000);
    for (let at = 1; at <= 20; at += 1) expect(reserve(call({ id: `call-${at}` })).outcome).toBe('reserved');
    expect(reserve(call({ id: 'call-21' }))).toEqual({ outcome: 'too_many_open', retryAfterS: 5 });
  });

  test('P27: is refused after 20 failures in an hour, until the first is an hour old', () => {
    const { reserve, release, advance } = account();
    for (let at = 1; at <= 20; at += 1) {
      reserve(call({ id: `call-${at}` }));
      release(`call-${at}`, 1, true);
    }
    advance(3_599_000);
    expect(reserve(call({ id: 'call-21' }))).toEqual({ outcome: 'too_many_failures', retryAfterS: 1 });
    advance(1_000);
    expect(reserve(call({ id: 'call-21' })).outcome).toBe('reserved');
  });

  test.each([
    ['its client was revoked', (made: ReturnType<typeof account>) => void made.releaseClient('client-1'), NOW_MS + 1],
    ['its lease ran out', (made: ReturnType<typeof account>) => made.advance(30_000), NOW_MS],
  ])('P27: counts as a failure, once, when %s before its debit', (_why, end, authorizedAtMs) => {
    const made = account();
    for (let at = 1; at <= 20; at += 1) {
      const one = call({ id: `call-${at}`, authorizedAtMs });
      expect(made.reserve(one).outcome).toBe('reserved');
      end(made);
      expect(made.capture(one.id, 1, 'report')).toBe(false);
    }
    expect(made.reserve(call({ id: 'more', authorizedAtMs })).outcome).toBe('too_many_failures');
  });

  test('stands absent, open, or captured under its report', () => {
    const { reserve, capture, standing } = account();
    expect(standing('call-1')).toEqual({ state: 'absent' });
    reserve(call());
    expect(standing('call-1')).toEqual({ state: 'open' });
    capture('call-1', 1, 'report-1');
    expect(standing('call-1')).toEqual({
      state: 'captured',
      fingerprint: 'f1',
      reportId: 'report-1',
      amountMicroUsdc: 60_000,
    });
  });

  test('A6: is listed by its report once it is captured, newest first, 200 at most', () => {
    const { reserve, capture, advance, reports } = account(100_000_000);
    for (let at = 1; at <= 201; at += 1) {
      reserve(call({ id: `call-${at}`, amountMicroUsdc: 1, capMicroUsdc: 1_000 }));
      capture(`call-${at}`, 1, `report-${at}`);
      advance(1_000);
    }
    reserve(call({ id: 'running' }));
    const listed = reports();
    expect(listed).toHaveLength(200);
    expect(listed[0]).toMatchObject({ reportId: 'report-201', capability: 'check_health', amountMicroUsdc: 1 });
    expect(listed.at(-1)).toMatchObject({ reportId: 'report-2' });
  });

  test('is forgotten after 31 days, and its amount stays spent', () => {
    const { reserve, capture, advance, prune, standing, balance } = account();
    reserve(call());
    capture('call-1', 1, 'report-1');
    advance(31 * DAY_MS);
    prune();
    expect(standing('call-1').state).toBe('captured');
    advance(1);
    prune();
    expect(standing('call-1')).toEqual({ state: 'absent' });
    expect(balance()).toBe(940_000);
  });
});

describe('A5: what a client may spend in 24 hours', () => {
  const capped = (change: Partial<ReserveRequest> = {}): ReserveRequest =>
    call({ amountMicroUsdc: 60_000, capMicroUsdc: 100_000, ...change });

  test('counts what it was paid for and what it holds now, and nothing of other clients', () => {
    const { reserve, capture } = account();
    reserve(capped());
    const refused = { outcome: 'client_cap_reached', capMicroUsdc: 100_000, spentMicroUsdc: 60_000 };
    expect(reserve(capped({ id: 'call-2' }))).toEqual(refused);
    capture('call-1', 1, 'report-1');
    expect(reserve(capped({ id: 'call-2' }))).toEqual(refused);
    expect(reserve(capped({ id: 'call-2', clientId: 'client-2' })).outcome).toBe('reserved');
  });

  test('is free again when a call is released', () => {
    const { reserve, release } = account();
    reserve(capped());
    release('call-1', 1, false);
    expect(reserve(capped({ id: 'call-2' })).outcome).toBe('reserved');
  });

  test('is never counted for less than 24 hours, and for a quarter more at most', () => {
    const { reserve, capture, advance } = account();
    advance(1_000); // Between two steps of the clock by which spending is kept.
    reserve(capped());
    capture('call-1', 1, 'report-1');
    advance(DAY_MS - 1);
    expect(reserve(capped({ id: 'call-2' })).outcome).toBe('client_cap_reached');
    advance(900_001);
    expect(reserve(capped({ id: 'call-2' })).outcome).toBe('reserved');
  });

  test('may be used to the last micro-dollar, and not be passed by one', () => {
    const { reserve } = account();
    expect(reserve(capped({ amountMicroUsdc: 100_001 })).outcome).toBe('client_cap_reached');
    expect(reserve(capped({ amountMicroUsdc: 100_000 })).outcome).toBe('reserved');
  });

  test('of 0 refuses everything', () => {
    const { reserve } = account();
    expect(reserve(call({ capMicroUsdc: 0 })).outcome).toBe('client_cap_reached');
  });

  test.each(['__proto__', 'constructor', 'toString', 'https://client.example/metadata.json'])(
    'is counted under any client id: %s',
    (clientId) => {
      const { reserve, capture, view } = account();
      reserve(capped({ clientId }));
      capture('call-1', 1, 'report-1');
      expect(view().clients).toEqual([{ clientId, spentMicroUsdc: 60_000 }]);
      expect(reserve(capped({ id: 'call-2', clientId })).outcome).toBe('client_cap_reached');
    },
  );

  test('ends with its revocation: its running calls are freed, cannot be captured, and other clients keep theirs', () => {
    const { reserve, capture, releaseClient, view, balance } = account();
    reserve(call({ id: 'call-1' }));
    reserve(call({ id: 'call-2' }));
    reserve(call({ id: 'call-3', clientId: 'client-2' }));
    expect(releaseClient('client-1')).toBe(2);
    expect(view()).toMatchObject({ balanceMicroUsdc: 940_000, reservedMicroUsdc: 60_000 });
    expect(capture('call-1', 1, 'report-1')).toBe(false);
    expect(capture('call-3', 1, 'report-3')).toMatchObject({ reportId: 'report-3' });
    expect(balance()).toBe(940_000);
    expect(releaseClient('client-1')).toBe(0);
  });

  test.each([
    ['before it', { authorizedAtMs: NOW_MS - 1 }, 'client_revoked'],
    ['at the same moment', { authorizedAtMs: NOW_MS }, 'client_revoked'],
    ['after it, by a consent of its own', { authorizedAtMs: NOW_MS + 1 }, 'reserved'],
    ['before it, of another client', { authorizedAtMs: NOW_MS - 1, clientId: 'client-2' }, 'reserved'],
  ])('once revoked, spends nothing by a request that was authorized %s', (_when, change, outcome) => {
    const { reserve, releaseClient, advance } = account();
    releaseClient('client-1');
    advance(30 * DAY_MS);
    expect(reserve(call(change)).outcome).toBe(outcome);
  });

  test('once revoked, is not told either what it bought before', () => {
    const { reserve, capture, releaseClient } = account();
    reserve(call());
    capture('call-1', 1, 'report-1');
    releaseClient('client-1');
    expect(reserve(call())).toEqual({ outcome: 'client_revoked' });
  });

  test('is forgotten as revoked after 31 days, or when 200 others were revoked since', () => {
    const { reserve, releaseClient, advance } = account();
    for (let at = 0; at <= 200; at += 1) releaseClient(`client-${at}`);
    expect(reserve(call({ clientId: 'client-0' })).outcome).toBe('reserved');
    expect(reserve(call({ id: 'call-2', clientId: 'client-1' })).outcome).toBe('client_revoked');
    advance(31 * DAY_MS);
    expect(reserve(call({ id: 'call-2', clientId: 'client-1' })).outcome).toBe('reserved');
  });
});

describe('P6: a top-up', () => {
  const pledge = { paymentKey: 'payment', shard: SHARD, capability: 'credits_5', amountMicroUsdc: 5_000_000 };
  const settled = { state: 'settled', capability: 'credits_5', amountMicroUsdc: 5_000_000 } as const;

  /** Gives the account the ledger's word about all its open top-ups. */
  const told = (made: ReturnType<typeof account>, word: Parameters<typeof made.resolve>[1]) =>
    made.openPledges().map((open) => made.resolve(open, word));

  test('is no balance before its payment is settled, and is credited exactly once after it', () => {
    const made = account(0);
    expect(made.pledge(pledge)).toBe(true);
    expect(made.view()).toMatchObject({ balanceMicroUsdc: 0, pendingMicroUsdc: 5_000_000 });
    expect(told(made, { state: 'unsettled' })).toEqual(['keep']);
    const seen = made.openPledges();
    expect(told(made, settled)).toEqual(['credit']);
    expect(seen.map((open) => made.resolve(open, settled))).toEqual(['keep']); // Another look that was under way.
    expect(made.view()).toMatchObject({ balanceMicroUsdc: 5_000_000, pendingMicroUsdc: 0 });
  });

  test('that was credited stays credited, however often its work is done again', () => {
    const made = account(0);
    made.pledge(pledge);
    told(made, settled);
    made.advance(400 * DAY_MS);
    made.prune();
    expect(made.pledge(pledge)).toBe(true);
    expect(told(made, settled)).toEqual([]);
    expect(made.balance()).toBe(5_000_000);
  });

  test('whose payment bought something else in the end credits nothing', () => {
    const made = account(0);
    made.pledge(pledge);
    expect(told(made, { state: 'settled', capability: 'full_report', amountMicroUsdc: 5_000_000 })).toEqual(['drop']);
    expect(made.view()).toMatchObject({ balanceMicroUsdc: 0, pendingMicroUsdc: 0 });
  });

  test('of one pack by a payment that bought another credits the other alone', () => {
    const made = account(0);
    made.pledge({ ...pledge, capability: 'credits_20', amountMicroUsdc: 20_000_000 });
    made.pledge(pledge);
    expect(told(made, { ...settled, amountMicroUsdc: 20_000_000 })).toEqual(['drop', 'credit']);
    expect(made.balance()).toBe(5_000_000);
  });

  test('never credits more than was paid', () => {
    const made = account(0);
    made.pledge(pledge);
    told(made, { ...settled, amountMicroUsdc: 4_000_000 });
    expect(made.balance()).toBe(4_000_000);
  });

  test('of which the ledger knows nothing is dropped after two hours, and not before', () => {
    const made = account(0);
    made.pledge(pledge);
    made.advance(2 * 3_600_000);
    expect(told(made, { state: 'absent' })).toEqual(['keep']);
    made.advance(1);
    expect(told(made, { state: 'absent' })).toEqual(['drop']);
    expect(made.openPledges()).toEqual([]);
  });

  test('that the ledger knew and then forgot is kept out of the way, and credited when its payment turns up', () => {
    const made = account(0);
    made.pledge(pledge);
    expect(told(made, { state: 'unsettled' })).toEqual(['keep']);
    made.advance(2 * 3_600_000 + 1);
    expect(told(made, { state: 'absent' })).toEqual(['lose']);
    expect(told(made, { state: 'absent' })).toEqual([]);
    made.pledge(pledge);
    expect(told(made, settled)).toEqual(['credit']);
    expect(made.balance()).toBe(5_000_000);
  });

  test('that is promised again while it is being dropped is kept', () => {
    const made = account(0);
    made.pledge(pledge);
    const seen = made.openPledges();
    made.advance(3 * 3_600_000);
    made.pledge(pledge);
    expect(seen.map((open) => made.resolve(open, { state: 'absent' }))).toEqual(['keep']);
    expect(told(made, settled)).toEqual(['credit']);
  });

  test('is refused beside 50 that are open', () => {
    const made = account(0);
    for (let at = 1; at <= 50; at += 1) expect(made.pledge({ ...pledge, paymentKey: `payment-${at}` })).toBe(true);
    expect(made.pledge({ ...pledge, paymentKey: 'payment-51' })).toBe(false);
    expect(made.pledge({ ...pledge, paymentKey: 'payment-50' })).toBe(true);
  });

  test.each([
    [0, 60_000],
    [300_000, 300_000],
    [10 * DAY_MS, 3_600_000],
  ])('that is %i ms old is looked up in %i ms: long before the ledger forgets a sale', (ageMs, inMs) => {
    const made = account(0);
    made.pledge(pledge);
    made.advance(ageMs);
    expect(made.nextDueAtMs()).toBe(1_800_000_000_000 + ageMs + inMs);
  });
});
