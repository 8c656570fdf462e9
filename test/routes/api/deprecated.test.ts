import { env, exports } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { announceDeprecations, type AppEnv } from '../../../routes/api/context.ts';
import { deprecatedThings } from '../../../src/openapi/deprecations/deprecations-data.ts';
import type { DeprecatedThing } from '../../../src/openapi/deprecations/deprecations.ts';

const get = (path: string): Promise<Response> =>
  exports.default.fetch(new Request(`${env.BASE_URL}${path}`, { redirect: 'manual' }));

const LINK = `<${env.BASE_URL}/docs/reference/deprecations>; rel="deprecation"; type="text/html"`;

test.each(deprecatedThings.map(({ path }) => path))('GET %s announces that it is replaced, and works', async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect(answer.headers.get('sunset')).toBeNull();
  expect(answer.headers.get('link')).toContain(LINK);
  expect(answer.headers.get('access-control-expose-headers')).toMatch(/, Deprecation, Sunset$/);
});

test.each(['/.well-known/agent-card.json', '/mcp/server-card', '/', '/nothing-here'])(
  'GET %s announces nothing',
  async (path) => {
    const { headers } = await get(path);
    expect(headers.get('deprecation')).toBeNull();
    expect(headers.get('link') ?? '').not.toContain('rel="deprecation"');
    expect(headers.get('access-control-expose-headers')).not.toContain('Deprecation');
  },
);

test('a replaced parameter is announced where it is sent, beside the links of the answer', async () => {
  const thing: DeprecatedThing = {
    method: 'GET',
    path: '/things/{id}',
    parameter: 'old',
    since: '2026-01-15',
    sunset: '2026-12-01',
    why: 'x',
    instead: 'y',
  };
  const app = new Hono<AppEnv>();
  app.use(announceDeprecations([thing]));
  app.get('/things/:id', (c) => c.text('here', 200, { link: '<https://a.example/>; rel="next"' }));
  const sent = await app.request('/things/1?old=2');
  expect(sent.headers.get('deprecation')).toBe('@1768435200');
  expect(sent.headers.get('sunset')).toBe('Tue, 01 Dec 2026 00:00:00 GMT');
  expect(sent.headers.get('link')).toBe(
    '<https://a.example/>; rel="next", </docs/reference/deprecations>; rel="deprecation"; type="text/html"',
  );
  expect((await app.request('/things/1')).headers.get('deprecation')).toBeNull();
});
