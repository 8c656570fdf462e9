import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { connect } from '../../conformance/support/mcp-client.ts';
import { discover, grant } from '../../conformance/support/oauth.ts';
import { judgePage, type Opened, openBrowser } from '../../support/stack/browser.ts';
import { openMailedLink } from '../../support/stack/mails.ts';
import { giveAuthenticator } from '../../support/stack/passkeys.ts';

const WITHIN_MS = 60_000;
const EMAIL = 'books@mail.example';
const FIVE_USD = 5_000_000;

let stack: Stack;
let browser: Opened;
beforeAll(async () => {
  const bindings = { SELLER_NAME: 'Example Audits', SELLER_ADDRESS: 'Road 1;1000 Town', SELLER_TAX_ID: 'XX123' };
  [stack, browser] = await Promise.all([startStack({ bindings }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const at = (path: string): string => `${stack.api.url}${path}`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const mainText = async (page: Page): Promise<string> => (await page.locator('main').textContent()) ?? '';

const exported = z.object({
  account: z.object({ id: z.string(), addresses: z.array(z.string()), email: z.string().optional() }),
  ways: z.array(z.object({ kind: z.string() })),
  credits: z.object({ balanceMicroUsdc: z.number() }),
  not_readable: z.array(z.string()),
});
async function readExport(page: Page): Promise<{ data: z.infer<typeof exported>; text: string }> {
  const answer = await page.context().request.get(at('/account/export.json'));
  const text = await answer.text();
  return { data: exported.parse(JSON.parse(text)), text };
}

/** Two people without a wallet: each with what it signs up by, once and again. */
const people = [
  {
    way: 'email',
    signIn: async (page: Page) => {
      await page.goto(at('/signin?return_to=%2Faccount%2Fcredits'));
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
      await openMailedLink(page, stack.api.url, async () => {
        await button(page, 'Send me a link').click();
        await page.getByText('Look into your mail').first().waitFor();
      });
      await button(page, 'Sign in').click();
      await page.waitForURL(/\/account/);
    },
  },
  {
    way: 'passkey',
    signIn: async (page: Page) => {
      await giveAuthenticator(page);
      await page.goto(at('/signin?return_to=%2Faccount%2Fcredits'));
      await button(page, 'Create an account with a passkey').click();
      await page.waitForURL(/\/account\/credits$/, { timeout: WITHIN_MS });
    },
  },
] as const;

async function buyByCard(page: Page): Promise<void> {
  await page.goto(at('/account/credits?pack=5'));
  await button(page, 'Pay $5.00 by card').click();
  await page.waitForURL((url) => url.origin === stack.stripe.url);
  await button(page, /^Pay 5\.00/).click();
  await page.waitForURL(/\/account\/credits\/card\?order=[0-9a-f]{32}$/);
  expect(await mainText(page)).toContain('The credits are in your account');
}

/** A report from the page of an audit. @returns its id */
async function buyReport(page: Page): Promise<string> {
  await page.goto(at(`/audit?url=${encodeURIComponent(stack.sites.good)}`));
  await page.locator('#audit-run').click();
  await page.locator('[data-buy="panel"]').waitFor({ timeout: WITHIN_MS });
  await page.locator('[data-buy="credits"]').click();
  await page.waitForURL(/\/reports\/[0-9a-f]{32}$/, { timeout: WITHIN_MS });
  return page.url().slice(-32);
}

/** A program that the person allows to spend credits calls a tool with its token. */
async function callByToken(page: Page): Promise<unknown> {
  const person = newBrowser(stack.api.url);
  for (const { name, value } of await page.context().cookies()) person.cookies.set(name, value);
  const { tokens } = await grant(await discover(stack.api.url), person, {
    scope: 'audit:run credits:use',
    cap_usd: '2',
  });
  const client = await connect(at('/mcp-account'), 'modern', { authorization: `Bearer ${tokens.access_token}` });
  try {
    const result = await client.callTool({ name: 'check_health', arguments: { url: stack.sites.good } });
    return Object(result.structuredContent)['payment'];
  } finally {
    await client.close();
  }
}

async function readInvoice(page: Page): Promise<void> {
  await page.goto(at('/account/credits'));
  await page.getByRole('link', { name: 'Receipt' }).first().click();
  const invoice = await mainText(page);
  for (const text of [
    'Invoice and receipt',
    '$5.00 of prepaid credits',
    'Example Audits',
    '1000 Town',
    'XX123',
    'Stripe',
  ])
    expect(invoice).toContain(text);
  const path = (await page.getByRole('link', { name: 'Download as PDF' }).getAttribute('href')) ?? '';
  const pdf = await page.request.get(at(path));
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
  const stranger = newBrowser(stack.api.url);
  expect((await stranger.open(path)).url).toContain('/signin');
}

async function deleteAccount(page: Page): Promise<void> {
  await page.goto(at('/account/delete'));
  await page.getByLabel(/^I give up \$/).check();
  await page.getByLabel(/^To confirm/).fill('delete');
  await button(page, 'Delete my account').click();
  expect(await mainText(page)).toContain('You are signed out everywhere');
  await page.goto(at('/account'));
  expect(new URL(page.url()).pathname).toBe('/signin');
}

describe.each(people)('P6: a person without a wallet, by $way', ({ way, signIn }) => {
  test('buys credits by card, spends them on a page and by a token, has an invoice, takes everything out, and leaves', async () => {
    const page = await browser.page();
    await signIn(page);
    expect((await readExport(page)).data).toMatchObject({
      account: { addresses: [] },
      ways: [{ kind: way }],
      credits: { balanceMicroUsdc: 0 },
    });
    await buyByCard(page);
    await page.goto(at('/account/credits'));
    expect(await page.locator('.balance strong').textContent()).toBe('$5.00');

    const reportId = await buyReport(page);
    const afterReport = (await readExport(page)).data.credits.balanceMicroUsdc;
    expect(afterReport).toBeLessThan(FIVE_USD);
    expect(await callByToken(page)).toMatchObject({ method: 'credits', amount: '60000' });
    const { data, text } = await readExport(page);
    expect(data.credits.balanceMicroUsdc).toBe(afterReport - 60_000);
    expect(data.not_readable).toEqual([]);
    expect(text).toContain(reportId);
    expect(data.account.email).toBe(way === 'email' ? EMAIL : undefined);
    await page.goto(at('/account/reports'));
    expect(await page.locator(`a[href="/reports/${reportId}"]`).count()).toBe(1);

    await readInvoice(page);
    await deleteAccount(page);
    expect((await fetch(at(`/reports/${reportId}`))).status).toBe(200); // Who has the link of a report reads it on.
    await page.context().close();
  });
});

test('an operator finds a person by e-mail address, refunds unused credits to the card, and the figures count it', async () => {
  const page = await browser.page();
  await people[0].signIn(page);
  await buyByCard(page);
  const operator = await browser.page();
  operator.setDefaultTimeout(WITHIN_MS / 4);
  await operator.goto(`${stack.file.control ?? ''}/console/customers`);
  await operator.getByLabel('Operator secret').fill(stack.file.operator?.secret ?? '');
  await button(operator, 'Sign in').click();
  await operator.getByLabel(/^Address or its beginning/).fill(EMAIL);
  await button(operator, 'Show').click();
  expect(await mainText(operator)).toContain('e-mail link');
  expect(await judgePage(operator)).toEqual([]);
  await operator.locator('main a[href^="/console/customers/account?account="]').click();
  expect(await mainText(operator)).toContain(EMAIL);
  expect(await judgePage(operator)).toEqual([]);
  await operator.getByRole('link', { name: 'cards', exact: true }).click();
  await operator.getByRole('link', { name: 'Look' }).first().click();
  await operator.getByLabel(/^USD/).fill('1.00');
  await button(operator, 'Refund').click();
  await operator.getByLabel('Reason, for the audit log').fill('Not needed');
  await button(operator, 'Refund 1.00 USD').click();
  expect(await operator.getByRole('status').first().textContent()).toContain('1.00 USD go back to the card');
  expect((await readExport(page)).data.credits.balanceMicroUsdc).toBe(FIVE_USD - 1_000_000);
  const figures = await fetch(at('/delivery.json'));
  expect(await figures.json()).toMatchObject({
    claims: { rows: expect.arrayContaining([expect.objectContaining({ capability: 'credits_5', refunded: 1 })]) },
  });
  await deleteAccount(page);
});

test('an address whose account was deleted signs up to a new account, which has nothing of the old one', async () => {
  const page = await browser.page();
  await people[0].signIn(page);
  const { data } = await readExport(page);
  expect(data).toMatchObject({ account: { email: EMAIL }, credits: { balanceMicroUsdc: 0 } });
  await page.goto(at('/account/reports'));
  expect(await page.locator('a[href^="/reports/"]').count()).toBe(0);
});
