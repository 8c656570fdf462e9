import { beforeEach, describe, expect, test } from 'vitest';
import type { MonitorAlert } from '../../../src/monitors/core/alert.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { AlertDeliveryResult } from '../../../src/monitors/core/protocol.ts';
import { MAX_MAILS_PER_DAY, MAX_QUESTIONS_PER_DAY } from '../../../src/monitors/receivers/mail-book.ts';
import {
  type AlertOutbox,
  DELIVERY_WAITS_MS,
  MAX_DELIVERY_TRIES,
  MAX_TESTS_PER_DAY,
  openAlertOutbox,
} from '../../../src/monitors/receivers/outbox.ts';
import {
  MAX_DIGEST_ALERTS,
  MAX_MESSAGES_PER_HOUR,
  MAX_SINGLE_ALERTS,
} from '../../../src/monitors/receivers/queue-order.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { email, makeAlert, makeMonitor, MONITOR_ID, NOW_MS, webhook } from './made.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const TAKEN: AlertDeliveryResult = { is: 'taken', outcome: 'http_200' };
const AGAIN: AlertDeliveryResult = { is: 'again', outcome: 'http_500' };

let outbox: AlertOutbox;
let nowMs = NOW_MS;
let monitor: Monitor = makeMonitor();
beforeEach(() => {
  outbox = openAlertOutbox(memorySqlite().sql);
  nowMs = NOW_MS;
  monitor = makeMonitor();
});

const alerts = (first: number, count: number, changes: Partial<MonitorAlert> = {}): MonitorAlert[] =>
  Array.from({ length: count }, (_, at) => makeAlert(first + at, changes));
const accept = (...given: MonitorAlert[]): void => outbox.accept(monitor, given, nowMs);
const list = () => outbox.page(monitor.id, { limit: 1_000 }).items;
const begin = (id: string) => outbox.begin(id, monitor, nowMs);

/** Sends what is due, as the queue would, and moves the clock to what is next, until the time is over. */
function work(
  untilMs: number,
  answer: (kind: string, alertIds: readonly string[]) => AlertDeliveryResult = () => TAKEN,
) {
  const sent: { id: string; atMs: number; kind: string; alerts: number; receiver: string }[] = [];
  for (let rounds = 0; rounds < 5_000; rounds += 1) {
    for (const id of outbox.due(nowMs, 100)) {
      const begun = begin(id);
      if (!begun) continue;
      const { kind, alertIds, receiverId } = begun.delivery;
      sent.push({ id, atMs: nowMs, kind, alerts: alertIds.length, receiver: receiverId });
      expect(outbox.finish(id, begun.attempt, answer(kind, alertIds), nowMs)).toBeDefined();
    }
    const next = outbox.nextDueMs();
    if (next === undefined || next > untilMs) return sent;
    nowMs = Math.max(next, nowMs);
  }
  throw new Error('the outbox never comes to rest');
}

describe('an alert reaches each receiver once', () => {
  test('as a message of its own, and accepted twice it is one', () => {
    monitor = makeMonitor({ receivers: [webhook(), email()] });
    accept(makeAlert(1), makeAlert(2));
    accept(makeAlert(1), makeAlert(2));
    const sent = work(NOW_MS + DAY);
    expect(sent.map(({ receiver, alerts: count }) => [receiver.at(-1), count])).toEqual(
      expect.arrayContaining([
        ['1', 1],
        ['1', 1],
        ['2', 1],
        ['2', 1],
      ]),
    );
    expect(sent).toHaveLength(4);
    expect(list().every(({ state, lastOutcome }) => state === 'delivered' && lastOutcome === 'http_200')).toBe(true);
  });

  test('a doubled queue message begins nothing, and only the attempt that holds it may finish', () => {
    accept(makeAlert(1));
    const [id = ''] = outbox.due(nowMs, 10);
    expect(outbox.due(nowMs, 10)).toEqual([]);
    expect(begin(id)?.attempt).toBe(1);
    expect(begin(id)).toBeUndefined();
    // Its consumer was killed: after the lease another takes it, with the same id.
    nowMs += 10 * MINUTE;
    expect(outbox.due(nowMs, 10)).toEqual([id]);
    expect(begin(id)?.attempt).toBe(2);
    expect(outbox.finish(id, 1, TAKEN, nowMs)).toBeUndefined();
    expect(outbox.finish(id, 2, TAKEN, nowMs)).toBeDefined();
    expect(outbox.finish(id, 2, AGAIN, nowMs)).toBeUndefined();
    expect(list()[0]).toMatchObject({ state: 'delivered', tries: 2 });
  });

  test('what waits while another is under way goes as soon as that has ended', () => {
    accept(makeAlert(1));
    const [first = ''] = outbox.due(nowMs, 10);
    const attempt = begin(first)?.attempt ?? 0;
    accept(makeAlert(2));
    const [second = ''] = outbox.due(nowMs, 10);
    expect(begin(second)).toBeUndefined();
    expect(outbox.due(nowMs, 10)).toEqual([]);
    outbox.finish(first, attempt, TAKEN, nowMs);
    expect(outbox.due(nowMs, 10)).toEqual([second]);
    expect(begin(second)?.attempt).toBe(1);
  });

  test('a queue message that was lost is made again', () => {
    accept(makeAlert(1));
    const [id] = outbox.due(nowMs, 10);
    expect(outbox.nextDueMs()).toBeGreaterThan(nowMs);
    nowMs = outbox.nextDueMs() ?? 0;
    expect(outbox.due(nowMs, 10)).toEqual([id]);
  });

  test('not one that is disabled, removed, a feed, or an address that is not confirmed', () => {
    const feed = { id: 'rcv_f', kind: 'feed', token: 'a'.repeat(32) } as const;
    monitor = makeMonitor({ receivers: [webhook({ disabled: true }), email({ confirmedAtMs: null }), feed] });
    accept(makeAlert(1));
    expect(list()).toEqual([]);
    monitor = makeMonitor();
    accept(makeAlert(1));
    monitor = makeMonitor({ receivers: [] });
    expect(work(NOW_MS + DAY)).toEqual([]);
    expect(list()[0]).toMatchObject({ state: 'dead', lastOutcome: 'receiver_removed' });
  });
});

describe('a digest instead of a storm', () => {
  test('more alerts at once than may wait by themselves', () => {
    accept(...alerts(1, MAX_SINGLE_ALERTS));
    expect(list()).toHaveLength(MAX_SINGLE_ALERTS);
    accept(makeAlert(99));
    expect(list()).toMatchObject([{ kind: 'digest' }]);
    expect(list()[0]?.alertIds).toHaveLength(MAX_SINGLE_ALERTS + 1);
    expect(work(NOW_MS + DAY)).toMatchObject([{ kind: 'digest', alerts: MAX_SINGLE_ALERTS + 1 }]);
  });

  test('more than a digest names is several, and none is lost', () => {
    accept(...alerts(1, MAX_DIGEST_ALERTS + 50));
    const sent = work(NOW_MS + DAY);
    expect(sent.map((each) => each.alerts)).toEqual([MAX_DIGEST_ALERTS, 50]);
    expect(new Set(list().flatMap(({ alertIds }) => alertIds)).size).toBe(MAX_DIGEST_ALERTS + 50);
  });

  test('more messages than an hour may have: the rest is one digest, once the hour is over', () => {
    for (let n = 1; n <= MAX_MESSAGES_PER_HOUR + 4; n += 1) {
      accept(makeAlert(n));
      work(nowMs);
      nowMs += MINUTE;
    }
    const sent = work(NOW_MS + DAY);
    expect(sent).toMatchObject([{ kind: 'digest', alerts: 4, atMs: NOW_MS + HOUR }]);
  });
});

describe('quiet hours', () => {
  beforeEach(() => {
    nowMs = Date.parse('2026-11-25T23:00:00Z');
    monitor = makeMonitor({ quietHours: { from: '22:00', to: '07:00' } });
  });

  test('hold all but what is critical until they end', () => {
    accept(makeAlert(1), makeAlert(2, { severity: 'critical' }), makeAlert(3, { severity: 'info' }));
    expect(work(nowMs + HOUR)).toMatchObject([{ alerts: 1, kind: 'alert' }]);
    const sent = work(nowMs + DAY);
    expect(sent.map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
      '2026-11-26T07:00:00.000Z',
      '2026-11-26T07:00:00.000Z',
    ]);
  });

  test('what came in a night is one digest in the morning', () => {
    for (let hour = 0; hour < 8; hour += 1) {
      accept(makeAlert(hour));
      work(nowMs);
      nowMs += HOUR - 1;
    }
    expect(work(nowMs + DAY)).toMatchObject([{ kind: 'digest', alerts: 8 }]);
  });

  test('hold what is tried again, and what was set after it came', () => {
    monitor = makeMonitor();
    accept(makeAlert(1));
    monitor = makeMonitor({ quietHours: { from: '22:00', to: '07:00' } });
    expect(work(nowMs + DAY).map(({ atMs }) => new Date(atMs).toISOString())).toEqual(['2026-11-26T07:00:00.000Z']);
  });
});

describe('a receiver that does not take it', () => {
  test('is tried with the same id for about three days, then the delivery is dead', () => {
    accept(makeAlert(1));
    const sent = work(NOW_MS + 10 * DAY, () => AGAIN);
    expect(sent).toHaveLength(MAX_DELIVERY_TRIES);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    const lastMs = (sent.at(-1)?.atMs ?? 0) - NOW_MS;
    expect(lastMs).toBeGreaterThan(3 * DAY);
    expect(lastMs).toBeLessThan(3.5 * DAY);
    expect(list()[0]).toMatchObject({ state: 'dead', lastOutcome: 'http_500', nextMs: null });
  });

  test('costs one try at a time however many alerts wait: they become a digest behind it', () => {
    accept(...alerts(1, 3));
    const first = work(NOW_MS + 30_000, () => AGAIN);
    expect(first).toHaveLength(1);
    accept(makeAlert(4));
    const sent = work(NOW_MS + HOUR, (kind) => (kind === 'digest' || nowMs > NOW_MS + 2 * MINUTE ? TAKEN : AGAIN));
    expect(sent.map(({ kind, alerts: count }) => [kind, count])).toEqual([
      ['alert', 1],
      ['alert', 1],
      ['digest', 3],
    ]);
  });

  test('asks for a later time, and gets it', () => {
    accept(makeAlert(1));
    const sent = work(NOW_MS + 2 * HOUR, () => (nowMs === NOW_MS ? { ...AGAIN, afterMs: HOUR } : TAKEN));
    expect(sent.map(({ atMs }) => atMs - NOW_MS)).toEqual([0, HOUR]);
    expect(DELIVERY_WAITS_MS[0]).toBeLessThan(HOUR);
  });

  test('and refuses for good: dead at once, and the receiver is to be disabled', () => {
    accept(makeAlert(1));
    const [id = ''] = outbox.due(nowMs, 10);
    const attempt = begin(id)?.attempt ?? 0;
    const gone: AlertDeliveryResult = { is: 'refused', outcome: 'http_410', disable: true };
    expect(outbox.finish(id, attempt, gone, nowMs)).toEqual({
      monitorId: MONITOR_ID,
      receiverId: webhook().id,
      disable: true,
    });
    expect(list()[0]).toMatchObject({ state: 'dead', lastOutcome: 'http_410' });
  });

  test('its consumer is killed each time: that ends too', () => {
    accept(makeAlert(1));
    let begun = 0;
    for (let n = 0; n < 100; n += 1) {
      for (const id of outbox.due(nowMs, 10)) if (begin(id)) begun += 1;
      nowMs = outbox.nextDueMs() ?? nowMs;
    }
    expect(begun).toBe(MAX_DELIVERY_TRIES);
    expect(list()[0]).toMatchObject({ state: 'dead', lastOutcome: 'interrupted' });
  });
});

describe('what its owner asks for', () => {
  test('a replay goes at once with the same id, in quiet hours too; what waits is not replayed', () => {
    accept(makeAlert(1));
    const id = list()[0]?.id ?? '';
    expect(outbox.replay(monitor, id, nowMs)).toBe(false);
    work(nowMs);
    monitor = makeMonitor({ quietHours: { from: '00:00', to: '23:59' } });
    expect(outbox.replay(monitor, id, nowMs)).toBe(true);
    expect(outbox.replay(makeMonitor({ id: 'mon_b0123456789abcdef0123456' }), id, nowMs)).toBe(false);
    expect(work(nowMs)).toMatchObject([{ id }]);
  });

  test('a test message, once a minute and so many a day', () => {
    expect(outbox.test(monitor, webhook().id, nowMs)).toMatchObject({ kind: 'test', state: 'waiting' });
    expect(outbox.test(monitor, webhook().id, nowMs)).toBe('too_soon');
    expect(outbox.test(monitor, 'rcv_none', nowMs)).toBeUndefined();
    for (let n = 1; n < MAX_TESTS_PER_DAY; n += 1) {
      nowMs += MINUTE;
      expect(outbox.test(monitor, webhook().id, nowMs)).toMatchObject({ kind: 'test' });
    }
    nowMs += MINUTE;
    expect(outbox.test(monitor, webhook().id, nowMs)).toBe('too_soon');
  });

  test('a test of an address that is not confirmed is dead and says why', () => {
    monitor = makeMonitor({ receivers: [email({ confirmedAtMs: null })] });
    expect(outbox.test(monitor, email().id, nowMs)).toMatchObject({
      state: 'dead',
      lastOutcome: 'address_unconfirmed',
    });
    expect(work(NOW_MS + DAY)).toEqual([]);
  });

  test('a list in pages, newest first', () => {
    accept(...alerts(1, 3));
    const first = outbox.page(monitor.id, { limit: 2 });
    const second = outbox.page(monitor.id, { limit: 2, after: first.next ?? '' });
    expect([...first.items, ...second.items].map(({ alertIds }) => alertIds[0]?.at(-1))).toEqual(['3', '2', '1']);
    expect(second.next).toBeNull();
    expect(outbox.page(monitor.id, { limit: 2, after: 'x; drop' }).items).toEqual([]);
  });

  test('and nothing is left of a monitor that is deleted', () => {
    accept(makeAlert(1));
    outbox.forget(monitor.id);
    expect(list()).toEqual([]);
    expect(outbox.nextDueMs()).toBeUndefined();
  });
});

describe('mails', () => {
  test('one that asks an address, once: whatever else, nothing before it confirms', () => {
    monitor = makeMonitor({ receivers: [email({ confirmedAtMs: null })] });
    outbox.requestConfirmation(monitor, email().id, nowMs);
    accept(makeAlert(1));
    expect(work(NOW_MS + 5 * DAY)).toMatchObject([{ kind: 'confirmation' }]);
    const [id = ''] = list()
      .filter(({ state }) => state === 'delivered')
      .map((each) => each.id);
    expect(outbox.replay(monitor, id, nowMs)).toBe(false);
  });

  test('the proofs of one receiver open nothing of another, and neither is good for the use of the other', () => {
    monitor = makeMonitor({ receivers: [email({ confirmedAtMs: null })] });
    outbox.requestConfirmation(monitor, email().id, nowMs);
    const [id = ''] = outbox.due(nowMs, 1);
    const { proofs } = begin(id) ?? {};
    if (!proofs) throw new Error('no proofs');
    expect(outbox.isProof('confirm', MONITOR_ID, email().id, proofs.confirm)).toBe(true);
    expect(outbox.isProof('confirm', MONITOR_ID, email().id, proofs.unsubscribe)).toBe(false);
    expect(outbox.isProof('unsubscribe', MONITOR_ID, 'rcv_other', proofs.unsubscribe)).toBe(false);
    expect(outbox.isProof('unsubscribe', 'mon_other', email().id, proofs.unsubscribe)).toBe(false);
  });

  test('an address that refused is not asked again', () => {
    outbox.refuseAddress('acc_1', 'Ada@Example.com', nowMs);
    monitor = makeMonitor({ receivers: [email({ confirmedAtMs: null })] });
    outbox.requestConfirmation(monitor, email().id, nowMs);
    expect(work(NOW_MS + DAY)).toEqual([]);
    expect(list()[0]).toMatchObject({ state: 'dead', lastOutcome: 'address_refused' });
  });

  test('the same address is asked for a few monitors a day', () => {
    monitor = makeMonitor({ receivers: [email({ confirmedAtMs: null })] });
    for (let n = 0; n <= MAX_QUESTIONS_PER_DAY; n += 1) outbox.requestConfirmation(monitor, email().id, nowMs);
    expect(work(NOW_MS)).toHaveLength(MAX_QUESTIONS_PER_DAY);
    expect(list()[0]).toMatchObject({ state: 'dead', lastOutcome: 'asked_today' });
  });

  test('one that its owner sends again is one more of the day; tried again it is not', () => {
    monitor = makeMonitor({ receivers: [email()] });
    accept(makeAlert(1));
    const tries = [AGAIN, AGAIN];
    work(NOW_MS + HOUR, () => tries.pop() ?? TAKEN);
    const [id = ''] = list().map((one) => one.id);
    for (let mails = 1; mails < MAX_MAILS_PER_DAY; mails += 1) {
      expect(outbox.hasMailRoom(monitor.account, 1, nowMs)).toBe(true);
      expect(outbox.replay(monitor, id, nowMs)).toBe(true);
      expect(work(nowMs)).toHaveLength(1);
    }
    expect(outbox.hasMailRoom(monitor.account, 1, nowMs)).toBe(false);
    expect(outbox.replay(monitor, id, nowMs)).toBe(true);
    expect(work(nowMs)).toEqual([]);
    const tomorrowMs = NOW_MS - (NOW_MS % DAY) + DAY;
    expect(work(tomorrowMs)).toMatchObject([{ id, atMs: tomorrowMs }]);
  });

  test('so many a day an account; what is more waits for the next day as a digest', () => {
    monitor = makeMonitor({ receivers: [email()] });
    // Two an hour are never a storm by themselves.
    nowMs = Date.parse('2026-11-25T00:10:00Z');
    const sent = [];
    for (let n = 1; n <= MAX_MAILS_PER_DAY + 6; n += 1) {
      accept(makeAlert(n));
      sent.push(...work(nowMs));
      nowMs += HOUR / 2;
    }
    expect(sent).toHaveLength(MAX_MAILS_PER_DAY);
    expect(outbox.hasMailRoom('acc_1', 1, nowMs)).toBe(false);
    expect(outbox.hasMailRoom('acc_2', 1, nowMs)).toBe(true);
    expect(work(nowMs + DAY)).toMatchObject([{ kind: 'digest', alerts: 6, atMs: Date.parse('2026-11-26T00:00:00Z') }]);
  });
});
