import { beforeEach, describe, expect, test } from 'vitest';
import { AUDIT_LOG_ID } from '../../../../routes/control/console/act.ts';
import type {
  ConsoleDeskPort,
  DeadMessage,
  InboxCount,
  InboxCounts,
} from '../../../../src/console-api/channel-orders.ts';
import { tokenFor } from '../../../support/workers/control-tokens.ts';
import { deskWith } from '../../../support/workers/test-console-desk.ts';
import { consoleWorld, OPERATOR, signalIn } from './world.ts';
import { call, json } from '../world.ts';

/** Of each test by itself: an isolate remembers tenants and projects, whose registry is emptied between tests. */
let tenant = '';
let project = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  tenant = `C000dead${tests}`;
  project = `dead-${tests}`;
});

const letter = (seq: number): DeadMessage => ({
  seq,
  channel: 'channel-1',
  watch: 'watch-1',
  event: 'update',
  received_at: '2026-11-22T10:00:00.000Z',
  user_id: `user-${seq}`,
  tries: 5,
  last_error: 'webhook:audit: audit answers <b>410</b>',
});

const inboxes = async (): Promise<InboxCounts> => ({
  inboxes: [
    { customer: 'C1', read: true, dead: 0, waiting: 0 },
    { customer: 'C2', read: true, dead: 2, waiting: 0 },
  ],
});

const one = (customer: string, dead: number): InboxCount => ({ customer, read: true, dead, waiting: 0 });

/** Pages of customers, each after the number of the page before. */
const pagesOf =
  (pages: readonly (readonly InboxCount[])[]): ConsoleDeskPort['inboxes'] =>
  async ({ after = '0' }) => {
    const page = Number(after);
    const next = page + 1 < pages.length ? { next: String(page + 1) } : {};
    return { inboxes: pages[page] ?? [], ...next };
  };

type Orders = { messages: unknown[]; replay: unknown[] };

/** A webhook Worker with two dead messages, and what it was asked. */
async function signedIn(answers: Partial<ConsoleDeskPort> = {}) {
  const orders: Orders = { messages: [], replay: [] };
  const CONSOLE_DESK = deskWith({
    inboxes,
    messages: async (order) => {
      orders.messages.push(order);
      return { items: [letter(9), letter(7)], next: '7' };
    },
    replay: async (order) => {
      orders.replay.push(order);
      return { replayed: 2, more: false };
    },
    ...answers,
  });
  const world = consoleWorld({ bindings: { CONSOLE_DESK, OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project } });
  await world.signIn();
  return { ...world, orders };
}
type World = Awaited<ReturnType<typeof signedIn>>;

const REPLAY = '/console/dead-letters/replay';
const REPLAY_ALL = '/console/dead-letters/replay-all';
const PAGE = '/console/dead-letters';

/** Posts fields that may stand more than once, as the browser does. */
const post = (world: World, path: string, fields: readonly (readonly [string, string])[], headers = {}) =>
  world.send(path, {
    method: 'POST',
    body: String(new URLSearchParams(fields.map((pair) => [...pair]))),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: 'null',
      ...headers,
    },
  });

const said = (answer: Response): string | null =>
  new URL(answer.headers.get('location') ?? '', 'https://c.test').searchParams.get('said');

type Audited = { outcome: string; action: string; target: string; operator: string; [more: string]: string };

/** What the audit log has, oldest first, as the operator reads it. */
async function audited(): Promise<readonly Audited[]> {
  const logName = `projects/${project}/logs/${AUDIT_LOG_ID}`;
  const body = { resourceNames: [`projects/${project}`], filter: `logName="${logName}"`, orderBy: 'timestamp asc' };
  const { entries = [] } = await json<{ entries?: { jsonPayload: Audited }[] }>(
    call('/v2/entries:list', { method: 'POST', body, token: tokenFor({ tenant }) }),
  );
  return entries.map(({ jsonPayload }) => jsonPayload);
}

const BEFORE_1970 = ['customer=C1&from=1969-12-31T23:59', 'customer=C1&to=0001-01-01T00:00', 'after=a%20b'];

describe('/console/dead-letters', () => {
  test('shows the dead messages of the first customer that has some: reason, tries, times, as text', async () => {
    const world = await signedIn();
    const page = await (await world.get(PAGE)).text();
    expect(world.orders.messages).toEqual([{ customer: 'C2', limit: 50 }]);
    expect(page).toContain('audit answers &lt;b&gt;410&lt;/b&gt;'); // X8
    expect(page).toContain('2026-11-22 10:00 UTC');
    expect(page).toContain('href="/console/dead-letters?customer=C2&amp;cursor=7"');
    expect(page.match(/type="checkbox"/g)).toHaveLength(2);
    expect(page.match(/<button[^>]*name="only"/g)).toHaveLength(2);
  });

  test('asks for what the filter says, in UTC; what is no filter is told as such', async () => {
    const world = await signedIn();
    const status = async (query: string) => (await world.get(`${PAGE}?${query}`)).status;
    expect(await status('customer=C1&channel=c-1&from=2026-11-22T10:00&to=2026-11-22T11:00:30&cursor=9')).toBe(200);
    expect(await status('customer=C1&channel=&from=&to=')).toBe(200);
    const [fromMs, toMs] = [Date.UTC(2026, 10, 22, 10), Date.UTC(2026, 10, 22, 11, 0, 30)];
    expect(world.orders.messages).toEqual([
      { customer: 'C1', channel: 'c-1', fromMs, toMs, limit: 50, cursor: '9' },
      { customer: 'C1', limit: 50 },
    ]);
    for (const query of [
      'customer=a%20b',
      'customer=C1&from=yesterday',
      'customer=C1&to=1',
      'customer=C1&cursor=-1',
      ...BEFORE_1970,
    ])
      expect([query, await status(query)]).toEqual([query, 400]);
  });

  test('an inbox that did not answer is named, and not called empty', async () => {
    const unread = async (): Promise<InboxCounts> => ({ inboxes: [{ customer: 'C3', read: false }] });
    const world = await signedIn({ inboxes: unread });
    const page = await (await world.get(PAGE)).text();
    expect(page).toContain('the inboxes of C3.');
    expect(page).toContain('No dead message was found.');
    const overview = await (await world.get('/console/')).text();
    expect(signalIn(overview, 'Dead letters')).toMatch(/^Dead letters Could not read/);
  });

  test('has a line in the overview: how many there are, and of how many customers', async () => {
    const lineOf = async (world: World): Promise<string> =>
      signalIn(await (await world.get('/console/')).text(), 'Dead letters');
    expect(await lineOf(await signedIn())).toMatch(/^Dead letters 2 /);
    const beyond = pagesOf([(await inboxes()).inboxes, [{ customer: 'C3', read: true, dead: 40, waiting: 0 }]]);
    expect(await lineOf(await signedIn({ inboxes: beyond }))).toMatch(/^Dead letters 42 /);
    const unread = pagesOf([(await inboxes()).inboxes, [{ customer: 'C3', read: false }]]);
    expect(await lineOf(await signedIn({ inboxes: unread }))).toContain(
      'Dead letters At least 2 To replay Messages that were given up. Could not read 1 of 3 inboxes.',
    );
    const many = pagesOf(Array.from({ length: 9 }, (_, page) => [one(`C${page}`, page === 1 ? 3 : 0)]));
    expect(await lineOf(await signedIn({ inboxes: many }))).toContain('Of the first 5 customers.');
    const late = pagesOf(Array.from({ length: 9 }, (_, page) => [one(`C${page}`, page === 8 ? 3 : 0)]));
    expect(await lineOf(await signedIn({ inboxes: late }))).toContain('Could not read');
  });

  test('leads to further customers, and shows theirs', async () => {
    const world = await signedIn({ inboxes: pagesOf([[one('C1', 0)], [one('C2', 0)], [one('C3', 4)]]) });
    const first = await (await world.get(PAGE)).text();
    expect(first).toContain('No dead message was found.');
    expect(first).toContain('href="/console/dead-letters?after=1"');
    const last = await (await world.get(`${PAGE}?after=2`)).text();
    expect(last).toContain('href="/console/dead-letters?customer=C3&amp;after=2"');
    expect(last).not.toContain('further customers');
    expect(world.orders.messages).toEqual([{ customer: 'C3', limit: 50 }]);
  });
});

describe('K10: the replay of dead letters', () => {
  test('K10: of those that were chosen is done, told on the page, and stands in the audit log', async () => {
    const world = await signedIn();
    const fields = [
      ['csrf', await world.csrf()],
      ['return_to', `${PAGE}?customer=C2&cursor=9`],
      ['customer', 'C2'],
      ['message', '9'],
      ['message', '7'],
    ] as const;
    const done = await post(world, REPLAY, fields);
    expect(world.orders.replay).toEqual([{ customer: 'C2', messages: [9, 7] }]);
    expect(done.status).toBe(303);
    expect(done.headers.get('location')).toMatch(/^\/console\/dead-letters\?customer=C2&said=/);
    expect(said(done)).toBe('2 messages are worked again, with those that go together with them.');
    const known = { action: 'Replay dead letters', target: 'C2 7, 9', messages: '7, 9', operator: OPERATOR.id };
    expect(await audited()).toEqual([
      expect.objectContaining({ ...known, outcome: 'begun' }),
      expect.objectContaining({ ...known, outcome: 'done', replayed: '2', more: 'false' }),
    ]);
  });

  test('K10: of as many as one form may choose stands in the audit log with every number', async () => {
    const world = await signedIn();
    const numbers = Array.from({ length: 100 }, (_, index) => 900_000_000_000_000 + 2 * index);
    const chosen = numbers.map((number) => ['message', String(number)] as const);
    await post(world, REPLAY, [['csrf', await world.csrf()], ['customer', 'C2'], ...chosen]);
    const entries = await audited();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['begun', 'done']);
    for (const entry of entries) {
      const fields = Object.entries(entry).filter(([name]) => /^messages(?:_\d+)?$/.test(name));
      expect(fields.flatMap(([, text]) => text.split(', ').map(Number))).toEqual(numbers);
    }
  });

  test('the button of a row means that row, whatever is ticked', async () => {
    const world = await signedIn();
    const csrf = await world.csrf();
    await post(world, REPLAY, [
      ['csrf', csrf],
      ['customer', 'C2'],
      ['message', '9'],
      ['only', '7'],
    ]);
    expect(world.orders.replay).toEqual([{ customer: 'C2', messages: [7] }]);
  });

  test('K10: of a filter is done as the filter says; that there are more is told', async () => {
    const orders: unknown[] = [];
    const world = await signedIn({
      replay: async (order) => {
        orders.push(order);
        return { replayed: 1_000, more: true };
      },
    });
    const csrf = await world.csrf();
    const fields = { csrf, customer: 'C2', channel: 'c-1', from: '2026-11-22T10:00' };
    const done = await world.form(REPLAY_ALL, fields);
    expect(said(done)).toContain('1000 messages are worked again');
    expect(said(done)).toContain('There are more');
    await world.form(REPLAY_ALL, { csrf, customer: 'C2' });
    expect(orders).toEqual([
      { customer: 'C2', channel: 'c-1', fromMs: Date.UTC(2026, 10, 22, 10) },
      { customer: 'C2' },
    ]);
    expect((await audited()).map(({ outcome, target }) => [outcome, target])).toEqual([
      ['begun', 'C2 c-1 2026-11-22T10:00'],
      ['done', 'C2 c-1 2026-11-22T10:00'],
      ['begun', 'C2'],
      ['done', 'C2'],
    ]);
  });

  const nothing: readonly [string, Record<string, string>, string][] = [
    ['nothing that was chosen', { customer: 'C2' }, 'Nothing was chosen: tick the messages first.'],
    ['nobody’s message', { only: '7' }, 'There are no such dead messages.'],
    ['a number that is none', { customer: 'C2', only: '7 OR 1' }, 'There are no such dead messages.'],
  ];
  test.each(nothing)(
    'of %s asks the webhook Worker for nothing, and stands as refused',
    async (_name, fields, told) => {
      const world = await signedIn();
      const answer = await world.form(REPLAY, { csrf: await world.csrf(), ...fields });
      expect([said(answer), world.orders.replay]).toEqual([told, []]);
      expect((await audited()).map(({ outcome }) => outcome)).toEqual(['begun', 'refused']);
    },
  );

  test('of a filter without a customer, or of times that are none, is refused', async () => {
    const world = await signedIn();
    const csrf = await world.csrf();
    for (const fields of [{}, { customer: 'C2', from: 'x' }, { customer: '' }])
      expect(said(await world.form(REPLAY_ALL, { csrf, ...fields }))).toBe('There are no such dead messages.');
    expect(world.orders.replay).toEqual([]);
  });

  const foreign: readonly [string, Record<string, string>, Record<string, string>][] = [
    ['without Sec-Fetch-Site', {}, { 'sec-fetch-site': '' }],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['without the form’s token', { csrf: '' }, {}],
    ['with a token of another sign-in', { csrf: 'd'.repeat(64) }, {}],
  ];
  test.each(foreign)('K10: %s nothing is replayed, nor written', async (_name, fields, headers) => {
    const world = await signedIn();
    const csrf = await world.csrf();
    for (const path of [REPLAY, REPLAY_ALL]) {
      const refused = await world.form(path, { csrf, customer: 'C2', only: '7', ...fields }, headers);
      expect([path, refused.status]).toEqual([path, 403]);
    }
    expect([world.orders.replay, await audited()]).toEqual([[], []]);
  });

  test('K10: with a sign-in of a quarter of an hour ago nothing is replayed', async () => {
    const world = await signedIn();
    const csrf = await world.csrf();
    await world.age(15);
    expect(await (await world.get(PAGE)).text()).toContain('asks you to sign in again');
    for (const path of [REPLAY, REPLAY_ALL]) {
      const fields = { csrf, customer: 'C2', only: '7', return_to: `${PAGE}?customer=C2` };
      const refused = await world.form(path, fields);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(await refused.text()).toContain('/console/signin?return_to=%2Fconsole%2Fdead-letters%3Fcustomer%3DC2');
    }
    expect([world.orders.replay, await audited()]).toEqual([[], []]);
  });

  test('that broke is told as a failure', async () => {
    const world = await signedIn({ replay: () => Promise.reject(new Error('secret detail')) });
    const failed = await world.form(REPLAY, { csrf: await world.csrf(), customer: 'C2', only: '7' });
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain('secret detail');
    expect((await audited()).map(({ outcome }) => outcome)).toEqual(['begun', 'failed']);
  });
});
