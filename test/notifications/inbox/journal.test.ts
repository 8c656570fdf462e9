import { beforeEach, describe, expect, test } from 'vitest';
import { buildMessage } from '../../../src/notifications/core/receive.ts';
import { CUSTOMER, DAY_MS, GONE, START_MS, type TestInbox, active, testInbox } from '../../support/management/inbox.ts';

let inbox: TestInbox;
let queries: string[] = [];
beforeEach(() => {
  inbox = testInbox({}, (query) => queries.push(query));
  queries = [];
});

const rows = () => inbox.sql.exec('SELECT count, messages FROM journal ORDER BY n').toArray();
const many = (length: number) => Array.from({ length }, (_, at) => inbox.message(`u${at}`));

describe('keep', () => {
  test('writes one row for many messages and asks nothing, but for the first time', () => {
    inbox.journal(inbox.message('u1'));
    queries = [];
    expect(inbox.journal(...many(500))).toEqual(Array.from({ length: 500 }, () => 'kept'));
    expect(queries).toEqual(['INSERT INTO journal (count, messages) VALUES (?, ?)']);
    expect(rows().map(({ count }) => count)).toEqual([1, 500]);
  });

  test('a message waits from then on, and there is something to do now', () => {
    inbox.journal(inbox.message('u1'));
    expect(inbox.state.status()).toMatchObject({ waiting: 1 });
    expect(inbox.state.nextDueMs()).toBe(inbox.now());
    expect(inbox.state.customer()).toBe(CUSTOMER);
  });

  test('what is kept is there when the object dies right after, in its order', () => {
    inbox.journal(inbox.message('u1', { subject: 'admin@example.com' }), inbox.message('u2'));
    inbox.journal(inbox.message('u1', { state: 'delete' }));
    inbox.reopen();
    expect(inbox.state.status()).toMatchObject({ waiting: 3 });
    expect(inbox.state.digest()).toEqual({ digested: 3, collapsed: [], more: false });
    expect(inbox.state.claimUnits(10).map(({ userId, causes, subject }) => [userId, causes, subject])).toEqual([
      ['u1', ['update', 'delete'], 'admin@example.com'],
      ['u2', ['update'], undefined],
    ]);
  });

  test('no row holds more than an object may write, whatever the bodies are', () => {
    const odd = '\u0000\uD800\u4E2D'.repeat(30_000);
    inbox.journal(...Array.from({ length: 100 }, () => inbox.message(null, { raw: odd })));
    const bytes = rows().map(({ messages }) => new TextEncoder().encode(String(messages)).length);
    expect(Math.max(...bytes)).toBeLessThan(2_000_000);
    inbox.digest();
    const { items } = inbox.state.messages({ limit: 200 });
    expect(items).toHaveLength(100);
    expect(items[0]?.raw).toHaveLength(4_096);
  });

  test('W3: a journal that nobody digests takes so many messages, and a resync stands in for the others', () => {
    inbox = testInbox({ unworkedPerChannel: 3 });
    expect(inbox.journal(...many(2))).toEqual(['kept', 'kept']);
    expect(inbox.journal(...many(2))).toEqual(['kept', 'collapsed']);
    inbox.reopen();
    expect(inbox.journal(...many(1))).toEqual(['collapsed']);
    expect(inbox.state.status()).toMatchObject({ waiting: 3, resync: { reason: 'messages_collapsed' } });
    inbox.digest();
    expect(inbox.journal(...many(1))).toEqual(['kept']);
  });

  test('a write that fails keeps nothing and counts nothing', () => {
    inbox.journal(inbox.message('u1'));
    inbox.sql.exec('ALTER TABLE journal RENAME TO lost');
    expect(() => inbox.journal(...many(2))).toThrow('journal');
    inbox.sql.exec('ALTER TABLE lost RENAME TO journal');
    expect(inbox.state.status()).toMatchObject({ waiting: 1 });
    expect(inbox.state.digest()).toEqual({ digested: 1, collapsed: [], more: false });
  });
});

describe('digest', () => {
  test('does nothing with an empty journal, and asks nothing', () => {
    expect(inbox.state.digest()).toEqual({ digested: 0, collapsed: [], more: false });
    expect(queries).toEqual([]);
  });

  test('takes in whole rows, a bounded number of messages at a time, the oldest first', () => {
    inbox = testInbox({ digestMessages: 3 });
    for (const length of [2, 1, 1, 5]) inbox.journal(...many(length));
    expect(inbox.state.digest()).toEqual({ digested: 3, collapsed: [], more: true });
    expect(inbox.state.digest()).toEqual({ digested: 1, collapsed: [], more: true });
    expect(inbox.state.digest()).toEqual({ digested: 5, collapsed: [], more: false });
    expect(inbox.state.messages({ limit: 10 }).items.map(({ number }) => number)).toEqual([
      '9',
      '8',
      '7',
      '6',
      '5',
      '4',
      '3',
      '2',
      '1',
    ]);
  });

  test('counts a message that is known, and marks nobody for it', () => {
    const one = inbox.message('u1');
    inbox.keep(one);
    inbox.found(inbox.claim(), active('u1'));
    inbox.journal(one);
    expect(inbox.state.digest()).toEqual({ digested: 1, collapsed: [], more: false });
    expect(inbox.state.claimUnits(10)).toEqual([]);
  });

  test('has a user read again for a second message of the same words, which has no number: it is no further row', () => {
    const [first, second] = [inbox.message('u1', { key: 'h:1', number: null }), inbox.message('u1', { key: 'h:1' })];
    inbox.keep(first);
    inbox.found(inbox.claim(), active('u1'), []);
    inbox.keep(second);
    expect(inbox.found(inbox.claim(), GONE)).toBe('told');
    expect(inbox.tellAll()).toEqual(['trail C01/u1/2']);
    expect(inbox.states()).toEqual([[1, 'worked']]);
    inbox.keep(inbox.message('u2'));
    expect(inbox.states().map(([seq]) => seq)).toEqual([1, 3]);
    expect(inbox.countsAreRight()).toBe(true);
  });

  test('orders a resync for a second one that names no user', () => {
    for (let at = 0; at < 2; at += 1) {
      inbox.keep(inbox.message(null, { key: 'h:1', number: null }));
      const step = inbox.state.claimResync();
      if (step === undefined) throw new Error('no resync');
      inbox.state.listed(step, [], undefined);
    }
    expect(inbox.states()).toEqual([[1, 'worked']]);
  });

  test('one that fails leaves the journal as it was', () => {
    inbox.journal(...many(2));
    inbox.sql.exec('ALTER TABLE unit RENAME TO lost');
    expect(() => inbox.state.digest()).toThrow('unit');
    inbox.sql.exec('ALTER TABLE lost RENAME TO unit');
    expect(inbox.states()).toEqual([]);
    expect(inbox.state.digest()).toEqual({ digested: 2, collapsed: [], more: false });
    expect(inbox.countsAreRight()).toBe(true);
  });

  test('W3: names each channel without room once', () => {
    inbox = testInbox({ unworkedPerChannel: 2 });
    inbox.keep(...many(2));
    inbox.journal(inbox.message('u1'), inbox.message('u2'));
    expect(inbox.state.digest()).toEqual({ digested: 2, collapsed: ['c1'], more: false });
  });
});

describe('a reading that began before', () => {
  test('covers no message that was digested after it began, also one that was kept before', () => {
    inbox.keep(inbox.message('u1'));
    inbox.journal(inbox.message('u1', { state: 'delete' }));
    const unit = inbox.claim();
    inbox.journal(inbox.message('u1', { state: 'undelete' }));
    inbox.digest();
    inbox.found(unit, GONE, []);
    expect(inbox.states().map(([, state]) => state)).toEqual(['worked', 'waiting', 'waiting']);
    expect(inbox.claim()).toMatchObject({ userId: 'u1', causes: ['delete', 'undelete'] });
  });

  test('covers none that is digested after it ended', () => {
    inbox.keep(inbox.message('u1'));
    const unit = inbox.claim();
    inbox.journal(inbox.message('u1'));
    inbox.found(unit, GONE, []);
    inbox.digest();
    expect(inbox.claim().stamp).toBeGreaterThan(unit.stamp);
  });

  test('a listing covers no riddle that was digested after it began', () => {
    inbox.journal(inbox.message(null));
    inbox.state.resync(CUSTOMER, { reason: 'daily' });
    const step = inbox.state.claimResync();
    if (step === undefined) throw new Error('no resync');
    inbox.digest();
    inbox.state.listed(step, [], undefined);
    expect(inbox.states().map(([, state]) => state)).toEqual(['waiting']);
    expect(inbox.state.claimResync()?.round).toBeGreaterThan(step.round);
  });
});

test('W4: what a channel of thirty days brought outlives its token, and names whom it acts for', () => {
  const presented = { channel: 'c1', token: '', resourceId: 'r1', uri: '', number: '7', state: 'update' };
  const acceptsUntilMs = START_MS + 30 * DAY_MS;
  const known = { watch: 'w1', acceptsUntilMs, subject: 'admin@example.com' };
  const body = new TextEncoder().encode('{"id":"u1"}');
  const message = buildMessage(presented, { known, body, receivedAtMs: START_MS });
  inbox.keep(message);
  const unit = inbox.claim();
  expect(unit).toMatchObject({ userId: 'u1', subject: 'admin@example.com' });
  inbox.found(unit, GONE, []);
  inbox.later(30 * DAY_MS);
  while (inbox.state.prune());
  inbox.keep(message);
  expect(inbox.states()).toEqual([[1, 'worked']]);
  inbox.later(3_600_001);
  while (inbox.state.prune());
  expect(inbox.states()).toEqual([]);
});
