import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { hasMarkdownPreference, startSites, type Sites } from '../../../local/sites/sites.ts';

const MODERN = '2026-07-28';
const MODERN_HEADERS = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
let sites: Sites;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${sites.good}${path}`, { headers });

test('every URL of the sitemap and every link of llms.txt, and every link of those pages, answers 200 with content', async () => {
  const listed = [await links('/sitemap.xml', /<loc>([^<]+)</g), await links('/llms.txt', /\]\(([^)]+)\)/g)].flat();
  expect(listed.length).toBeGreaterThan(10);
  const linked = (await Promise.all(listed.map((url) => links(new URL(url).pathname, /href="([^"#]+)"/g)))).flat();
  const own = [...listed, ...linked]
    .map((url) => new URL(url, sites.good))
    .filter(({ origin }) => origin === sites.good);
  for (const url of new Set(own.map(({ pathname }) => pathname)))
    expect([url, (await get(url)).status]).toEqual([url, 200]);
});

async function links(path: string, pattern: RegExp): Promise<string[]> {
  const text = await (await get(path)).text();
  expect(text).not.toContain('{{');
  return [...text.matchAll(pattern)].map(([, url]) => url ?? '');
}

test.each(['/', '/how-it-works', '/setup', '/faq', '/developers', '/about'])(
  'the JSON-LD of %s parses and its own references resolve',
  async (path) => {
    const html = await (await get(path)).text();
    const graph = z
      .object({ '@graph': z.array(z.looseObject({})) })
      .parse(JSON.parse(/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''));
    const text = JSON.stringify(graph);
    const ids = new Set(graph['@graph'].map((node) => node['@id']));
    for (const [, id] of text.matchAll(/\{"@id":"([^"]+)"\}/g)) expect(ids).toContain(id);
  },
);

test.each([
  '/nothing',
  '/404',
  '/setup/',
  '/../package.json',
  '/%2e%2e/package.json',
  '/.well-known/absent',
  '/constructor',
])('%s is a real 404', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test.each([
  ['text/markdown, text/html;q=0.5', true],
  ['text/markdown', true],
  ['text/html;q=0.9, text/markdown;q=1.0', true],
  ['text/html', false],
  ['text/html, text/markdown;q=0.5', false],
  ['text/markdown;q=0, text/html', false],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  ['*/*', false],
  [undefined, false],
])('Accept %j is answered in Markdown: %s', (accept, markdown) => expect(hasMarkdownPreference(accept)).toBe(markdown));

test('a page is served as HTML or Markdown, says that it varies, and its Markdown file has the same text', async () => {
  const page = await get('/setup', { accept: 'text/html' });
  const markdown = await get('/setup', { accept: 'text/markdown' });
  expect([page.headers.get('content-type'), markdown.headers.get('content-type')]).toEqual([
    'text/html; charset=utf-8',
    'text/markdown; charset=utf-8',
  ]);
  expect([page.headers.get('vary'), markdown.headers.get('vary')]).toEqual([
    'Accept, Accept-Encoding',
    'Accept, Accept-Encoding',
  ]);
  expect(await (await get('/setup.md')).text()).toBe(await markdown.text());
});

test('an unchanged page answers 304, and HEAD has no body', async () => {
  const etag = (await get('/')).headers.get('etag') ?? '';
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
  const head = await fetch(sites.good, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('the API does what its OpenAPI document shows', async () => {
  const document = z
    .object({
      paths: z.record(
        z.string(),
        z.object({
          get: z.object({
            parameters: z.array(z.object({ name: z.string(), example: z.unknown() })),
            responses: z.record(
              z.string(),
              z.object({ content: z.record(z.string(), z.object({ example: z.unknown() })) }),
            ),
          }),
        }),
      ),
    })
    .parse(await (await get('/openapi.json')).json());
  for (const [path, { get: operation }] of Object.entries(document.paths)) {
    const query = new URLSearchParams(
      operation.parameters.map(({ name, example }): [string, string] => [name, String(example)]),
    );
    const response = await get(`${path}?${query}`);
    expect(await response.json()).toEqual(operation.responses['200']?.content['application/json']?.example);
  }
});

test.each(['/api/high-tides', '/api/high-tides?after=yesterday', '/api/high-tides?after=2026-11-21T06:00:00Z&count=9'])(
  '%s is a 400 problem',
  async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  },
);

test('the AI catalog leads to the server card, and the card to the endpoint, open to other origins', async () => {
  const catalog = z
    .object({ entries: z.tuple([z.object({ url: z.url(), type: z.string() })]) })
    .parse(await (await get('/.well-known/ai-catalog.json')).json());
  const response = await fetch(catalog.entries[0].url);
  expect(response.headers.get('content-type')).toBe(catalog.entries[0].type);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const card = z
    .object({
      name: z.string(),
      version: z.string(),
      remotes: z.tuple([z.object({ url: z.url(), supportedProtocolVersions: z.array(z.string()) })]),
    })
    .parse(await response.json());
  expect(card.remotes[0].url).toBe(`${sites.good}/mcp`);
  expect(card.remotes[0].supportedProtocolVersions).toContain(MODERN);
  const discovered = await (await modern('server/discover')).json();
  expect(discovered).toMatchObject({
    result: {
      resultType: 'complete',
      supportedVersions: [MODERN],
      ttlMs: expect.any(Number),
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: card.name, version: card.version } },
    },
  });
});

test('MCP: tools are listed and called without a session', async () => {
  const list = await (await modern('tools/list')).json();
  expect(list).toMatchObject({
    result: { resultType: 'complete', tools: [{ name: 'next_high_tides', inputSchema: { type: 'object' } }] },
  });
  const params = { name: 'next_high_tides', arguments: { after: '2026-11-21T06:00:00Z', count: 2 } };
  const called = await modern('tools/call', params, { 'mcp-name': 'next_high_tides' });
  expect(await called.json()).toMatchObject({
    result: { structuredContent: { high_tides: ['2026-11-21T18:25:14.000Z', '2026-11-22T06:50:28.000Z'] } },
  });
});

test('MCP: an older client is served as well', async () => {
  const initialized = await rpc({
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  expect(await initialized.json()).toMatchObject({
    result: { protocolVersion: '2025-11-25', serverInfo: { version: '1.0.0' } },
  });
  const listed = await rpc({ method: 'tools/list' }, { 'mcp-protocol-version': '2025-11-25' });
  expect(await listed.json()).toMatchObject({ result: { tools: [{ name: 'next_high_tides' }] } });
  expect(await (await rpc({ method: 'nonsense' }, { 'mcp-protocol-version': '2025-11-25' })).json()).toMatchObject({
    error: { code: -32_601 },
  });
});

test.each<[string, () => Promise<Response>, number, number]>([
  ['a foreign Origin', () => modern('server/discover', {}, { origin: 'https://evil.example' }), 403, -32_000],
  ['an unknown method', () => modern('nonsense'), 404, -32_601],
  [
    'an unsupported version',
    () => modern('server/discover', {}, { 'mcp-protocol-version': '2099-01-01' }, '2099-01-01'),
    400,
    -32_022,
  ],
  ['a method header that differs', () => modern('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32_020],
  ['a version header that differs', () => modern('tools/list', {}, {}, '2025-11-25'), 400, -32_020],
  [
    'a tool name header that differs',
    () => modern('tools/call', { name: 'next_high_tides' }, { 'mcp-name': 'other' }),
    400,
    -32_020,
  ],
  ['an unknown tool', () => modern('tools/call', { name: 'rm' }, { 'mcp-name': 'rm' }), 400, -32_602],
  ['a request without its metadata', () => rpc({ method: 'tools/list' }, MODERN_HEADERS), 400, -32_602],
  ['broken JSON', () => fetch(`${sites.good}/mcp`, { method: 'POST', body: '{' }), 400, -32_700],
  ['a batch', () => fetch(`${sites.good}/mcp`, { method: 'POST', body: '[]' }), 400, -32_600],
])('MCP: %s is refused', async (_what, ask, status, code) => {
  const response = await ask();
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
});

test.each(['GET', 'DELETE', 'PUT'])('MCP: %s answers 405', async (method) => {
  expect((await fetch(`${sites.good}/mcp`, { method })).status).toBe(405);
});

test.each([
  ['the site itself', undefined, 204],
  ['the MCP Inspector', 'http://localhost:6274', 204],
  ['a stranger', 'https://evil.example', 403],
])('MCP: a preflight of %s is answered', async (_who, origin, status) => {
  const from = origin ?? sites.good;
  const headers = {
    origin: from,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-name',
  };
  const response = await fetch(`${sites.good}/mcp`, { method: 'OPTIONS', headers });
  expect(response.status).toBe(status);
  expect(response.headers.get('access-control-allow-origin')).toBe(status === 204 ? from : null);
  if (status === 204) expect(response.headers.get('access-control-allow-headers')).toContain('Mcp-Name');
});

test('MCP: a notification is accepted without an answer', async () => {
  const response = await fetch(`${sites.good}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  });
  expect([response.status, await response.text()]).toEqual([202, '']);
});

test('the poor site answers 200 with the same empty shell to everything', async () => {
  const bodies = await Promise.all(
    ['/', '/robots.txt', '/nothing', '/.well-known/ai-catalog.json'].map(async (path) => {
      const response = await fetch(`${sites.poor}${path}`);
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain('<div id="root"></div>');
});

function rpc(message: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${sites.good}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

function modern(
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  version = MODERN,
): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return rpc(
    { method, params: { ...params, _meta: meta } },
    { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...headers },
  );
}
