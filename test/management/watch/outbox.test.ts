import { beforeEach, describe, expect, test } from 'vitest';
import type { UserChange } from '../../../src/management/core/engine/tenant.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { PushKey, PushRequest } from '../../../src/management/watch/push-message.ts';
import { testTenant, type TestTenant } from '../../support/management/management.ts';

const WATCH = 'directory.users.watch';
const SECOND_MS = 1_000;
const LEASE_MS = 30_000;
const USER = { id: '123456789012345678901', primaryEmail: 'Ann@Example.com' };

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

type Opening = { query?: Record<string, string>; body?: JsonObject; synced?: boolean };

/** Opens a channel, and has its sync message delivered unless asked otherwise. Returns its id and resource id. */
function open(id: string, { query = { customer: 'my_customer' }, body = {}, synced = true }: Opening = {}) {
  const made = tenant.ok(WATCH, {
    query,
    body: { id, type: 'web_hook', address: `https://${id}.example.net/hook`, ...body },
  });
  if (synced) {
    const [sync] = tenant.outbox.claim();
    if (sync === undefined) throw new Error('no sync message');
    tenant.outbox.take(sync);
    tenant.outbox.pushed(sync, 'delivered');
    tenant.later(SECOND_MS);
  }
  return made;
}

const change = (event: UserChange['event'], user = USER): UserChange => ({ watched: 'users', event, user });
const tell = (times: number, event: UserChange['event'] = 'update'): void => {
  for (let n = 0; n < times; n += 1) tenant.engine.record([change(event)]);
};
const taken = (key: PushKey): PushRequest => {
  const request = tenant.outbox.take(key);
  if (request === undefined) throw new Error('nothing to send');
  return request;
};
/** Takes messages one by one, each delivered before the next. Returns those that might go. */
const delivered = (keys: readonly PushKey[]): readonly PushKey[] =>
  keys.filter((key) => {
    if (tenant.outbox.take(key) === undefined) return false;
    tenant.outbox.pushed(key, 'delivered');
    return true;
  });
const count = (column: string, id: string): unknown =>
  tenant.sql.exec(`SELECT ${column} AS value FROM channel WHERE id = ?`, id).toArray()[0]?.['value'];

describe('what is sent', () => {
  test('the sync message has number 1, every header, and no body', () => {
    const { resourceId, resourceUri } = open('c', { body: { token: 'my token' }, synced: false });
    const [sync] = tenant.outbox.claim();
    expect(sync).toEqual({ tenant: 'C00000001', channelId: 'c', number: 1 });
    expect(taken({ channelId: 'c', number: 1 })).toEqual({
      url: 'https://c.example.net/hook',
      headers: {
        'X-Goog-Channel-ID': 'c',
        'X-Goog-Message-Number': '1',
        'X-Goog-Resource-ID': resourceId,
        'X-Goog-Resource-State': 'sync',
        'X-Goog-Resource-URI': resourceUri,
        'X-Goog-Channel-Expiration': 'Sat, 21 Nov 2026 02:00:00 GMT',
        'X-Goog-Channel-Token': 'my token',
        'Content-Type': 'application/json; charset=UTF-8',
      },
    });
  });

  test('a change is sent with its event, the user, and an entity tag of the message itself', () => {
    open('c');
    tell(2, 'makeAdmin');
    const requests = tenant.outbox.claim().map(taken);
    expect(requests.map(({ headers }) => headers['X-Goog-Resource-State'])).toEqual(['makeAdmin', 'makeAdmin']);
    expect(requests[0]?.headers).not.toHaveProperty('X-Goog-Channel-Token');
    const bodies = requests.map(({ body }) => JSON.parse(body ?? '{}') as Record<string, unknown>);
    expect(bodies[0]).toEqual({
      kind: 'admin#directory#user',
      id: USER.id,
      etag: expect.stringMatching(/^"[0-9a-f]{27}"$/),
      primaryEmail: 'Ann@Example.com',
    });
    expect(bodies[0]?.['etag']).not.toBe(bodies[1]?.['etag']);
  });

  test('numbers grow, and never by one', () => {
    open('c');
    tell(15);
    const numbers = tenant.outbox.claim().map(({ number }) => number);
    const steps = numbers.map((number, at) => number - (numbers[at - 1] ?? 1));
    expect(steps).toHaveLength(15);
    expect(steps.every((step) => step >= 2 && step <= 1_001)).toBe(true);
  });

  test.each<[string, Record<string, string>, UserChange, boolean]>([
    ['all events of the customer', { customer: 'my_customer' }, change('delete'), true],
    ['one event', { customer: 'my_customer', event: 'add' }, change('add'), true],
    ['another event', { customer: 'my_customer', event: 'add' }, change('update'), false],
    ['its domain', { domain: 'example.com' }, change('add'), true],
    ['another domain', { domain: 'example.com' }, change('add', { id: '1', primaryEmail: 'a@sub.example.com' }), false],
    ['aliases', { customer: 'my_customer' }, { watched: 'aliases', event: 'add', user: USER }, false],
  ])('who watches %s', (_what, query, told, isTold) => {
    open('c', { query });
    tenant.engine.record([told]);
    expect(tenant.outbox.claim()).toHaveLength(isTold ? 1 : 0);
  });
});

describe('what comes of it', () => {
  beforeEach(() => {
    open('c');
    tell(1);
  });

  test('a message that arrived is done with', () => {
    const [key] = tenant.outbox.claim();
    if (key === undefined) throw new Error('no message');
    taken(key);
    expect(tenant.outbox.pushed(key, 'delivered')).toBeUndefined();
    expect(tenant.outbox.nextWakeMs()).toBeUndefined();
    expect(tenant.outbox.take(key)).toBeUndefined();
    expect(count('queued', 'c')).toBe(0);
  });

  test('a message that failed is lost, and the next ones go on', () => {
    const [key] = tenant.outbox.claim();
    if (key === undefined) throw new Error('no message');
    taken(key);
    expect(tenant.outbox.pushed(key, 'failed')).toBeUndefined();
    expect(tenant.outbox.take(key)).toBeUndefined();
    expect(count('lost', 'c')).toBe(1);
    tell(1);
    expect(tenant.outbox.claim()).toHaveLength(1);
  });

  test('a message is sent ten times at most, with waits that double', () => {
    const [key] = tenant.outbox.claim();
    if (key === undefined) throw new Error('no message');
    const waits: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      taken(key);
      const wait = tenant.outbox.pushed(key, 'retry');
      waits.push(wait);
      tenant.later((wait ?? 0) * SECOND_MS);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, undefined]);
    expect(tenant.outbox.take(key)).toBeUndefined();
    expect(count('lost', 'c')).toBe(1);
  });

  test('a message that the queue brings twice is sent once, and is one attempt', () => {
    const [key] = tenant.outbox.claim();
    if (key === undefined) throw new Error('no message');
    taken(key);
    tenant.later(LEASE_MS - 1);
    expect(tenant.outbox.take(key)).toBeUndefined();
    expect(tenant.outbox.nextWakeMs()).toBe(tenant.engine.realNow() + 1);
    tenant.later(1);
    expect(tenant.outbox.claim()).toEqual([key]);
    taken(key);
    expect(tenant.outbox.pushed(key, 'retry')).toBe(2);
  });

  test('a message that is back with the queue is sent again', () => {
    const [key] = tenant.outbox.claim();
    if (key === undefined) throw new Error('no message');
    taken(key);
    tenant.outbox.pushed(key, 'retry');
    expect(taken(key).headers['X-Goog-Message-Number']).toBe(String(key.number));
  });

  test('a message of which nothing is heard is handed out again', () => {
    const [first] = tenant.outbox.claim();
    expect(tenant.outbox.claim()).toEqual([]);
    tenant.later(LEASE_MS - 1);
    expect(tenant.outbox.claim()).toEqual([]);
    tenant.later(1);
    expect(tenant.outbox.claim()).toEqual([first]);
  });

  test('what the queue did not take is due again after five seconds', () => {
    const messages = tenant.outbox.claim();
    tenant.outbox.unclaim(messages);
    expect(tenant.outbox.nextWakeMs()).toBe(tenant.engine.realNow() + 5_000);
    tenant.later(5_000);
    expect(tenant.outbox.claim()).toEqual(messages);
  });

  test('a channel that has expired or is stopped sends no more', () => {
    const { resourceId = '' } = open('d');
    tell(1);
    const keys = tenant.outbox.claim();
    expect(keys.map(({ channelId }) => channelId)).toEqual(['c', 'd']);
    tenant.ok('admin.channels.stop', { body: { id: 'd', resourceId } });
    tenant.later(2 * 3_600_000);
    expect(keys.map((key) => tenant.outbox.take(key))).toEqual([undefined, undefined]);
    tell(1);
    expect(tenant.outbox.claim()).toEqual([]);
    expect(tenant.outbox.nextWakeMs()).toBeUndefined();
  });
});

describe('K8: a channel is no cannon', () => {
  test('20 messages go out in a second', () => {
    open('c');
    tell(45);
    const rounds: number[] = [];
    for (let second = 0; second < 4; second += 1) {
      rounds.push(delivered(tenant.outbox.claim()).length);
      expect(tenant.outbox.claim()).toEqual([]);
      tenant.later(SECOND_MS);
    }
    expect(rounds).toEqual([20, 20, 5, 0]);
  });

  test('the object comes back for the rest when the second is over', () => {
    open('c');
    tell(21);
    tenant.outbox.claim();
    expect(tenant.outbox.nextWakeMs()).toBe(tenant.engine.realNow() + SECOND_MS);
  });

  test('messages that come back from the queue all at once are spread too', () => {
    open('c');
    tell(40);
    const first = tenant.outbox.claim();
    tenant.later(SECOND_MS);
    const keys = [...first, ...tenant.outbox.claim()];
    expect(delivered(keys)).toHaveLength(20);
    tenant.later(SECOND_MS);
    expect(tenant.outbox.claim()).toHaveLength(20);
  });

  test('1,000 messages wait; further ones are refused and counted, and the first ones stay', () => {
    open('c');
    tell(1_003);
    expect([count('queued', 'c'), count('refused', 'c')]).toEqual([1_000, 3]);
    const [first] = tenant.outbox.claim();
    expect(first?.number).toBeLessThan(1_003);
  });

  test('50 messages of a tenant go to one host in a second, over all its channels', () => {
    for (const id of ['1', '2', '3', '4']) open(id, { body: { address: `https://one.example.net/${id}` } });
    tell(20);
    expect(delivered(tenant.outbox.claim())).toHaveLength(50);
  });

  test('after 20 failures in a row a channel pauses; one message finds out whether it works again', () => {
    open('c');
    tell(30);
    for (const key of tenant.outbox.claim()) {
      taken(key);
      tenant.outbox.pushed(key, 'failed');
    }
    tenant.later(SECOND_MS);
    expect(tenant.outbox.claim()).toEqual([]);
    expect(tenant.outbox.nextWakeMs()).toBe(tenant.engine.realNow() - SECOND_MS + 60_000);
    tenant.later(59_000);
    const probes = tenant.outbox.claim();
    expect(probes).toHaveLength(1);
    for (const key of probes) {
      taken(key);
      tenant.outbox.pushed(key, 'retry');
    }
    tenant.later(119_000);
    expect(tenant.outbox.claim()).toEqual([]); // Twice as long after a probe that failed.
    tenant.later(1_000);
    for (const key of tenant.outbox.claim()) {
      taken(key);
      tenant.outbox.pushed(key, 'delivered');
    }
    expect(tenant.outbox.claim()).toHaveLength(9);
  });

  test('messages that were with the queue when their channel paused wait with it', () => {
    open('c');
    tell(20);
    const keys = tenant.outbox.claim();
    tell(1);
    tenant.later(SECOND_MS);
    const [late] = tenant.outbox.claim();
    for (const key of keys) {
      taken(key);
      tenant.outbox.pushed(key, 'failed');
    }
    expect(late && tenant.outbox.take(late)).toBeUndefined();
    tenant.later(60_000);
    expect(tenant.outbox.claim()).toEqual([late]);
  });

  test('one message that arrives ends the count of failures', () => {
    open('c');
    for (let round = 0; round < 3; round += 1) {
      tell(15);
      for (const [at, key] of tenant.outbox.claim().entries()) {
        taken(key);
        tenant.outbox.pushed(key, at === 14 ? 'delivered' : 'failed');
      }
      tenant.later(SECOND_MS);
    }
    tell(1);
    expect(tenant.outbox.claim()).toHaveLength(1);
  });
});

describe('K8: a receiver that keeps us waiting', () => {
  const state = ({ channelId, number }: PushKey) => `${channelId} ${number}`;

  test('is sent two messages at a time; the others come when one of them is through', () => {
    open('c');
    tell(5);
    const keys = tenant.outbox.claim();
    const going = keys.filter((key) => tenant.outbox.take(key) !== undefined);
    expect(going).toEqual(keys.slice(0, 2));
    expect(tenant.outbox.nextWakeMs()).toBe(tenant.engine.realNow() + SECOND_MS);
    tenant.later(SECOND_MS);
    for (const key of going) tenant.outbox.pushed(key, 'delivered');
    expect(delivered(tenant.outbox.claim())).toEqual(keys.slice(2));
    expect(tenant.outbox.nextWakeMs()).toBeUndefined();
  });

  test('a tenant has ten messages on their way at a time, over all its channels', () => {
    for (let n = 0; n < 6; n += 1) open(`c${n}`);
    tell(2);
    const keys = tenant.outbox.claim();
    const going = keys.filter((key) => tenant.outbox.take(key) !== undefined);
    expect([keys.length, going.length]).toEqual([12, 10]);
    tenant.outbox.pushed(going[0] ?? { channelId: '', number: 0 }, 'delivered');
    expect(tenant.outbox.take(keys[11] ?? { channelId: '', number: 0 })).toBeDefined();
  });

  test('what the queue did not take does not count', () => {
    open('c');
    tell(3);
    const [key] = tenant.outbox.claim();
    if (key === undefined) throw new Error('no message');
    taken(key);
    tenant.later(LEASE_MS);
    tenant.outbox.pushed(key, 'failed');
    const messages = tenant.outbox.claim();
    expect(messages).toHaveLength(2);
    tenant.outbox.unclaim(messages);
    tenant.later(5_000);
    expect(tenant.outbox.claim()).toEqual(messages);
  });

  test('what is on its way to a channel that is stopped does not count', () => {
    const opened = Array.from({ length: 6 }, (_, n) => open(`c${n}`));
    tell(2);
    const going = tenant.outbox.claim();
    expect(going.filter((key) => tenant.outbox.take(key) !== undefined)).toHaveLength(10);
    const { id = '', resourceId = '' } = opened[0] ?? {};
    tenant.ok('admin.channels.stop', { body: { id, resourceId } });
    expect(going.slice(10).filter((key) => tenant.outbox.take(key) !== undefined)).toHaveLength(2);
  });

  test('those on their way of which nothing is heard do not count for ever', () => {
    open('c');
    tell(4);
    expect(tenant.outbox.claim().filter((key) => tenant.outbox.take(key) !== undefined)).toHaveLength(2);
    tenant.later(LEASE_MS);
    expect(tenant.outbox.claim().filter((key) => tenant.outbox.take(key) !== undefined)).toHaveLength(2);
  });

  test.each(['slow', 'failed', 'retry'] as const)(
    'after an answer that is %s a channel has two messages out at most',
    (outcome) => {
      open('c');
      tell(1);
      for (const key of tenant.outbox.claim()) {
        taken(key);
        tenant.outbox.pushed(key, outcome);
      }
      tell(10);
      const keys = tenant.outbox.claim();
      expect(keys).toHaveLength(2);
      tenant.later(SECOND_MS);
      expect(tenant.outbox.claim()).toEqual([]);
      expect(delivered(keys)).toHaveLength(2);
      expect(tenant.outbox.claim()).toHaveLength(8);
    },
  );

  test('a tenant has ten messages out at most to all receivers that keep it waiting', () => {
    const ids = Array.from({ length: 7 }, (_, n) => `c${n}`);
    for (const id of ids) open(id);
    tell(1);
    for (const key of tenant.outbox.claim()) {
      taken(key);
      tenant.outbox.pushed(key, 'slow');
    }
    open('good');
    tell(5);
    const keys = tenant.outbox.claim();
    expect(keys.filter(({ channelId }) => channelId === 'good')).toHaveLength(5);
    expect(keys).toHaveLength(15);
  });

  test('pauses after 20 slow answers in a row: none of them is lost, and a slow probe pauses longer', () => {
    open('c');
    tell(22);
    tenant.later(SECOND_MS);
    const seen: string[] = [];
    for (let second = 0; seen.length < 20; second += 1) {
      for (const key of tenant.outbox.claim()) {
        taken(key);
        expect(tenant.outbox.pushed(key, 'slow')).toBeUndefined();
        seen.push(state(key));
      }
      tenant.later(SECOND_MS);
    }
    expect(new Set(seen).size).toBe(20);
    expect([count('lost', 'c'), count('queued', 'c')]).toEqual([0, 2]);
    expect(tenant.outbox.claim()).toEqual([]);
    tenant.later(60_000);
    for (const key of tenant.outbox.claim()) {
      taken(key);
      tenant.outbox.pushed(key, 'slow');
    }
    tenant.later(60_000);
    expect(tenant.outbox.claim()).toEqual([]);
    tenant.later(60_000);
    expect(delivered(tenant.outbox.claim())).toHaveLength(1);
  });
});

describe('K9: however many messages wait', () => {
  test('no statement reads all of them', () => {
    const queries = new Set<string>();
    tenant = testTenant(undefined, (query) => queries.add(query));
    open('c');
    queries.clear();
    tell(3);
    const keys = tenant.outbox.claim();
    tenant.outbox.unclaim(keys);
    tenant.outbox.nextWakeMs();
    for (const [at, key] of keys.entries()) {
      taken(key);
      tenant.outbox.pushed(key, at === 0 ? 'retry' : 'delivered');
    }
    const plans = [...queries].flatMap((query) =>
      tenant.sql
        .exec(`EXPLAIN QUERY PLAN ${query}`, ...(query.match(/\?/g) ?? []).map(() => ''))
        .toArray()
        .map(({ detail }) => String(detail)),
    );
    expect(plans.filter((detail) => detail.includes('push')).length).toBeGreaterThan(5);
    expect(
      plans.filter((detail) => /^SCAN (?:push|p|f)\b|^SEARCH push USING PRIMARY KEY \(channel=\?\)$/.test(detail)),
    ).toEqual([]);
  });
});
