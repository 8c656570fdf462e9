import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
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

/** What a person sees to the end of a preview; the values of the bar, as often as they changed. */
async function runPreview(page: Page): Promise<readonly number[]> {
  await page.evaluate(`(() => {
    const bar = document.getElementById('audit-progress');
    globalThis.__values = [bar.value];
    new MutationObserver(() => globalThis.__values.push(bar.value)).observe(bar, { attributes: true });
  })()`);
  await page.getByRole('button', { name: 'Run the free preview' }).click();
  await page.locator('#audit-result [data-check]').first().waitFor({ timeout: 60_000 });
  return page.evaluate<number[]>('globalThis.__values');
}

test('a person types an address and sees requests arrive, progress grow, and four gauges', async () => {
  const page = await browser.page();
  await page.goto(`${stack.api.url}/audit`);
  await page.getByLabel('Address of the site').fill(stack.file.sites.good);
  const values = await runPreview(page);
  expect(values.length).toBeGreaterThan(10);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect([values[0], values.at(-1)]).toEqual([0, 1000]);
  expect(values.filter((value) => value === 1000)).toHaveLength(1);
  expect(await page.locator('#audit-steps li').count()).toBeGreaterThan(checks.length);
  expect(await page.locator('#audit-result .gauge').count()).toBe(4);
  expect(await page.getByRole('status').first().textContent()).toMatch(/Done\. .*AEO/);
  expect(page.url()).toBe(`${stack.api.url}/audit?url=${encodeURIComponent(stack.file.sites.good)}`);
  expect(await complaints(page)).toEqual([]);
  expect(foreignRequests(page)).toEqual([]);
  expect(await layoutShift(page)).toEqual({ shift: 0, shifted: [] });
  await screenshot(page, 'live-audit');
});

test('the checks are looked through by text, outcome and score', async () => {
  const page = await browser.page();
  await page.goto(`${stack.api.url}/audit?url=${encodeURIComponent(stack.file.sites.good)}`);
  await runPreview(page);
  const shown = page.locator('[data-check]:visible');
  const all = await page.locator('[data-check]').count();
  expect(all).toBe(checks.length);
  await page.getByLabel('Outcome').selectOption('pass');
  const passing = await shown.count();
  expect(passing).toBeGreaterThan(5);
  expect(await page.locator('[data-shown]').textContent()).toBe(`${passing} of ${all} checks`);
  await page.getByLabel('Outcome').selectOption('locked');
  expect(await shown.count()).toBe(250);
  await page.getByLabel('Outcome').selectOption('');
  await page.getByLabel('Text').fill('robots.txt');
  const named = await shown.allTextContents();
  expect(named.length).toBeGreaterThan(1);
  for (const text of named) expect(text.toLowerCase()).toContain('robots.txt');
});

test('a site that cannot be read is said so, and the page stays usable', async () => {
  const page = await browser.page();
  await page.goto(`${stack.api.url}/audit?url=${encodeURIComponent('http://127.0.0.1:1/')}`);
  await page.getByRole('button', { name: 'Run the free preview' }).click();
  await page.getByRole('alert').filter({ hasText: 'The target could not be read' }).waitFor();
  await page.getByLabel('Address of the site').fill(stack.file.sites.poor);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.locator('#audit-result [data-check]').first().waitFor({ timeout: 60_000 });
  expect(await page.getByRole('alert').isVisible()).toBe(false);
});

describe.each([
  ['light', 360],
  ['dark', 1280],
] as const)('in %s at %i px', (scheme, width) => {
  test('axe finds nothing before and after a preview, and nothing scrolls sideways', async () => {
    const page = await browser.page({ scheme, width });
    await page.goto(`${stack.api.url}/audit?url=${encodeURIComponent(stack.file.sites.poor)}`);
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
  await page.getByRole('button', { name: 'Run the free preview' }).click();
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
