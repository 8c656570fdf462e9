import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readWantedSkill } from '../../../src/a2a/order-text.ts';
import { readA2aCard } from '../../../src/audit/agent-files/facts/a2a-card.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';

const BASE = 'https://sightline.test';
const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const CARD = 'application/mcp-server-card+json';

/** Every free document with its media type and the seconds it may be kept. */
const documents = [
  ['/', 'text/html; charset=utf-8', 3600],
  ['/index.md', MARKDOWN, 3600],
  ['/llms.txt', MARKDOWN, 3600],
  ['/robots.txt', TEXT, 3600],
  ['/bot', TEXT, 3600],
  ['/openapi.json', JSON_TYPE, 300],
  ['/api/agent/index', JSON_TYPE, 300],
  ['/server.json', JSON_TYPE, 3600],
  ['/mcp/server-card', CARD, 3600],
  ['/mcp-account/server-card', CARD, 3600],
  ['/.well-known/mcp.json', JSON_TYPE, 3600],
  ['/.well-known/mcp/server-card.json', JSON_TYPE, 3600],
  ['/.well-known/mcp-server-card.json', JSON_TYPE, 3600],
  ['/.well-known/agent-card.json', JSON_TYPE, 3600],
  ['/.well-known/agent.json', JSON_TYPE, 3600],
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json', 3600],
  ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', 3600],
  ['/.well-known/x402', JSON_TYPE, 3600],
  ['/.well-known/mpp', JSON_TYPE, 3600],
] as const;

/** Requests by many callers: the free limit is not what is tested here. */
let caller = 0;
function send(path: string, { headers, ...init }: RequestInit): Promise<Response> {
  caller = (caller + 1) % 250;
  const sent = new Headers(headers);
  sent.set('cf-connecting-ip', `198.18.0.${caller}`);
  return exports.default.fetch(new Request(`${env.BASE_URL}${path}`, { redirect: 'manual', ...init, headers: sent }));
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => send(path, { headers });

describe.each(documents)('%s', (path, type, maxAgeS) => {
  test('is served as its own media type, to every origin, to be kept for a while', async () => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/\bETag\b/);
    expect(answer.headers.get('cache-control')).toBe(`public, max-age=${maxAgeS}`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    if (type.includes('json')) await answer.json();
  });

  test('answers 304 without a body to who has it, and 200 to who has another', async () => {
    const first = await get(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known });
      expect([known, again.status, await again.text(), again.headers.get('etag')]).toEqual([known, 304, '', etag]);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    const [whole, head] = [await get(path), await send(path, { method: 'HEAD' })];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'etag', 'cache-control'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
  });

  test('X10: nothing of a request is in it', async () => {
    const plain = await (await get(path)).text();
    const hostile = await get(`${path}?x=%3Cscript%3E&baseUrl=https://evil.example`, {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      'user-agent': 'evil-agent',
      authorization: 'Bearer evil-token',
      referer: 'https://evil.example/',
    });
    expect(await hostile.text()).toBe(plain);
    expect(JSON.stringify([...hostile.headers])).not.toContain('evil');
  });
});

describe('the start page', () => {
  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8', '<!doctype html>'],
    ['text/markdown, text/html;q=0.5', MARKDOWN, '# What AI systems can see'],
    ['text/markdown;q=0.1, text/html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['application/json', JSON_TYPE, '{"name":"Sightline"'],
  ])('answers Accept %s with %s and says that it varies', async (accept, type, start) => {
    const answer = await get('/', { accept });
    expect(answer.headers.get('content-type')).toBe(type);
    const people = type.startsWith('text/html') ? 'Accept-Language, Cookie, ' : '';
    expect(answer.headers.get('vary')).toBe(`Accept, ${people}Accept-Encoding`);
    expect(await answer.text()).toMatch(new RegExp(`^${start}`));
  });

  test('has an ETag of its own for each representation', async () => {
    const tags = await Promise.all(
      ['text/html', 'text/markdown', 'application/json'].map(async (accept) =>
        (await get('/', { accept })).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('links to what programs look for, and loads nothing', async () => {
    const { headers } = await get('/');
    for (const link of [
      `<${BASE}/.well-known/api-catalog>; rel="api-catalog"`,
      `<${BASE}/openapi.json>; rel="service-desc"`,
      `<${BASE}/llms.txt>; rel="service-doc"`,
      `<${BASE}/mcp>; rel="mcp"`,
    ])
      expect(headers.get('link')).toContain(link);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('its Markdown copy names the page as canonical', async () => {
    expect((await get('/index.md')).headers.get('link')).toBe(`<${BASE}/>; rel="canonical"`);
  });
});

test('every link of the start page, llms.txt and the catalogues that is ours leads to a document', async () => {
  const texts = await Promise.all(
    ['/', '/llms.txt', '/.well-known/api-catalog', '/.well-known/ai-catalog.json'].map(async (path) =>
      (await get(path)).text(),
    ),
  );
  const linked = texts.flatMap((text) =>
    [...text.matchAll(/(?:href="|\]\(|"href": "|"url": ")(https:\/\/sightline\.test[^")]*)/g)].map(
      (match) => match[1] ?? '',
    ),
  );
  // The endpoints themselves stand in a snippet to copy; they are no documents.
  const paths = [...new Set(linked.map((url) => new URL(url).pathname))].filter((path) => path !== '/mcp');
  expect(paths.length).toBeGreaterThan(8);
  // The account leads whoever is not signed in to the page for that.
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, path === '/account' ? 303 : 200]);
});

describe('the agent cards', () => {
  const card = '/.well-known/agent-card.json';
  const interfaces = ['1.0', '0.3'].map((protocolVersion) => ({
    url: `${BASE}/a2a`,
    protocolBinding: 'JSONRPC',
    protocolVersion,
  }));

  test('say to clients of 1.0 what that version knows, and to those who name none what both read', async () => {
    const [current, combined] = await Promise.all([get(card, { 'a2a-version': '1.0' }), get(card)]);
    for (const answer of [current, combined]) expect(answer.headers.get('vary')).toMatch(/\bA2A-Version\b/);
    const [own, both] = [await current.json(), await combined.json()] as [Record<string, unknown>, object];
    expect(own).toMatchObject({
      supportedInterfaces: interfaces,
      capabilities: { streaming: true, pushNotifications: false },
    });
    const older = { protocolVersion: '0.3.0', url: `${BASE}/a2a`, preferredTransport: 'JSONRPC' };
    expect(both).toEqual({ ...own, ...older });
  });

  test('are two forms of one agent: the older one is no copy', async () => {
    const older = readA2aCard(await (await get('/.well-known/agent.json')).json());
    const current = readA2aCard(await (await get(card)).json());
    expect([older?.shape, older?.issues, current?.shape, current?.issues]).toEqual(['0.3', [], '1.0', []]);
    expect([older?.name, older?.skills]).toEqual([current?.name, current?.skills]);
    expect(current?.extensions).toEqual(['https://github.com/google-a2a/a2a-x402/v0.1']);
  });

  test('have a skill for each capability, with an example that the endpoint understands', async () => {
    const { skills } = z
      .looseObject({
        skills: z.array(
          z.looseObject({ id: z.string(), tags: z.array(z.string()).min(1), examples: z.array(z.string()) }),
        ),
      })
      .parse(await (await get(card)).json());
    expect(skills.map(({ id }) => id)).toEqual(['index', 'read_report', 'get_fix', ...catalog.map(({ name }) => name)]);
    for (const { id, examples } of skills)
      for (const text of examples) {
        const read = readWantedSkill([{ kind: 'text', text }]);
        expect(read).toMatchObject({ ok: true, wanted: { skill: id } });
        const row = catalog.find(({ name }) => name === id);
        if (read.ok && row) expect([id, row.body.safeParse(read.wanted.input).success]).toEqual([id, true]);
      }
  });
});

test.each([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/other',
  '/.well-known/oauth-authorization-server/other',
  '/.well-known/change-password',
  '/.well-known/mcp',
  '/.well-known/',
  '/mcp/server-card/nothing',
  '/api/nothing',
])('%s is a JSON 404 to every client: never HTML, a redirect, or a question for a token', async (path) => {
  for (const headers of [{}, { accept: 'text/html' }, { authorization: 'Bearer x' }] as Record<string, string>[]) {
    const answer = await send(path, { headers });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(z.looseObject({}).safeParse(await answer.json()).success).toBe(true);
  }
});

const cardSchema = z.looseObject({
  name: z.string(),
  title: z.string(),
  version: z.string(),
  remotes: z.array(
    z.looseObject({
      url: z.string(),
      supportedProtocolVersions: z.array(z.string()),
      headers: z.array(z.looseObject({ name: z.string() })).optional(),
    }),
  ),
});
const discovered = z.looseObject({
  result: z.looseObject({
    supportedVersions: z.array(z.string()),
    capabilities: z.looseObject({}),
    instructions: z.string(),
    _meta: z.looseObject({
      'io.modelcontextprotocol/serverInfo': z.looseObject({ name: z.string(), title: z.string(), version: z.string() }),
    }),
  }),
});

const jsonAt = async (path: string): Promise<unknown> => (await get(path)).json();

function discover(path: string): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return send(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } }),
  });
}

/** One message, sent as JSON or as an event stream. */
async function messageOf(answer: Response): Promise<unknown> {
  const body = await answer.text();
  return JSON.parse(/^data: (.+)$/m.exec(body)?.[1] ?? body);
}

describe('the documents agree', () => {
  test('with server/discover of the live endpoint on name, title, version, protocol versions and instructions', async () => {
    const { result } = discovered.parse(await messageOf(await discover('/mcp')));
    const info = result._meta['io.modelcontextprotocol/serverInfo'];
    const card = cardSchema.parse(await jsonAt('/mcp/server-card'));
    expect(card.name).toBe(`test.sightline/${info.name}`);
    expect([card.title, card.version]).toEqual([info.title, info.version]);
    // A modern server says of itself what it serves statelessly; the card also lists what a handshake reaches.
    const [remote] = card.remotes;
    expect(remote?.supportedProtocolVersions).toEqual(expect.arrayContaining(result.supportedVersions));
    expect(remote?.supportedProtocolVersions).toEqual(['2026-07-28', '2025-11-25', '2025-06-18']);
    const older = z
      .looseObject({ instructions: z.string(), capabilities: z.looseObject({}), serverInfo: z.looseObject({}) })
      .parse(await jsonAt('/.well-known/mcp.json'));
    expect(older.instructions).toBe(result.instructions);
    expect(older.serverInfo).toMatchObject({ name: info.name, title: info.title, version: info.version });
    expect(Object.keys(result.capabilities)).toEqual(expect.arrayContaining(Object.keys(older.capabilities)));
  });

  test('with each other on the endpoints, in the same order', async () => {
    const endpoints = [`${BASE}/mcp`, `${BASE}/mcp-account`];
    const remotes = (card: unknown) => cardSchema.parse(card).remotes.map(({ url }) => url);
    const cards = await Promise.all(['/mcp/server-card', '/mcp-account/server-card'].map(jsonAt));
    expect(cards.flatMap(remotes)).toEqual(endpoints);
    expect(remotes(await jsonAt('/.well-known/mcp.json'))).toEqual(endpoints);
    const registry = z.looseObject({
      name: z.string(),
      version: z.string(),
      remotes: z.array(z.looseObject({ url: z.string() })),
    });
    const server = registry.parse(await jsonAt('/server.json'));
    expect(server.remotes.map(({ url }) => url)).toEqual(endpoints);
    for (const card of cards.map((one) => cardSchema.parse(one)))
      expect([card.name, card.version]).toEqual([server.name, server.version]);
    expect(await jsonAt('/api/agent/index')).toMatchObject({ mcp: { open: endpoints[0], account: endpoints[1] } });
    expect(await jsonAt('/.well-known/ai-catalog.json')).toMatchObject({
      entries: [
        ...endpoints.map((url) => ({ type: CARD, url: `${url}/server-card` })),
        { type: 'application/a2a-agent-card+json', url: `${BASE}/.well-known/agent-card.json` },
      ],
    });
  });

  test('with the behaviour: only the endpoint whose card asks for a token answers 401 without one', async () => {
    expect((await discover('/mcp')).status).toBe(200);
    const refused = await discover('/mcp-account');
    expect(refused.status).toBe(401);
    const metadata = `${BASE}/.well-known/oauth-protected-resource/mcp-account`;
    expect(refused.headers.get('www-authenticate')).toContain(metadata);
    expect(await jsonAt('/.well-known/oauth-protected-resource/mcp-account')).toMatchObject({
      resource: `${BASE}/mcp-account`,
      authorization_servers: [BASE],
    });
    expect(await jsonAt('/.well-known/mcp.json')).toMatchObject({
      authentication: { required: false },
      remotes: [
        { authentication: { required: false } },
        { authentication: { required: true, resourceMetadata: metadata } },
      ],
    });
  });
});

describe('the lists of what is sold', () => {
  type Operation = { 'x-payment-info'?: { price: { amount: string } } };
  const readPaid = async (): Promise<Record<string, string>> => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, { post?: Operation }> };
    return Object.fromEntries(
      Object.entries(paths).flatMap(([path, { post }]) => {
        const amount = post?.['x-payment-info']?.price.amount;
        return amount === undefined ? [] : [[`${env.BASE_URL}${path}`, String(Math.round(Number(amount) * 1_000_000))]];
      }),
    );
  };

  test('/.well-known/x402 names the paid addresses of the OpenAPI document, each of which answers 402', async () => {
    const document = (await (await get('/.well-known/x402')).json()) as { version: number; resources: string[] };
    expect(document).toMatchObject({ version: 1, x402Version: 2, openapi: `${env.BASE_URL}/openapi.json` });
    expect(document.resources.toSorted()).toEqual(Object.keys(await readPaid()).toSorted());
    for (const url of document.resources) {
      const { status } = await send(new URL(url).pathname, { method: 'POST' });
      // Panels need more engines than there are here.
      expect({ url, isSold: status === 402 || status === 503 }).toEqual({ url, isSold: true });
    }
  });

  test('/.well-known/mpp has the same addresses with the same prices, and where they are paid', async () => {
    const document = (await (await get('/.well-known/mpp')).json()) as {
      methods: object[];
      operations: { url: string; amount: string; method: string }[];
    };
    expect(document).toMatchObject({ protocol: 'mpp', realm: 'sightline.test' });
    expect(document.methods).toEqual([
      {
        method: 'evm',
        intent: 'charge',
        credentialTypes: ['authorization'],
        chainId: 8453,
        currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        recipient: env.PAY_TO,
        decimals: 6,
      },
    ]);
    expect(Object.fromEntries(document.operations.map(({ url, amount }) => [url, amount]))).toEqual(await readPaid());
    expect(new Set(document.operations.map(({ method }) => method))).toEqual(new Set(['POST']));
  });
});
