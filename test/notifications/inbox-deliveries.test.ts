import { beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/notifications/inbox-port.ts';
import { CUSTOMER, GONE, type TestInbox, active, testInbox } from '../support/inbox.ts';

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
    expect(due()).toEqual(first);
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

  test('dead ones stay dead when the user is read again', () => {
    inbox.read('u1', active('u1'));
    inbox.refuse('trail');
    inbox.read('u1', active('u1', '2'));
    inbox.tellAll();
    expect(inbox.states()).toEqual([
      [1, 'dead'],
      [2, 'worked'],
    ]);
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
