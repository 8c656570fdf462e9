import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { signTerms } from '../../conformance/support/mcp-client.ts';
import {
  complaints,
  foreignRequests,
  judgePage,
  noOverflow,
  openBrowser,
  type Opened,
  screenshot,
} from '../../support/stack/browser.ts';

let stack: Stack;
let browser: Opened;
let payer: Account;
let operator: Page;
let control = '';

/** An account with 5 USD of credits, and an operator who is signed in without scripts: the console needs none. */
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  control = stack.file.control ?? '';
  payer = await stack.chain.freshAccount(20_000_000n);
  const buy = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${stack.api.url}/api/credits/5`, { method: 'POST', headers });
  const asked = await buy({});
  const terms = decodePaymentRequiredHeader(asked.headers.get('payment-required') ?? '');
  const signed = encodePaymentSignatureHeader(await signTerms(payer, terms));
  const sold = await buy({ 'payment-signature': signed });
  if (!sold.ok) throw new Error(`the pack was not sold: ${sold.status}`);
  operator = await browser.page({ scripts: false });
  await operator.goto(`${control}/console/customers`);
  await operator.getByLabel('Operator secret').fill(stack.file.operator?.secret ?? '');
  await operator.getByRole('button', { name: 'Sign in' }).click();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test('an operator finds a customer, grants credits with a reason, and reads both', async () => {
  const { address } = payer;
  await operator.getByLabel(/^Address or its beginning/).fill(address.slice(0, 12));
  await operator.getByRole('button', { name: 'Show' }).click();
  await operator.getByRole('link', { name: address.toLowerCase() }).click();
  expect(await operator.getByRole('row').filter({ hasText: 'Top-up' }).count()).toBe(1);
  await operator.getByLabel(/^USDC/).fill('2.5');
  await operator.getByRole('button', { name: 'Grant credits' }).click();
  await operator.getByLabel('Reason, for the audit log').fill('The audit ran twice');
  await operator.getByRole('button', { name: 'Grant 2.50 USDC' }).click();
  expect(await operator.getByRole('status').first().textContent()).toContain('The account has 7.50 USDC now');
  const granted = operator.getByRole('row').filter({ hasText: 'The audit ran twice' });
  expect(await granted.count()).toBe(1);
});

const MAX_LOOKS = 20;

test('what was earned yesterday and today is on the first screen, beside each other', async () => {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    const page = await browser.page({ width, beside: operator });
    await page.setViewportSize({ width, height });
    await page.goto(`${control}/console/`);
    const late = page.getByRole('button', { name: 'Look again' });
    // The books of a new stack are gathered with the first pages; each says what is still being looked up.
    for (let looks = 0; looks < MAX_LOOKS && (await late.count()) > 0; looks += 1) {
      // A click waits for the document only: measured before its stylesheet is there, the page is far longer.
      await Promise.all([page.waitForEvent('load'), late.click()]);
    }
    const boxes = [];
    for (const title of ['Yesterday', 'Today so far']) {
      const line = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) });
      expect(await line.textContent()).toMatch(/\d\.\d\d USD.*\d+ sales?/);
      const box = await line.boundingBox();
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      boxes.push(box);
    }
    expect(boxes[0]?.y).toBe(boxes[1]?.y);
    await page.context().close();
  }
});

const PAGES = ['customers', 'published', 'clients', 'operators', 'settings', 'versions'] as const;

test('pages of the service: axe finds nothing, and nothing is wider than a telephone', async () => {
  const found: Record<string, unknown> = {};
  const none = { axe: [], wide: [], complaints: [], foreign: [] };
  const address = payer.address.toLowerCase();
  const grant = `customers/grant?${new URLSearchParams({ address, usdc: '1', nonce: 'a'.repeat(32) }).toString()}`;
  for (const [width, scheme] of [
    [390, 'light'],
    [1280, 'dark'],
  ] as const) {
    const page = await browser.page({ width, scheme, beside: operator });
    for (const path of [...PAGES, `customers/account?address=${address}`, grant]) {
      await page.goto(`${control}/console/${path}`);
      expect(await page.getByRole('alert').count()).toBe(0);
      const name = `console-${path.replaceAll(/\W.*$/g, '')}${path.includes('?') ? `-${path.split(/[/?]/)[1]}` : ''}-${scheme}-${width}`;
      await screenshot(page, name);
      const seen = {
        axe: await judgePage(page),
        wide: await noOverflow(page),
        complaints: await complaints(page),
        foreign: foreignRequests(page),
      };
      if (JSON.stringify(seen) !== JSON.stringify(none)) found[name] = seen;
    }
    await page.context().close();
  }
  expect(found).toEqual({});
});
