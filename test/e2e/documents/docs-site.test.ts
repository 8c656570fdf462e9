import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { buildDocs } from '../../../scripts/build-docs.js';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { allowPublicAnd } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { findAddressFault } from '../../support/links/links.ts';
import { sampleRows } from '../../support/runner/budget.ts';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  LOOKS,
  noOverflow,
  type Opened,
  openBrowser,
} from '../../support/stack/browser.ts';
import { officialClient } from '../../support/stack/official-client.ts';
import { auditOwnSite, EXAMPLE_OPERATOR } from '../../support/stack/own-site.ts';

const LONG_MS = 600_000;
const brand = { brand: 'Example Desk', niche: 'help desk software for small teams' };

let stack: Stack;
let browser: Opened;
/** One report of each kind. */
const reports: string[] = [];

beforeAll(async () => {
  buildDocs();
  [stack, browser] = await Promise.all([startStack({ bindings: EXAMPLE_OPERATOR }), openBrowser()]);
  const { good, poor } = stack.sites;
  await buy('full_audit', { url: good, publish: true });
  await buy('check_health', { url: poor });
  await buy('compare', { url: poor, competitor: good });
  await buy('fix_pack', { url: poor });
  await buy('generate_llms_txt', { url: good });
  await buy('full_report', { url: poor });
  await buy('visibility_check', brand);
  await buy('visibility_vs_competitor', { ...brand, competitor_brand: 'Sample Support' });
  await buy('visibility_fix_pack', { ...brand, weak_spots: [{ topic: 'pricing for small teams' }] });
}, LONG_MS);
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

async function buy(capability: string, body: object): Promise<void> {
  const client = officialClient(stack.buyer).setSpendControls({ maxAmountPerPayment: '$4' });
  const answer = await wrapFetchWithPayment(fetch, client)(`${stack.api.url}/api/agent/${capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`${capability} answered ${answer.status}: ${JSON.stringify(said)}`);
  reports.push(`/reports/${z.object({ report_id: z.string() }).parse(said).report_id}`);
}

/** Each request is another caller's: the limit of free answers is not what is tested here. */
let caller = 0;
function get(path: string, accept = 'text/html'): Promise<Response> {
  caller += 1;
  const address = `198.18.${Math.trunc(caller / 250) % 250}.${(caller % 250) + 1}`;
  return fetch(new URL(path, stack.api.url), { headers: { accept, 'cf-connecting-ip': address }, redirect: 'manual' });
}

/** The pages of the documentation, as the sitemap lists them. */
async function listPages(): Promise<readonly string[]> {
  const sitemap = await (await get('/sitemap.xml')).text();
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, url = '']) => new URL(url).pathname)
    .filter((path) => path.startsWith('/docs/'));
}

test('every page is there in HTML, and in Markdown at its own address and at one of its own', async () => {
  const paths = await listPages();
  expect(paths.length).toBeGreaterThan(300);
  for (const path of sampleRows(paths, 7)) {
    const [html, markdown, twin] = await Promise.all([
      get(path),
      get(path, 'text/markdown'),
      get(`${path.endsWith('/') ? `${path}index` : path}.md`, '*/*'),
    ]);
    const text = await html.text();
    const types = [html, markdown, twin].map(({ status, headers }) => [status, headers.get('content-type')]);
    expect({ path, types }).toEqual({
      path,
      types: [
        [200, 'text/html; charset=utf-8'],
        [200, 'text/markdown; charset=utf-8'],
        [200, 'text/markdown; charset=utf-8'],
      ],
    });
    expect(await markdown.text()).toBe(await twin.text());
    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(text).toContain(`<link rel="canonical" href="${stack.api.url}${path}">`);
    expect(text).toContain('rel="alternate" type="text/markdown"');
    expect(text).not.toContain('origin.invalid');
  }
});

test('addresses lead to one place each, and a wrong one to a page or a problem', async () => {
  const moved = [
    '/docs',
    '/docs/reference/problems.html',
    '/docs/reference/problems/',
    '/docs/reference/checks',
    '/docs//reference%2Fproblems',
    '/docs/index.html',
  ];
  const answers = await Promise.all(moved.map((path) => get(path)));
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
    [308, '/docs/'],
    [308, '/docs/reference/problems'],
    [308, '/docs/reference/problems'],
    [308, '/docs/reference/checks/'],
    [308, '/docs/reference/problems'],
    [308, '/docs/'],
  ]);
  const [page, problem] = await Promise.all([get('/docs/nothing'), get('/docs/nothing', 'application/json')]);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
  expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  for (const path of ['/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/_headers', '/docs/assets/..%2f..%2f_headers'])
    expect((await get(path, '*/*')).status).toBe(404);
});

test('llms.txt names the whole text, which has every page', async () => {
  const whole = await (await get('/llms-full.txt', '*/*')).text();
  expect(await (await get('/llms.txt', '*/*')).text()).toContain(`${stack.api.url}/llms-full.txt`);
  for (const heading of ['# Problems', '# Checks', '# Settings', '# Limits']) expect(whole).toContain(`${heading}\n`);
  expect(whole.length).toBeGreaterThan(500_000);
});

test('the type of a problem opens its section for people, and its words for programs', async () => {
  const unpaid = await get('/reports/00000000000000000000000000000000', 'application/json');
  const { type, code } = z.object({ type: z.string(), code: z.string() }).parse(await unpaid.json());
  const opened = await get(type);
  expect([opened.status, opened.headers.get('location')]).toEqual([302, `/docs/reference/problems#${code}`]);
  expect(await (await get('/docs/reference/problems')).text()).toContain(`id="${code}"`);
  expect(await (await get(type, '*/*')).text()).toMatch(new RegExp(`^${code} \\(HTTP 404\\)`));
});

describe('links', () => {
  type Page = { status: number; links: readonly string[]; anchors: ReadonlySet<string> };
  const seen = new Map<string, Page>();

  /** An HTML page with its links and anchors. */
  async function readPage(path: string): Promise<Page> {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const answer = await get(path);
    const text = (answer.headers.get('content-type') ?? '').startsWith('text/html') ? await answer.text() : '';
    const all = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
    const page = {
      status: answer.status,
      links: all(/<a\s[^>]*?href="([^"]*)"/g).map((href) => href.replaceAll('&amp;', '&')),
      anchors: new Set(all(/\sid="([^"]*)"/g)),
    };
    seen.set(path, page);
    return page;
  }

  async function findFault(from: string, href: string): Promise<string | undefined> {
    const url = URL.parse(href, new URL(from, stack.api.url).href);
    if (url === null) return 'is no address';
    if (url.origin !== stack.api.url) return findAddressFault(href);
    const { status, anchors } = await readPage(`${url.pathname}${url.search}`);
    if (status >= 400) return `answers ${status}`;
    if (url.hash === '' || anchors.size === 0) return undefined;
    return anchors.has(decodeURIComponent(url.hash.slice(1))) ? undefined : 'has no such place';
  }

  test('every link that the served pages and a report of each kind print leads somewhere', async () => {
    const site = ['/', '/about', '/accuracy', '/contact', '/privacy', '/terms', '/audit', '/signin'];
    const docs = sampleRows(await listPages(), 5);
    const faults: string[] = [];
    for (const path of [...site, ...reports, ...docs])
      for (const href of new Set((await readPage(path)).links)) {
        const fault = await findFault(path, href);
        if (fault !== undefined) faults.push(`${path}: ${href} ${fault}`);
      }
    expect(seen.size).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  test('each check of a report leads to its page, in HTML, Markdown and SARIF, and JSON to their list', async () => {
    const [audit = ''] = reports;
    const { links } = await readPage(audit);
    expect(links.filter((href) => href.startsWith('/docs/reference/checks/')).length).toBeGreaterThan(250);
    const markdown = await (await get(`${audit}.md`, '*/*')).text();
    const pages = [...markdown.matchAll(/\]\((\S+?\/docs\/reference\/checks\/\S+)\)/g)].map(([, url = '']) => url);
    expect(pages.length).toBeGreaterThan(0);
    const sarif = await (await get(`${audit}.sarif`, '*/*')).text();
    const helped = [...sarif.matchAll(/"helpUri": "([^"]+)"/g)].map(([, url = '']) => url);
    expect(helped.length).toBe([...sarif.matchAll(/"shortDescription"/g)].length);
    expect(helped.length).toBeGreaterThan(0);
    const link = (await get(`${audit}.json`, 'application/json')).headers.get('link') ?? '';
    const [, list = ''] = /^<([^>]+)>; rel="help"$/.exec(link) ?? [];
    for (const url of [...pages, ...helped, list]) expect((await get(url)).status).toBe(200);
  });
});

describe('in a browser', () => {
  const pages = [
    '/docs/',
    '/docs/reference/checks/',
    '/docs/reference/checks/aeo.reach.http-200',
    '/docs/reference/problems',
    '/docs/reference/cli',
    '/docs/reference/limits',
    '/docs/reference/settings',
    '/docs/reference/visibility-metrics',
    '/docs/operate/deploy',
  ];

  test.each(pages)('%s is usable by everybody', async (path) => {
    const page = await browser.page({ width: LOOKS[0]?.width ?? 360 });
    await page.goto(`${stack.api.url}${path}`, { waitUntil: 'networkidle' });
    expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
    for (const { width, scheme } of LOOKS) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.reload({ waitUntil: 'networkidle' });
      const found = {
        complaints: await complaints(page),
        foreign: foreignRequests(page),
        wide: await noOverflow(page),
        axe: await judgePage(page),
      };
      expect(found).toEqual({ complaints: [], foreign: [], wide: [], axe: [] });
    }
    await page.context().close();
  });

  test('a page reads without scripts', async () => {
    const page = await browser.page({ scripts: false });
    await page.goto(`${stack.api.url}/docs/reference/checks/aeo.reach.http-200`);
    expect(await page.locator('main h1').count()).toBe(1);
    expect(await page.locator('main').innerText()).toContain('How to verify it');
    await page.context().close();
  });

  test('search finds a check by its id and opens its page, without a request elsewhere', async () => {
    const page = await browser.page();
    await page.goto(`${stack.api.url}/docs/`, { waitUntil: 'networkidle' });
    await page.locator('#local-search button').click();
    await page.locator('#localsearch-input').fill('aeo.reach.http-200');
    await page.locator('#localsearch-list a').first().click();
    await page.waitForURL(/aeo\.reach\.http-200/);
    // The address changes before the page does.
    await page.locator('main h1', { hasText: '200' }).waitFor();
    expect([await complaints(page), foreignRequests(page)]).toEqual([[], []]);
    await page.context().close();
  });

  test('the reader can choose light or dark, and the choice stays', async () => {
    const page = await browser.page({ scheme: 'light' });
    await page.goto(`${stack.api.url}/docs/reference/scores`, { waitUntil: 'networkidle' });
    const isDark = () => page.evaluate<boolean>("document.documentElement.classList.contains('dark')");
    expect(await isDark()).toBe(false);
    await page.locator('.VPNavBarAppearance button').click();
    expect(await isDark()).toBe(true);
    await page.reload({ waitUntil: 'networkidle' });
    expect([await isDark(), await complaints(page)]).toEqual([true, []]);
    await page.context().close();
  });
});

describe('our own audit', () => {
  /** Start page, and all pages that were read. The pages quote no person, and their worth for GEO ends there. */
  const AIMS = { aeo: [97, 94], geo: [90, 82], agent: [97, 96], mcp: [100, 100] } as const;

  test.each(['aeo', 'geo', 'agent', 'mcp'] as const)('gives the documentation its aim in %s', async (name) => {
    const url = `${stack.api.url}/docs/reference/scores`;
    const policy = allowPublicAnd([url]);
    const fetching = createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock: Date.now });
    const { start, score, left } = (await auditOwnSite(url, fetching))[name];
    expect({ left, isReached: start >= AIMS[name][0] && score >= AIMS[name][1] }).toMatchObject({ isReached: true });
  });
});
