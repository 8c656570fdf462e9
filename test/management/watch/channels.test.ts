import { beforeEach, describe, expect, test } from 'vitest';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../../../src/management/interfaces/directory/rows.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { readChannelOrder } from '../../../src/management/watch/channel-order.ts';
import { createWatchChannels } from '../../../src/management/watch/channels.ts';
import { readWatchSettings } from '../../../src/management/watch/settings.ts';
import { allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import { CALLER, testTenant, type TestTenant } from '../../support/management/management.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const HOUR_MS = 3_600_000;
const USER_ID = '123456789012345678901';
const WATCH = 'directory.users.watch';
const STOP = 'admin.channels.stop';

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
  const { store } = tenant.context(WATCH);
  store.insert({ collection: COLLECTIONS.domains, parent: '', id: 'side.example', body: {} });
  store.insert({
    collection: COLLECTIONS.domainAliases,
    parent: '',
    id: 'alias.example',
    body: { parentDomainName: 'side.example' },
  });
  const owner = { collection: COLLECTIONS.users, parent: '', id: USER_ID };
  store.insert({ ...owner, body: { primaryEmail: 'ann@example.com' } });
  store.name(DIRECTORY_NAMESPACES.email, 'ann@example.com', owner);
});

const channel = (changes: JsonObject = {}): JsonObject => ({
  id: 'channel-1',
  type: 'web_hook',
  address: 'https://hooks.example.net/push?x=1',
  ...changes,
});
const customer = { customer: 'my_customer' };
const watch = (changes: JsonObject = {}, query: Record<string, string> = customer) =>
  tenant.ok(WATCH, { query, body: channel(changes) });
const refused = (changes: JsonObject, query: Record<string, string> = customer): string =>
  tenant.refused(WATCH, { query, body: channel(changes) });

describe('watch', () => {
  test('answers the channel with its resource and life: two hours where none is asked for', () => {
    expect(watch({ token: 'secret' }, { ...customer, event: 'add' })).toEqual({
      kind: 'api#channel',
      id: 'channel-1',
      resourceId: expect.stringMatching(/^[0-9a-f]{27}$/),
      resourceUri: 'https://control.sightline.test/admin/directory/v1/users?customer=C00000001&event=add&alt=json',
      token: 'secret',
      expiration: String(NOW_MS + 2 * HOUR_MS),
    });
  });

  test.each([
    ['the customer by its id', { customer: 'C00000001' }, 'users?customer=C00000001&alt=json'],
    ['a domain', { domain: 'Side.Example' }, 'users?domain=side.example&alt=json'],
    ['an alias of a domain', { domain: 'alias.example' }, 'users?domain=side.example&alt=json'],
    ['customer and domain', { ...customer, domain: 'side.example' }, 'users?domain=side.example&alt=json'],
  ])('takes %s', (_what, query, path) => {
    expect(watch({}, query)['resourceUri']).toBe(`https://control.sightline.test/admin/directory/v1/${path}`);
  });

  test('the second path does the same', () => {
    const first = watch();
    const second = tenant.ok('directory.users.watchSwapped', { query: customer, body: channel({ id: 'channel-2' }) });
    expect(second).toEqual({ ...first, id: 'channel-2' });
  });

  test('the aliases of a user are watched by any key of the user', () => {
    const answer = tenant.ok('directory.users.aliases.watch', {
      path: { userKey: 'ann@example.com' },
      query: { event: 'delete' },
      body: channel(),
    });
    expect(answer['resourceUri']).toBe(
      `https://control.sightline.test/admin/directory/v1/users/${USER_ID}/aliases?event=delete&alt=json`,
    );
  });

  test('the resource id is the same for the same resource and event, and another for another', () => {
    const ids = [
      watch({ id: 'a' }, { customer: 'my_customer' }),
      watch({ id: 'b' }, { customer: 'C00000001' }),
      watch({ id: 'c' }, { ...customer, event: 'add' }),
      watch({ id: 'd' }, { domain: 'side.example' }),
    ].map(({ resourceId }) => resourceId);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
  });

  test.each<[string, JsonObject]>([
    ['an id of 64 characters', { id: 'i'.repeat(64) }],
    ['a token of 256 characters', { token: 't'.repeat(256) }],
    ['an address of 2,048 characters', { address: `https://hooks.example.net/${'a'.repeat(2_022)}` }],
    ['an address on port 8443', { address: 'https://hooks.example.net:8443/' }],
    ['payload', { payload: true }],
  ])('takes %s', (_what, changes) => {
    expect(watch(changes)['kind']).toBe('api#channel');
  });

  test.each<[string, JsonObject, string]>([
    ['no id', { id: '' }, '400 required: Missing required field: id'],
    ['an id of 65 characters', { id: 'i'.repeat(65) }, '400 invalid: Invalid Input: id'],
    ['an id with a line end', { id: 'a\nb' }, '400 invalid: Invalid Input: id'],
    ['no type', { type: '' }, '400 required: Missing required field: type'],
    ['another type', { type: 'webhook' }, '400 invalid: Invalid Input: type'],
    ['no address', { address: '' }, '400 required: Missing required field: address'],
    ['an address that is none', { address: 'hooks' }, '400 invalid: Invalid Input: address'],
    [
      'an address too long',
      { address: `https://a.example/${'a'.repeat(2_031)}` },
      '400 invalid: Invalid Input: address',
    ],
    ['a password in it', { address: 'https://a:b@hooks.example.net/' }, '400 invalid: Invalid Input: address'],
    [
      'an http address',
      { address: 'http://hooks.example.net/' },
      '400 push.webhookUrlNotHttps: WebHook callback must be HTTPS: http://hooks.example.net/',
    ],
    [
      'F5: http on loopback',
      { address: 'http://127.0.0.1:9000/' },
      '400 push.webhookUrlNotHttps: WebHook callback must be HTTPS: http://127.0.0.1:9000/',
    ],
    [
      'F5: loopback',
      { address: 'https://127.0.0.1/' },
      '400 push.webhookUrlUnauthorized: Unauthorized WebHook callback channel: https://127.0.0.1/',
    ],
    [
      'F5: a metadata address',
      { address: 'https://169.254.169.254/latest' },
      '400 push.webhookUrlUnauthorized: Unauthorized WebHook callback channel: https://169.254.169.254/latest',
    ],
    [
      'F5: a port of no web server',
      { address: 'https://hooks.example.net:22/' },
      '400 push.webhookUrlUnauthorized: Unauthorized WebHook callback channel: https://hooks.example.net:22/',
    ],
    ['a token of 257 characters', { token: 't'.repeat(257) }, '400 invalid: Invalid Input: token'],
    ['a token with a line end', { token: 'a\r\nX: y' }, '400 invalid: Invalid Input: token'],
    ['a life of 0', { params: { ttl: '0' } }, '400 invalid: Invalid Input: params.ttl'],
    ['a negative life', { params: { ttl: -5 } }, '400 invalid: Invalid Input: params.ttl'],
    ['a life in words', { params: { ttl: 'long' } }, '400 invalid: Invalid Input: params.ttl'],
    ['params that are none', { params: 'ttl' }, '400 invalid: Invalid Input: params'],
    ['an expiration that is over', { expiration: String(NOW_MS) }, '400 invalid: Invalid Input: expiration'],
    ['an expiration in words', { expiration: 'tomorrow' }, '400 invalid: Invalid Input: expiration'],
  ])('refuses %s', (_what, changes, words) => {
    expect(refused(changes)).toBe(words);
    expect(watch({ id: 'channel-1' })['id']).toBe('channel-1'); // The refused one took nothing.
  });

  test.each<[string, Record<string, string>, string]>([
    ['neither customer nor domain', {}, '400 invalid: Either customer or domain must be given'],
    ['a foreign customer', { customer: 'C0000other' }, '403 forbidden: Not Authorized to access this resource/api'],
    ['an unknown domain', { domain: 'nowhere.example' }, '404 notFound: Domain not found.'],
    ['an unknown event', { ...customer, event: 'rename' }, '400 invalid: Invalid Input: event'],
  ])('refuses %s', (_what, query, words) => {
    expect(refused({}, query)).toBe(words);
  });

  test('the aliases of nobody, and events that aliases do not have, are refused', () => {
    const path = { userKey: 'ann@example.com' };
    const aliases = 'directory.users.aliases.watch';
    expect(tenant.refused(aliases, { path: { userKey: 'bob@example.com' }, body: channel() })).toBe(
      '404 notFound: Resource Not Found: userKey',
    );
    expect(tenant.refused(aliases, { path, query: { event: 'makeAdmin' }, body: channel() })).toBe(
      '400 invalid: Invalid Input: event',
    );
  });
});

describe('how long a channel lives', () => {
  test.each<[string, JsonObject, number]>([
    ['seconds as text', { params: { ttl: '60' } }, 60_000],
    ['seconds as a number', { params: { ttl: 60 } }, 60_000],
    ['more seconds than the cap of six hours', { params: { ttl: '86400' } }, 6 * HOUR_MS],
    ['a time as text', { expiration: String(NOW_MS + 5_000) }, 5_000],
    ['a time as a number', { expiration: NOW_MS + 5_000 }, 5_000],
    ['a time after the cap', { expiration: String(NOW_MS + 48 * HOUR_MS) }, 6 * HOUR_MS],
    ['a time before the seconds are over', { expiration: NOW_MS + 5_000, params: { ttl: 60 } }, 5_000],
    ['seconds that are over before the time', { expiration: NOW_MS + 90_000, params: { ttl: 60 } }, 60_000],
  ])('%s', (_what, changes, grantedMs) => {
    expect(watch(changes)['expiration']).toBe(String(NOW_MS + grantedMs));
  });
});

describe('ids', () => {
  const taken = '400 channelIdNotUnique: Channel id channel-1 not unique';

  test('an id is refused while its channel is open, after its stop, and after its end', () => {
    const { id, resourceId } = watch({ params: { ttl: 60 } });
    expect(refused({})).toBe(taken);
    tenant.ok(STOP, { body: { id: id ?? '', resourceId: resourceId ?? '' } });
    expect(refused({})).toBe(taken);
    watch({ id: 'short', params: { ttl: 60 } });
    tenant.later(60_001);
    expect(refused({ id: 'short' })).toBe('400 channelIdNotUnique: Channel id short not unique');
  });

  test('another tenant may use the same id', () => {
    watch();
    tenant = testTenant({ id: 'C00000002', mode: 'sandbox', domain: 'other.example' });
    expect(watch()['id']).toBe('channel-1');
  });

  test('after a clear of the channels an id is new again, and nothing waits', () => {
    watch();
    tenant.engine.channels.clear();
    expect(tenant.outbox.claim()).toEqual([]);
    expect(watch()['id']).toBe('channel-1');
  });
});

describe('stop', () => {
  const service = { kind: 'service', userId: 'service-1', clientId: 'client-1' } as const;
  const person = { kind: 'payer', userId: 'person-1', clientId: 'client-1' } as const;
  const forbidden = '403 forbidden: Not Authorized to access this resource/api';

  test.each([
    ['a channel of a person', person, person, 'stopped'],
    ['a channel of a person, by another person of the client', person, { ...person, userId: 'person-2' }, forbidden],
    ['a channel of a person, by another client', person, { ...person, clientId: 'client-2' }, forbidden],
    ['a channel of a service account, by a person of the client', service, person, 'stopped'],
    ['a channel of a service account, by another client', service, { ...service, clientId: 'client-2' }, forbidden],
  ])('%s', (_what, opener, caller, outcome) => {
    const { id = '', resourceId = '' } = tenant.ok(WATCH, { query: customer, body: channel(), caller: opener });
    const answer = tenant.call(STOP, { body: { id, resourceId }, caller });
    expect(answer.ok ? 'stopped' : `${answer.refusal.status} ${answer.refusal.reason}: ${answer.refusal.message}`).toBe(
      outcome,
    );
    expect(tenant.outbox.claim()).toHaveLength(outcome === 'stopped' ? 0 : 1);
  });

  test.each<[string, JsonObject, string]>([
    ['without id', { resourceId: 'x' }, '400 required: Missing required field: id'],
    ['without resource id', { id: 'channel-1' }, '400 required: Missing required field: resourceId'],
    ['an unknown id', { id: 'x', resourceId: 'y' }, "404 notFound: Channel 'x' not found for project 'C00000001'"],
    [
      'a wrong resource id',
      { id: 'channel-1', resourceId: 'y' },
      "404 notFound: Channel 'channel-1' not found for project 'C00000001'",
    ],
  ])('refuses %s', (_what, body, words) => {
    watch();
    expect(tenant.refused(STOP, { body })).toBe(words);
  });

  test.each(['stopped', 'expired'])('a channel that is %s is not found', (how) => {
    const { id = '', resourceId = '' } = watch({ params: { ttl: 60 } });
    if (how === 'stopped') tenant.ok(STOP, { body: { id, resourceId } });
    else tenant.later(60_000);
    expect(tenant.refused(STOP, { body: { id, resourceId } })).toBe(
      "404 notFound: Channel 'channel-1' not found for project 'C00000001'",
    );
  });
});

describe('K8: limits', () => {
  const one = (host: string, id: string) => ({ id, address: `https://${host}/` });

  test('five channels go to one host, and to another host more', () => {
    for (const id of ['1', '2', '3', '4', '5']) watch(one('a.example', id));
    expect(refused(one('A.example:8443', '6'))).toBe('403 limitExceeded: At most 5 channels may be open to one host');
    expect(watch(one('b.example', '7'))['id']).toBe('7');
  });

  test('F5: a host with a dot behind it is the same host', () => {
    for (const id of ['1', '2', '3']) watch(one('a.example', id));
    for (const id of ['4', '5']) watch(one('a.example.', id));
    const words = '403 limitExceeded: At most 5 channels may be open to one host';
    expect([refused(one('a.example', '6')), refused(one('a.example.', '7'))]).toEqual([words, words]);
  });

  test('a channel that has ended makes room', () => {
    for (const id of ['1', '2', '3', '4', '5']) watch({ ...one('a.example', id), params: { ttl: 60 } });
    tenant.later(60_000);
    expect(watch(one('a.example', '6'))['id']).toBe('6');
  });

  test('a hundred channels may be open', () => {
    for (let n = 0; n < 100; n += 1) watch(one(`h${n}.example`, String(n)));
    expect(refused(one('one-more.example', '100'))).toBe('403 limitExceeded: At most 100 channels may be open');
  });
});

test.each([
  ['sandbox', 6],
  ['live', 5],
] as const)(
  'K8: a tenant that is %s may open %i channels to loopback, where its address policy allows that',
  (mode, room) => {
    const { sql } = memorySqlite();
    const channels = createWatchChannels({
      sql,
      tenant: { id: 'C00000001', mode, domain: 'example.com' },
      salt: 'salt',
      settings: readWatchSettings({ CONTROL_URL: 'https://control.sightline.test' }),
      policy: allowLoopbackExcept([8787]),
      now: () => NOW_MS,
      random: () => '0001',
    });
    const openOne = (id: number) =>
      channels.open({
        ...readChannelOrder(channel({ id: String(id), address: 'http://127.0.0.1:9000/' }), channels.rules()),
        watched: 'users',
        scope: '',
        event: '',
        resourceUri: 'x',
        opener: CALLER,
      });
    for (let id = 1; id <= room; id += 1) expect(openOne(id).address).toBe('http://127.0.0.1:9000/');
    if (mode === 'live') expect(() => openOne(6)).toThrow('At most 5 channels may be open to one host');
  },
);

test('a channel that has ended hears nothing more, and nothing is left for it', () => {
  watch({ id: 'short', params: { ttl: 60 } });
  watch({ id: 'long', address: 'https://long.example.net/', params: { ttl: 3_600 } });
  const { channels } = tenant.engine;
  const tell = () =>
    tenant.engine.record([{ watched: 'users', event: 'update', user: { id: '1', primaryEmail: 'a@example.com' } }]);
  const waiting = () =>
    tenant.sql.exec("SELECT channel FROM push WHERE state = 'update' ORDER BY channel, number").toArray();
  tenant.later(59_999);
  tell();
  expect(waiting()).toEqual([{ channel: 'long' }, { channel: 'short' }]);
  tenant.later(1);
  tell();
  expect(waiting()).toEqual([{ channel: 'long' }, { channel: 'long' }, { channel: 'short' }]);
  tenant.later(HOUR_MS);
  channels.hasLeft();
  tell();
  expect(channels.hasLeft()).toBe(false);
});

test('K3: the resources of the tenant hold nothing of a channel', () => {
  watch({ token: 'the-channel-token' });
  const rows = tenant.sql.exec('SELECT json FROM resource').toArray();
  expect(JSON.stringify(rows)).not.toContain('channel');
});
