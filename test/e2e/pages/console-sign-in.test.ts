import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  noOverflow,
  openBrowser,
  type Opened,
  LOOKS,
  screenshot,
} from '../../support/stack/browser.ts';

let stack: Stack;
let browser: Opened;
let control = '';
let secret = '';

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  control = stack.file.control ?? '';
  secret = stack.file.operator?.secret ?? '';
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Signs in as a person does, without scripts: the console needs none. */
async function signedIn(): Promise<Page> {
  const page = await browser.page({ scripts: false });
  await page.goto(`${control}/console/quotas`);
  await page.getByLabel('Operator secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

test('K10: an operator signs in with the secret of the stack file, comes back to the page, and signs out', async () => {
  const page = await signedIn();
  expect(new URL(page.url()).pathname).toBe('/console/quotas');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Quotas');
  const [cookie] = (await page.context().cookies(`${control}/console/`)).filter(({ name }) =>
    name.endsWith('sightline-console'),
  );
  expect(cookie).toMatchObject({ path: '/console/', httpOnly: true, sameSite: 'Strict' });
  expect(await page.context().cookies(`${control}/admin/directory/v1/users`)).toEqual([]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${control}/console/`);
  expect(new URL(page.url()).pathname).toBe('/console/signin');
});

test('a wrong secret leaves the page usable', async () => {
  const page = await browser.page({ scripts: false });
  await page.goto(`${control}/console/`);
  await page.getByLabel('Operator secret').fill('a guess');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('That is not the secret of an operator.');
  expect(await judgePage(await sameElsewhere(page))).toEqual([]);
  await page.getByLabel('Operator secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Overview');
});

/** The sign-in in a page with scripts, which the judge needs. */
async function sameElsewhere(page: Page): Promise<Page> {
  const other = await browser.page({ beside: page });
  await other.goto(`${control}/console/signin`);
  return other;
}

test('overview and an absent page: axe finds nothing, in both schemes, on a small telephone and on a desk', async () => {
  const operator = await signedIn();
  const found: Record<string, unknown> = {};
  const none = { axe: [], wide: [], complaints: [], foreign: [] };
  for (const { width, scheme } of LOOKS) {
    for (const path of ['', 'absent']) {
      const page = await browser.page({ width, scheme, beside: operator });
      await page.goto(`${control}/console/${path}`);
      const name = `console-${path || 'overview'}-${scheme}-${width}`;
      await screenshot(page, name);
      const seen = {
        axe: await judgePage(page),
        wide: await noOverflow(page),
        complaints: await complaints(page, (text) => path === 'absent' && text.includes('404')),
        foreign: foreignRequests(page),
      };
      if (JSON.stringify(seen) !== JSON.stringify(none)) found[name] = seen;
      expect((await layoutShift(page)).shift).toBeLessThan(0.01);
      await page.context().close();
    }
  }
  expect(found).toEqual({});
});
