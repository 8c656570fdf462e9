import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { StartFields } from '../../../src/web/design/start-fields.tsx';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  noOverflow,
  type Opened,
  openBrowser,
  screenshot,
} from '../../support/stack/browser.ts';

let stack: Stack;
let browser: Opened;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});

afterAll(async () => {
  await Promise.all([browser.close(), stack.stop()]);
});

/** The result with all of its checks, which come after its summary. */
const checksShown = (page: Page): Promise<void> =>
  page.locator('#audit-details [data-check]').first().waitFor({ state: 'attached', timeout: 60_000 });

/** What a person sees to the end of a preview; the values of the bar, as often as they changed. */
async function runPreview(page: Page): Promise<readonly number[]> {
  await page.evaluate(`(() => {
    const bar = document.getElementById('audit-progress');
    globalThis.__values = [bar.value];
    new MutationObserver(() => globalThis.__values.push(bar.value)).observe(bar, { attributes: true });
  })()`);
  await page.getByRole('button', { name: 'Run the free audit' }).click();
  await checksShown(page);
  return page.evaluate<number[]>('globalThis.__values');
}

const auditOf = (site: string): string => `${stack.api.url}/audit?url=${encodeURIComponent(site)}`;
const offer = (page: Page) => page.locator('[data-buy="panel"]');

/** Sends the form that our other pages have, with one press: its fields say by themselves whether scripts run. */
async function startFromOtherPage(page: Page, site: string): Promise<void> {
  await page.goto(`${stack.api.url}/about`);
  const form = `<form method="post" action="/audit"><input name="url" value="${site}">${String(StartFields())}<button>Go</button></form>`;
  await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(form)}`);
  await page.getByRole('button', { name: 'Go' }).click();
}

test('one press on another page of ours leads to the result, which takes the screen and the focus, and only then an offer', async () => {
  const page = await browser.page();
  await startFromOtherPage(page, stack.file.sites.good);
  await page.locator('#audit-page:is([data-state="running"], [data-state="result"])').waitFor();
  await checksShown(page);
  expect(await page.evaluate('document.activeElement.id')).toBe('audit-result-title');
  const box = await page.locator('#audit-result-title').boundingBox();
  expect(Math.abs(box?.y ?? Infinity)).toBeLessThan(120);
  expect(page.url()).toBe(auditOf(stack.file.sites.good));
  expect(await page.locator('#audit-result .gauge').count()).toBe(4);
  expect(await page.locator('.first-steps > li').count()).toBe(3);
  expect(await page.locator('#audit-form').isVisible()).toBe(false);
  expect(await offer(page).isVisible()).toBe(true);
  expect(await page.getByRole('status').first().textContent()).toMatch(/Done\. .*AEO/);
  expect(await page.evaluate<number>("performance.getEntriesByName('audit-result-shown').length")).toBe(1);
  expect(await complaints(page)).toEqual([]);
  expect(foreignRequests(page)).toEqual([]);
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
  await screenshot(page, 'live-audit');
});

test('a person types an address and sees requests arrive and progress grow; loaded again, the page is the form with the address', async () => {
  const page = await browser.page();
  await page.goto(`${stack.api.url}/audit`);
  expect(await offer(page).isVisible()).toBe(false);
  await page.getByLabel('Address of the site').fill(stack.file.sites.good);
  const values = await runPreview(page);
  expect(values.length).toBeGreaterThan(10);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect([values[0], values.at(-1)]).toEqual([0, 1000]);
  expect(values.filter((value) => value === 1000)).toHaveLength(1);
  expect(await page.locator('#audit-steps li').count()).toBeGreaterThan(checks.length);
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.reload();
  expect(await page.getByLabel('Address of the site').inputValue()).toBe(stack.file.sites.good);
  await page.goto(`${stack.api.url}/about`);
  await page.goBack();
  expect(await page.getByLabel('Address of the site').inputValue()).toBe(stack.file.sites.good);
  expect(asked.filter((each) => each.startsWith('POST'))).toEqual([]);
});

test('failures come first, what does not apply is folded, and the checks are looked through by text and outcome', async () => {
  const page = await browser.page();
  await page.goto(auditOf(stack.file.sites.poor));
  await runPreview(page);
  const shown = page.locator('[data-check]:visible');
  expect(await shown.first().getAttribute('data-status')).toBe('fail');
  expect(await page.locator('[data-check][data-status="not_applicable"]:visible').count()).toBe(0);
  expect(await page.locator('[data-check]').count()).toBe(checks.length);
  await page.locator('.first-steps a[href^="#check-"]').first().click();
  await expect.poll(() => page.locator('details[data-check][open]').count()).toBe(1);
  await page.getByLabel('Outcome').selectOption('not_applicable');
  const applied = await page.locator('[data-check][data-status="not_applicable"]').count();
  await expect.poll(() => shown.count()).toBe(applied);
  expect(await page.locator('[data-shown]').textContent()).toBe(`${applied} of ${checks.length} listed`);
  await page.getByLabel('Outcome').selectOption('locked');
  await expect.poll(() => shown.count()).toBe(250);
  await page.getByLabel('Outcome').selectOption('');
  await page.getByLabel('Text', { exact: true }).fill('robots.txt');
  await expect.poll(async () => (await shown.allTextContents()).every((text) => /robots\.txt/i.test(text))).toBe(true);
  expect(await shown.count()).toBeGreaterThan(1);
});

test('no result says what happened and what to do, and offers nothing; the page stays usable', async () => {
  const page = await browser.page();
  await page.goto(auditOf('http://127.0.0.1:1/'));
  await page.getByRole('button', { name: 'Run the free audit' }).click();
  const alert = page.getByRole('alert');
  await alert.filter({ hasText: 'The site could not be read' }).waitFor();
  expect(await alert.textContent()).toContain('No connection could be made');
  expect(await offer(page).isVisible()).toBe(false);
  expect(await judgePage(page)).toEqual([]);
  await page.getByRole('link', { name: 'Edit the address' }).click();
  await page.getByLabel('Address of the site').fill(stack.file.sites.poor);
  await page.getByRole('button', { name: 'Try again' }).click();
  await checksShown(page);
  expect(await alert.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Audit another site' }).click();
  expect(await page.evaluate('document.activeElement.id')).toBe('audit-url');
  expect(await offer(page).isVisible()).toBe(false);
});

test('a connection that ends before the result says so, and so does a person who stops', async () => {
  const page = await browser.page();
  await page.route('**/audit/stream', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: 'event: start\ndata: {"limits":{"requests":60,"checks":9}}\n\n',
    }),
  );
  await page.goto(auditOf(stack.file.sites.good));
  await page.getByRole('button', { name: 'Run the free audit' }).click();
  await page.getByRole('alert').filter({ hasText: 'The connection was lost' }).waitFor();
  await page.unroute('**/audit/stream');
  await page.route('**/audit/stream', () => undefined);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'You stopped the audit' }).waitFor();
  expect(await offer(page).isVisible()).toBe(false);
});

test('words without an end, other scripts and markup of a site stay text, and nothing scrolls sideways', async () => {
  const long = 'Donaudampfschifffahrt'.repeat(15);
  const title = `${long} \u0645\u0631\u062d\u0628\u0627 \u202e \u4f60\u597d \u{1f469}\u200d\u{1f4bb} <img src=x onerror=alert(1)>`;
  const hostile = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>${title.replaceAll('<', '&lt;')}</title><h1>${long}</h1><a href="/${long}">${long}</a>`,
    );
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  try {
    const page = await browser.page({ width: 360 });
    await page.goto(auditOf(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`));
    await runPreview(page);
    await page.evaluate(`for (const each of document.querySelectorAll('#audit-details details')) each.open = true`);
    expect(await page.locator('main').textContent()).toContain(long.slice(0, 60));
    expect(await noOverflow(page)).toEqual([]);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await complaints(page)).toEqual([]);
  } finally {
    hostile.closeAllConnections();
    hostile.close();
  }
});

describe.each([
  ['light', 360],
  ['dark', 1280],
] as const)('in %s at %i px', (scheme, width) => {
  test('axe finds nothing before and after a preview, and nothing scrolls sideways', async () => {
    const page = await browser.page({ scheme, width });
    await page.goto(auditOf(stack.file.sites.poor));
    expect(await judgePage(page)).toEqual([]);
    expect(await noOverflow(page)).toEqual([]);
    await runPreview(page);
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
    expect(await judgePage(page)).toEqual([]);
    expect(await noOverflow(page)).toEqual([]);
    await screenshot(page, `live-audit-${scheme}-${width}`);
  });
});

test('without scripts the form answers with the preview as a page', async () => {
  const page = await browser.page({ scripts: false });
  await page.goto(`${stack.api.url}/audit`);
  await page.getByLabel('Address of the site').fill(stack.file.sites.good);
  await page.getByRole('button', { name: 'Run the free audit' }).click();
  await page.locator('#audit-result .gauge').first().waitFor({ timeout: 60_000 });
  expect(await page.locator('#audit-result .gauge').count()).toBe(4);
  expect(await page.locator('[data-check]').count()).toBe(checks.length);
});

test('F6: a reader that goes away ends the requests at the site', async () => {
  const asked: string[] = [];
  let left = 0;
  const site = createServer((request) => {
    asked.push(request.url ?? '');
    request.socket.once('close', () => (left += 1));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  try {
    const leaving = new AbortController();
    const answer = await fetch(`${stack.api.url}/audit/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
      signal: leaving.signal,
    });
    const first = await answer.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^event: start\ndata: /);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    leaving.abort();
    // The request would wait five seconds for its first byte.
    await vi.waitFor(() => expect(left).toBe(1), { timeout: 3_000 });
    expect(asked).toHaveLength(1);
  } finally {
    site.closeAllConnections();
    site.close();
  }
});
