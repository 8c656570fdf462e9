import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Miniflare } from 'miniflare';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';
import { startBareWorkerd } from '../../support/stack/bare-workerd.ts';

const HOST = 'shop.example';
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.4; +https://openai.com/gptbot)';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0';
const WIDTHS = [390, 1280] as const;

let stack: Stack;
let browser: Opened;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const at = (path: string): string => `${stack.api.url}${path}`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const textOf = async (page: Page): Promise<string> => (await page.locator('main').textContent()) ?? '';

/** The Worker of a site, with the file that its owner saved. */
const startSite = (file: string, bindings: Record<string, string>): Promise<Miniflare> =>
  startBareWorkerd(
    `${file}\nexport default countVisitors({ fetch: async () => new Response('a page', { headers: { 'content-length': '6' } }) });`,
    [],
    { SIGHTLINE_GATHER_MS: '100', ...bindings },
  );

const visit = async (site: Miniflare, path: string, headers: Record<string, string>): Promise<string> =>
  (await site.dispatchFetch(`https://${HOST}${path}`, { headers })).text();

const reportSchema = z.object({
  agents: z.array(z.object({ agent: z.string(), requests: z.number(), bytes: z.number() })),
  referrals: z.array(z.object({ assistant: z.string(), requests: z.number() })),
});

/** Claims and proves the host by its pages. @returns the token for counts */
async function proveHost(page: Page): Promise<string> {
  await page.goto(at('/account'));
  await button(page, 'Sign in as the demo buyer').click();
  await page.waitForURL(/\/account$/);
  await page.getByRole('link', { name: 'Hosts and crawlers' }).first().click();
  await page.getByLabel('Host name').fill(HOST);
  await button(page, 'Add the host').click();
  await page.waitForURL(/host=shop\.example/);
  const [value = ''] = /sightline-site-verification=[0-9a-f]{32}/.exec(await textOf(page)) ?? [];
  appendFileSync(stack.txtRecordsFile ?? '', `_sightline.${HOST} ${value}\n`);
  await button(page, 'Look for it now').click();
  expect(await page.getByRole('status').textContent()).toContain('Found: the host is proven to be yours.');
  await button(page, 'Create a token').click();
  return (await page.locator('#token code').textContent()) ?? '';
}

test('an owner proves a host, lets her Worker count, and sees who came', async () => {
  const page = await browser.page();
  const token = await proveHost(page);
  const read = async (path: string): Promise<string> => (await page.request.get(at(path))).text();
  const file = await read(`/account/hosts/crawler-counts.js?host=${HOST}`);
  const site = await startSite(file, { SIGHTLINE_COUNTS_TOKEN: token });
  try {
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await visit(site, '/docs?secret=1', { 'user-agent': GPTBOT })).toBe('a page');
      const person = { 'user-agent': FIREFOX, accept: 'text/html', referer: 'https://chatgpt.com/' };
      await visit(site, '/prices', person);
    }
    const report = async () => reportSchema.parse(JSON.parse(await read(`/account/hosts.json?host=${HOST}`)));
    await expect.poll(report, { timeout: 20_000 }).toMatchObject({
      agents: [{ agent: 'GPTBot', requests: 6, bytes: 36 }],
      referrals: [{ assistant: 'ChatGPT', requests: 6 }],
    });
  } finally {
    await site.dispose();
  }
  for (const width of WIDTHS) {
    const wide = await browser.page({ width, beside: page });
    for (const path of ['/account/hosts', `/account/hosts?host=${HOST}`]) {
      await wide.goto(at(path));
      expect([await judgePage(wide), await noOverflow(wide), await complaints(wide)]).toEqual([[], [], []]);
    }
    expect(await textOf(wide)).toContain('GPTBot (OpenAI), by its own word');
    await wide.context().close();
  }
});

test('a visitor is answered while nothing takes the counts', async () => {
  const file = readFileSync(
    new URL('../../../docs/examples/crawler-counts/crawler-counts.js', import.meta.url),
    'utf8',
  );
  const site = await startSite(file, { SIGHTLINE_COUNTS_URL: 'http://127.0.0.1:1/', SIGHTLINE_COUNTS_TOKEN: 'x' });
  try {
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await visit(site, '/', { 'user-agent': GPTBOT })).toBe('a page');
      await sleep(150);
    }
  } finally {
    await site.dispose();
  }
});
