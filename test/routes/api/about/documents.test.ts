import { env, exports } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../../../routes/api/app.ts';
import { aboutRows, listAboutRows } from '../../../../src/about/about-data.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const BASE = 'https://sightline.test';
const app = createApp({
  policy: () => allowPublicOnly({ alternatePorts: true }),
  local: false,
  engines: localAnswers,
});

const CHANGELOG = {
  changed: '2026-11-29',
  sections: [
    {
      release: 'Unreleased',
      heading: 'Breaking',
      id: 'breaking',
      changed: '2026-11-29',
      markdown: '- `a` is <b> & gone.',
    },
  ],
};
/** The static files of a deployment that is built. */
const built: Readonly<Record<string, BodyInit>> = {
  '/web/changelog.json': JSON.stringify(CHANGELOG),
  '/docs/pages.json': JSON.stringify([{ path: 'index', title: 'Docs', description: 'x', changed: '2026-11-29' }]),
  '/docs/llms-full.txt': '# Docs of https://origin.invalid\n',
};
const ASSETS = {
  fetch: async (request: Request): Promise<Response> => {
    const body = built[new URL(request.url).pathname];
    return body === undefined ? new Response('none', { status: 404 }) : new Response(body);
  },
};

let caller = 0;
/** Asks a deployment that states a contact and is built. */
async function get(path: string, headers: Record<string, string> = {}, bindings: object = {}): Promise<Response> {
  caller = (caller + 1) % 250;
  const context = createExecutionContext();
  const request = new Request(`${BASE}${path}`, {
    redirect: 'manual',
    headers: { ...headers, 'cf-connecting-ip': `198.18.1.${caller}` },
  });
  const all = { ...env, ASSETS, CONTACT_EMAIL: 'operator@audits.example', ...bindings };
  const answer = await app.fetch(request, all, context);
  await waitOnExecutionContext(context);
  return answer;
}

const HTML = { accept: 'text/html' };

describe.each(listAboutRows())('$path', ({ path, type, kind }) => {
  test('is served as its media type, to every origin, to be kept for a while', async () => {
    const answer = await get(path, kind === 'page' ? HTML : {});
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-type')?.split(';', 1)[0]).toBe(type);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const text = await answer.text();
    if (type.endsWith('json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(text).not.toContain('origin.invalid');
  });

  test('has a route of its own in the app, and Markdown where it is a page', async () => {
    const routes = app.routes.filter(({ method }) => method === 'GET').map((route) => route.path);
    expect(routes).toContain(path);
    if (kind !== 'page') return;
    expect(routes).toContain(`${path}.md`);
    const copy = await get(`${path}.md`);
    expect(copy.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(copy.headers.get('link')).toBe(`<${BASE}${path}>; rel="canonical"`);
    expect(await copy.text()).toMatch(/^# \S/);
    const preferred = await get(path, { accept: 'text/markdown' });
    expect(preferred.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(preferred.headers.get('vary')).toMatch(/\bAccept\b/);
  });

  test('nothing of a request is in it', async () => {
    const hostile = await get(`${path}?x=%3Cscript%3Eevil`, {
      ...(kind === 'page' ? HTML : {}),
      'x-forwarded-host': 'evil.example',
      'user-agent': 'evil',
    });
    expect(await hostile.text()).not.toContain('evil');
  });

  test('is in llms.txt', async () => {
    const text = await (await get('/llms.txt')).text();
    expect(text).toContain(`(${BASE}${kind === 'page' ? `${path}.md` : path})`);
  });
});

test('the sitemap lists the pages that do not change by the minute, each with its day', async () => {
  const sitemap = await (await get('/sitemap.xml')).text();
  for (const path of ['/changelog', '/deprecations', '/sandbox'])
    expect(sitemap).toContain(`<loc>${BASE}${path}</loc>`);
  expect(sitemap).toContain(`<loc>${BASE}/changelog</loc><lastmod>2026-11-29</lastmod>`);
  expect(sitemap).not.toContain(`${BASE}/status<`);
});

describe('a deployment that states no contact', () => {
  const unset = { CONTACT_EMAIL: '' };

  test('has no security.txt, and lists none', async () => {
    const answer = await get('/.well-known/security.txt', {}, unset);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await (await get('/llms.txt', {}, unset)).text()).not.toContain('security.txt');
  });

  test.each(['/openapi.json', '/asyncapi.json'])('has in %s the address of its operator, or none', async (path) => {
    const read = async (bindings: Record<string, string>): Promise<unknown> =>
      Object(Object(await (await get(path, {}, bindings)).json())['info'])['contact'];
    expect(await read({})).toMatchObject({ email: 'operator@audits.example' });
    expect(await read(unset)).not.toHaveProperty('email');
  });
});

describe('the change log', () => {
  test('shows what it says as text, and names its feed', async () => {
    const html = await (await get('/changelog', HTML)).text();
    expect(html).toContain('<code>a</code> is &lt;b&gt; &amp; gone.');
    expect(html).toContain(`rel="alternate" type="application/atom+xml" href="${BASE}/feed.xml"`);
  });
});

describe('schemas', () => {
  const list = z.object({ schemas: z.array(z.object({ name: z.string(), url: z.string() })) });

  test('each of the list is at its address, with that as its id', async () => {
    const { schemas } = list.parse(await (await get('/schemas')).json());
    expect(schemas.length).toBeGreaterThan(50);
    for (const { url } of schemas) {
      const answer = await get(new URL(url).pathname);
      expect([url, answer.status, answer.headers.get('content-type')]).toEqual([
        url,
        200,
        'application/schema+json; charset=utf-8',
      ]);
      expect(await answer.json()).toMatchObject({ $id: url, $schema: 'https://json-schema.org/draft/2020-12/schema' });
    }
  });

  test('are answered 304 to who has them', async () => {
    const etag = (await get('/schemas/Problem.json')).headers.get('etag') ?? '';
    const again = await get('/schemas/Problem.json', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test.each([
    '/schemas/Problem',
    '/schemas/constructor.json',
    '/schemas/__proto__.json',
    '/schemas/.json',
    '/schemas/x.json',
  ])('%s is 404', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('the status', () => {
  const shape = z.object({
    looked_at: z.iso.datetime(),
    parts: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string() })),
    queues: z.array(z.object({ name: z.string(), waiting: z.number().nullable() })),
  });

  test('says what it saw, and asks no one again within a minute', async () => {
    const state = world();
    // A deployment of its own: what another test saw is not taken from it.
    const bound = { OPERATIONS_REGISTER: wrapNamespace() };
    const first = shape.parse(await (await get('/status.json', {}, bound)).json());
    const asked = state.calls.rpc.length;
    expect(asked).toBeGreaterThan(0);
    const second = shape.parse(await (await get('/status.json', {}, bound)).json());
    expect(second).toEqual(first);
    expect(state.calls.rpc.length).toBe(asked);
    expect(first.parts.map(({ name, state: word }) => [name, word])).toContainEqual(['chain', 'answers']);
  });

  test('names no address of what it asked, and no secret', async () => {
    const text = await (await get('/status.json')).text();
    for (const secret of [env.RPC_URL, env.FACILITATOR_URL, env.PAY_TO, env.LEDGER_SECRET])
      expect(text).not.toContain(String(secret));
  });

  /** The same object under another identity. */
  function wrapNamespace(): typeof env.OPERATIONS_REGISTER {
    return new Proxy(env.OPERATIONS_REGISTER, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
});

test('the deployed entry answers them too', async () => {
  for (const path of ['/deprecations', '/sandbox', '/schemas', '/asyncapi.json', '/auth.md', '/status'])
    expect([path, (await exports.default.fetch(new Request(`${BASE}${path}`))).status]).toEqual([path, 200]);
});

test('every row is by its specification, or says that there is none', () => {
  const without = aboutRows.filter((row) => !('specification' in row)).map(({ path }) => path);
  expect(without).toEqual(['/changelog', '/status', '/sandbox']);
});
