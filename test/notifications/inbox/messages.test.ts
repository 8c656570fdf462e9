import { beforeEach, describe, expect, test } from 'vitest';
import { CUSTOMER, DAY_MS, GONE, START_MS, type TestInbox, active, testInbox } from '../../support/management/inbox.ts';

let inbox: TestInbox;
beforeEach(() => {
  inbox = testInbox();
});

describe('keep and digest', () => {
  test('messages that are known are kept once', () => {
    const one = inbox.message('u1');
    inbox.keep(one, inbox.message('u2'), one);
    inbox.keep(one);
    expect(inbox.states()).toEqual([
      [1, 'waiting'],
      [2, 'waiting'],
    ]);
  });

  test('a key is unique within its channel only', () => {
    const [one, other] = [inbox.message('u1', { key: 'n:7' }), inbox.message('u1', { key: 'n:7', channel: 'c2' })];
    inbox.keep(one, other);
    expect(inbox.states()).toHaveLength(2);
  });

  test('a duplicate marks nobody', () => {
    const one = inbox.message('u1');
    inbox.keep(one);
    inbox.found(inbox.claim(), active('u1'));
    inbox.keep(one);
    expect(inbox.state.claimUnits(10)).toEqual([]);
  });

  test('many messages of one user are one unit, with each event once', () => {
    inbox.keep(...['add', 'update', 'update'].map((state) => inbox.message('u1', { state })));
    inbox.keep(inbox.message('u1', { state: 'makeAdmin' }));
    expect(inbox.state.claimUnits(10)).toEqual([
      { userId: 'u1', stamp: 4, tries: 0, causes: ['add', 'update', 'makeAdmin'], subject: undefined },
    ]);
  });

  test('an event with line ends or without a name does no harm', () => {
    inbox.keep(inbox.message('u1', { state: 'a\nb' }), inbox.message('u1', { state: '' }));
    inbox.keep(...Array.from({ length: 100 }, (_, at) => inbox.message('u1', { state: `event-${at}` })));
    const [unit] = inbox.state.claimUnits(1);
    expect(unit?.causes[0]).toBe('a b');
    expect(unit?.causes.length).toBeLessThanOrEqual(20);
  });

  test('whom the service account acts for comes from the watch, or else from the last order of a resync', () => {
    inbox.keep(inbox.message('u1', { subject: 'admin@example.com' }), inbox.message('u2'));
    inbox.keep(inbox.message('u1'));
    inbox.state.resync(CUSTOMER, { reason: 'daily', subject: 'other@example.com' });
    expect(inbox.state.claimUnits(10).map(({ userId, subject }) => [userId, subject])).toEqual([
      ['u1', 'admin@example.com'],
      ['u2', 'other@example.com'],
    ]);
  });

  test('a message that names no user is kept with the start of its body, and has everything read again', () => {
    inbox.keep(inbox.message(null, { raw: 'x'.repeat(5_000) }));
    const [kept] = inbox.state.messages({ limit: 1 }).items;
    expect(kept).toMatchObject({ state: 'waiting', user_id: null, body: 'undecodable', raw: 'x'.repeat(4_096) });
    expect(inbox.state.claimResync()).toMatchObject({ order: { reason: 'message_without_user' }, tries: 0 });
  });

  test('the inbox of one customer takes no message of another: that is a bug', () => {
    inbox.keep(inbox.message('u1'));
    expect(() => inbox.state.keep('C02', ['{}'])).toThrow('another customer');
    expect(inbox.state.customer()).toBe(CUSTOMER);
  });

  test('an inbox that nobody wrote to has no customer, nothing to do, and says so', () => {
    expect(inbox.state.customer()).toBeUndefined();
    expect(inbox.state.nextDueMs()).toBeUndefined();
    expect(inbox.state.claimResync()).toBeUndefined();
    expect(inbox.state.prune()).toBe(false);
    expect(inbox.state.replay({})).toEqual({ replayed: 0, more: false });
    expect(inbox.state.messages({ limit: 10, fromMs: 0, toMs: START_MS })).toEqual({ items: [], next: undefined });
    expect(inbox.state.status()).toEqual({
      waiting: 0,
      delivering: 0,
      dead: 0,
      alerts: [],
      resync: null,
      last_resync_at: null,
    });
  });

  test('taking in 500 messages takes at most two statements each, and one text however many there are', () => {
    const queries: string[] = [];
    inbox = testInbox({}, (query) => queries.push(query));
    queries.length = 0;
    inbox.journal(...Array.from({ length: 500 }, (_, at) => inbox.message(`u${at}`)));
    queries.length = 0;
    inbox.digest();
    expect(queries.length).toBeLessThanOrEqual(2 * 500 + 10);
    expect(new Set(queries).size).toBeLessThanOrEqual(10);
  });
});

describe('W3: a channel with too many messages', () => {
  beforeEach(() => {
    inbox = testInbox({ unworkedPerChannel: 2 });
  });

  test('W3: further ones collapse into one resync of the customer and are no rows', () => {
    const many = Array.from({ length: 5 }, (_, at) => inbox.message(`u${at}`));
    for (const message of many) {
      inbox.journal(message);
      expect(inbox.digest()).toEqual(many.indexOf(message) < 2 ? [] : ['c1']);
    }
    expect(inbox.states()).toHaveLength(2);
    expect(inbox.state.status().resync).toMatchObject({ reason: 'messages_collapsed' });
  });

  test('W3: other channels of the customer are not touched by it', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u2'));
    expect(inbox.keep(inbox.message('u3'), inbox.message('u3', { channel: 'c2' }))).toEqual(['c1']);
    expect(inbox.state.messages({ limit: 10, channel: 'c2' }).items).toHaveLength(1);
  });

  test('W3: once messages are worked there is room again', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u2'));
    inbox.found(inbox.claim(), active('u1'), []);
    expect(inbox.keep(inbox.message('u3'), inbox.message('u4'))).toEqual(['c1']);
    expect(inbox.states()).toHaveLength(3);
  });

  test('W3: dead messages take up room until they are worked or gone', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u1'));
    inbox.starve();
    expect(inbox.keep(inbox.message('u1'))).toEqual(['c1']);
    inbox.later(15 * DAY_MS);
    inbox.state.prune();
    expect(inbox.keep(inbox.message('u1'))).toEqual([]);
  });

  test('W3: a message that collapses while a listing runs is covered by a listing that begins after it', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u2'), inbox.message('u3'));
    const step = inbox.state.claimResync();
    if (step === undefined) throw new Error('no resync');
    inbox.keep(inbox.message('u4'));
    inbox.state.listed(step, [], undefined);
    expect(inbox.state.claimResync()?.round).toBeGreaterThan(step.round);
  });
});

describe('W4: a message that comes again', () => {
  const HOUR_MS = 3_600_000;

  test.each([
    { lives: 'a token of six hours', tokenMs: 6 * HOUR_MS, againMs: 6 * HOUR_MS },
    { lives: 'a token whose end nobody knows', tokenMs: undefined, againMs: 8 * DAY_MS - 1 },
    { lives: 'a token of thirty days', tokenMs: 30 * DAY_MS, againMs: 30 * DAY_MS },
  ])('W4: is known as a duplicate as long as $lives lives, worked or dead', ({ tokenMs, againMs }) => {
    const acceptsUntilMs = tokenMs === undefined ? undefined : START_MS + tokenMs;
    const [worked, dead] = [inbox.message('u1', { acceptsUntilMs }), inbox.message('u2', { acceptsUntilMs })];
    inbox.keep(worked);
    inbox.found(inbox.claim(), GONE, []);
    inbox.keep(dead);
    inbox.state.failed(inbox.claim(), { detail: 'once' });
    for (let at = 0; at < 4; at += 1) {
      inbox.later(240_000);
      inbox.state.failed(inbox.claim(), { detail: 'again' });
    }
    inbox.later(START_MS + againMs - inbox.now());
    while (inbox.state.prune());
    const before = inbox.states();
    inbox.keep(worked, dead);
    expect(inbox.states()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  test('W4: a token that claims to live for ever keeps no row for ever', () => {
    inbox.keep(inbox.message('u1', { acceptsUntilMs: Number.MAX_SAFE_INTEGER }));
    inbox.found(inbox.claim(), GONE, []);
    inbox.later(31 * DAY_MS);
    inbox.state.prune();
    expect(inbox.states()).toEqual([]);
  });
});

describe('messages', () => {
  beforeEach(() => {
    for (const at of [0, 1, 2, 3, 4]) {
      inbox.keep(inbox.message(`u${at}`, { channel: at % 2 === 0 ? 'c1' : 'c2' }));
      inbox.later(1_000);
    }
  });
  const seqs = (query: Parameters<TestInbox['state']['messages']>[0]): readonly number[] =>
    inbox.state.messages(query).items.map(({ seq }) => seq);

  test('are listed as operators see them, the newest first', () => {
    expect(inbox.state.messages({ limit: 1 })).toEqual({
      items: [
        {
          seq: 5,
          channel: 'c1',
          watch: 'w1',
          number: '5',
          event: 'update',
          received_at: '2026-09-01T00:00:04.000Z',
          user_id: 'u4',
          body: 'read',
          state: 'waiting',
          tries: 0,
          last_error: null,
        },
      ],
      next: '5',
    });
  });

  test('come page by page', () => {
    const first = inbox.state.messages({ limit: 2 });
    expect(first.next).toBe('4');
    expect(seqs({ limit: 2, cursor: '4' })).toEqual([3, 2]);
    expect(inbox.state.messages({ limit: 2, cursor: '2' })).toMatchObject({ items: [{ seq: 1 }], next: undefined });
  });

  test.each([
    { by: 'channel', query: { channel: 'c2' }, expected: [4, 2] },
    { by: 'state', query: { state: 'worked' as const }, expected: [] },
    { by: 'state and channel', query: { state: 'waiting' as const, channel: 'c1' }, expected: [5, 3, 1] },
    { by: 'a time, from inclusive', query: { fromMs: START_MS + 3_000 }, expected: [5, 4] },
    { by: 'a time, to exclusive', query: { toMs: START_MS + 2_000 }, expected: [2, 1] },
    { by: 'a time that is empty', query: { fromMs: START_MS + 2_001, toMs: START_MS + 2_999 }, expected: [] },
    { by: 'everything', query: { channel: 'c1', fromMs: START_MS + 1, toMs: START_MS + 4_000 }, expected: [3] },
  ])('are narrowed by $by', ({ query, expected }) => {
    expect(seqs({ limit: 10, ...query })).toEqual(expected);
  });

  test.each(['', '0', '-1', '1.5', '1e3', 'x', '9999999999999999'])(
    'a cursor "%s" that is not ours lists nothing',
    (cursor) => {
      expect(inbox.state.messages({ limit: 10, cursor })).toEqual({ items: [], next: undefined });
    },
  );

  test('a time ahead of our clock is cut to it, and times never fall', () => {
    inbox.keep(inbox.message('u8', { receivedAtMs: START_MS + DAY_MS }), inbox.message('u9', { receivedAtMs: 0 }));
    const times = inbox.state.messages({ limit: 2 }).items.map(({ received_at: at }) => at);
    expect(times).toEqual(['2026-09-01T00:00:05.000Z', '2026-09-01T00:00:05.000Z']);
  });

  test('tell tries and why the last one failed while they wait, are delivered, and are dead', () => {
    const first = () => inbox.state.messages({ limit: 10 }).items.at(-1);
    inbox.state.failed(inbox.claim(), { detail: 'answers 503' });
    expect(first()).toMatchObject({ state: 'waiting', tries: 1, last_error: 'answers 503' });
    inbox.later(30_000);
    for (const unit of inbox.state.claimUnits(5)) inbox.found(unit, active(unit.userId));
    const delivery = inbox.state.claimDeliveries(5).find(({ effect }) => effect.id === 'C01/u0/1');
    if (delivery === undefined) throw new Error('no delivery');
    inbox.state.undelivered(delivery, { detail: 'answers 500', refused: false });
    expect(first()).toMatchObject({ state: 'delivering', tries: 1, last_error: 'answers 500' });
    inbox.state.undelivered({ ...delivery, tries: 1 }, { detail: 'answers 400', refused: true });
    expect(first()).toMatchObject({ state: 'dead', tries: 2, last_error: 'trail: answers 400' });
  });
});
