import { beforeEach, describe, expect, test } from 'vitest';
import { tokenFor } from '../../../support/workers/control-tokens.ts';
import { xssStrings } from '../../../support/audit/xss-strings.ts';
import { consoleWorld, signalIn } from './world.ts';
import { call } from '../world.ts';

/** Of each test by itself: an isolate remembers tenants and projects, whose registry is emptied between tests. */
let tenant = '';
let project = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  tenant = `C0000logs${tests}`;
  project = `logs-${tests}`;
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const agoIso = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

async function write(entries: readonly object[], log = 'sightline-api'): Promise<void> {
  const body = { logName: `projects/${project}/logs/${log}`, resource: { type: 'global' }, entries };
  const written = await call('/v2/entries:write', { method: 'POST', token: tokenFor({ tenant }), body });
  expect(written.status).toBe(200);
}

async function signedIn(bindings: Record<string, unknown> = {}) {
  const world = consoleWorld({ bindings: { OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project, ...bindings } });
  await world.signIn();
  return world;
}

const messagesIn = (page: string): string[] =>
  [...page.matchAll(/<td class="message"><details><summary>(.*?)<\/summary>/gs)].map(([, text = '']) => text);
const linkIn = (page: string, text: string): string =>
  (new RegExp(`href="([^"]*)">${text}<`).exec(page)?.[1] ?? '').replaceAll('&amp;', '&');
const path = (query: Record<string, string>): string => `/console/logs?${new URLSearchParams(query).toString()}`;

describe('the log', () => {
  test('is shown newest first, with severity, log and the trace of an entry', async () => {
    await write([
      { textPayload: 'older', timestamp: agoIso(2) },
      {
        jsonPayload: { event: 'bug' },
        severity: 'ERROR',
        timestamp: agoIso(1),
        trace: `projects/${project}/traces/${TRACE}`,
      },
    ]);
    const answer = await (await signedIn()).get('/console/logs');
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(messagesIn(page)).toEqual(['bug', 'older']);
    expect(page).toContain('<span class="status bad">ERROR</span>');
    expect(page).toContain('<td class="log">sightline-api</td>');
    expect(page).toContain(`<a href="/console/traces/${TRACE}">Trace 4bf92f35</a>`);
  });

  test('is searched by filter, severity, time and request id together', async () => {
    const labels = { request_id: 'r-1' };
    await write([
      { textPayload: 'wanted', severity: 'ERROR', labels, timestamp: agoIso(5) },
      { textPayload: 'wanted, long ago', severity: 'ERROR', labels, timestamp: agoIso(300) },
      { textPayload: 'wanted, of another request', severity: 'ERROR', timestamp: agoIso(5) },
      { textPayload: 'wanted, not severe', labels, timestamp: agoIso(5) },
      { textPayload: 'else', severity: 'ERROR', labels, timestamp: agoIso(5) },
    ]);
    const world = await signedIn();
    const found = async (query: Record<string, string>) => messagesIn(await (await world.get(path(query))).text());
    const all = { filter: 'textPayload:"wanted" -- a comment', severity: 'WARNING', since: 'hour', request: 'r-1' };
    expect(await found(all)).toEqual(['wanted']);
    expect(await found({ ...all, since: '' })).toEqual(['wanted', 'wanted, long ago']);
    expect(await found({ ...all, since: '', order: 'oldest' })).toEqual(['wanted, long ago', 'wanted']);
    expect(await found({ severity: 'ERROR', filter: '-- nothing but a comment' })).toHaveLength(4);
    expect(await found({ filter: 'textPayload="wanted" OR textPayload="else"', severity: 'CRITICAL' })).toEqual([]);
  });

  test('goes on page by page, of a search with a time too', async () => {
    const entries = Array.from({ length: 60 }, (_, at) => ({
      textPayload: `line ${at}`,
      timestamp: agoIso(10 + at / 60),
    }));
    await write(entries);
    const world = await signedIn();
    const first = await (await world.get(path({ since: 'hour' }))).text();
    expect(messagesIn(first)).toEqual(entries.slice(0, 50).map(({ textPayload }) => textPayload));
    const second = await (await world.get(linkIn(first, 'Older entries'))).text();
    expect(messagesIn(second)).toEqual(entries.slice(50).map(({ textPayload }) => textPayload));
    expect(second).not.toContain('Older entries');
    expect(linkIn(second, 'Back to the first page')).toBe('/console/logs?since=hour');
    const other = linkIn(first, 'Older entries').replace('since=hour', 'since=hour&severity=ERROR');
    expect((await world.get(other)).status).toBe(400);
  });

  test.each([
    [{ filter: 'severity>=' }, /Unparseable filter: .* \(line 1, column 11, at its end\)/],
    [{ filter: 'textPayload:"a" AND )x' }, /\(line 1, column 21, at <code>\)x<\/code>\)/],
    [{ filter: 'nofield="a"' }, /Unparseable filter: /],
    [{ filter: `a${' '.repeat(7_000)}` }, /at most 6000 characters/],
    [{ request: 'a" OR "b' }, /A request id has letters/],
  ])('tells what is wrong with %j beside the field, and finds nothing', async (query, said) => {
    await write([{ textPayload: 'there' }]);
    const answer = await (await signedIn()).get(path(query));
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toMatch(said);
    expect(page).toContain('aria-invalid="true"');
    expect(messagesIn(page)).toEqual([]);
    expect(page).not.toContain('No entry matches');
  });

  test('X8: what a log holds is text, and makes no link', async () => {
    const texts = [...xssStrings.slice(0, 40), 'see https://evil.example/ now'];
    await write(
      texts.map((text) => ({ jsonPayload: { message: text, [text.slice(0, 20)]: text }, labels: { a: text } })),
    );
    const page = await (await signedIn()).get('/console/logs').then((answer) => answer.text());
    expect(messagesIn(page).length).toBe(texts.length);
    expect(page).toContain('see https://evil.example/ now');
    expect(page.match(/<(?:script(?! type="module")|iframe|svg|img(?! src="\/web\/))/g)).toBeNull();
    expect(page.match(/<[a-z]+[^>]* (?:href|src|on\w+)="(?!\/|#)/g)).toBeNull();
  });

  test('X8: is saved as CSV and as JSON lines', async () => {
    await write([
      { textPayload: '=HYPERLINK("https://evil.example")', timestamp: agoIso(2) },
      { textPayload: 'two', timestamp: agoIso(1) },
    ]);
    const world = await signedIn();
    const page = await (await world.get('/console/logs')).text();
    const csv = await world.get(linkIn(page, 'CSV'));
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="logs-2.csv"');
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const [head, two, one] = (await csv.text()).split('\r\n');
    expect(head).toMatch(/^timestamp,severity,log,message,/);
    expect(two).toContain(',sightline-api,two,');
    expect(one).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
    const jsonl = await world.get(linkIn(page, 'JSON lines'));
    const lines = (await jsonl.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { textPayload: string }).textPayload)).toEqual([
      'two',
      '=HYPERLINK("https://evil.example")',
    ]);
    expect((await world.get('/console/logs.csv?filter=%29')).status).toBe(400);
  });

  test('X8: a file that lacks some says so by its name', async () => {
    await write(Array.from({ length: 1_000 }, (_, at) => ({ textPayload: `a ${at}` })));
    await write([{ textPayload: 'b' }]);
    const csv = await (await signedIn()).get('/console/logs.csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="logs-first-1000.csv"');
  });

  test('K10: is shown to nobody who is not signed in, nor are its files', async () => {
    const world = consoleWorld({ bindings: { OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project } });
    for (const at of ['/console/logs', '/console/logs.csv', '/console/logs.jsonl'])
      expect([at, (await world.get(at)).status]).toEqual([at, 303]);
  });

  test('K1: is that of the operator’s project, and of no other', async () => {
    await write([{ textPayload: 'ours' }]);
    const elsewhere = {
      logName: `projects/${project}-b/logs/a`,
      resource: { type: 'global' },
      entries: [{ textPayload: 'other' }],
    };
    await call('/v2/entries:write', { method: 'POST', token: tokenFor({ tenant }), body: elsewhere });
    expect(messagesIn(await (await (await signedIn()).get('/console/logs')).text())).toEqual(['ours']);
  });

  test('a deployment that names no project is told so, and not that there are no entries', async () => {
    const answer = await (await signedIn({ OPERATOR_PROJECT: '' })).get('/console/logs');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('names no project for its own logs');
  });

  test('a store that does not answer is no empty log', async () => {
    const ENTRY_STORE = { idFromName: () => '', get: () => ({ run: () => Promise.reject(new Error('no answer')) }) };
    const answer = await (await signedIn({ ENTRY_STORE })).get('/console/logs');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('Could not read');
  });
});

test('the overview counts what needed a person in 24 hours', async () => {
  const tile = async (world: Awaited<ReturnType<typeof signedIn>>) => {
    const page = await (await world.get('/console/')).text();
    return signalIn(page, 'Errors, 24 hours').replace('Errors, 24 hours ', '');
  };
  const world = await signedIn();
  expect(await tile(world)).toBe('0 None Nothing happened that needs a person.');
  await write([
    { textPayload: 'a', severity: 'ERROR', timestamp: agoIso(5) },
    { textPayload: 'b', severity: 'ALERT', timestamp: agoIso(50) },
    { textPayload: 'c', severity: 'ERROR', timestamp: agoIso(25 * 60) },
    { textPayload: 'd', severity: 'WARNING', timestamp: agoIso(5) },
  ]);
  expect(await tile(world)).toMatch(/^2 To look at /);
  await write(Array.from({ length: 250 }, () => ({ textPayload: 'a', severity: 'ERROR', timestamp: agoIso(5) })));
  expect(await tile(world)).toMatch(/^200 or more To look at /);
});
