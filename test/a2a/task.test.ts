import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { MAX_OPEN_TASKS_OF_NETWORK, MAX_TASKS_OF_SHARD } from '../../src/a2a/protocol.ts';
import { openTaskBook } from '../../src/a2a/task-book.ts';
import {
  type AgentTask,
  beginPayment,
  cancelTask,
  changeTaskStatus,
  computeExpiry,
  ENDED_TASK_MS,
  endPayment,
  MAX_TASK_PAYMENTS,
  openTask,
  type PaymentEnd,
  UNPAID_TASK_MS,
  UNSOLD_TASK_MS,
  wakeTask,
} from '../../src/a2a/task.ts';
import { openSql } from '../support/management/sqlite.ts';

const NOW = 1_700_000_000_000;
const LEASE = 60_000;
const quoted = (id = 'a'.repeat(32)): AgentTask =>
  openTask(
    { id, contextId: 'c', order: { skill: 'check_health', input: {}, view: 'full' } },
    { state: 'input-required', text: 'Pay.', payment: 'payment-required' },
    NOW,
  );
const begun = (task = quoted()): AgentTask => beginPayment(task, NOW, LEASE).task;
const sold: PaymentEnd = {
  status: { state: 'completed', text: 'Done.', payment: 'payment-completed' },
  receipt: { success: true },
  reportId: 'r',
};
const refused: PaymentEnd = {
  status: { state: 'input-required', text: 'Refused.', payment: 'payment-failed', paymentError: 'EXPIRED_PAYMENT' },
  receipt: { success: false },
};

describe('a task', () => {
  test('has one payment at a time: a second one meets the first', () => {
    const first = beginPayment(quoted(), NOW, LEASE);
    expect(first).toMatchObject({ kind: 'begun', task: { attempt: 1, status: { state: 'working' } } });
    expect(beginPayment(first.task, NOW, LEASE)).toEqual({ kind: 'busy', task: first.task });
  });

  test('is over once it is sold, and nothing takes that back', () => {
    const done = endPayment(begun(), 1, sold, NOW);
    expect(done).toMatchObject({ reportId: 'r', receipts: [{ success: true }], status: { state: 'completed' } });
    expect(beginPayment(done, NOW, LEASE).kind).toBe('over');
    expect(cancelTask(done, NOW)).toBe(done);
    expect(endPayment(done, 1, refused, NOW)).toBe(done);
    expect(changeTaskStatus(done, { state: 'failed', text: '' }, NOW)).toBe(done);
  });

  test('waits for another payment after one that was refused, and keeps the receipts of both', () => {
    const again = begun(endPayment(begun(), 1, refused, NOW));
    expect(again.attempt).toBe(2);
    expect(endPayment(again, 2, sold, NOW).receipts).toEqual([{ success: false }, { success: true }]);
  });

  test('takes so many payments and no more', () => {
    let task = quoted();
    for (let attempt = 1; attempt <= MAX_TASK_PAYMENTS; attempt += 1) {
      expect(task.status.state).toBe('input-required');
      task = endPayment(begun(task), attempt, refused, NOW);
    }
    expect(task.status.state).toBe('failed');
  });

  test('P3: whose Worker died waits for the same payment again, without terms for another', () => {
    const working = begun();
    expect(wakeTask(working, NOW + LEASE - 1)).toBe(working);
    const woken = wakeTask(working, NOW + LEASE);
    expect(woken.status).toMatchObject({ state: 'input-required', payment: 'payment-submitted' });
  });

  test('P2: of an attempt that is not current only a sale counts', () => {
    const second = begun(wakeTask(begun(), NOW + LEASE));
    expect(endPayment(second, 1, refused, NOW)).toBe(second);
    expect(endPayment(second, 1, sold, NOW).status.state).toBe('completed');
  });

  test('is canceled at once before it is paid, and asked to stop while its work goes on', () => {
    expect(cancelTask(quoted(), NOW).status.state).toBe('canceled');
    expect(cancelTask(begun(), NOW)).toMatchObject({ isCancelWanted: true, status: { state: 'working' } });
    // The money moved before the work could be stopped: the buyer gets what was bought.
    expect(endPayment(cancelTask(quoted(), NOW), 1, sold, NOW).status.state).toBe('completed');
  });

  test('expires an hour after its last word while it is unpaid, a day after its sale, and soon after any other end', () => {
    expect(computeExpiry(quoted())).toBe(NOW + UNPAID_TASK_MS);
    expect(computeExpiry(begun())).toBe(NOW + LEASE + UNPAID_TASK_MS);
    expect(computeExpiry(endPayment(begun(), 1, sold, NOW))).toBe(NOW + ENDED_TASK_MS);
    expect(computeExpiry(cancelTask(quoted(), NOW))).toBe(NOW + UNSOLD_TASK_MS);
    expect(computeExpiry(changeTaskStatus(quoted(), { state: 'rejected', text: '' }, NOW))).toBe(NOW + UNSOLD_TASK_MS);
  });
});

describe('the tasks of an object', () => {
  const open = () => {
    const at = { nowMs: NOW };
    return { at, book: openTaskBook(openSql(new DatabaseSync(':memory:')), () => at.nowMs) };
  };
  const id = (n: number): string => n.toString(16).padStart(32, '0');

  test('come back as they were changed, until they expire', () => {
    const { at, book } = open();
    expect(book.create(quoted(), '192.0.2.1')).toBe(true);
    expect(book.read(quoted().id)).toEqual(quoted());
    book.change(quoted().id, (task) => begun(task));
    expect(book.read(quoted().id)?.status.state).toBe('working');
    at.nowMs += LEASE + UNPAID_TASK_MS;
    expect(book.read(quoted().id)).toBeUndefined();
    book.forgetExpired();
    expect(book.nextExpiry()).toBeUndefined();
  });

  test('of one network are so many while they are unpaid, and those of others are not counted', () => {
    const { book } = open();
    for (let n = 0; n < MAX_OPEN_TASKS_OF_NETWORK; n += 1) expect(book.create(quoted(id(n)), 'a')).toBe(true);
    expect(book.create(quoted(id(100)), 'a')).toBe(false);
    expect(book.create(quoted(id(101)), 'b')).toBe(true);
    book.change(id(0), (task) => endPayment(begun(task), 1, sold, NOW));
    expect(book.create(quoted(id(102)), 'a')).toBe(true);
  });

  test('that were begun and canceled fill no object: the oldest of them make room, and what was sold stays', () => {
    const { at, book } = open();
    const begin = (n: number, network: string) => book.create(quoted(id(n)), network);
    expect(begin(0, 'buyer')).toBe(true);
    book.change(id(0), (task) => endPayment(begun(task), 1, sold, NOW));
    expect(begin(1, 'other')).toBe(true);
    for (let n = 2; n < MAX_TASKS_OF_SHARD; n += 1) {
      expect(begin(n, 'attacker')).toBe(true);
      book.change(id(n), (task) => cancelTask(task, NOW + n));
    }
    expect(begin(MAX_TASKS_OF_SHARD, 'other')).toBe(true);
    expect([0, 1].map((n) => book.read(id(n))?.status.state)).toEqual(['completed', 'input-required']);
    expect(book.read(id(2))).toBeUndefined();
    expect(book.read(id(MAX_TASKS_OF_SHARD - 1))?.status.state).toBe('canceled');
    at.nowMs += UNSOLD_TASK_MS + MAX_TASKS_OF_SHARD;
    expect(book.read(id(MAX_TASKS_OF_SHARD - 1))).toBeUndefined();
    expect(book.read(id(0))?.status.state).toBe('completed');
  });

  test('that are not there are not changed', () => {
    const { book } = open();
    expect(book.change(id(1), (task) => task)).toBeUndefined();
  });
});
