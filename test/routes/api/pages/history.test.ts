import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HISTORY_PAGE_ENTRIES } from '../../../../routes/api/pages/history.ts';
import { encodeCursor } from '../../../../src/lib/cursor.ts';
import { publish } from '../../../../src/sales/reports/published-store.ts';
import { historyOf } from './publish-world.ts';
import { get, problemOf, world } from '../world.ts';

const DAY_MS = 86_400_000;
const ID = (number: number): string => number.toString(16).padStart(32, '0');

const json = (id: string, points: number, status: string, rubric = '1'): string => {
  const score = (checks: readonly object[]) => ({ score: points, grade: 'C', checks });
  const [llms, other] = [
    { id: 'llms-txt-h1', status },
    { id: 'a-check-of-old', status: 'pass' },
  ];
  const scores = { aeo: score([llms, other]), geo: score([]), agent: score([]), mcp: score([]) };
  return JSON.stringify({
    capability: 'full_audit',
    report_id: id,
    scores,
    profile: { name: 'docs' },
    rubric: { version: rubric },
  });
};

beforeEach(async () => {
  world();
  const nowMs = Date.now();
  await publish(env.REPORTS, 'shop.example', json(ID(1), 60, 'fail'), nowMs - 40 * DAY_MS);
  await publish(env.REPORTS, 'shop.example', json(ID(2), 65, 'partial'), nowMs - 2 * DAY_MS);
  await publish(env.REPORTS, 'shop.example', json(ID(3), 72, 'pass'), nowMs - DAY_MS);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the page has the numbers, what changed since the last report, and links to the reports that are still there', async () => {
  const answer = await get('/history/shop.example');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  const text = await answer.text();
  expect(text).toContain('New passes (1)');
  expect(text).toContain('AI search (AEO) +7');
  expect(text).toContain(`href="/reports/${ID(3)}"`);
  expect(text).not.toContain(`href="/reports/${ID(1)}"`);
  expect(text).toContain(`<link rel="canonical" href="${env.BASE_URL}/history/shop.example"/>`);
  expect(text).not.toContain('noindex');
});

test('the page is in the language of its reader, and caches keep the languages apart', async () => {
  const answer = await get('/history/shop.example', { 'accept-language': 'de' });
  expect(await answer.text()).toContain('<h1>Verlauf von shop.example</h1>');
  expect(answer.headers.get('vary')).toMatch(/Accept-Language.*Cookie/);
});

test('any two reports are compared, either way round', async () => {
  expect((await historyOf('shop.example'))?.changes).toMatchObject({ from: ID(2), to: ID(3), points: { aeo: 7 } });
  const wide = await historyOf('shop.example', `?from=${ID(1)}&to=${ID(3)}`);
  expect(wide?.changes).toMatchObject({
    from: ID(1),
    to: ID(3),
    points: { aeo: 12 },
    new_passes: [{ id: 'llms-txt-h1' }],
  });
  const back = await historyOf('shop.example', `?from=${ID(3)}&to=${ID(1)}`);
  expect(back?.changes).toMatchObject({ from: ID(3), to: ID(1), points: { aeo: -12 }, new_passes: [] });
});

test('reports of two rubrics are compared as such', async () => {
  await publish(env.REPORTS, 'shop.example', json(ID(4), 50, 'fail', '3.0.0'), Date.now());
  expect((await historyOf('shop.example'))?.changes).toMatchObject({
    from: ID(3),
    to: ID(4),
    points: {},
    same_rubric: false,
    rubrics: { from: '1', to: '3.0.0' },
    new_failures: [],
    changed_by_rubric: [{ id: 'llms-txt-h1', from: 'pass', to: 'fail', why: expect.any(String) as string }],
  });
});

test.each(['?from=x&to=%22%3E', '?from=__proto__', `?from=${ID(9)}&to=${ID(9)}`, `?to=${ID(1)}`, `?from=${ID(3)}`])(
  'X5: a choice that names no two published reports (%s) shows none but published ones',
  async (query) => {
    const history = await historyOf('shop.example', query);
    const { from, to } = history?.changes ?? { from: ID(2), to: ID(3) };
    expect([from, to].every((id) => history?.entries.some((entry) => entry.report_id === id))).toBe(true);
    expect(from).not.toBe(to);
    expect((await get(`/history/shop.example${query}`)).status).toBe(200);
  },
);

test.each(['unknown.example', 'user@shop.example', '..%2fshop.example', 'shop.example:80', 'a'.repeat(300)])(
  'X5: a host of which nothing is published (%s) has no page and no JSON',
  async (host) => {
    const page = await get(`/history/${host}`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('noindex');
    const data = await get(`/history/${host}.json`);
    expect(data.status).toBe(404);
    expect(await problemOf(data)).toMatchObject({ code: 'history_not_found' });
  },
);

test('a host is found by every spelling of it', async () => {
  for (const host of ['SHOP.example', 'shop.example.', 'shop.example:443'])
    expect((await historyOf(host))?.host).toBe('shop.example');
});

test('a history of more entries than a page has comes in pages, each with the same comparison', async () => {
  const nowMs = Date.now();
  for (let number = 4; number <= 2 * HISTORY_PAGE_ENTRIES + 5; number += 1)
    await publish(env.REPORTS, 'shop.example', json(ID(number), 72, 'pass'), nowMs - DAY_MS + number);
  const seen: string[] = [];
  const sizes: number[] = [];
  let path: string | undefined = '/history/shop.example.json?from=' + ID(1);
  while (path !== undefined) {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    const page = await answer.json<Page>();
    expect(page.changes).toMatchObject({ from: ID(1), to: ID(2 * HISTORY_PAGE_ENTRIES + 5) });
    seen.push(...page.entries.map(({ report_id: id }) => id));
    sizes.push(page.entries.length);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
    expect(next === undefined).toBe(page.next_cursor === undefined);
    if (next !== undefined) expect(new URL(next).searchParams.get('cursor')).toBe(page.next_cursor);
    path = next?.slice(env.BASE_URL.length);
  }
  expect(sizes).toEqual([HISTORY_PAGE_ENTRIES, HISTORY_PAGE_ENTRIES, 5]);
  expect(seen).toEqual(Array.from({ length: 2 * HISTORY_PAGE_ENTRIES + 5 }, (_none, at) => ID(seen.length - at)));
  expect((await (await get('/history/shop.example')).text()).split(`<time`).length).toBeGreaterThan(
    HISTORY_PAGE_ENTRIES,
  );
});

test('a history that fits a page has no cursor', async () => {
  const answer = await get('/history/shop.example.json');
  expect(Object.keys(await answer.json<object>())).toEqual(['host', 'url', 'page', 'entries', 'changes']);
  expect(answer.headers.get('link')).toBeNull();
});

test('a cursor that is not of this history is refused', async () => {
  const foreign = await encodeCursor('history\nother.example', 2);
  const beyond = await encodeCursor('history\nshop.example', 400);
  for (const cursor of ['', 'x', '0'.repeat(3000), foreign, beyond])
    expect(await problemOf(await get(`/history/shop.example.json?cursor=${cursor}`))).toEqual({
      status: 400,
      code: 'invalid_cursor',
    });
});

type Page = { entries: { report_id: string }[]; changes: object; next_cursor?: string };
