import type { Page } from 'playwright-core';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';

const PAID_WITHIN_MS = 60_000;

let stack: Stack;
let browser: Opened;
let page: Page;

/** A person who is signed in, without scripts: paying by card needs none. */
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  page = await browser.page();
  await page.goto(at('/account'));
  await button(page, 'Sign in as the demo buyer').click();
  await page.waitForURL(/\/account$/);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const at = (path: string): string => `${stack.api.url}${path}`;
const button = (on: Page, name: string | RegExp) => on.getByRole('button', { name });
const mainText = async (on: Page): Promise<string> => (await on.locator('main').textContent()) ?? '';

/** To the page that takes the card. */
async function beginPack(dollars: number): Promise<void> {
  await page.goto(at(`/account/credits?pack=${dollars}`));
  await button(page, `Pay $${dollars}.00 by card`).click();
  await page.waitForURL((url) => url.origin === stack.stripe.url);
  expect(await mainText(page)).toContain(`${dollars}.00 USD`);
}

async function balance(): Promise<string> {
  await page.goto(at('/account/credits'));
  return (await page.locator('.balance strong').textContent()) ?? '';
}

describe('P6: credits by card, on the stand-in of Stripe', () => {
  test('a card that is declined buys nothing; a good one buys credits, and they buy an audit', async () => {
    await beginPack(5);
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await button(page, /^Pay 5\.00/).click();
    expect(await page.getByRole('alert').textContent()).toContain('declined');
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await button(page, /^Pay 5\.00/).click();
    await page.waitForURL(/\/account\/credits\/card\?order=[0-9a-f]{32}$/);
    expect(await mainText(page)).toContain('Paid');
    expect(await judgePage(page)).toEqual([]);
    expect(await noOverflow(page)).toEqual([]);
    // The page of the stand-in is none of ours.
    expect(await complaints(page, (text) => text.includes(stack.stripe.url))).toEqual([]);
    expect(await balance()).toBe('$5.00');
    expect(await mainText(page)).toContain('Credits bought by card');

    await page.goto(at(`/audit?url=${encodeURIComponent(stack.sites.good)}`));
    await page.locator('#audit-run').click();
    await page.locator('[data-buy="panel"]').waitFor({ timeout: PAID_WITHIN_MS });
    await page.locator('[data-buy="credits"]').click();
    await page.waitForURL(/\/reports\/[0-9a-f]{32}$/, { timeout: PAID_WITHIN_MS });
    const report = await fetch(page.url(), { headers: { accept: 'application/json' } });
    expect(await report.json()).toMatchObject({ capability: 'full_audit' });
    expect(await balance()).not.toBe('$5.00');
  });

  test('a buyer who comes back without paying reads that nothing was charged, and can go on', async () => {
    await beginPack(20);
    await page.getByRole('link', { name: 'Back without paying' }).click();
    expect(await mainText(page)).toContain('Nothing was charged');
    await page.getByRole('link', { name: 'Go on to the payment page' }).click();
    expect(page.url()).toContain('/c/pay/cs_test_');
  });

  test('a payment whose webhook is lost is found when its buyer comes back', async () => {
    const before = await balance();
    stack.stripe.holdEvents(true);
    await beginPack(5);
    await button(page, /^Pay 5\.00/).click();
    await page.waitForURL(/order=[0-9a-f]{32}$/);
    expect(await mainText(page)).toContain('The credits are in your account');
    stack.stripe.holdEvents(false);
    for (const event of stack.stripe.books.events) await stack.stripe.sendAgain(event);
    expect(Number((await balance()).slice(1))).toBeCloseTo(Number(before.slice(1)) + 5, 6);
  });

  test('a bank pays later: until then the page says so', async () => {
    const before = Number((await balance()).slice(1));
    await beginPack(5);
    await button(page, 'Pay by bank debit').click();
    await page.waitForURL(/order=[0-9a-f]{32}$/);
    const order = page.url();
    expect(await mainText(page)).toContain('Your bank is working on it');
    await page.goto(stack.stripe.url);
    await button(page, 'The bank pays').click();
    await page.goto(order);
    expect(await mainText(page)).toContain('The credits are in your account');
    expect(Number((await balance()).slice(1))).toBeCloseTo(before + 5, 6);
  });

  test('a receipt and the statement of the month are pages and PDFs, with what the reader writes on them', async () => {
    await page.goto(at('/account/credits'));
    await page.getByRole('link', { name: 'Receipt' }).first().click();
    const receipt = await mainText(page);
    for (const text of ['Receipt', '$5.00 of prepaid credits', 'through Stripe', 'this is a receipt and no invoice'])
      expect(receipt).toContain(text);
    await page.getByLabel(/^Billed to/).fill('Example <b>GmbH</b>\nWeg 1\n12345 Stadt');
    await button(page, 'Write it on the page').click();
    expect(await mainText(page)).toContain('Example <b>GmbH</b>');
    expect(await judgePage(page)).toEqual([]);
    const path = await page.getByRole('link', { name: 'Download as PDF' }).getAttribute('href');
    expect(await readPdf(path ?? '')).toMatchObject({ status: 200, type: 'application/pdf', start: '%PDF-' });

    const month = new Date().toISOString().slice(0, 7);
    await page.goto(at(`/account/credits?month=${month}`));
    await page.getByRole('link', { name: 'Statement of this month' }).click();
    const statement = await mainText(page);
    for (const text of [month, 'Credits bought by card', 'Balance at the end']) expect(statement).toContain(text);
    const pdf = await readPdf(`/account/credits/statement.pdf?month=${month}`);
    expect(pdf).toMatchObject({ status: 200, type: 'application/pdf', start: '%PDF-' });
    const other = await browser.page();
    await other.goto(at(path ?? ''));
    expect(new URL(other.url()).pathname).toBe('/signin');
  });

  test('an operator refunds what is unspent to the card, and a dispute freezes the account', async () => {
    const control = stack.file.control ?? '';
    const operator = await browser.page({ scripts: false });
    await operator.goto(`${control}/console/cards`);
    await operator.getByLabel('Operator secret').fill(stack.file.operator?.secret ?? '');
    await button(operator, 'Sign in').click();
    await operator.getByRole('row').filter({ hasText: 'Paid' }).first().getByRole('link', { name: 'Look' }).click();
    await operator.getByLabel(/^USD/).fill('2.50');
    await button(operator, 'Refund').click();
    await operator.getByLabel('Reason, for the audit log').fill('Bought too much');
    await button(operator, 'Refund 2.50 USD').click();
    expect(await operator.getByRole('status').first().textContent()).toContain('2.50 USD go back to the card');
    const judged = await browser.page({ width: 390, beside: operator });
    for (const path of ['cards', `cards/purchase${new URL(operator.url()).search}`, 'money']) {
      await judged.goto(`${control}/console/${path}`);
      expect(await judgePage(judged)).toEqual([]);
      expect(await noOverflow(judged)).toEqual([]);
    }
    expect(await mainText(judged)).toContain('2.50 refunded');
    expect([...stack.stripe.books.refunds.values()].map(({ amount, status }) => [amount, status])).toEqual([
      [250, 'succeeded'],
    ]);

    const payments = [...stack.stripe.books.payments.values()].filter(({ status }) => status === 'succeeded');
    for (const payment of payments) await stack.stripe.books.dispute(payment);
    expect(Number((await balance()).replace('$', ''))).toBeLessThan(0);
    expect(await mainText(page)).toContain('The balance is below zero');
  });

  test("the official client reads what happened by the stand-in's API", async () => {
    const { STRIPE_SECRET_KEY: key = '' } = stack.stripe.bindings;
    const { hostname, port } = new URL(stack.stripe.url);
    const client = new Stripe(key, { host: hostname, port, protocol: 'http' });
    const [session] = stack.stripe.books.sessions.keys();
    expect(await client.checkout.sessions.retrieve(session ?? '')).toMatchObject({ id: session, status: 'complete' });
    const types = new Set<string>();
    for await (const event of client.events.list({ limit: 2 })) types.add(event.type);
    expect([...types]).toEqual(expect.arrayContaining(['checkout.session.completed', 'refund.created']));
    await expect(client.refunds.retrieve('re_none')).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    });
    await expect(
      new Stripe('sk_test_other', { host: hostname, port, protocol: 'http' }).events.list(),
    ).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    });
  });
});

/** A file of the account, by the session of the page. */
async function readPdf(path: string): Promise<{ status: number; type: string | undefined; start: string }> {
  const answer = await page.request.get(at(path));
  return {
    status: answer.status(),
    type: answer.headers()['content-type'],
    start: (await answer.body()).subarray(0, 5).toString(),
  };
}
