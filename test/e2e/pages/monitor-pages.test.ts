import { setTimeout as sleep } from 'node:timers/promises';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type HttpServer, startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { signTerms } from '../../conformance/support/mcp-client.ts';
import { signIn } from '../../conformance/support/person.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';

const MINUTE_MS = 60_000;
/** A run begins within the minute after the next one, and an audit of the demo site takes seconds. */
const RUN_WITHIN_MS = 80_000;
const POLL_MS = 1_000;
const REFUSED_LINE = 'User-agent: OAI-SearchBot';

let stack: Stack;
let payer: Account;
let browser: Opened;
let page: Page;
let site: HttpServer;
let hooks: HttpServer;
/** robots.txt of the watched site; undefined: that of the demo site. */
let robots: string | undefined;
const received: { text: string; headers: Record<string, string> }[] = [];
/** The address of the monitor's page, and the secret of its webhook, as the browser showed them. */
let monitorUrl = '';
let secret = '';

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  [site, hooks] = await Promise.all([startWatchedSite(), startHooks()]);
  payer = await stack.chain.freshAccount(20_000_000n);
  const person = newBrowser(stack.api.url);
  await signIn(person, privateKeyToAccount(payer.privateKey));
  page = await browser.page({ scripts: false });
  page.setDefaultTimeout(15_000);
  const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: stack.api.url }));
  await page.context().addCookies(cookies);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([site.stop(), hooks.stop()]);
  await stack.stop();
});

/** The demo site at an address of its own, whose robots.txt the test changes. */
const startWatchedSite = (): Promise<HttpServer> =>
  startHttpServer(async (request, response) => {
    const own = `http://${request.headers.host ?? ''}`;
    if (request.url === '/robots.txt' && robots !== undefined) {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(robots);
      return;
    }
    const { accept = '*/*' } = request.headers;
    const answer = await fetch(`${stack.sites.good}${request.url ?? '/'}`, { headers: { accept }, redirect: 'manual' });
    const headers = [...answer.headers].filter(([name]) => ['content-type', 'link', 'vary'].includes(name));
    response.writeHead(
      answer.status,
      Object.fromEntries(headers.map(([name, value]) => [name, value.replaceAll(stack.sites.good, own)])),
    );
    response.end((await answer.text()).replaceAll(stack.sites.good, own));
  });

const startHooks = (): Promise<HttpServer> =>
  startHttpServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += String(piece);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    received.push({ text, headers: Object.fromEntries(headers) });
    response.writeHead(204).end();
  });

const textOf = async (): Promise<string> => (await page.locator('main').textContent()) ?? '';
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();

async function buyCredits(): Promise<void> {
  const post = (headers: Record<string, string>) =>
    fetch(`${stack.api.url}/api/credits/5`, { method: 'POST', headers });
  const terms = decodePaymentRequiredHeader((await post({})).headers.get('payment-required') ?? '');
  const credential = encodePaymentSignatureHeader(await signTerms(payer, terms));
  expect((await post({ 'payment-signature': credential })).status).toBe(200);
}

/** Sets the monitor to run every day at the minute after the next one. */
async function runSoon(): Promise<void> {
  await page.goto(`${monitorUrl}/edit`);
  const at = new Date(Date.now() + MINUTE_MS).toISOString().slice(11, 16);
  await page.getByLabel('How often').selectOption('daily');
  await page.getByLabel('Time of day').fill(at);
  await press('Save');
  expect(await textOf()).toContain('The monitor is changed.');
}

/** Loads the page of the monitor again until it says so. */
async function waitFor(said: RegExp): Promise<void> {
  const endMs = Date.now() + RUN_WITHIN_MS;
  let text = '';
  while (!said.test(text) && Date.now() < endMs) {
    await sleep(POLL_MS);
    await page.goto(monitorUrl);
    text = await textOf();
  }
  expect(text).toMatch(said);
}

/** The forms are used without scripts; axe is one, so it judges the same page beside. */
async function expectSound(): Promise<void> {
  const judged = await browser.page({ beside: page });
  await judged.goto(page.url());
  expect({ axe: await judgePage(judged), wide: await noOverflow(judged), said: await complaints(judged) }).toEqual({
    axe: [],
    wide: [],
    said: [],
  });
  await judged.context().close();
}

test('a monitor made without credits is paused by its first run, and says why', async () => {
  await page.goto(`${stack.api.url}/account/monitors`);
  expect(await textOf()).toContain('You watch nothing yet');
  await page.getByRole('link', { name: 'Watch a site or a brand' }).click();
  await page.getByLabel('Address of the site').fill(site.url);
  await page.getByLabel('Receiver 1', { exact: true }).selectOption('webhook');
  await page.getByLabel('Address of receiver 1').fill(`${hooks.url}/in`);
  await press('Create the monitor');
  expect(await page.locator('h1').textContent()).toBe('Copy this now');
  secret = (await page.locator('main code').filter({ hasText: 'whsec_' }).textContent()) ?? '';
  const href = await page.getByRole('link', { name: 'Go to the monitor' }).getAttribute('href');
  monitorUrl = new URL(href ?? '', stack.api.url).href;
  await waitFor(/The credits do not pay the next run/);
  expect(await textOf()).toContain('Failed, not charged');
  expect(await textOf()).not.toContain('whsec_');
});

test('after credits are added it is resumed, runs, and its report can be read', async () => {
  await buyCredits();
  await page.goto(monitorUrl);
  await press('Resume');
  expect(await textOf()).toContain('The monitor is resumed.');
  await runSoon();
  await waitFor(/By schedule\s*Done/);
  await expectSound();
  await page.locator('#runs').locator('xpath=..').getByRole('link').first().click();
  await page.getByRole('link', { name: 'Audit' }).last().click();
  expect(page.url()).toMatch(/\/reports\/[0-9a-f]{32}$/);
  await page.goto(`${stack.api.url}/account`);
  expect(await textOf()).toContain('$4.65');
});

test('a changed line of robots.txt rings: the page names the check and the line, and the signed webhook comes', async () => {
  robots = `User-agent: *\nAllow: /\n\n${REFUSED_LINE}\nDisallow: /\n\nSitemap: ${site.url}/sitemap.xml\n`;
  const before = received.length;
  await runSoon();
  await waitFor(/A check (?:got worse|holds a score down)/);
  await page
    .getByRole('link', { name: /A check (?:got worse|holds a score down)/ })
    .first()
    .click();
  const said = await textOf();
  expect(said).toMatch(/agents?[._]|aeo\.|robots/);
  expect(said).toContain(`${site.url}/robots.txt`);
  expect(said).toMatch(/line \d+/);
  expect(said).toContain('sightline replay');
  await expectSound();
  const alertUrl = page.url();
  expect(await (await page.request.get(`${alertUrl}.md`)).text()).toContain('robots.txt');
  await page.getByRole('link', { name: 'Compare the two runs' }).click();
  expect(await textOf()).toContain('Worse');
  await expect.poll(() => received.length, { timeout: RUN_WITHIN_MS }).toBeGreaterThan(before);
  const verified = received.map(({ text, headers }) => new Webhook(secret).verify(text, headers) as { type: string });
  expect(verified.map(({ type }) => type).join(' ')).toMatch(/alert|digest|monitor/);
});

test('it is deleted after a question, and its page is gone', async () => {
  await page.goto(monitorUrl);
  await page.getByRole('link', { name: 'Delete', exact: true }).click();
  await press('Delete the monitor');
  expect(await textOf()).toContain('The monitor is deleted.');
  expect((await page.goto(monitorUrl))?.status()).toBe(404);
});
