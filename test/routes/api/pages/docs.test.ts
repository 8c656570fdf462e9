import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';

const ask = (path: string, accept = 'text/html'): Promise<Response> =>
  exports.default.fetch(
    new Request(`${env.BASE_URL}${path}`, { redirect: 'manual', headers: { accept } }),
  ) as Promise<Response>;

const PAGE = '/docs/reference/problems';
/** The files of the site would answer to each of these too. */
const SPELLINGS = [
  '/docs/reference%2Fproblems',
  '/docs//reference/problems',
  '/docs/reference///problems',
  '/docs/%72eference/%70roblems',
  '/docs/reference/problems.html',
];

test('other spellings of a page lead to the one that is answered', async () => {
  const answers = await Promise.all(SPELLINGS.map((path) => ask(path)));
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    SPELLINGS.map(() => [308, PAGE]),
  );
  const twin = await ask('/docs/reference/problem%73.md', '*/*');
  expect([twin.status, twin.headers.get('location')]).toEqual([308, `${PAGE}.md`]);
});

test.each(['/docs/reference%5Cproblems', '/docs/reference/..%2Fproblems', '/docs/x%0d%0aa:b.html', '/docs/%C3'])(
  '%s is no address',
  async (path) => {
    const [page, problem] = await Promise.all([ask(path), ask(path, 'application/json')]);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  },
);

test('where the documentation is not built, its pages say so', async () => {
  const app = createApp({ policy: () => allowPublicOnly(), local: false, engines: localAnswers });
  const { ASSETS: _files, ...unbuilt } = { ASSETS: undefined, ...env };
  const answer = await app.fetch(new Request(`${env.BASE_URL}${PAGE}`, { headers: { accept: 'text/html' } }), unbuilt);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('not built yet');
});
