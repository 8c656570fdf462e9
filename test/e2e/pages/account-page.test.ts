import { fileURLToPath } from 'node:url';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { signTerms } from '../../conformance/support/mcp-client.ts';
import { discover, grant } from '../../conformance/support/oauth.ts';
import { signIn } from '../../conformance/support/person.ts';
import {
  complaints,
  judgePage,
  layoutShift,
  noOverflow,
  type Opened,
  openBrowser,
} from '../../support/stack/browser.ts';

const WIDTHS = [390, 1280] as const;
const PAID_WITHIN_MS = 60_000;

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

/** An audit that the demo buyer pays for and publishes, by the official client. */
async function buyPublished(): Promise<string> {
  const body = JSON.stringify({ url: `${stack.sites.good}/`, publish: true });
  const post = (headers: Record<string, string>) =>
    fetch(at('/api/agent/full_audit'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const terms = decodePaymentRequiredHeader((await post({})).headers.get('payment-required') ?? '');
  const credential = encodePaymentSignatureHeader(await signTerms(stack.buyer, terms));
  const answer = await (await post({ 'payment-signature': credential })).json();
  return z.object({ report_id: z.string() }).parse(answer).report_id;
}

/** Lets an app act for the demo buyer, from another browser. */
async function allowApp(): Promise<void> {
  const person = newBrowser(stack.api.url);
  await signIn(person, privateKeyToAccount(stack.buyer.privateKey));
  await grant(await discover(stack.api.url), person, { scope: 'audit:run credits:use', cap_usd: '2' });
}

/** What is wrong with pages at both widths: nothing. */
async function findFaults(beside: Page, paths: readonly string[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const width of WIDTHS) {
    const page = await browser.page({ width, beside });
    for (const path of paths) {
      await page.goto(at(path));
      const seen = { axe: await judgePage(page), wide: await noOverflow(page), said: await complaints(page) };
      if (Object.values(seen).some((list) => list.length > 0)) found[`${path} ${width}`] = seen;
      expect((await layoutShift(page)).shift).toBeLessThan(0.01);
    }
    await page.context().close();
  }
  return found;
}

/** Uploads exports of a vendor by the form: first what cannot be read, then what can. @returns the page that shows them */
async function importExports(page: Page): Promise<string> {
  const sample = (name: string): string =>
    fileURLToPath(new URL(`../../data/first-party/bing-ai-performance/${name}`, import.meta.url));
  await page.getByRole('link', { name: 'First-party data' }).first().click();
  const web = {
    name: 'sign-in.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('<!doctype html><title>Sign in</title>'),
  };
  await page.getByLabel('CSV files').setInputFiles(web);
  await button(page, 'Import').click();
  expect(await page.getByRole('alert').textContent()).toContain('Nothing was imported.');
  await page.getByLabel('CSV files').setInputFiles([sample('pages.csv'), sample('grounding-queries.csv')]);
  await button(page, 'Import').click();
  await page.waitForURL(/\/account\/imports\?id=/);
  expect(await textOf(page)).toContain('help desk software for small teams');
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
}

test('a person signs in with a mouse, sees what the account has, adds credits, takes access and reports back, and leaves', async () => {
  const reportId = await buyPublished();
  await allowApp();
  const page = await browser.page();
  expect(await findFaults(page, ['/account', '/console/?return_to=%2Fconsole%2F'])).toEqual({});

  await page.goto(at('/account'));
  await button(page, 'Sign in as the demo buyer').click();
  await page.waitForURL(/\/account$/);
  const overview = await textOf(page);
  for (const text of [stack.buyer.address.toLowerCase(), '$0.00', '1 published report', '1 app has access'])
    expect(overview).toContain(text);

  await page.goto(at('/account#credits'));
  await page.getByRole('link', { name: 'Add credits, and see how they were used' }).click();
  await button(page, 'Buy with the demo buyer').click();
  await expect.poll(() => textOf(page), { timeout: PAID_WITHIN_MS }).toContain('+$5.00');
  expect(new URL(page.url()).pathname).toBe('/account/credits');
  expect(await page.locator('.balance').textContent()).toContain('$5.00');

  const imported = await importExports(page);
  const sections = ['/account', '/account/credits', '/account/reports', '/account/published', '/account/access'];
  expect(await findFaults(page, [...sections, '/account/imports', imported, '/account/delete'])).toEqual({});
  await page.goto(at(imported));
  await button(page, 'Delete').click();
  expect(await page.getByRole('status').textContent()).toContain('The uploaded data is deleted');

  await page.getByRole('link', { name: 'Reports' }).first().click();
  expect(await page.locator(`a[href="/reports/${reportId}"]`).count()).toBe(1);
  await page.getByRole('link', { name: 'Published sites' }).click();
  await button(page, /^Take it back/).click();
  expect(await page.getByRole('status').textContent()).toContain('no longer in the history of its site');
  await page.getByRole('link', { name: 'Apps with access' }).click();
  await button(page, /^Take access back/).click();
  expect(await textOf(page)).toContain('No app has access');

  await page.getByRole('link', { name: 'Delete the account' }).click();
  await page.getByLabel(/^I give up \$5\.00/).check();
  await page.getByLabel(/^To confirm/).fill('delete');
  await button(page, 'Delete my account').click();
  expect(await textOf(page)).toContain('You are signed out everywhere');
  await page.goto(at('/account'));
  expect(new URL(page.url()).pathname).toBe('/signin');
  expect((await fetch(at(`/reports/${reportId}`))).status).toBe(200);
});
