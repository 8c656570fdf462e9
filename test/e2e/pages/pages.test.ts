import { gzipSync } from 'node:zlib';
import { wrapFetchWithPayment } from '@x402/fetch';
import type { Page } from 'playwright-core';
import { getDocumentProxy, extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { LANGUAGES, type PageLanguage } from '../../../src/web/language/language.ts';
import { buildSiteTexts } from '../../../src/web/start/site-texts.ts';
import { type Browser, formsOf } from '../../conformance/support/browser.ts';
import { signedInBrowser } from '../../conformance/support/oauth.ts';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  noOverflow,
  type Opened,
  openBrowser,
  LOOKS,
  screenshot,
  WIDTHS,
} from '../../support/stack/browser.ts';
import { EXAMPLE_OPERATOR } from '../../support/stack/own-site.ts';
import { RUN_WITHIN_MS } from '../../support/stack/watched-site.ts';
import { sampleRows } from '../../support/runner/budget.ts';
import { officialClient } from '../../support/stack/official-client.ts';

/**
 * All scripts of a public page in one language, compressed, with those that come while a person audits, signs and buys (the
 * console is for its operator).
 */
const MAX_SCRIPT_BYTES = 40_000;
const LONG_MS = 240_000;
const HOST = 'www.shop.example';
const brand = { brand: 'Example Desk', niche: 'help desk software for small teams' };

let stack: Stack;
let browser: Opened;
/** Without scripts, for one page after the other. */
let plain: Page;
let cookies: { name: string; value: string; url: string }[];
/** Pages of a monitor of the signed-in person, of its run and of what the run rang. */
let monitorPath = '';
let runPath = '';
let alertPath = '';
/** Addresses of reports by what was bought. */
const reports = new Map<string, string>();

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ bindings: EXAMPLE_OPERATOR }), openBrowser()]);
  plain = await browser.page({ scripts: false });
  const person = await signedInBrowser(stack.api.url);
  cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: stack.api.url }));
  monitorPath = await makeMonitor(person);
  await findRun(person);
  await claimHost(person);
  const { good, poor } = stack.sites;
  await buy('full_audit', { url: good, publish: true });
  await buy('full_audit', { url: good, publish: true }, 'second');
  await buy('score_aeo', { url: poor });
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

/** A monitor of the person, by its form: its first run fails for lack of credits. */
async function makeMonitor(person: Browser): Promise<string> {
  const page = await person.open('/account/monitors/new');
  const form = formsOf(page.html).find(({ action }) => action === '/account/monitors');
  if (form === undefined) throw new Error('no form for a monitor');
  const fields = { url: stack.sites.good, 'receiver_kind.0': 'slack', 'receiver_to.0': 'https://hooks.example/in' };
  return new URL((await person.submit(page, form, fields)).url).pathname;
}

/** A host that the person has not proven yet. */
async function claimHost(person: Browser): Promise<void> {
  const page = await person.open('/account/hosts');
  const form = formsOf(page.html).find(({ action }) => action === '/account/hosts');
  if (form === undefined) throw new Error('no form for a host');
  await person.submit(page, form, { host: HOST });
}

const ranOut = z.object({
  runs: z.tuple([z.object({ id: z.string(), state: z.literal('failed') })], z.unknown()),
  recent_alerts: z.tuple([z.object({ id: z.string() })], z.unknown()),
});

/** The run that failed, and the alert that says so. */
async function findRun(person: Browser): Promise<void> {
  const read = async () => ranOut.parse(JSON.parse((await person.open(`${monitorPath}.json`)).html));
  const { runs, recent_alerts: alerts } = await vi.waitFor(read, { timeout: RUN_WITHIN_MS, interval: 500 });
  runPath = `${monitorPath}/runs/${runs[0].id}`;
  alertPath = `${monitorPath}/alerts/${alerts[0].id}`;
}

/** Buys as a program does, and keeps the address of the report. */
async function buy(capability: string, body: object, as = capability): Promise<void> {
  const client = officialClient(stack.buyer).setSpendControls({ maxAmountPerPayment: '$4' });
  const answer = await wrapFetchWithPayment(fetch, client)(`${stack.api.url}/api/agent/${capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`${capability} answered ${answer.status}: ${JSON.stringify(said)}`);
  reports.set(as, `/reports/${z.object({ report_id: z.string() }).parse(said).report_id}`);
}

const report = (name: string) => (): string => reports.get(name) ?? '';
type Look = (typeof LOOKS)[number];
const hostOf = (url: string): string => new URL(url).host;

/** A page that people open: `name` of its pictures, `path` known once the stack stands. */
type Row = { name: string; path: () => string; status?: number; signedIn?: true };

/** Every page of the api that people look at. */
const pages: readonly Row[] = [
  { name: 'start', path: () => '/' },
  { name: 'prices', path: () => '/prices' },
  { name: 'example', path: () => '/example' },
  ...buildSiteTexts({ identities: [] }).map(({ path }) => ({ name: path.slice(1), path: () => path })),
  { name: 'audit', path: () => '/audit' },
  { name: 'audit-of', path: () => `/audit?url=${encodeURIComponent(stack.sites.good)}` },
  { name: 'order', path: () => '/report?url=no+address&max_pages=99', status: 422 },
  { name: 'visibility', path: () => '/visibility' },
  {
    name: 'visibility-compare',
    path: () => '/visibility/compare?brand=A&competitor_brand=B&niche=help+desk+software',
  },
  { name: 'visibility-fix', path: () => '/visibility/fix' },
  { name: 'signin', path: () => '/signin' },
  { name: 'account', path: () => '/account', signedIn: true },
  { name: 'monitors', path: () => '/account/monitors', signedIn: true },
  { name: 'monitor-new', path: () => '/account/monitors/new?url=shop.example', signedIn: true },
  { name: 'monitor-new-brand', path: () => '/account/monitors/new?kind=visibility_panel_2', signedIn: true },
  { name: 'monitor', path: () => monitorPath, signedIn: true },
  { name: 'monitor-run', path: () => runPath, signedIn: true },
  { name: 'monitor-alert', path: () => alertPath, signedIn: true },
  { name: 'monitor-edit', path: () => `${monitorPath}/edit`, signedIn: true },
  { name: 'monitor-delete', path: () => `${monitorPath}/delete`, signedIn: true },
  { name: 'monitor-compare', path: () => `${monitorPath}/compare`, signedIn: true },
  { name: 'hosts', path: () => '/account/hosts', signedIn: true },
  { name: 'host', path: () => `/account/hosts?host=${HOST}`, signedIn: true },
  { name: 'no-report', path: () => `/reports/${'0'.repeat(32)}`, status: 404 },
  { name: 'no-history', path: () => '/history/nobody.example', status: 404 },
  { name: 'history', path: () => `/history/${hostOf(stack.sites.good)}` },
  { name: 'report-full-audit', path: report('full_audit') },
  { name: 'report-score-aeo', path: report('score_aeo') },
  { name: 'report-compare', path: report('compare') },
  { name: 'report-fix-pack', path: report('fix_pack') },
  { name: 'report-files', path: report('generate_llms_txt') },
  { name: 'report-full', path: report('full_report') },
  { name: 'report-visibility', path: report('visibility_check') },
  { name: 'report-versus', path: report('visibility_vs_competitor') },
  { name: 'report-visibility-fixes', path: report('visibility_fix_pack') },
];

/** Each page is another caller's: the limit of free answers is not what is tested here. */
let caller = 0;
async function opened(row: Row, options: Parameters<Opened['page']>[0] = {}): Promise<Page> {
  const page = await browser.page(options);
  if (row.signedIn) await page.context().addCookies(cookies);
  await load(page, row);
  return page;
}

async function load(page: Page, row: Row): Promise<void> {
  caller += 1;
  await page.setExtraHTTPHeaders({ 'cf-connecting-ip': `198.18.${Math.trunc(caller / 250)}.${(caller % 250) + 1}` });
  const answer = await page.goto(`${stack.api.url}${row.path()}`, { waitUntil: 'load' });
  expect(answer?.status()).toBe(row.status ?? 200);
}

/** The browser tells of an answer that is no success: the page itself, where it is one on purpose. */
const isItsStatus = (row: Row) => (text: string) =>
  row.status !== undefined && text.includes(`the server responded with a status of ${row.status}`);

/**
 * Pages share their frame and their colours: one in three is looked at in the dark too, the others in the light, at one
 * width each in turn. In the soak each is looked at in all ways.
 */
function selectLooks<Item>(rows: readonly Item[], row: Item): readonly Look[] {
  if (sampleRows(rows, 3).includes(row)) return LOOKS;
  return [{ width: WIDTHS[rows.indexOf(row) % 2 === 0 ? 0 : 1], scheme: 'light' }];
}

/** Loaded on a small telephone, then as wide as on a desk, light and dark: nothing but colours changes then. */
async function expectSound(page: Page, row: Row, name: string, looks: readonly Look[] = LOOKS): Promise<void> {
  const sound = { complaints: [], foreign: [], wide: [], axe: [] };
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await screenshot(page, `${name}-${width}-${scheme}`);
    const found = {
      complaints: await complaints(page, isItsStatus(row)),
      foreign: foreignRequests(page),
      wide: await noOverflow(page),
      axe: await judgePage(page),
    };
    expect(found).toEqual(sound);
  }
}

/** Layout may not shift at either width. */
async function expectStill(page: Page, row: Row): Promise<void> {
  await page.setViewportSize({ width: WIDTHS[1], height: 900 });
  await load(page, row);
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
}

describe.each(pages)('$name', (row) => {
  test('is usable by everybody: 360 and 1280 px, light and dark', async () => {
    const page = await opened(row, { width: WIDTHS[0] });
    await expectSound(page, row, row.name, selectLooks(pages, row));
    await expectStill(page, row);
    await page.context().close();
  });

  test('reads without scripts, which are few', async () => {
    await plain.context().clearCookies();
    if (row.signedIn) await plain.context().addCookies(cookies);
    await load(plain, row);
    expect(await plain.locator('h1').count()).toBe(1);
    expect((await plain.locator('main').innerText()).length).toBeGreaterThan(60);
    const sources = await plain
      .locator('script[src]')
      .all()
      .then((all) => Promise.all(all.map(async (one) => (await one.getAttribute('src')) ?? '')));
    const zipped = await listScripts(sources);
    for (const language of LANGUAGES) expect(sumOf(zipped, language)).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    if ((await plain.locator('[data-buy="panel"][data-pay-to]').count()) > 0)
      expect([...zipped.keys()]).toEqual(expect.arrayContaining(['/web/buying-en.js', '/web/signing.js']));
  });
});

/** Compressed bytes of these scripts, and of all that they load later: each names the others by their paths. */
async function listScripts(sources: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  const left = [...sources];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (bytes.has(path)) continue;
    const answer = await fetch(new URL(path, stack.api.url));
    expect(answer.status).toBe(200);
    const script = await answer.text();
    expect(script).not.toMatch(/\bimport\s*["']|\bfrom\s*["']\.|\bimport\(["']/); // By constants only, which this reads.
    bytes.set(path, gzipSync(script).byteLength);
    left.push(...(script.match(/\/web\/[a-z-]+\.js/g) ?? []));
  }
  return bytes;
}

/** A page loads no script of another language. */
const sumOf = (zipped: ReadonlyMap<string, number>, language: PageLanguage): number =>
  [...zipped]
    .filter(([path]) => !LANGUAGES.some((other) => other !== language && path.endsWith(`-${other}.js`)))
    .reduce((sum, [, bytes]) => sum + bytes, 0);

describe('the console', () => {
  const consoleRow = (path: string): Row => ({ name: path, path: () => path });

  test('is usable by everybody before and after sign-in: 360 and 1280 px, light and dark', async () => {
    const { control } = stack.file;
    if (control === undefined) throw new Error('the stack has no control Worker');
    const page = await browser.page({ width: WIDTHS[0] });
    await page.goto(`${control}/console/signin`);
    await expectSound(page, consoleRow('signin'), 'console-signin');
    await page.locator('input[type="password"]').fill(stack.file.operator?.secret ?? '');
    await page.locator('main form button').first().click();
    await page.waitForURL(/\/console\/$/);
    const links = await page
      .locator('header nav.menu a')
      .all()
      .then((all) => Promise.all(all.map((one) => one.getAttribute('href'))));
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) {
      await page.setViewportSize({ width: WIDTHS[0], height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(new URL(path ?? '', control).href);
      const name = (path ?? '').replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '');
      await expectSound(page, consoleRow(path ?? ''), name, selectLooks(links, path));
    }
    await page.context().close();
  });
});

const printed = ['full_audit', 'compare', 'visibility_check'] as const;

test.each(printed)(
  'a report of %s prints whole with print=full: what is closed on the screen too, and no navigation',
  async (name) => {
    const page = await opened({ name, path: () => `${report(name)()}?print=full` }, { scheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const inside = await page.evaluate<string[]>(FOLDED_TEXTS);
    const bytes = await page.pdf({ format: 'A4' });
    await page.context().close();
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    const { text } = await extractText(pdf, { mergePages: true });
    const read = squeezed(text);
    expect(pdf.numPages).toBeGreaterThan(0);
    for (const line of ['Skip to the content', 'Audit a site']) expect(read).not.toContain(squeezed(line));
    const wanted = inside.map((one) => squeezed(one).slice(0, 40)).filter((one) => one !== '');
    expect(wanted.length).toBeGreaterThan(1);
    expect(wanted.filter((one) => !read.includes(one))).toEqual([]);
  },
);

/** Pieces of text in `details` of the page, summaries too, that the style of print does not take out. */
const FOLDED_TEXTS = `(() => {
  const shown = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { display, clipPath } = getComputedStyle(at);
      if (display === 'none' || clipPath !== 'none') return false; // Clipped: for those who listen.
    }
    return true;
  };
  const found = [];
  for (const details of document.querySelectorAll('main details')) {
    const walker = document.createTreeWalker(details, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.data.trim().length > 7 && shown(node.parentElement)) found.push(node.data);
  }
  return [...new Set(found)];
})()`;

/** Lines are broken elsewhere on paper, and hyphens and spaces with them; pictographs need a font that not every machine has. */
const squeezed = (words: string): string =>
  words.normalize('NFKC').replaceAll(/[\s\u00ad\u200b]|\ufe0f|\u200d|\p{Extended_Pictographic}/gu, '');
