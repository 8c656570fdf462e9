import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';
import { openMailedLink } from '../../support/stack/mails.ts';
import { giveAuthenticator } from '../../support/stack/passkeys.ts';

const WITHIN_MS = 60_000;
const EMAIL = 'desk@mail.example';

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

/** Nothing is wrong with the page as it is, small and large. */
async function expectGood(page: Page): Promise<void> {
  expect(await judgePage(page)).toEqual([]);
  expect(await noOverflow(page)).toEqual([]);
  expect(await complaints(page)).toEqual([]);
}

const account = z.object({
  account: z.object({ id: z.string(), addresses: z.array(z.string()), email: z.string().optional() }),
  ways: z.array(z.object({ kind: z.string(), name: z.string() })),
  credits: z.object({ balanceMicroUsdc: z.number() }),
  not_readable: z.array(z.string()),
});
const readAccount = async (page: Page) =>
  account.parse(await (await page.context().request.get(at('/account/export.json'))).json());

async function signOut(page: Page): Promise<void> {
  await page.goto(at('/account'));
  await button(page, 'Sign out').first().click();
  await page.waitForURL(/\/signin/);
}

test('a passkey signs up, adds an e-mail address and a wallet, signs in again, buys credits and an audit with them, and leaves', async () => {
  const page = await browser.page({ width: 390 });
  await giveAuthenticator(page);
  await page.goto(at('/signin?return_to=%2Faccount%2Fcredits'));
  await expectGood(page);
  await button(page, 'Create an account with a passkey').click();
  await page.waitForURL(/\/account\/credits$/, { timeout: WITHIN_MS });
  expect(await textOf(page)).toContain('the owner of a passkey');
  await expectGood(page);
  await page.getByRole('link', { name: 'Add a wallet' }).click();
  await expectGood(page);
  const made = await readAccount(page);
  expect(made).toMatchObject({ account: { addresses: [] }, ways: [{ kind: 'passkey' }], not_readable: [] });

  await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
  const link = await openMailedLink(page, stack.api.url, async () => {
    await button(page, 'Send me a link').click();
    await page.getByText(`A mail with a link goes to ${EMAIL}.`).waitFor();
    await expectGood(page);
  });
  const elsewhere = await browser.page();
  await elsewhere.goto(link);
  expect(await textOf(elsewhere)).toContain('only in the browser in which it was asked for');
  await button(page, 'Add the address').click();
  await page.waitForURL(/done=way_added/);
  expect(await textOf(page)).toContain(EMAIL);
  await page.goto(link);
  expect(await textOf(page)).toContain('It was used');

  await page.goto(at('/account/ways'));
  await button(page, 'Add the demo buyer’s wallet').click();
  await page.waitForURL(/done=way_added/, { timeout: WITHIN_MS });
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await page.waitForURL(/\/account$/, { timeout: WITHIN_MS });
  const again = await readAccount(page);
  expect(again.account).toEqual({ id: made.account.id, addresses: [stack.buyer.address.toLowerCase()], email: EMAIL });

  await page.goto(at('/account/credits'));
  await button(page, 'Buy with the demo buyer').click();
  await expect.poll(() => textOf(page), { timeout: WITHIN_MS }).toContain('+$5.00');
  await page.goto(at(`/audit?url=${encodeURIComponent(`${stack.sites.good}/`)}`));
  await page.locator('#audit-run').click();
  await page.locator('[data-buy="panel"]').waitFor({ timeout: WITHIN_MS });
  await button(page, /credits/i).click();
  await page.waitForURL(/\/reports\/[0-9a-f]{32}/, { timeout: WITHIN_MS });
  const spent = await readAccount(page);
  expect(spent.credits.balanceMicroUsdc).toBeLessThan(5_000_000);
});

test('the e-mail address signs in to the same account in another browser, which takes the passkey away', async () => {
  const page = await browser.page({ width: 1280 });
  await page.goto(at('/signin'));
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
  await openMailedLink(page, stack.api.url, async () => {
    await button(page, 'Send me a link').click();
    await page.getByText('Look into your mail').first().waitFor();
  });
  await expectGood(page);
  await button(page, 'Sign in').click();
  await page.waitForURL(/\/account$/);
  expect((await readAccount(page)).ways.map(({ kind }) => kind)).toEqual(['passkey', 'email', 'wallet']);
  await page.goto(at('/account/ways'));
  await button(page, /^Remove Passkey/).click();
  await page.waitForURL(/done=way_removed/);
  expect((await readAccount(page)).ways.map(({ kind }) => kind)).toEqual(['email', 'wallet']);
  await expectGood(page);
});
