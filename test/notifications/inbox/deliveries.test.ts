import { beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/inbox/inbox-state.ts';
import type { UserState } from '../../../src/notifications/sinks/sink.ts';
import { CUSTOMER, GONE, type TestInbox, active, testInbox, userOf } from '../../support/management/inbox.ts';

let inbox: TestInbox;
beforeEach(() => {
  inbox = testInbox();
});

const due = (): Delivery => {
  const [delivery] = inbox.state.claimDeliveries(1);
  if (delivery === undefined) throw new Error('no delivery is due');
  return delivery;
};
const later = { detail: 'answers 503', refused: false };
const never = { detail: 'answers 400', refused: true };

describe('a delivery', () => {
  test('is handed out once, and comes back the same when whoever took it is lost', () => {
    inbox.read('u1', active('u1'));
    const first = due();
    expect(inbox.state.claimDeliveries(10)).toEqual([]);
    inbox.reopen();
    inbox.later(60_000);
    expect(due()).toEqual({ ...first, leasedUntilMs: inbox.now() + 60_000 });
  });

  test('the oldest goes first', () => {
    inbox.read('u1', active('u1'), ['trail', 'hook']);
    inbox.read('u2', active('u2'), ['trail']);
    expect(inbox.tellAll()).toEqual(['trail C01/u1/1', 'hook C01/u1/1', 'trail C01/u2/2']);
  });

  test('its messages are worked once every sink took it', () => {
    inbox.read('u1', active('u1'), ['trail', 'hook']);
    const [trail, hook] = inbox.state.claimDeliveries(10);
    if (trail === undefined || hook === undefined) throw new Error('two deliveries are due');
    inbox.state.delivered(trail);
    inbox.state.delivered(trail);
    expect(inbox.states()).toEqual([[1, 'delivering']]);
    inbox.state.delivered(hook);
    expect(inbox.states()).toEqual([[1, 'worked']]);
    expect(inbox.state.nextDueMs()).toBeUndefined();
  });

  test('that fails comes back after 30, 60, 120 and 240 seconds and is dead with the fifth try, its messages with it', () => {
    inbox.read('u1', active('u1'));
    for (const seconds of [30, 60, 120, 240]) {
      expect(inbox.state.undelivered(due(), later)).toBe('again');
      inbox.later(seconds * 1_000 - 1);
      expect(inbox.state.claimDeliveries(1)).toEqual([]);
      inbox.later(1);
    }
    expect(inbox.state.undelivered(due(), later)).toBe('dead');
    expect(inbox.states()).toEqual([[1, 'dead']]);
    expect(inbox.state.nextDueMs()).toBeUndefined();
  });

  test('that is refused is dead at once; the other sinks are told all the same', () => {
    inbox.read('u1', active('u1'), ['trail', 'hook']);
    inbox.refuse('hook');
    expect(inbox.states()).toEqual([[1, 'dead']]);
    inbox.later(60_000);
    expect(inbox.tellAll()).toEqual(['trail C01/u1/1']);
    expect(inbox.states()).toEqual([[1, 'dead']]);
  });

  test('waits as long as the sink asks', () => {
    inbox.read('u1', active('u1'));
    inbox.state.undelivered(due(), { ...later, retryAfterMs: 90_000 });
    expect(inbox.state.nextDueMs()).toBe(inbox.now() + 90_000);
  });

  test('a late report of a failure counts for nothing once somebody else has booked', () => {
    inbox.read('u1', active('u1'));
    const late = due();
    inbox.later(60_000);
    inbox.state.undelivered(due(), later);
    expect(inbox.state.undelivered(late, never)).toBe('again');
    inbox.later(30_000);
    inbox.state.delivered(due());
    expect(inbox.state.undelivered(late, never)).toBe('again');
    expect(inbox.states()).toEqual([[1, 'worked']]);
  });

  test('a sink that took it late, after it was given up, has taken it', () => {
    inbox.read('u1', active('u1'));
    const delivery = due();
    inbox.state.undelivered(delivery, never);
    inbox.state.delivered(delivery);
    expect(inbox.states()).toEqual([[1, 'worked']]);
    expect(inbox.state.status().dead).toBe(0);
  });

  test('a late report takes nothing away from who is telling it now', () => {
    inbox.read('u1', active('u1'));
    const late = due();
    inbox.later(60_000);
    const current = due();
    inbox.state.delivered(late);
    expect(inbox.state.undelivered(late, never)).toBe('again');
    expect(inbox.states()).toEqual([[1, 'delivering']]);
    expect(inbox.state.undelivered(current, never)).toBe('dead');
  });
});

describe('a newer reading of a user', () => {
  const suspended = (id: string): UserState => ({
    state: 'suspended',
    user: userOf(id, { etag: '"s"', suspended: true }),
  });
  const seenOf = ({ effect }: Delivery): string => (effect.type === 'user' ? effect.seen.state : 'alert');

  test.each([
    { was: 'waits for the sink', die: (): unknown => inbox.state.undelivered(due(), later) },
    { was: 'is dead', die: (): unknown => inbox.state.undelivered(due(), never) },
    { was: 'was claimed by somebody who is lost', die: (): unknown => [due(), inbox.later(60_000)] },
    { was: 'was never tried', die: (): unknown => undefined },
  ])(
    'who is active again: the revocation that $was is told no more, its message is settled, and no replay brings it back',
    ({ die }) => {
      inbox.read('boss', suspended('boss'), ['revocation']);
      die();
      inbox.read('boss', active('boss'), []);
      expect(inbox.states().map(([, state]) => state)).toEqual(['worked', 'worked']);
      inbox.later(5 * 86_400_000);
      expect(inbox.state.replay({})).toEqual({ replayed: 0, more: false });
      expect(inbox.state.claimDeliveries(10)).toEqual([]);
      expect(inbox.state.nextDueMs()).toBeUndefined();
      expect(inbox.countsAreRight()).toBe(true);
    },
  );

  test('supersedes what is not told yet, for each sink by itself; the messages go on with the newer one', () => {
    inbox.read('u1', suspended('u1'), ['revocation', 'hook', 'trail']);
    for (const delivery of inbox.state.claimDeliveries(3))
      if (delivery.sink === 'trail') inbox.state.delivered(delivery);
      else inbox.state.undelivered(delivery, delivery.sink === 'hook' ? never : later);
    expect(inbox.states()).toEqual([[1, 'dead']]);
    inbox.read('u1', active('u1'), ['hook', 'trail']);
    expect(inbox.states().map(([, state]) => state)).toEqual(['delivering', 'delivering']);
    expect(inbox.tellAll()).toEqual(['hook C01/u1/2', 'trail C01/u1/2']);
    expect(inbox.sql.exec('SELECT effect, sink FROM delivery').toArray()).toEqual([]);
    expect(inbox.states().map(([, state]) => state)).toEqual(['worked', 'worked']);
    expect(inbox.countsAreRight()).toBe(true);
  });

  test('that finds what the last one found supersedes nothing', () => {
    inbox.read('u1', suspended('u1'), ['revocation']);
    inbox.state.undelivered(due(), later);
    expect(inbox.read('u1', suspended('u1'), ['revocation'])).toBe('unchanged');
    inbox.later(30_000);
    expect(inbox.tellAll()).toEqual(['revocation C01/u1/1']);
  });

  test('leaves what other users and alerts wait for alone', () => {
    inbox.read('u2', suspended('u2'), ['revocation']);
    inbox.state.raise(CUSTOMER, inbox.alert(), () => ['revocation']);
    inbox.read('u1', suspended('u1'), ['revocation']);
    inbox.read('u1', active('u1'), []);
    expect(inbox.tellAll()).toEqual(['revocation C01/u2/1', 'revocation C01/alert/2']);
  });

  test.each([
    { how: 'is taken', end: (delivery: Delivery): unknown => inbox.state.delivered(delivery) },
    { how: 'fails', end: (delivery: Delivery): unknown => inbox.state.undelivered(delivery, later) },
    { how: 'is refused', end: (delivery: Delivery): unknown => inbox.state.undelivered(delivery, never) },
  ])('waits until what is being told just now $how, which is told no further time', ({ end }) => {
    inbox.read('u1', suspended('u1'));
    const telling = due();
    inbox.read('u1', active('u1'));
    inbox.read('u1', GONE);
    expect(inbox.state.claimDeliveries(10)).toEqual([]);
    end(telling);
    expect(inbox.state.claimDeliveries(10).map(seenOf)).toEqual(['gone']);
    inbox.later(60_000);
    expect(inbox.state.claimDeliveries(10).map(seenOf)).toEqual(['gone']);
    expect(inbox.state.status().dead).toBe(0);
  });

  test('waits no longer than the lease of who is lost', () => {
    inbox.read('u1', suspended('u1'));
    due();
    inbox.read('u1', active('u1'));
    expect(inbox.state.nextDueMs()).toBe(inbox.now() + 60_000);
    inbox.later(60_000);
    expect(inbox.tellAll()).toEqual(['trail C01/u1/2']);
    expect(inbox.state.nextDueMs()).toBeUndefined();
  });

  test('holds up no other sink', () => {
    inbox.read('u1', suspended('u1'), ['trail']);
    due();
    inbox.read('u1', active('u1'), ['hook', 'trail']);
    expect(inbox.tellAll()).toEqual(['hook C01/u1/2']);
  });
});

describe('what died though no message led to it', () => {
  const resynced = (): void => {
    inbox.state.resync(CUSTOMER, { reason: 'daily' });
    const step = inbox.state.claimResync();
    if (step === undefined) throw new Error('no resync');
    inbox.state.listed(step, [], undefined);
  };

  test.each(['read', 'told'])(
    'a user of a resync that cannot be %s: one message stands in for it, and can be replayed',
    (what) => {
      inbox.read('u1', active('u1'));
      inbox.tellAll();
      inbox.later(1);
      resynced();
      if (what === 'read') inbox.starve();
      else {
        inbox.found(inbox.claim(), GONE);
        inbox.refuse('trail');
      }
      const [dead] = inbox.state.messages({ limit: 1 }).items;
      expect(dead).toMatchObject({ channel: 'resync', watch: 'resync', user_id: 'u1', state: 'dead', event: 'resync' });
      expect(inbox.state.replay({ seq: dead?.seq })).toEqual({ replayed: 1, more: false });
      if (what === 'read') inbox.found(inbox.claim(), GONE);
      expect(inbox.tellAll()).toEqual([expect.stringMatching(/^trail C01\/u1\/\d+$/)]);
      expect(inbox.state.status()).toMatchObject({ waiting: 0, delivering: 0, dead: 0 });
    },
  );

  test('a user that dies each day has one such message, not one a day', () => {
    inbox.read('u1', active('u1'), []);
    for (let day = 0; day < 3; day += 1) {
      inbox.later(86_400_000);
      resynced();
      inbox.starve();
    }
    expect(inbox.state.status().dead).toBe(1);
  });
});

describe('an alert', () => {
  const raise = (change = {}, sinks: readonly string[] = ['hook']) =>
    inbox.state.raise(CUSTOMER, inbox.alert(change), () => sinks);

  test('is told once until it is over', () => {
    expect(raise()).toBe(true);
    expect(raise({ detail: 'more' })).toBe(false);
    expect(raise({ subject: 'c2' })).toBe(true);
    inbox.state.over('dead_letter', 'c1');
    inbox.reopen();
    expect(raise()).toBe(true);
    expect(inbox.tellAll()).toEqual(['hook C01/alert/1', 'hook C01/alert/2', 'hook C01/alert/3']);
  });

  test('stands in the status, the oldest first, until it is over', () => {
    raise({ subject: 'c2', raisedAtMs: inbox.now() + 1 });
    raise();
    expect(inbox.state.status().alerts).toEqual([
      { kind: 'dead_letter', subject: 'c1', raised_at: '2026-09-01T00:00:00.000Z', detail: 'one message is dead' },
      { kind: 'dead_letter', subject: 'c2', raised_at: '2026-09-01T00:00:00.001Z', detail: 'one message is dead' },
    ]);
    inbox.state.over('dead_letter', 'c2');
    inbox.state.over('no_sync', 'c1');
    expect(inbox.state.status().alerts.map(({ subject }) => subject)).toEqual(['c1']);
  });

  test('that no sink wants is open all the same', () => {
    expect(raise({}, [])).toBe(true);
    expect(inbox.tellAll()).toEqual([]);
    expect(raise({}, [])).toBe(false);
  });

  test('that a sink refuses is a dead message without a user, and can be replayed', () => {
    raise();
    inbox.refuse('hook');
    expect(inbox.state.messages({ limit: 1 }).items[0]).toMatchObject({ event: 'alert', user_id: null, state: 'dead' });
    inbox.state.replay({});
    expect(inbox.tellAll()).toEqual(['hook C01/alert/1']);
    expect(inbox.state.status().dead).toBe(0);
  });
});
