import { describe, expect, test } from 'vitest';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import {
  type AdjustOrder,
  MAX_ADJUSTED_A_DAY_MICRO_USDC,
  MAX_GRANT_MICRO_USDC,
} from '../../../src/payment/credits/adjustments.ts';
import { MAX_ENTRIES_LISTED } from '../../../src/payment/credits/entries.ts';
import { memoryCreditRows } from '../../support/workers/credit-rows.ts';

const DAY_MS = 86_400_000;

/** An account with a clock that is moved by hand. */
function account() {
  let nowMs = 1_800_000_000_000;
  const book = createCreditBook(memoryCreditRows(), () => nowMs);
  return {
    ...book,
    advance: (ms: number): void => {
      nowMs += ms;
    },
    balance: () => book.view().balanceMicroUsdc,
  };
}

const own = { reason: 'The audit ran twice', by: 'b'.repeat(32) };
let forms = 0;
const nonce = (): string => {
  forms += 1;
  return forms.toString(16).padStart(32, '0');
};
const grant = (amountMicroUsdc: number, change: Partial<AdjustOrder> = {}): AdjustOrder =>
  ({ ...own, nonce: nonce(), kind: 'grant', amountMicroUsdc, ...change }) as AdjustOrder;

function pay(book: ReturnType<typeof account>, id: string, amountMicroUsdc = 60_000): void {
  const reserved = book.reserve({
    id,
    fingerprint: 'f',
    capability: 'check_health',
    clientId: 'client-1',
    amountMicroUsdc,
    capMicroUsdc: 100_000_000,
    authorizedAtMs: 1_800_000_000_000,
  });
  if (reserved.outcome !== 'reserved') throw new Error(reserved.outcome);
  expect(book.capture(id, reserved.attempt, `report-${id}`)).toBeTruthy();
}

describe('a grant', () => {
  test('adds its amount once, however often its form is sent', () => {
    const book = account();
    const order = grant(5_000_000);
    expect(book.adjust(order)).toMatchObject({ ok: true, isRepeat: false });
    expect(book.adjust(order)).toMatchObject({ ok: true, isRepeat: true });
    expect(book.balance()).toBe(5_000_000);
    expect(book.adjust({ ...order, kind: 'grant', amountMicroUsdc: 6_000_000 })).toEqual({
      ok: false,
      reason: 'form_used',
    });
    expect(book.balance()).toBe(5_000_000);
  });

  test.each([0, -1, 1.5, MAX_GRANT_MICRO_USDC + 1, Number.NaN])('of %s is refused and adds nothing', (amount) => {
    const book = account();
    expect(book.adjust(grant(amount))).toEqual({ ok: false, reason: 'too_much' });
    expect(book.balance()).toBe(0);
    expect(book.entries().entries).toEqual([]);
  });

  test('is refused beyond the limit of 24 hours, and is possible again after them', () => {
    const book = account();
    for (let given = 0; given < MAX_ADJUSTED_A_DAY_MICRO_USDC; given += MAX_GRANT_MICRO_USDC)
      expect(book.adjust(grant(MAX_GRANT_MICRO_USDC)).ok).toBe(true);
    expect(book.adjust(grant(1))).toEqual({ ok: false, reason: 'day_limit' });
    book.advance(DAY_MS);
    expect(book.adjust(grant(1)).ok).toBe(true);
  });
});

describe('a refund', () => {
  test('of a paid call gives back what it cost, once, whatever form asks', () => {
    const book = account();
    book.adjust(grant(1_000_000));
    pay(book, 'call-1');
    const order: AdjustOrder = { ...own, nonce: nonce(), kind: 'refund_call', callId: 'call-1' };
    expect(book.adjust(order)).toMatchObject({
      ok: true,
      isRepeat: false,
      adjustment: { amountMicroUsdc: 60_000, capability: 'check_health', balanceMicroUsdc: 1_000_000 },
    });
    expect(book.adjust(order)).toMatchObject({ ok: true, isRepeat: true });
    expect(book.adjust({ ...order, nonce: nonce() })).toEqual({ ok: false, reason: 'already_refunded' });
    expect(book.balance()).toBe(1_000_000);
  });

  test('of a call that is not paid, or not there, is refused', () => {
    const book = account();
    book.adjust(grant(1_000_000));
    book.reserve({
      id: 'running',
      fingerprint: 'f',
      capability: 'check_health',
      clientId: 'client-1',
      amountMicroUsdc: 60_000,
      capMicroUsdc: 100_000_000,
      authorizedAtMs: 1_800_000_000_000,
    });
    for (const callId of ['running', 'none'])
      expect(book.adjust({ ...own, nonce: nonce(), kind: 'refund_call', callId })).toEqual({
        ok: false,
        reason: 'not_found',
      });
  });

  test('of a payment adds what it cost, once', () => {
    const book = account();
    const order: AdjustOrder = {
      ...own,
      nonce: nonce(),
      kind: 'refund_payment',
      payment: 'abcdef012345',
      capability: 'full_audit',
      amountMicroUsdc: 250_000,
    };
    expect(book.adjust(order).ok).toBe(true);
    expect(book.adjust({ ...order, nonce: nonce() })).toEqual({ ok: false, reason: 'already_refunded' });
    expect(book.balance()).toBe(250_000);
  });
});

describe('entries', () => {
  test('are what happened, newest first, and say what was given back', () => {
    const book = account();
    const about = { paymentKey: 'p', shard: 'a1', capability: 'credits_5', amountMicroUsdc: 5_000_000 };
    book.pledge(about);
    for (const pledge of book.openPledges())
      book.resolve(pledge, { state: 'settled', capability: 'credits_5', amountMicroUsdc: 5_000_000 });
    book.advance(1);
    pay(book, 'call-1');
    book.advance(1);
    book.adjust({ ...own, nonce: nonce(), kind: 'refund_call', callId: 'call-1' });
    expect(book.entries()).toEqual({
      entries: [
        expect.objectContaining({ kind: 'refund_call', amountMicroUsdc: 60_000, reason: own.reason, by: own.by }),
        expect.objectContaining({ kind: 'call', amountMicroUsdc: -60_000, callId: 'call-1', isRefunded: true }),
        expect.objectContaining({ kind: 'top_up', amountMicroUsdc: 5_000_000, state: 'credited' }),
      ],
    });
  });

  test('come in pages without a gap, also where many are of one moment', () => {
    const book = account();
    for (let done = 0; done < MAX_ENTRIES_LISTED * 2; done += 1) {
      if (done % 3 === 0) book.advance(1);
      book.adjust(grant(1 + done));
    }
    const seen: number[] = [];
    let before: number | undefined;
    do {
      const page = book.entries(before);
      seen.push(...page.entries.map(({ amountMicroUsdc }) => amountMicroUsdc));
      before = page.next;
    } while (before !== undefined);
    expect(seen.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: MAX_ENTRIES_LISTED * 2 }, (_, index) => index + 1),
    );
  });
});
