import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';
import {
  ADDRESS,
  FIRST_KEY,
  genuine,
  keeps,
  known,
  knows,
  notify,
  REMOVED_KEY,
  SECOND_KEY,
  signed,
  statingId,
  USER_BODY,
  WATCH,
  WEBHOOK_URL,
} from './world.ts';

const FORGERIES = 10_000;
const AT_ONCE = 50;
const MINUTE_MS = 60_000;

let logs: string[] = [];

beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  resetScript();
});

/** All that an answer tells, but for the request's own id. */
async function told(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id');
  return JSON.stringify([
    answer.status,
    headers.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    await answer.text(),
  ]);
}

const FORGED = JSON.stringify([
  401,
  [
    ['cache-control', 'no-store'],
    ['content-type', 'application/problem+json'],
    ['ratelimit-policy', '"operator";q=600;w=60'],
    ['www-authenticate', 'Channel-Token realm="notifications"'],
    ['x-content-type-options', 'nosniff'],
  ],
  '{"type":"/problems/forged_notification","title":"None of our channels sends this","status":401,"code":"forged_notification"}',
]);

type Changes = Record<string, string>;
type Forgery = { headers: HeadersInit; path?: string; body?: string | null };

describe('W1: every forgery has the same answer', () => {
  const channel = known();
  const other = known({ id: crypto.randomUUID(), watch: 'w2' });
  const dead = known({ acceptsUntilMs: Date.now() - 1 });
  const { id } = channel;
  const token = signed(id);
  const without = (name: string): Changes => {
    const { [name]: _, ...rest } = genuine(id);
    return rest;
  };
  const twice = (name: string, value: string): Headers => {
    const headers = new Headers(genuine(id));
    headers.append(name, value);
    return headers;
  };

  const TOKEN = 'X-Goog-Channel-Token';
  const stated = statingId();
  const restated = (change: (parts: string[]) => string[]): { headers: Changes } => ({
    headers: genuine(change(stated.split('-')).join('-'), { [TOKEN]: signed(stated) }),
  });

  const rows: [string, Forgery][] = [
    ['no headers', { headers: {} }],
    ['no body either', { headers: {}, body: null }],
    ['no token', { headers: without('X-Goog-Channel-Token') }],
    ['no channel', { headers: without('X-Goog-Channel-ID') }],
    ['an empty token', { headers: genuine(id, { 'X-Goog-Channel-Token': '' }) }],
    ['the token of another channel', { headers: genuine(id, { 'X-Goog-Channel-Token': signed(other.id) }) }],
    [
      'the token for another path',
      { headers: genuine(id, { 'X-Goog-Channel-Token': signed(id, '/notifications/w2') }) },
    ],
    ['the channel of another token', { headers: genuine(id, { 'X-Goog-Channel-ID': other.id }) }],
    ['another known path', { headers: genuine(id), path: '/notifications/w2' }],
    ['an unknown path', { headers: genuine(id), path: '/notifications/nothing-here' }],
    ['a path without a watch', { headers: genuine(id), path: '/notifications/' }],
    ['the path above', { headers: genuine(id), path: '/notifications' }],
    ['a path of two segments', { headers: genuine(id), path: `${ADDRESS}/more` }],
    ['a slash at the end', { headers: genuine(id), path: `${ADDRESS}/` }],
    ['a path that is written otherwise', { headers: genuine(id), path: '/notifications/%771a2b3c4d5e6f708' }],
    ['swapped keys', { headers: genuine(id, { 'X-Goog-Channel-Token': token.replace('v2.', 'v1.') }) }],
    [
      'swapped keys the other way',
      { headers: genuine(id, { 'X-Goog-Channel-Token': signed(id, ADDRESS, FIRST_KEY).replace('v1.', 'v2.') }) },
    ],
    ['a removed key', { headers: genuine(id, { 'X-Goog-Channel-Token': signed(id, ADDRESS, REMOVED_KEY) }) }],
    ['a token twice', { headers: twice('X-Goog-Channel-Token', token) }],
    ['a channel twice', { headers: twice('X-Goog-Channel-ID', id) }],
    ['headers of another prefix', { headers: { 'X-Vendor-Channel-ID': id, 'X-Vendor-Channel-Token': token } }],
    ['a token in the query', { headers: without('X-Goog-Channel-Token'), path: `${ADDRESS}?token=${token}` }],
    ['a token as bearer', { headers: { ...without('X-Goog-Channel-Token'), authorization: `Bearer ${token}` } }],
    ['a channel of 65 characters', { headers: signedLong('c'.repeat(65)) }],
    ['a token of 60,000 characters', { headers: genuine(id, { 'X-Goog-Channel-Token': token.padEnd(60_000, 'A') }) }],
    [
      'a channel whose id says that it is over',
      { headers: genuine(statingId({ acceptsUntilMs: Date.now() - MINUTE_MS })) },
    ],
    ['an id that states another customer', restated((parts) => parts.with(2, 'C00000002'))],
    ['an id that states a later end', restated((parts) => parts.with(1, 'zzzzzz'))],
    ['an id that states nothing any more', restated((parts) => parts.slice(0, 1))],
    ['an id that states what no one signed', restated(([own = '']) => [own.replaceAll(/[a-f]/g, '0'), '283qaj', 'C1'])],
    ['the token of another channel, with its customer', { headers: genuine(stated, { [TOKEN]: signed(statingId()) }) }],
    ['the token for another path, with its customer', { headers: genuine(stated), path: '/notifications/w2' }],
    [
      'a removed key, with its customer',
      { headers: genuine(stated, { [TOKEN]: signed(stated, ADDRESS, REMOVED_KEY) }) },
    ],
    ['no resource id, with its customer', { headers: genuine(stated, { 'X-Goog-Resource-ID': '' }) }],
  ];
  /** Of these the token is good: the registry says that they are forged. */
  const asked: [string, Forgery][] = [
    ['a channel that nobody opened', { headers: genuine(crypto.randomUUID()) }],
    ['a dead channel', { headers: genuine(dead.id) }],
    ['a channel of another watch', { headers: genuine(other.id) }],
    ['no resource id', { headers: without('X-Goog-Resource-ID') }],
    ['another resource id', { headers: genuine(id, { 'X-Goog-Resource-ID': 'resource-2' }) }],
    ['a resource id twice', { headers: twice('X-Goog-Resource-ID', 'resource-1') }],
    ['a resource id in other letters', { headers: genuine(id, { 'X-Goog-Resource-ID': 'Resource-1' }) }],
    ['a long resource id', { headers: genuine(id, { 'X-Goog-Resource-ID': 'resource-1'.padEnd(5_000, 'x') }) }],
    [
      'a sync of a channel that nobody opened',
      { headers: genuine(crypto.randomUUID(), { 'X-Goog-Resource-State': 'sync' }) },
    ],
  ];

  test.each(rows)('%s; and no object is asked', async (_, { headers, ...more }) => {
    knows(channel, other, dead);
    expect(await told(await notify(headers, more))).toBe(FORGED);
    expect(script.asked).toEqual([]);
  });

  test.each(asked)('W5: %s; nothing is kept', async (_, { headers, ...more }) => {
    knows(channel, other, dead);
    const keep = keeps();
    expect(await told(await notify(headers, more))).toBe(FORGED);
    expect(keep).not.toHaveBeenCalled();
    expect(script.asked).not.toContain('inbox.getByName');
  });

  test('and a good one is still taken, so that these fail for their reason', async () => {
    knows(channel, other, dead);
    keeps();
    expect((await notify(genuine(id))).status).toBe(200);
    expect((await notify(genuine(id, { 'X-Goog-Channel-Token': signed(id, ADDRESS, FIRST_KEY) }))).status).toBe(200);
  });

  test('each answer has an id of its own', async () => {
    const ids = [await notify({}), await notify({})].map((answer) => answer.headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
  });
});

const signedLong = (channel: string): Changes => ({ ...genuine(channel), 'X-Goog-Channel-Token': signed(channel) });

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

/** What a text is turned into, by the class of its bytes. */
const mutations: Readonly<Record<string, (text: string, below: (limit: number) => number) => string>> = {
  deletion: (text, below) => spliced(text, below(text.length), 1, ''),
  case: (text, below) => {
    const at = below(text.length);
    const letter = text.charAt(at);
    return spliced(text, at, 1, letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
  },
  appended: (text, below) => `${text}${'A0-_=. ,\t'.charAt(below(9))}x`,
  prepended: (text, below) => `${'v0.-='.charAt(below(5))}${text}`,
  digit: (text, below) => spliced(text, below(text.length), 1, String(below(10))),
  letter: (text, below) => spliced(text, below(text.length), 1, String.fromCodePoint(65 + below(58))),
  sign: (text, below) => spliced(text, below(text.length), 1, `!"#$%&'()*+,-./:;<=>?@[]^_{|}~`.charAt(below(30))),
  control: (text, below) => spliced(text, below(text.length), 1, String.fromCodePoint(below(32))),
  nul: (text, below) => spliced(text, below(text.length + 1), 0, '\0'),
  high: (text, below) => spliced(text, below(text.length), 1, String.fromCodePoint(128 + below(128))),
  wide: (text, below) => spliced(text, below(text.length), 1, 'Аｖ２٢'.charAt(below(4))),
  cut: (text, below) => text.slice(0, below(text.length)),
  doubled: (text) => `${text}${text}`,
  listed: (text) => `${text}, ${text}`,
  reversed: (text) => text.split('').toReversed().join(''),
  long: (text, below) => text.padEnd([64, 65, 255, 256, 257, 2_047, 2_048, 2_049, 16_000][below(9)] ?? 0, 'A'),
  empty: () => '',
  swapped: (text, below) => spliced(spliced(text, below(text.length), 1, text.charAt(0)), 0, 1, text.charAt(5)),
};

const spliced = (text: string, at: number, count: number, put: string): string =>
  `${text.slice(0, at)}${put}${text.slice(at + count)}`;

/** Classes whose headers the runtime warns about, each in a line: most of these stand in paths. */
const WARNED = ['high', 'wide'];

/** What a forger can get wrong. The last: whatever is not signed may be anything besides. */
const SIGNED = ['X-Goog-Channel-ID', 'X-Goog-Channel-Token', 'path'] as const;
const UNSIGNED = ['X-Goog-Message-Number', 'X-Goog-Resource-State', 'X-Goog-Resource-URI', 'X-Goog-Resource-ID'];

type Made = { path: string; headers: Headers; body: string | null; mutation: string };

/** A forgery; undefined for one that HTTP does not carry, or that means the same as the genuine notification. */
function forge(id: string, next: () => number): Made | undefined {
  const below = (limit: number): number => Math.floor(next() * limit);
  const names = Object.keys(mutations);
  const mutation = names[below(names.length)] ?? '';
  const mutate = (text: string): string => mutations[mutation]?.(text, below) ?? '';
  const place = WARNED.includes(mutation) && next() < 0.95 ? 'path' : (SIGNED[below(SIGNED.length)] ?? 'path');
  const fields = genuine(id, next() < 0.5 ? {} : { 'X-Goog-Channel-Token': signed(id, ADDRESS, FIRST_KEY) });
  const before = { ...fields };
  if (place !== 'path') fields[place] = mutate(fields[place] ?? '');
  const unsigned = UNSIGNED[below(8)];
  if (unsigned !== undefined && !WARNED.includes(mutation)) fields[unsigned] = mutate(fields[unsigned] ?? '');
  const path = place === 'path' ? `/notifications/${mutate(WATCH)}` : ADDRESS;
  const body = [USER_BODY, null, '', 'x'.repeat(100)][below(4)] ?? null;
  try {
    const headers = new Headers(fields);
    const isMissing = place !== 'path' && next() < 0.02;
    if (isMissing) headers.delete(place);
    const { pathname } = new URL(path, WEBHOOK_URL);
    const isSame = SIGNED.every((name) =>
      name === 'path' ? pathname === ADDRESS : headers.get(name) === before[name],
    );
    return isSame ? undefined : { path, headers, body, mutation };
  } catch {
    return undefined; // Headers cannot hold such a value.
  }
}

test(`W1: of ${FORGERIES} mutated forgeries none is accepted, all have one answer, and no object is asked`, async () => {
  const channel = known();
  const stating = known({ id: statingId() });
  const lookup = knows(channel, stating);
  const keep = keeps();
  const next = random(20_261_121);
  const answers = new Map<string, number>();
  const seen = new Map<string, number>();
  let sent = 0;
  while (sent < FORGERIES) {
    const batch: Made[] = [];
    while (batch.length < AT_ONCE) {
      const made = forge(batch.length % 2 === 0 ? channel.id : stating.id, next);
      if (made !== undefined) batch.push(made);
    }
    const tellings = await Promise.all(
      batch.map(async ({ path, headers, body }) => told(await notify(headers, { path, body }))),
    );
    for (const [place, telling] of tellings.entries()) {
      const mutation = batch[place]?.mutation ?? '';
      answers.set(telling, (answers.get(telling) ?? 0) + 1);
      seen.set(mutation, (seen.get(mutation) ?? 0) + 1);
    }
    sent += batch.length;
  }
  expect([...answers]).toEqual([[FORGED, FORGERIES]]);
  expect({ asked: script.asked, lookups: lookup.mock.calls, kept: keep.mock.calls }).toEqual({
    asked: [],
    lookups: [],
    kept: [],
  });
  // Every class was there: those that HTTP carries only in a path too.
  expect([...seen.keys()].toSorted()).toEqual(Object.keys(mutations).toSorted());
  expect(Math.min(...seen.values())).toBeGreaterThan(50);
  expect((await notify(genuine(channel.id))).status).toBe(200);
}, 120_000);

test('W9: forgeries are counted, with one log line a minute per source that holds nothing of what was sent', async () => {
  const startMs = Date.now() + 3_600_000; // The Worker remembers sources from other tests.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
  const forgedBy = (source?: string) =>
    notify({
      ...genuine('forged-channel', { 'X-Goog-Channel-Token': SECOND_KEY }),
      ...(source === undefined ? {} : { 'CF-Connecting-IP': source }),
    });
  for (let round = 0; round < 30; round += 1) await forgedBy('192.0.2.7');
  await forgedBy('2001:db8::7');
  clock.mockReturnValue(startMs + 60_000);
  await forgedBy('192.0.2.7');
  const lines = logs.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toEqual([
    { event: 'notifications_forged', source: '192.0.2.7', count: 1 },
    { event: 'notifications_forged', source: '2001:db8::7', count: 1 },
    { event: 'notifications_forged', source: '192.0.2.7', count: 30 },
  ]);
});
