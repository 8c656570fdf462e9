import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { signIn } from '../../conformance/support/person.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';
import {
  buyCredits,
  type Hooks,
  nameNextMinute,
  RUN_WITHIN_MS,
  startHooks,
  startWatchedSite,
  type WatchedSite,
} from '../../support/stack/watched-site.ts';

const POLL_MS = 1_000;
const HOOK = '/in';

let stack: Stack;
let payer: Account;
let browser: Opened;
let page: Page;
let site: WatchedSite;
let hooks: Hooks;
/** The address of the monitor's page, and the secret of its webhook, as the browser showed them. */
let monitorUrl = '';
let secret = '';

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  [site, hooks] = await Promise.all([startWatchedSite(stack.sites.good), startHooks()]);
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

const textOf = async (): Promise<string> => (await page.locator('main').textContent()) ?? '';
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();

/** Sets the monitor to run every day at the minute that comes next. */
async function runSoon(): Promise<void> {
  await page.goto(`${monitorUrl}/edit`);
  await page.getByLabel('How often').selectOption('daily');
  await page.getByLabel('Time of day').fill(nameNextMinute());
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
  await page.getByLabel('Address of receiver 1').fill(`${hooks.url}${HOOK}`);
  await press('Create the monitor');
  expect(await page.locator('h1').textContent()).toBe('Copy this now');
  secret = (await page.locator('main code').filter({ hasText: 'whsec_' }).textContent()) ?? '';
  const href = await page.getByRole('link', { name: 'Go to the monitor' }).getAttribute('href');
  monitorUrl = new URL(href ?? '', stack.api.url).href;
  await waitFor(/Your credits do not cover the next run/);
  expect(await textOf()).toContain('Failed, not charged');
  expect(await textOf()).not.toContain('whsec_');
});

test('after credits are added it is resumed, runs, and its report can be read', async () => {
  expect(await buyCredits(stack, payer)).toBe(200);
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
  site.refuseCrawler();
  const before = hooks.count(HOOK);
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
  await expect.poll(() => hooks.count(HOOK), { timeout: RUN_WITHIN_MS }).toBeGreaterThan(before);
  expect(hooks.verify(HOOK, secret).at(-1)).toMatchObject({ data: { monitor: { url: `${site.url}/` } } });
});

test('it is deleted after a question, and its page is gone', async () => {
  await page.goto(monitorUrl);
  await page.getByRole('link', { name: 'Delete', exact: true }).click();
  await press('Delete the monitor');
  expect(await textOf()).toContain('The monitor is deleted.');
  expect((await page.goto(monitorUrl))?.status()).toBe(404);
});
