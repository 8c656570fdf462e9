import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeCurrentRubric } from '../../src/audit/core/report.ts';
import {
  auditCitedPages,
  CITED_PAGE_LIMITS,
  citedPageChecks,
  resolveCitedRedirects,
} from '../../src/capabilities/cited-pages/cited-page-audit.ts';
import { citationEvidence } from '../../src/capabilities/citation-evidence.ts';
import { compareCitedPages } from '../../src/capabilities/cited-pages/cited-page-comparison.ts';
import { citationsResult } from '../../src/capabilities/citation-results.ts';
import { collectCitationEvidence, presentCitations, readOwnDomain } from '../../src/capabilities/citation-work.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import type { FetchLimits } from '../../src/net/fetch-budget.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import type { FetchTarget } from '../../src/net/fetched.ts';
import { vendorRedirects } from '../../src/visibility/citations/vendor-redirects-data.ts';
import { RESOLUTION_LIMITS } from '../../src/visibility/citations/resolve-citations.ts';
import { failure, html, notFound, redirect, siteFetch, type SiteMap, text } from '../support/audit/site-fetch.ts';
import { CLOCK_MS } from '../support/audit/audit.ts';
import { googleAnswer, googleRedirect, vendorAnswers } from '../visibility/citations/vendor-answers.ts';

/** A page that says a lot, with figures and a source; and one that says little. */
const RICH = html(`<!doctype html><html lang="en"><head><title>Help desks for small teams, compared by price</title>
<meta name="description" content="Five help desks for small teams, with prices, limits and what they are good for.">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Help desks","author":{"@type":"Person","name":"Ada Example"},"datePublished":"2026-05-01","dateModified":"2026-06-01"}</script></head>
<body><main><article><h1>Help desks for small teams, compared by price</h1><p>By Ada Example, 1 May 2026. Five help desks for teams of up to ten people cost between 9 and 49 USD a month.</p>
<h2>How much does a help desk cost?</h2><p>In a survey of 412 teams by <a href="https://www.iso.org/report">ISO</a>, 63 % paid less than 20 USD a month. “Prices fell by 12 %,” says Ben Sample of ISO.</p>
<table><thead><tr><th>Desk</th><th>USD</th></tr></thead><tbody><tr><td>A</td><td>9</td></tr></tbody></table></article></main></body></html>`);
const POOR = html('<html><body><div>Welcome</div><div>Contact us</div></body></html>');

type Tools = Parameters<typeof auditCitedPages>[1];
type Asked = { target: FetchTarget; limits: Partial<FetchLimits> | undefined };

/** Tools over fixture sites: what was asked, with which limits, and which hosts were entered. */
function toolsFor(sites: SiteMap, { busy = [] as readonly string[] } = {}) {
  const asked: Asked[] = [];
  const entered: string[] = [];
  const tools: Tools = {
    clockMs: CLOCK_MS,
    nowMs: () => 0,
    leftMs: 60_000,
    guardedFetch: (_url, limits) => {
      const fetch = siteFetch(sites, { origin: 'https://nowhere.example' });
      return async (target) => {
        asked.push({ target, limits });
        const { origin } = new URL(target.url);
        const isKnown = Object.keys(sites).some((key) => key.startsWith(`${origin}/`));
        return isKnown && sites[target.url] === undefined
          ? siteFetch({ [target.url]: notFound }, { origin })(target)
          : fetch(target);
      };
    },
    atTarget: async (url, task) => {
      const { host } = new URL(url);
      if (busy.includes(host)) return { ok: false, reason: 'target_busy', detail: 'busy', retryAfterS: 60 };
      entered.push(host);
      return task();
    },
  };
  return { tools, asked, entered };
}
const statusesOf = (pages: Awaited<ReturnType<typeof auditCitedPages>>): readonly string[] =>
  pages.map((page) => `${page.side} ${page.url} ${page.status === 'read' ? 'read' : page.reason}`);

describe('which pages are read', () => {
  test('up to five cited ones, and own ones: cited, then the start page and what it links', async () => {
    const sites: SiteMap = {
      'https://rich.example/a': RICH,
      'https://own.example/cited': POOR,
      'https://own.example/': html('<nav><a href="/pricing">Pricing</a><a href="/cited">Cited</a></nav><p>Start</p>'),
      'https://own.example/pricing': POOR,
    };
    const { tools, entered } = toolsFor(sites);
    const cited = Array.from({ length: 9 }, (_, at) => `https://rich.example/${at === 0 ? 'a' : at}`);
    const pages = await auditCitedPages(
      { cited, own: ['https://own.example/cited'], start: 'https://own.example/' },
      tools,
    );
    expect(statusesOf(pages)).toEqual([
      'cited https://rich.example/a read',
      ...[1, 2, 3, 4].map((at) => `cited https://rich.example/${at} http_error`),
      'own https://own.example/cited read',
      'own https://own.example/ read',
      'own https://own.example/pricing read',
    ]);
    expect(entered.toSorted()).toEqual(['own.example', 'rich.example']);
  });

  test('by GET, under our own name, with a budget for each host', async () => {
    const { tools, asked } = toolsFor({ 'https://rich.example/a': RICH, 'https://own.example/': POOR });
    await auditCitedPages({ cited: ['https://rich.example/a'], own: [], start: 'https://own.example/' }, tools);
    expect(asked.length).toBeGreaterThan(2);
    for (const { target, limits } of asked) {
      expect([target.method ?? 'GET', target.headers?.['user-agent']]).toEqual(['GET', undefined]);
      expect(limits).toMatchObject({ ...CITED_PAGE_LIMITS, wallMs: expect.any(Number) });
      expect(limits?.wallMs).toBeLessThanOrEqual(CITED_PAGE_LIMITS.wallMs);
    }
  });

  test.each([
    ['a group for us', 'User-agent: SightlineBot\nDisallow: /a'],
    ['a group for all', 'User-agent: *\nDisallow: /'],
  ])('what robots.txt of a cited site forbids is not read: %s', async (_name, robots) => {
    const { tools, asked } = toolsFor({
      'https://rich.example/a': RICH,
      'https://rich.example/robots.txt': text(robots),
    });
    const pages = await auditCitedPages({ cited: ['https://rich.example/a'], own: [] }, tools);
    expect(statusesOf(pages)).toEqual(['cited https://rich.example/a robots_disallowed']);
    expect(asked.map(({ target }) => target.url)).toEqual(['https://rich.example/robots.txt']);
  });

  test('the root of a cited site that robots.txt forbids is left out, the page is read', async () => {
    const robots = text('User-agent: *\nDisallow: /\nAllow: /a');
    const { tools, asked } = toolsFor({ 'https://rich.example/a': RICH, 'https://rich.example/robots.txt': robots });
    const pages = await auditCitedPages({ cited: ['https://rich.example/a'], own: [] }, tools);
    expect(statusesOf(pages)).toEqual(['cited https://rich.example/a read']);
    expect(asked.map(({ target }) => new URL(target.url).pathname)).toEqual(['/robots.txt', '/a']);
  });

  test.each([
    ['unavailable robots.txt', { 'https://rich.example/robots.txt': text('', { status: 503 }) }, 'robots_unreachable'],
    [
      'no answer',
      { 'https://rich.example/robots.txt': notFound, 'https://rich.example/a': failure('timeout') },
      'timeout',
    ],
    ['a refusal', { 'https://rich.example/a': text('no', { status: 403 }) }, 'refused'],
    [
      'a challenge',
      { 'https://rich.example/a': html('Just a moment', { headers: { 'cf-mitigated': 'challenge' } }) },
      'refused',
    ],
    ['an error', { 'https://rich.example/a': text('no', { status: 500 }) }, 'http_error'],
    ['a file', { 'https://rich.example/a': text('plain') }, 'not_html'],
  ])('%s is data', async (_name, sites, reason) => {
    const { tools } = toolsFor(sites);
    const pages = await auditCitedPages({ cited: ['https://rich.example/a'], own: [] }, tools);
    expect(statusesOf(pages)).toEqual([`cited https://rich.example/a ${reason}`]);
  });

  test('a host that is busy is not read, and private addresses never are', async () => {
    const { tools, asked } = toolsFor({}, { busy: ['rich.example', 'own.example'] });
    const cited = ['https://rich.example/a', 'http://127.0.0.1/', 'javascript:alert(1)'];
    const pages = await auditCitedPages({ cited, own: [], start: 'https://own.example/' }, tools);
    expect(statusesOf(pages)).toEqual([
      'cited https://rich.example/a target_busy',
      'own https://own.example/ target_busy',
    ]);
    expect(asked).toEqual([]);
  });
});

describe('through the guard', () => {
  /** Answers of the wire by address; 404 for any other. */
  function guardedTools(answers: Readonly<Record<string, () => Response>>) {
    const dialled: string[] = [];
    const tools: Tools = {
      clockMs: CLOCK_MS,
      nowMs: () => 0,
      leftMs: 60_000,
      guardedFetch: (_url, limits = {}) =>
        createGuardedFetch({
          fetch: async (url) => {
            dialled.push(url);
            return answers[url]?.() ?? new Response('', { status: 404 });
          },
          policy: allowPublicOnly(),
          clock: () => 0,
          limits,
        }),
      atTarget: (_url, task) => task(),
    };
    return { tools, dialled };
  }
  const page = (body: string) => () => new Response(body, { headers: { 'content-type': 'text/html' } });
  const to = (location: string) => () => new Response('', { status: 302, headers: { location } });

  test('a cited page that leads into a private network is data, and nothing is asked there', async () => {
    const { tools, dialled } = guardedTools({
      'https://rich.example/a': to('http://169.254.169.254/latest/meta-data/'),
    });
    const pages = await auditCitedPages({ cited: ['https://rich.example/a'], own: [] }, tools);
    expect(statusesOf(pages)).toEqual(['cited https://rich.example/a private_target']);
    expect(dialled.filter((url) => !url.startsWith('https://rich.example/'))).toEqual([]);
  });

  test('five pages of one host have one budget, and robots.txt is asked for once', async () => {
    const urls = [1, 2, 3, 4, 5].map((at) => `https://rich.example/${at}`);
    const { tools, dialled } = guardedTools(
      Object.fromEntries(urls.map((url) => [url, page('<h1>Lamps</h1><p>A lamp.</p>')])),
    );
    const pages = await auditCitedPages({ cited: urls, own: [] }, tools);
    expect(statusesOf(pages)).toEqual(urls.map((url) => `cited ${url} read`));
    expect(dialled.filter((url) => url.endsWith('/robots.txt'))).toHaveLength(1);
    expect(dialled.length).toBeLessThanOrEqual(CITED_PAGE_LIMITS.requests);
  });
});

describe('the comparison', () => {
  test('names what cited pages pass and own pages fail, and counts what could not be judged for nothing', async () => {
    const sites: SiteMap = {
      'https://rich.example/a': RICH,
      'https://rich.example/b': RICH,
      'https://own.example/': POOR,
    };
    const { tools } = toolsFor(sites);
    const cited = ['https://rich.example/a', 'https://rich.example/b', 'https://gone.example/'];
    const found = compareCitedPages(await auditCitedPages({ cited, own: [], start: 'https://own.example/' }, tools));
    const title = found.checks.find(({ id }) => id === 'aeo.meta.title');
    expect(title).toMatchObject({ ahead: 'cited', cited: { pass: 2, fail: 0 }, own: { pass: 0, fail: 1 } });
    expect(title?.text).toBe('Cited pages: 2 of 2 pass. Your pages: 0 of 1 pass.');
    expect(found.checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['geo.schema.jsonld-present', 'aeo.structure.h1', 'aeo.meta.description']),
    );
    expect(found.checks.length + found.further + found.alike + found.not_compared).toBe(citedPageChecks.length);
    expect(found.notes.join(' ')).not.toMatch(/because|therefore|leads to|helps/i);
  });

  test('pages without a verdict are in no share', () => {
    const [check] = citedPageChecks;
    const id = check?.id ?? '';
    const page = (side: 'cited' | 'own', status: 'pass' | 'fail' | 'unknown' | 'not_applicable') =>
      ({ url: `https://${side}.example/${status}`, side, status: 'read', outcomes: { [status]: [id] } }) as const;
    const gone = { url: 'https://gone.example/', side: 'own', status: 'unread', reason: 'timeout' } as const;
    const unknown = compareCitedPages([
      page('cited', 'pass'),
      page('own', 'unknown'),
      page('own', 'not_applicable'),
      gone,
    ]);
    expect(unknown).toMatchObject({ checks: [], not_compared: citedPageChecks.length });
    const [row] = compareCitedPages([page('cited', 'pass'), page('own', 'unknown'), page('own', 'fail'), gone]).checks;
    expect(row).toMatchObject({ id, ahead: 'cited', own: { fail: 1, unknown: 1 } });
    expect(row?.text).toBe('Cited pages: 1 of 1 pass. Your pages: 0 of 1 pass; 1 could not be judged.');
  });

  test('the checks are about a page: none needs the rest of its site', () => {
    expect(citedPageChecks.length).toBeGreaterThan(50);
    expect(citedPageChecks.filter(({ each }) => each === undefined)).toEqual([]);
  });
});

describe('redirects of vendors', () => {
  test('are asked as a visit of the vendor, inside their budget', async () => {
    const url = googleRedirect('AUZIYQ1');
    const { tools, asked, entered } = toolsFor({ [url]: redirect('https://example.com/a', 302) });
    expect(await resolveCitedRedirects([url], tools)).toEqual([{ url, target: 'https://example.com/a' }]);
    expect(entered).toEqual(['vertexaisearch.cloud.google.com']);
    expect(asked.map(({ limits }) => limits)).toEqual([RESOLUTION_LIMITS]);
  });

  test('are all of one host, whose gate is the one that is asked', () => {
    const asked = vendorRedirects.filter(({ inside }) => inside === undefined).map(({ host }) => host);
    expect(asked).toEqual(['vertexaisearch.cloud.google.com']);
  });

  test('never ask the page that they lead to', async () => {
    const urls = ['AUZIYQ1', 'AUZIYQ2'].map((id) => googleRedirect(id));
    const { tools, asked } = toolsFor(
      Object.fromEntries(urls.map((url, at) => [url, redirect(`https://example.com/${at}`, 302)])),
    );
    await resolveCitedRedirects([...urls, 'https://example.com/a'], tools);
    expect(asked.map(({ target }) => [target.url, target.follow])).toEqual(urls.map((url) => [url, false]));
  });

  test('of a vendor that is busy stay unresolved', async () => {
    const url = googleRedirect('AUZIYQ1');
    const { tools } = toolsFor({}, { busy: ['vertexaisearch.cloud.google.com'] });
    expect(await resolveCitedRedirects([url], tools)).toEqual([{ url, reason: 'target_busy' }]);
    expect(await resolveCitedRedirects([], tools)).toEqual([]);
  });
});

describe('the whole', () => {
  const about = { url: 'Example.com', rivals: ['Sample Support'], seed: 'run' };
  const sites: SiteMap = {
    [googleRedirect('AUZIYQ1')]: redirect('https://www.techradar.com/best?utm_source=x', 302),
    [googleRedirect('AUZIYQ2')]: failure('connection_failed'),
    'https://www.techradar.com/best': RICH,
    'https://example.com/': POOR,
    'https://example.com/help-desk': POOR,
  };

  test('is of the form that is published, and a replay gives the same bytes without a network', async () => {
    const { tools } = toolsFor(sites);
    const evidence = await collectCitationEvidence(vendorAnswers, about, tools);
    const found = presentCitations(vendorAnswers, about, evidence);
    expect(citationsResult.parse(found)).toEqual(found);
    expect(found?.unresolved_because).toEqual({ connection_failed: 1 });
    expect(found?.page_checks?.pages.filter(({ status }) => status === 'read').map(({ url }) => url)).toEqual([
      'https://www.techradar.com/best',
      'https://example.com/help-desk',
      'https://example.com/',
    ]);
    const kept = JSON.parse(JSON.stringify(evidence)) as typeof evidence;
    expect(JSON.stringify(presentCitations(vendorAnswers, about, kept))).toBe(JSON.stringify(found));
  });

  test('without a site of the buyer nothing is read but redirects; without sources nothing at all', async () => {
    const { tools, asked } = toolsFor(sites);
    const evidence = await collectCitationEvidence([googleAnswer], { rivals: [], seed: 'run' }, tools);
    expect(evidence).toMatchObject({ unchecked: 'no_site' });
    expect(evidence.pages).toBeUndefined();
    expect(new Set(asked.map(({ target }) => new URL(target.url).host))).toEqual(
      new Set(['vertexaisearch.cloud.google.com']),
    );
    const none = toolsFor(sites);
    const silent = [{ index: 0, text: 'x' }];
    expect(presentCitations(silent, about, await collectCitationEvidence(silent, about, none.tools))).toBeNull();
    expect(none.asked).toEqual([]);
  });

  test('without time nothing is read, and that is said', async () => {
    const { tools, asked } = toolsFor(sites);
    const evidence = await collectCitationEvidence(vendorAnswers, about, tools, 1_000);
    expect(asked).toEqual([]);
    expect(presentCitations(vendorAnswers, about, evidence)).toMatchObject({
      unresolved_because: { deadline: 2 },
      page_checks: null,
      page_checks_reason: 'deadline',
    });
  });

  test('where only the own site is cited, that is why nothing was compared', async () => {
    const { tools, asked } = toolsFor(sites);
    const own = [{ index: 0, text: 'x', sources: [{ url: 'https://example.com/help-desk' }] }];
    for (const leftMs of [60_000, 1_000]) {
      const evidence = await collectCitationEvidence(own, about, tools, leftMs);
      expect(presentCitations(own, about, evidence)).toMatchObject({
        page_checks: null,
        page_checks_reason: 'no_cited_page',
      });
    }
    expect(asked).toEqual([]);
  });

  test('evidence of before, which has no reason, gives the result of before', () => {
    const found = presentCitations(vendorAnswers, about, { resolutions: [] });
    expect(Object.keys(found ?? {}).at(-1)).toBe('page_checks');
    expect(citationEvidence.parse({ resolutions: [] })).toEqual({ resolutions: [] });
  });

  test('what is collected is read back from a recording, with the rubric of its checks', async () => {
    const { tools } = toolsFor(sites);
    const evidence = await collectCitationEvidence(vendorAnswers, about, tools);
    expect(evidence.rubric).toEqual(await computeCurrentRubric());
    expect(citationEvidence.parse(JSON.parse(JSON.stringify(evidence)))).toEqual(evidence);
    const late = await collectCitationEvidence(vendorAnswers, about, tools, 1_000);
    expect(citationEvidence.parse(JSON.parse(JSON.stringify(late)))).toEqual(late);
  });

  test('all of the longest is below 150 kB', async () => {
    const { tools } = toolsFor(sites);
    const answers = Array.from({ length: 120 }, (_, index) => ({
      index: index % 30,
      text: 'Acme is good for teams [1]. '.repeat(40),
      sources: Array.from({ length: 30 }, (_source, at) => ({
        url: `https://s${at}.example/${index}/${'a'.repeat(1_900)}`,
        title: 't'.repeat(500),
      })),
    }));
    const evidence = await collectCitationEvidence(answers, about, tools);
    const bytes = new TextEncoder().encode(JSON.stringify(presentCitations(answers, about, evidence))).byteLength;
    expect(bytes).toBeLessThan(150_000);
  });
});

test('whatever engines give as sources, the result has its form', () => {
  const address = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc.ipV4().map((ip) => `http://${ip}/`),
    fc.ipV6().map((ip) => `http://[${ip}]/`),
    fc.string().map((id) => googleRedirect(id)),
    fc.webUrl().map((url) => `https://www.google.com/url?q=${encodeURIComponent(url)}`),
  );
  const place = fc.oneof(fc.integer({ min: -3, max: 60 }), fc.double());
  const source = fc.record(
    { url: address, title: fc.string({ unit: 'binary' }), spans: fc.array(fc.tuple(place, place), { maxLength: 3 }) },
    { requiredKeys: ['url'] },
  );
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('[1]', '[2].', '\n', '. ', '](', '**', '【1】', 'Acme is good'),
  );
  const answer = fc.record(
    {
      index: fc.nat({ max: 29 }),
      text: fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      sources: fc.array(source, { maxLength: 6 }),
      citations: fc.array(address, { maxLength: 6 }),
    },
    { requiredKeys: ['index', 'text'] },
  );
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 6 }), fc.option(fc.domain(), { nil: undefined }), (answers, url) => {
      const about = { url, rivals: ['Acme', 'Sample Support'], seed: 'run' };
      const found = presentCitations(answers, about, { resolutions: [] });
      expect(citationsResult.nullable().parse(found)).toEqual(found);
      expect(JSON.stringify(found?.pages ?? [])).not.toMatch(/"url":"(?!https?:)/);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['Example.com', 'example.com'],
  ['https://www.shop.example.co.uk/x', 'example.co.uk'],
  [undefined, undefined],
  ['', undefined],
])('the site of %j is %j', (typed, domain) => {
  expect(readOwnDomain(typed)).toBe(domain);
});
