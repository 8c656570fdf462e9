import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { complaints, layoutShift, type Opened, openBrowser } from '../../support/stack/browser.ts';

const WITHIN_MS = 30_000;
const REPORT = /\/reports\/[0-9a-f]{32}$/;
const PRICE = BigInt(findCapability('full_audit')?.priceMicroUsdc ?? 0);
/** A telephone far from its mast: milliseconds, and bytes a second. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

let stack: Stack;
let browser: Opened;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

async function openPage(options: Parameters<Opened['page']>[0] = {}): Promise<Page> {
  const page = await browser.page(options);
  page.setDefaultTimeout(WITHIN_MS);
  return page;
}

const address = (page: Page) => page.getByLabel('Address of the site');
const state = (page: Page) => page.locator('#audit-page').getAttribute('data-state');
const shown = (page: Page) => page.locator('#audit-result .gauge').first().waitFor();
const buyButton = (page: Page) => page.getByRole('button', { name: /demo buyer/i });

async function startAudit(page: Page): Promise<void> {
  await page.goto(stack.api.url);
  await page.locator('#url').fill(stack.sites.good);
  await page.keyboard.press('Enter');
}

/** Holds the first request of a kind until it is let go; what it was for may be gone by then. */
async function hold(page: Page, path: string, isHeld: (route: Route) => boolean = () => true) {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let arrived: () => void = () => undefined;
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  await page.route(path, async (route) => {
    if (!isHeld(route)) return route.continue();
    arrived();
    await held;
    await route.continue().catch(() => undefined);
  });
  return { isThere, letGo: () => letGo() };
}

test('loaded again or left and come back to, an audit is a form with its address at each step, and nothing starts by itself', async () => {
  const page = await openPage();
  const stream = await hold(page, '**/audit/stream');
  await startAudit(page);
  await stream.isThere;
  await page.reload();
  expect([await address(page).inputValue(), await state(page)]).toEqual([stack.sites.good, 'form']);
  await page.goBack();
  expect(await page.locator('#url').isVisible()).toBe(true);
  await page.goForward();
  expect([await address(page).inputValue(), await state(page)]).toEqual([stack.sites.good, 'form']);
  stream.letGo();
  await page.unroute('**/audit/stream');

  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await address(page).press('Enter');
  await shown(page);
  await page.reload();
  expect([await address(page).inputValue(), await state(page)]).toEqual([stack.sites.good, 'form']);
  expect(asked.filter((each) => each === 'POST /audit/stream')).toHaveLength(1);
});

test('a page that is loaded again while a purchase runs pays once, and the report is there before and after going back', async () => {
  const before = await stack.chain.balance(stack.buyer.address);
  const page = await openPage();
  await startAudit(page);
  await shown(page);
  const sale = await hold(page, '**/api/agent/full_audit', (route) => 'payment-signature' in route.request().headers());
  await buyButton(page).click();
  await sale.isThere;
  await page.reload();
  sale.letGo();
  await page.unroute('**/api/agent/full_audit');
  await page.getByText('has not ended').waitFor();
  expect(await buyButton(page).isEnabled()).toBe(false);
  await page.getByRole('button', { name: 'Ask again with the same payment' }).click();
  await page.waitForURL(REPORT);
  const report = page.url();
  await page.reload();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(new URL(stack.sites.good).host);
  await page.goBack();
  expect(await address(page).inputValue()).toBe(stack.sites.good);
  await page.goForward();
  expect(page.url()).toBe(report);
  expect(await stack.chain.balance(stack.buyer.address)).toBe(before - PRICE);
});

test('without scripts one goes back from a result to the form, and audits again', async () => {
  const page = await openPage({ scripts: false });
  await startAudit(page);
  await shown(page);
  await page.goBack();
  await page.locator('#url').fill(stack.sites.poor);
  await page.keyboard.press('Enter');
  await shown(page);
  expect(await page.locator('#audit-result').textContent()).toContain(new URL(stack.sites.poor).host);
});

test('on slow 3G the start page and a live audit work, and nothing moves', async () => {
  const page = await openPage({ width: 390 });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
  await page.goto(stack.api.url);
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
  await page.locator('#url').fill(stack.sites.good);
  await page.keyboard.press('Enter');
  await shown(page);
  await page.locator('#audit-details [data-check]').first().waitFor({ state: 'attached' });
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
  expect(await complaints(page)).toEqual([]);
});
