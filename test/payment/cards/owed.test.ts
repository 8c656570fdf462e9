import { expect, test } from 'vitest';
import { formatCardLineId } from '../../../src/payment/credits/lines.ts';
import { formatReceiptNumber, parseReceiptNumber } from '../../../src/payment/credits/receipt-number.ts';
import { openCardWorld } from '../../support/cards/card-world.ts';

test('an account that spent credits whose money went back is remembered until it has made up for it', async () => {
  const world = await openCardWorld();
  const { order, payment } = await world.buy();
  expect(world.book.owed()).toEqual({ overdrafts: [], openDisputes: 0 });
  world.spend(4_000_000);
  const dispute = await world.standIn.books.dispute(payment);
  const atMs = world.now();
  const overdraft = { account: 'a1', purchase: order.id, atMs, owedMicroUsdc: 4_000_000 };
  expect(world.book.owed()).toEqual({ overdrafts: [overdraft], openDisputes: 1 });
  expect(world.logs).toContainEqual({ event: 'card_account_overdrawn', purchase: order.id });
  world.advance(60_000);
  await world.standIn.books.closeDispute(dispute, false);
  expect(world.book.owed()).toEqual({ overdrafts: [overdraft], openDisputes: 0 });
  await world.buy();
  expect(world.book.owed()).toEqual({ overdrafts: [], openDisputes: 0 });
});

test('money of unspent credits that goes back leaves no one below zero', async () => {
  const world = await openCardWorld();
  const { payment } = await world.buy();
  await world.standIn.books.refund(payment, 500, {});
  expect(world.book.owed()).toEqual({ overdrafts: [], openDisputes: 0 });
  expect(world.logs).toEqual([]);
});

test('a purchase is found by what the service and Stripe call it, and by its day', async () => {
  const world = await openCardWorld();
  const { order, sessionId, payment } = await world.buy();
  const refund = await world.standIn.books.refund(payment, 100, {});
  const dispute = await world.standIn.books.dispute(payment);
  for (const name of [order.id, sessionId, payment.id, refund.id, dispute.id])
    expect(world.book.locate(name)).toMatchObject({ id: order.id, account: 'a1' });
  expect(world.book.locate('pi_other')).toBeUndefined();
  expect(world.book.paidOn('2026-11-27', '2026-11-28')).toEqual([{ id: order.id, account: 'a1' }]);
  expect(world.book.paidOn('2026-11-29', '2026-11-30')).toEqual([]);
});

test('the number of a receipt is that of its line, and is read as it may be typed', async () => {
  const world = await openCardWorld();
  const { order } = await world.buy();
  const [line] = world.credits('a1').lines({ limit: 1 }).lines;
  expect(line?.id).toBe(formatCardLineId({ purchase: order.id, version: 1 }, 'card'));
  const number = await formatReceiptNumber('a1', { id: line?.id ?? '', atMs: world.now() });
  expect(number).toMatch(/^2026-11-28-[0-9A-F]{10}$/);
  expect(parseReceiptNumber(` ${number.toLowerCase()} `)).toEqual({ number, day: '2026-11-28' });
  expect(parseReceiptNumber('2026-13-28-ABCDEF0123')).toBeUndefined();
  expect(parseReceiptNumber('2026-11-28')).toBeUndefined();
});
