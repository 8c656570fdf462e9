import { describe, expect, test } from 'vitest';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { gatherAudit, reportOn } from '../../../src/audit/core/report.ts';
import { writeRecordingJson } from '../../../src/capabilities/recording.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { DEFAULT_LIMITS } from '../../../src/net/fetch-budget.ts';
import { createGuardedFetch, type FetchFunction } from '../../../src/net/guarded-fetch.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { html, notFound, redirect, SITE, type SiteMap, text } from '../../support/audit/site-fetch.ts';
import { seededTurns } from '../../support/audit/seeded-turns.ts';
import { good } from '../truth/sites/good.ts';
import { mcpOpen } from '../truth/sites/mcp/mcp-open.ts';
import { shop } from '../truth/sites/shop.ts';

const SEEDS = 10;
const RUBRIC = { version: 'test', sha256: '0'.repeat(64) };

/** A site on the wire, each of whose answers waits some turns of the event loop; redirects are the guarded fetch's own. */
function siteOnTheWire(map: SiteMap, turns: () => number): { fetch: FetchFunction; asked: string[] } {
  const asked: string[] = [];
  const answers = new Map(Object.entries(map).map(([path, answer]) => [new URL(path, SITE).href, answer]));
  const fetch: FetchFunction = async (url, { method, headers }) => {
    asked.push(`${method} ${url} ${headers['accept'] ?? ''} ${headers['user-agent'] ?? ''}`);
    for (let left = turns(); left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
    let answer = answers.get(`${method} ${url}`) ?? answers.get(url) ?? notFound;
    while (typeof answer === 'function') answer = answer({ url, headers });
    if ('failure' in answer) throw new Error(answer.failure);
    const body = answer.status === 304 || method === 'HEAD' ? null : answer.body;
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
  return { fetch, asked };
}

type Seen = { requests: number; asked: string; report: string; recording: string };

const withoutTimes = (key: string, value: unknown): unknown => (key === 'ms' ? 0 : value);

async function audit(map: SiteMap, turns: () => number, maxPages?: number): Promise<Seen> {
  const { fetch: wire, asked } = siteOnTheWire(map, turns);
  const fetch = createGuardedFetch({ fetch: wire, policy: allowPublicOnly(), clock: () => CLOCK_MS });
  const options = { fetch, clockMs: CLOCK_MS, ...(maxPages === undefined ? {} : { maxPages }) };
  const snapshot = await gatherAudit(`${SITE}/`, options);
  const recording = { version: 1, capability: 'full_audit', input: { url: SITE }, rubric: RUBRIC } as const;
  const json = [...writeRecordingJson({ ...recording, snapshots: [snapshot] })].join('');
  return {
    requests: asked.length,
    asked: asked.toSorted().join('\n'),
    report: JSON.stringify(await reportOn(snapshot), withoutTimes),
    recording: JSON.stringify(JSON.parse(json), withoutTimes),
  };
}

const pages = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `/page-${index}`);

/** A site whose budget is short, and of which nothing redirects but files that are asked for late. */
const moving = (paths: readonly string[]): SiteMap => ({
  '/': html(
    `<body>${pages(30)
      .map((path) => `<a href="${path}">${path}</a>`)
      .join('')}<link rel="alternate" type="application/rss+xml" href="/feed"></body>`,
  ),
  ...Object.fromEntries(pages(30).map((path) => [path, html(`<p>${path}</p>`)])),
  '/feed': redirect('/feed/'),
  '/feed/': text('no feed'),
  ...Object.fromEntries(
    paths.flatMap((path) => [
      [path, redirect(`${path}-1`)],
      [`${path}-1`, redirect(`${path}-2`)],
      [`${path}-2`, text('here')],
    ]),
  ),
});
const LATE = [
  '/.well-known/http-message-signatures-directory',
  '/.well-known/ucp',
  '/.well-known/ai-plugin.json',
  '/AGENTS.md',
  '/SKILL.md',
  '/.well-known/security.txt',
];

describe('the order in which answers come leaves no trace', () => {
  test.each<readonly [string, SiteMap, number | undefined]>([
    ['a site that fills its budget', good.map, undefined],
    ['a shop', shop.map, undefined],
    ['a site with an MCP server', mcpOpen.map, undefined],
    ['one late file redirects', moving(LATE.slice(0, 1)), 20],
    ['many late files redirect', moving(LATE), 20],
  ])(
    '%s: requests, report and recording are the same bytes',
    async (_name, map, maxPages) => {
      const first = await audit(map, () => 0, maxPages);
      expect(first.requests).toBeLessThanOrEqual(DEFAULT_LIMITS.requests);
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const seen = await audit(map, seededTurns(seed), maxPages);
        expect(seen.asked).toBe(first.asked);
        expect(seen.report === first.report).toBe(true);
        expect(seen.recording === first.recording).toBe(true);
      }
    },
    60_000,
  );

  test('what counts more follows its redirects before what counts less is asked for', async () => {
    const { requests, asked } = await audit(moving(LATE), () => 0, 20);
    expect(requests).toBe(DEFAULT_LIMITS.requests);
    const followed = LATE.map((path) => asked.includes(`${SITE}${path}-2 `));
    expect([...new Set(followed)]).toEqual([true, false]);
  });
});

const LOOKS = 4;

/** Rounds that an audit takes when all answers under way come at once: its wait, without a clock. */
async function countRounds(map: SiteMap): Promise<{ rounds: number; requests: number }> {
  const { fetch: answerAtOnce, asked } = siteOnTheWire(map, () => 0);
  let rounds = 0;
  const waiting: (() => void)[] = [];
  const state = { isOver: false };
  const fetch = createGuardedFetch({
    fetch: async (url, init) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return answerAtOnce(url, init);
    },
    policy: allowPublicOnly(),
    clock: () => CLOCK_MS,
  });
  const audited = gatherAudit(`${SITE}/`, { fetch, clockMs: CLOCK_MS }).finally(() => {
    state.isOver = true;
  });
  let [before, looks] = [0, 0];
  while (!state.isOver) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    looks = waiting.length > 0 && waiting.length === before ? looks + 1 : 0;
    before = waiting.length;
    // A few looks saw nothing new: all that can be under way is.
    if (looks < LOOKS) continue;
    rounds += 1;
    [before, looks] = [0, 0];
    for (const answer of waiting.splice(0)) answer();
  }
  await audited;
  return { rounds, requests: asked.length };
}

test('the good site takes few rounds more than its requests need over six connections', async () => {
  const { rounds, requests } = await countRounds(good.map);
  expect(requests).toBe(DEFAULT_LIMITS.requests);
  expect(rounds).toBeLessThanOrEqual(1 + Math.ceil((requests - 1) / 6) + 4);
}, 60_000);

test('pages are worked on while answers are awaited: the start page before the others are there', async () => {
  const { fetch: wire } = siteOnTheWire(good.map, () => 1);
  const fetch = createGuardedFetch({ fetch: wire, policy: allowPublicOnly(), clock: () => CLOCK_MS });
  const seen: string[][] = [];
  const { exchanges } = await gatherSite(`${SITE}/`, {
    fetch,
    clockMs: CLOCK_MS,
    whileWaiting: async (soFar, pause) => {
      seen.push(soFar.exchanges.map(({ role }) => role));
      for (let step = 0; step < 100; step += 1) await pause();
    },
  });
  const ofPages = exchanges.flatMap(({ role }) => (/^(?:page|sample:\d+)$/.test(role) ? [role] : []));
  expect(ofPages.length).toBeGreaterThan(2);
  expect(seen[0]).toContain('page');
  expect(seen[0]).not.toContain('sample:0');
  expect(seen[1]).toEqual(expect.arrayContaining(ofPages));
  expect(seen.length).toBe(3);
});
