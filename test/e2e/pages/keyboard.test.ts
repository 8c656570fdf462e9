import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { complaints, type Opened, openBrowser } from '../../support/stack/browser.ts';

/** More presses than anyone should need from one thing to the next: the offer is behind the things to do first. */
const MAX_PRESSES = 40;
const WITHIN_MS = 20_000;
const REPORT = /\/reports\/[0-9a-f]{32}$/;

let stack: Stack;
let browser: Opened;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

/** What has the focus, and whether one sees that: undefined where nothing has it. */
const readFocus = (page: Page) =>
  page.evaluate<{ element: string; isSeen: boolean } | undefined>(`(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return undefined;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
    const isSeen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    return { element: focused.outerHTML.slice(0, 120), isSeen: focused.matches(':focus-visible') && isSeen };
  })()`);

const isFocused = async (wanted: Locator): Promise<boolean> =>
  (await wanted.count()) === 1 && (await wanted.evaluate((one) => one.matches(':focus')));

/** Presses the key until what is wanted has the focus. All that has it on the way has to show so. */
async function reach(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    await page.keyboard.press(key);
    const focus = await readFocus(page);
    if (focus === undefined) continue; // Between the end of the page and its beginning.
    expect(focus).toEqual({ element: focus.element, isSeen: true });
    passed.push(focus.element);
    if (await isFocused(wanted)) return;
  }
  throw new Error(`${String(wanted)} is not reached in ${MAX_PRESSES} presses of ${key}:\n${passed.join('\n')}`);
}

test('a site is audited, its report is bought and published without a mouse, and one always sees where one is', async () => {
  const page = await browser.page();
  page.setDefaultTimeout(WITHIN_MS);
  const { host } = new URL(stack.sites.good);

  await page.goto(stack.api.url);
  await reach(page, page.getByRole('textbox', { name: 'Address of your website' }));
  await page.keyboard.press('Tab');
  expect(await isFocused(page.getByRole('button', { name: 'Audit it' }))).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type(host); // As people do: https does not connect there, so http is read.
  await page.keyboard.press('Enter');

  const title = page.getByRole('heading', { name: `Result for ${host}` });
  await title.waitFor();
  await expect.poll(() => isFocused(title)).toBe(true);

  const buy = page.getByRole('button', { name: /demo buyer/i });
  await expect.poll(() => buy.isEnabled(), { timeout: WITHIN_MS }).toBe(true);
  await reach(page, buy);
  await page.keyboard.press('Enter');
  await page.waitForURL(REPORT);

  // The way back to front is the short one: what publishes is the end of a report.
  await reach(page, page.getByRole('button', { name: 'Publish the whole report' }), 'Shift+Tab');
  await page.keyboard.press('Space');
  await page.getByRole('status').filter({ hasText: 'Published.' }).waitFor();
  const history = await fetch(`${stack.api.url}/history/${host}`);
  expect(await history.text()).toContain(new URL(page.url()).pathname);
  expect(await complaints(page, (text) => text.includes('402 (Payment Required)'))).toEqual([]); // The terms.
});
