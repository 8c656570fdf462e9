import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { computeChannelToken, parseChannelKeys } from '../../../src/notifications/channels/channel-token.ts';
import { createForgeryLog } from '../../../src/notifications/core/forgeries.ts';
import {
  isGenuine,
  isResourceId,
  buildMessage,
  type Presented,
  readPresentedHeaders,
  parseWatchPath,
} from '../../../src/notifications/core/receive.ts';

const NOW = 1_790_000_000_000;
const CHANNEL = '7d4e3f57-0bd2-4f2b-8a0f-3f8d94f6f0c1';
const PATH = '/notifications/w1';
const KNOWN = { watch: 'w1', acceptsUntilMs: NOW + 3_600_000, subject: 'admin@example.com' };
const KEYS = parseChannelKeys('1:the-first-channel-secret-of-32-characters') ?? [];
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const presented = (changes: Partial<Presented> = {}): Presented => ({
  channel: CHANNEL,
  token: computeChannelToken(CHANNEL, PATH, KEYS),
  resourceId: 'resource-1',
  uri: 'https://admin.googleapis.com/admin/directory/v1/users?domain=example.com',
  number: '236440',
  state: 'update',
  ...changes,
});
const message = (
  changes: Partial<Presented> = {},
  body: Uint8Array | undefined = new Uint8Array(),
  receivedAtMs = NOW,
) => buildMessage(presented(changes), { known: KNOWN, body, receivedAtMs });
const truncated = (changes: Partial<Presented> = {}, receivedAtMs = NOW) =>
  buildMessage(presented(changes), { known: KNOWN, body: undefined, receivedAtMs });

describe('the headers of a notification', () => {
  test('are read with the prefix of the settings, in letters of any size', () => {
    const headers = new Headers({
      'x-vendor-channel-id': CHANNEL,
      'X-VENDOR-CHANNEL-TOKEN': 'token',
      'X-Vendor-Message-Number': '1',
      'X-Vendor-Resource-ID': 'resource-1',
      'X-Vendor-Resource-State': 'sync',
      'X-Vendor-Resource-URI': 'https://example.com/',
      'X-Goog-Channel-ID': 'of another prefix',
    });
    expect(readPresentedHeaders(headers, 'X-Vendor-')).toEqual({
      channel: CHANNEL,
      token: 'token',
      number: '1',
      resourceId: 'resource-1',
      state: 'sync',
      uri: 'https://example.com/',
    });
  });

  test('are empty where they are missing', () => {
    expect(Object.values(readPresentedHeaders(new Headers(), 'X-Goog-'))).toEqual(['', '', '', '', '', '']);
  });

  test('W2: are cut to 2 KiB each', () => {
    const headers = new Headers({
      'X-Goog-Resource-URI': 'u'.repeat(5_000),
      'X-Goog-Resource-State': 's'.repeat(2_049),
    });
    const { uri, state } = readPresentedHeaders(headers, 'X-Goog-');
    expect([uri.length, state.length]).toEqual([2_048, 2_048]);
  });

  test('W2: read "a, b" where they came twice, so that such a token fails', () => {
    const headers = new Headers([
      ['X-Goog-Channel-ID', CHANNEL],
      ['X-Goog-Channel-Token', presented().token],
      ['X-Goog-Channel-Token', presented().token],
    ]);
    const twice = readPresentedHeaders(headers, 'X-Goog-');
    expect(twice.token).toBe(`${presented().token}, ${presented().token}`);
    expect(isGenuine(twice, PATH, KEYS)).toBe(false);
  });
});

describe('W1: a notification is genuine', () => {
  test('with the token of its channel at its path', () => expect(isGenuine(presented(), PATH, KEYS)).toBe(true));

  const signedFor = (channel: string, path: string): Presented =>
    presented({ channel, token: computeChannelToken(channel, path, KEYS) });
  test.each([
    ['without a channel', '', PATH],
    ['with a channel of 65 characters', 'c'.repeat(65), PATH],
    ['at no address', CHANNEL, '/elsewhere/w1'],
    ['at a path of two segments', CHANNEL, '/notifications/w1/w2'],
    ['at a path without a watch', CHANNEL, '/notifications/'],
    ['at a path that is written otherwise', CHANNEL, '/notifications/%77%31'],
    ['at a path that is too long', CHANNEL, `/notifications/${'w'.repeat(65)}`],
  ])('not %s, though somebody signed it', (_, channel, path) => {
    expect(isGenuine(signedFor(channel, path), path, KEYS)).toBe(false);
  });

  test('with a channel of 64 characters', () => {
    expect(isGenuine(signedFor('c'.repeat(64), PATH), PATH, KEYS)).toBe(true);
  });

  test.each([
    [PATH, 'w1'],
    ['/notifications/', ''],
    ['/notifications/a/b', ''],
    ['/other', ''],
  ])('the watch of %s is %j', (path, watch) => expect(parseWatchPath(path)).toBe(watch));

  test.each([
    ['', false],
    ['r', true],
    ['r'.repeat(2_047), true],
    ['r'.repeat(2_048), false],
  ])('W5: a resource id that may be learnt (row %#)', (text, expected) => expect(isResourceId(text)).toBe(expected));
});

describe('W2: the key of a message', () => {
  test.each(['0', '1', '236440', '99999999999999999999', '9007199254740993', '007'])('is its number: %s', (number) => {
    expect(message({ number })).toMatchObject({ key: `n:${number}`, number });
  });

  test.each([
    '',
    '100000000000000000000',
    '-1',
    '1.0',
    '1e3',
    '0x10',
    '1, 1',
    ' 1',
    '１',
    '٣',
    'NaN',
    '1'.repeat(2_048),
  ])('is a hash where the number is %j', (number) => {
    const { key, number: kept } = message({ number }, utf8('{"id":"1"}'));
    expect(key).toMatch(/^h:[0-9a-f]{64}$/);
    expect(kept).toBeNull();
  });

  test('is SHA-256 over the headers and the body, without the token', () => {
    const { channel, resourceId, uri, state } = presented();
    const headers = JSON.stringify([[channel, resourceId, uri, 'x', state], null, false]);
    const expected = createHash('sha256').update(`${headers}\n{"id":"1"}`).digest('hex');
    expect(message({ number: 'x' }, utf8('{"id":"1"}')).key).toBe(`h:${expected}`);
    expect(message({ number: 'x', token: 'another' }, utf8('{"id":"1"}')).key).toBe(`h:${expected}`);
  });

  test('is the same for the same message sent again later', () => {
    const body = utf8('{"id":"1"}');
    expect(message({ number: '' }, body, NOW + 60_000).key).toBe(message({ number: '' }, body).key);
    expect(truncated({ number: 'x' }, NOW + 60_000).key).toBe(truncated({ number: 'x' }).key);
  });

  test.each<[string, Partial<Presented>, string]>([
    ['another body', {}, '{"id":"2"}'],
    ['another state', { state: 'delete' }, '{"id":"1"}'],
    ['another resource', { resourceId: 'r' }, '{"id":"1"}'],
    ['another address of it', { uri: 'u' }, '{"id":"1"}'],
    ['another huge number', { number: '9'.repeat(21) }, '{"id":"1"}'],
    ['a line break between headers and body', { state: 'update\n' }, '{"id":"1"}'],
  ])('differs with %s', (_, changes, body) => {
    const one = message({ number: '', state: 'update' }, utf8('{"id":"1"}')).key;
    expect(message({ number: '', state: 'update', ...changes }, utf8(body)).key).not.toBe(one);
  });

  test('is one of its own for messages without number and body: nothing tells a second change from the first sent again', () => {
    expect(message({ number: '' }, new Uint8Array(), NOW + 1).key).not.toBe(message({ number: '' }).key);
    expect(truncated({ number: '' }, NOW + 1).key).not.toBe(truncated({ number: '' }).key);
  });
});

describe('W2: the body of a message', () => {
  test.each([
    ['{"kind":"admin#directory#user","id":"1112","etag":"\\"a\\"","primaryEmail":"a@example.com"}', '1112'],
    ['{"id":"a"}', 'a'],
    ['  {"id":"a@example.com"}  ', 'a@example.com'],
    [`{"id":"${'9'.repeat(128)}"}`, '9'.repeat(128)],
    ['{"id":"1","id":"2"}', '2'],
    ['{"__proto__":{"id":"1"},"id":"2"}', '2'],
    ['{"id":"..."}', '...'],
  ])('names the user: %s', (text, userId) => {
    expect(message({}, utf8(text))).toMatchObject({ body: 'read', userId, raw: null });
  });

  test.each([
    'no json',
    ' ',
    '\uFEFF{"id":"1"}',
    '{"id":"1"',
    '{}',
    'null',
    '[]',
    '"1"',
    '[{"id":"1"}]',
    '{"id":1}',
    '{"id":null}',
    '{"id":""}',
    '{"id":"a b"}',
    '{"id":"a\\u0000"}',
    '{"id":"\\ud800"}',
    '{"id":"."}',
    '{"id":".."}',
    '{"id":["1"]}',
    '{"ID":"1"}',
    '{"__proto__":{"id":"1"}}',
    `{"id":"${'9'.repeat(129)}"}`,
    '['.repeat(65_536),
    'a\0b',
  ])('that cannot be read is kept as it is (row %#)', (text) => {
    expect(message({}, utf8(text))).toMatchObject({ body: 'undecodable', userId: null, raw: text });
  });

  test('that is no UTF-8 is kept with signs in place of what is broken', () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    expect(message({}, body)).toMatchObject({ body: 'undecodable', raw: '{"��"}' });
  });

  test('that is empty is none', () => {
    expect(message({}, new Uint8Array())).toMatchObject({ body: 'none', userId: null, raw: null });
  });

  test('that is too large leaves the headers', () => {
    expect(truncated()).toEqual({
      channel: CHANNEL,
      watch: 'w1',
      key: 'n:236440',
      number: '236440',
      state: 'update',
      receivedAtMs: NOW,
      userId: null,
      body: 'truncated',
      raw: null,
      acceptsUntilMs: NOW + 3_600_000,
      subject: 'admin@example.com',
    });
  });

  test('says nothing of the state, which is cut to 64 characters', () => {
    expect(message({ state: 's'.repeat(2_048) }).state).toBe('s'.repeat(64));
    expect(message({ state: '' }).state).toBe('');
  });

  test('never fails: 5,000 mutations of a good one', () => {
    const good = utf8('{"kind":"admin#directory#user","id":"1112","etag":"\\"a\\"","primaryEmail":"a@example.com"}');
    const next = random(7);
    const states = new Map<string, number>();
    for (let round = 0; round < 5_000; round += 1) {
      const bytes = mutated(good, next);
      const { body, userId, raw, key } = message({ number: round % 2 === 0 ? '1' : 'x' }, bytes);
      states.set(body, (states.get(body) ?? 0) + 1);
      expect(key).toMatch(/^(?:n:1|h:[0-9a-f]{64})$/);
      expect(userId === null).toBe(body !== 'read');
      expect(raw === null).toBe(body !== 'undecodable');
      if (userId !== null) expect(userId).toMatch(/^[\x21-\x7E]{1,128}$/);
    }
    expect(states.get('read')).toBeGreaterThan(500);
    expect(states.get('undecodable')).toBeGreaterThan(500);
  });
});

/** Numbers from 0 to below 1, the same ones in every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Sets, takes out, doubles or cuts some bytes. */
function mutated(bytes: Uint8Array, next: () => number): Uint8Array {
  const list = [...bytes];
  const below = (limit: number): number => Math.floor(next() * limit);
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const at = below(list.length + 1);
    const kind = below(4);
    if (kind === 0) list.splice(at, 1, below(256));
    else if (kind === 1) list.splice(at, 1);
    else if (kind === 2) list.splice(at, 0, ...list.slice(at, at + 3));
    else if (below(4) === 0) list.length = Math.min(at, list.length);
  }
  return new Uint8Array(list);
}

describe('W9: forged notifications', () => {
  const world = () => {
    const lines: Record<string, unknown>[] = [];
    const clock = { nowMs: NOW };
    return { lines, clock, forgeries: createForgeryLog({ now: () => clock.nowMs, log: (line) => lines.push(line) }) };
  };
  const times = (count: number, work: (round: number) => void) =>
    Array.from({ length: count }, (_, round) => work(round));

  test('are counted, with one log line a minute per source', () => {
    const { lines, clock, forgeries } = world();
    times(500, () => forgeries.count('192.0.2.1'));
    forgeries.count('192.0.2.2');
    clock.nowMs += 59_999;
    forgeries.count('192.0.2.1');
    expect(lines).toEqual([
      { event: 'notifications_forged', source: '192.0.2.1', count: 1 },
      { event: 'notifications_forged', source: '192.0.2.2', count: 1 },
    ]);
    clock.nowMs += 1;
    forgeries.count('192.0.2.1');
    expect(lines.slice(2)).toEqual([{ event: 'notifications_forged', source: '192.0.2.1', count: 501 }]);
  });

  test('of more than 1,000 sources share a line, and none goes uncounted', () => {
    const { lines, clock, forgeries } = world();
    times(5_000, (round) => forgeries.count(`source-${round}`));
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toEqual({ event: 'notifications_forged', source: 'others', count: 1 });
    clock.nowMs += 60_000;
    times(5_000, (round) => forgeries.count(`later-${round}`));
    clock.nowMs += 60_000;
    times(1_000, (round) => forgeries.count(`last-${round}`));
    const counted = lines.reduce((sum, { count }) => sum + Number(count), 0);
    expect(lines.length).toBeLessThan(3_010);
    expect(counted).toBe(11_000);
  });

  test('show a source as text of 45 characters at most', () => {
    const { lines, forgeries } = world();
    forgeries.count('x'.repeat(9_000));
    expect(lines[0]?.['source']).toBe('x'.repeat(45));
  });
});
