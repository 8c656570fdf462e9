import { beforeEach, describe, expect, test, vi } from 'vitest';
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
  tenant = `C0traces${tests}`;
  project = `traces-${tests}`;
});

const traceId = (number: number): string => number.toString(16).padStart(32, '0');
const at = (agoMs: number): string => new Date(Date.now() - agoMs).toISOString();

type Sent = {
  trace?: number;
  id: number;
  parent?: number;
  name: string;
  agoMs: number;
  takesMs: number;
  failed?: true;
  labels?: Record<string, string>;
};

async function write(spans: readonly Sent[]): Promise<void> {
  const sent = spans.map(({ trace = 1, id, parent, name, agoMs, takesMs, failed, labels = {} }) => {
    const spanId = id.toString(16).padStart(16, '0');
    const attributes = Object.entries(labels).map(([key, value]) => [key, { stringValue: { value } }]);
    return {
      name: `projects/${project}/traces/${traceId(trace)}/spans/${spanId}`,
      spanId,
      ...(parent === undefined ? {} : { parentSpanId: parent.toString(16).padStart(16, '0') }),
      displayName: { value: name },
      startTime: at(agoMs),
      endTime: at(agoMs - takesMs),
      attributes: { attributeMap: Object.fromEntries(attributes) as Record<string, unknown> },
      ...(failed === true ? { status: { code: 2 } } : {}),
    };
  });
  const options = { method: 'POST', token: tokenFor({ tenant }), body: { spans: sent } };
  const written = await call(`/v2/projects/${project}/traces:batchWrite`, options);
  expect([written.status, await written.json()]).toEqual([200, {}]);
}

async function signedIn(bindings: Record<string, unknown> = {}) {
  const world = consoleWorld({ bindings: { OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project, ...bindings } });
  await world.signIn();
  return world;
}

/** Names of the first spans that a list shows. */
const namesIn = (page: string): string[] =>
  [...page.matchAll(/<td class="message">(.*?)<\/td>/gs)].map(([, text = '']) => text);
/** Of each row of a waterfall: its indentation, name, offset, duration and state. */
const rowsIn = (page: string): string[][] =>
  [...page.matchAll(/<th scope="row" class="span indent-(\d)">.*?<summary>(.*?)<\/summary>.*?<\/th>(.*?)<\/tr>/gs)].map(
    ([, depth = '', name = '', rest = '']) => [
      depth,
      name,
      ...[...rest.matchAll(/<td(?: class="number")?>(.*?)<\/td>/gs)].map(([, cell = '']) =>
        cell.replaceAll(/<[^>]*>/g, ''),
      ),
    ],
  );
const path = (query: Record<string, string>): string => `/console/traces?${new URLSearchParams(query).toString()}`;

describe('the list of traces', () => {
  test('shows the first span of each, newest or slowest first, by filter and time', async () => {
    await write([
      { trace: 1, id: 1, name: 'GET /slow', agoMs: 60_000, takesMs: 2_500, failed: true },
      { trace: 1, id: 2, parent: 1, name: 'fetch', agoMs: 59_000, takesMs: 5 },
      { trace: 2, id: 3, name: 'GET /quick', agoMs: 30_000, takesMs: 12 },
      { trace: 3, id: 4, name: 'GET /old', agoMs: 7_200_000, takesMs: 100 },
    ]);
    const world = await signedIn();
    const page = async (query: Record<string, string> = {}) => (await world.get(path(query))).text();
    const all = await page();
    expect(namesIn(all)).toEqual(['GET /quick', 'GET /slow', 'GET /old']);
    expect(all).toContain('2.50 s');
    expect(all).toContain('<span class="status bad">Failed</span>');
    expect(all).toContain(`<a href="/console/traces/${traceId(1)}">`);
    expect(namesIn(await page({ order: 'slowest' }))).toEqual(['GET /slow', 'GET /old', 'GET /quick']);
    expect(namesIn(await page({ filter: 'latency:50ms' }))).toEqual(['GET /slow', 'GET /old']);
    expect(namesIn(await page({ filter: 'span:fetch' }))).toEqual(['GET /slow']);
    expect(namesIn(await page({ since: 'hour', order: 'slowest' }))).toEqual(['GET /slow', 'GET /quick']);
    expect(await page({ filter: 'root:nothing' })).toContain('No trace matches.');
  });

  test('names a sale by what was bought, what it came to and by whom, over HTTP and over MCP', async () => {
    const sold = { 'http.request.method': 'POST', 'http.response.status_code': '200', 'sightline.payer': '0x12ab' };
    const http = { ...sold, 'sightline.capability': 'full_audit' };
    const mcp = { ...http, 'mcp.method.name': 'tools/call', 'sightline.status': '422' };
    await write([
      { trace: 11, id: 11, name: 'POST full_audit', agoMs: 20_000, takesMs: 5, labels: http },
      { trace: 12, id: 12, name: 'tools/call full_audit', agoMs: 30_000, takesMs: 5, labels: mcp },
    ]);
    const page = await (await (await signedIn()).get(path({}))).text();
    expect(namesIn(page)).toEqual(['POST full_audit 200 0x12ab…', 'tools/call full_audit 422 0x12ab…']);
  });

  test('goes on page by page, of a search with a time too', async () => {
    await write(
      Array.from({ length: 55 }, (_, n) => ({
        trace: n + 1,
        id: n + 1,
        name: `n${n}`,
        agoMs: 60_000 + n * 1_000,
        takesMs: 1,
      })),
    );
    const world = await signedIn();
    const first = await (await world.get(path({ since: 'hour' }))).text();
    expect(namesIn(first)).toHaveLength(50);
    const more = /href="([^"]*)">Older traces</.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(namesIn(await (await world.get(more)).text())).toEqual(['n50', 'n51', 'n52', 'n53', 'n54']);
    expect((await world.get(`${more}&order=slowest`)).status).toBe(400);
  });

  test.each(['latency:soon', '"open', `a${'b'.repeat(2_000)}`])(
    'tells what is wrong with a filter, beside it',
    async (filter) => {
      const answer = await (await signedIn()).get(path({ filter }));
      const page = await answer.text();
      expect(answer.status).toBe(200);
      expect(page).toMatch(/role="alert">(?:Invalid filter|A filter has at most)/);
      expect(page).not.toContain('No trace matches');
    },
  );
});

describe('a trace', () => {
  test('is a waterfall of its spans, with numbers beside the bars', async () => {
    await write([
      { id: 1, name: 'GET /a', agoMs: 10_000, takesMs: 1_000, labels: { 'http.route': '/a' } },
      { id: 2, parent: 1, name: 'fetch', agoMs: 9_800, takesMs: 500 },
      { id: 3, parent: 2, name: 'parse', agoMs: 9_700, takesMs: 0.4, failed: true },
      { id: 4, parent: 99, name: 'queue', agoMs: 9_500, takesMs: 250 },
    ]);
    const answer = await (await signedIn()).get(`/console/traces/${traceId(1)}`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    const rows = rowsIn(page);
    expect(rows.map(([depth, name]) => [depth, name])).toEqual([
      ['0', 'GET /a'],
      ['1', 'fetch'],
      ['2', 'parse'],
      ['0', 'queue'],
    ]);
    expect(rows.map((row) => row.at(-1))).toEqual(['No error', 'No error', 'Failed', 'No error']);
    expect(rows[0]?.slice(2, 4)).toEqual(['0 ms', '1.00 s']);
    expect(page).toContain('Its parent is not in this trace');
    expect(page).toContain('<dt>http.route</dt><dd>/a</dd>');
    expect(page.match(/<rect class="value"/g)).toHaveLength(4);
    const logs = new URLSearchParams({ filter: `trace="projects/${project}/traces/${traceId(1)}"` }).toString();
    expect(page).toContain(`href="/console/logs?${logs}"`);
    expect(page).toMatch(/<a href="\/console\/traces" aria-current="page">/);
  });

  test('of spans that go round in circles is shown whole', async () => {
    await write([
      { id: 1, parent: 2, name: 'a', agoMs: 1_000, takesMs: 10 },
      { id: 2, parent: 1, name: 'b', agoMs: 900, takesMs: 10 },
    ]);
    const page = await (await (await signedIn()).get(`/console/traces/${traceId(1)}`)).text();
    expect(rowsIn(page).map(([depth, name]) => [depth, name])).toEqual([
      ['0', 'a'],
      ['1', 'b'],
    ]);
    expect(page).toContain('It is its own ancestor');
  });

  test('of many spans is drawn in part, and says of how many', async () => {
    await write(
      Array.from({ length: 320 }, (_, n) => ({ id: n + 1, name: `n${n}`, agoMs: 100_000 - n * 10, takesMs: 5 })),
    );
    const page = await (await (await signedIn()).get(`/console/traces/${traceId(1)}`)).text();
    expect(rowsIn(page)).toHaveLength(300);
    expect(page).toContain('The first 300 spans are drawn; 20 are left out.');
  });

  test('X8: what spans say is text', async () => {
    const texts = xssStrings
      .map((text) => text.slice(0, 40))
      .filter((text) => text.includes('<') && text.trim() === text);
    const spans = texts
      .slice(0, 50)
      .map((name, n) => ({ id: n + 1, name, agoMs: 1_000, takesMs: 1, labels: { a: name } }));
    await write(spans);
    const world = await signedIn();
    for (const page of [await world.get('/console/traces'), await world.get(`/console/traces/${traceId(1)}`)]) {
      const text = await page.text();
      expect(text).toContain('&lt;');
      expect(text.match(/<(?:script(?! type="module")|iframe|object|img(?! src="\/web\/))/g)).toBeNull();
      expect(text.match(/<[a-z]+[^>]* (?:href|src|on\w+)="(?!\/|#)/g)).toBeNull();
    }
  });

  test.each(['0', 'x'.repeat(32), '..%2F..%2Fsignout', traceId(7)])(
    'that is not there (%s) is a page that says so',
    async (id) => {
      const answer = await (await signedIn()).get(`/console/traces/${id}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toMatch(/There is no such (?:trace|page)/);
    },
  );

  test('K10: nobody signed in is led to the sign-in, and from there back to it', async () => {
    const world = consoleWorld({ bindings: { OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project } });
    const led = await world.get(`/console/traces/${traceId(1)}`);
    expect([led.status, led.headers.get('location')]).toEqual([
      303,
      `/console/signin?return_to=%2Fconsole%2Ftraces%2F${traceId(1)}`,
    ]);
    const back = await world.signIn({ return_to: `/console/traces/${traceId(1)}` });
    expect(back.headers.get('location')).toBe(`/console/traces/${traceId(1)}`);
  });

  test('X9: neither its id nor a filter gets into the log', async () => {
    const world = await signedIn();
    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await world.get(`/console/traces/${traceId(77)}`);
    await world.get('/console/logs?filter=textPayload%3A%22mark4711%22&request=mark4711');
    const said = lines.mock.calls.map(String).join('\n');
    lines.mockRestore();
    expect(said).not.toContain(traceId(77));
    expect(said).not.toContain('mark4711');
  });
});

test('the overview names the slowest request of the last hour', async () => {
  const tile = async () => {
    const page = await (await (await signedIn()).get('/console/')).text();
    return signalIn(page, 'Slowest request, last hour').replace('Slowest request, last hour ', '');
  };
  expect(await tile()).toBe('0 None No request of others came in the last hour.');
  await write([
    { trace: 1, id: 1, name: 'GET /slow', agoMs: 60_000, takesMs: 2_500 },
    { trace: 2, id: 2, name: 'GET /quick', agoMs: 30_000, takesMs: 12 },
    { trace: 3, id: 3, name: 'GET /old', agoMs: 7_200_000, takesMs: 9_000 },
  ]);
  expect(await tile()).toBe('2.50 s Longest GET /slow');
});
