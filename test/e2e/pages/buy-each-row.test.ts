import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { exampleBodies } from '../../../src/capabilities/bodies.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { capabilityTitles } from '../../../src/capabilities/titles-data.ts';
import { formatCapabilityPath, listOrderTexts } from '../../../src/web/capability/address.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';

const REPORT = /\/reports\/[0-9a-f]{32}$/;
const WITHIN_MS = 20_000;

let stack: Stack;
let browser: Opened;
/** One person at one screen, who goes from page to page. */
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  page = await browser.page();
  page.setDefaultTimeout(WITHIN_MS);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const BUY = { name: /demo buyer/i } as const;

/** Moves the mouse there and types: no key starts or sends anything. */
async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.fill(text);
}

/** Example texts of the fields; sites are those of the stack, whose addresses are the only ones that it reads. */
function listTexts(name: (typeof catalog)[number]['name']): readonly (readonly [field: string, text: string])[] {
  const sites: Readonly<Record<string, string>> = { url: stack.sites.good, competitor: stack.sites.poor };
  return listOrderTexts(exampleBodies[name]).map(([field, text]) => [field, sites[field] ?? text]);
}

/** The live audit is the page of its row: it sells after a look. */
async function lookFirst(): Promise<void> {
  await type(page.getByRole('textbox', { name: 'Address of the site' }), stack.sites.good);
  await page.getByRole('button', { name: /free audit/i }).click();
}

async function fillIn(name: (typeof catalog)[number]['name']): Promise<void> {
  for (const [field, text] of listTexts(name)) await type(page.locator(`#order-form [name="${field}"]`), text);
}

test.each(catalog)('a person buys $name by mouse and reads the report', async ({ name }) => {
  await page.goto(`${stack.api.url}${formatCapabilityPath(name)}`);
  await (name === 'full_audit' ? lookFirst() : fillIn(name));
  const buy = page.getByRole('button', BUY);
  await buy.waitFor(); // After a look, where the row has one.
  const [first] = listTexts(name);
  await expect.poll(() => page.locator('[data-buy="command"] code').textContent()).toContain(`'${first?.[1] ?? ''}`);
  await buy.click();
  await page.waitForURL(REPORT, { timeout: WITHIN_MS });
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(capabilityTitles[name]);
  expect(await complaints(page, (text) => text.includes('402 (Payment Required)'))).toEqual([]); // The terms.
});

test('what is wrong is said beside its field before anything is paid, and the focus goes there', async () => {
  const before = await stack.chain.balance(stack.buyer.address);
  await page.goto(`${stack.api.url}${formatCapabilityPath('visibility_fix_pack')}`);
  await type(page.getByLabel('Your brand'), 'Example Desk');
  await page.getByText('Weak spot 2').click();
  await type(page.getByRole('group', { name: 'Weak spot 2' }).getByLabel('Evidence'), 'They are cheaper');
  await page.getByRole('button', BUY).click();
  await page.getByText('Correct the marked fields above').waitFor();
  const wrong = page.locator('[aria-invalid="true"]');
  expect(await wrong.evaluateAll((fields) => fields.map((field) => field.getAttribute('name')))).toEqual([
    'niche',
    'weak_spots.1.topic',
  ]);
  expect(await page.locator('#order-niche-fault').textContent()).toBe('Fill in “What buyers ask for”.');
  expect(await page.locator(':focus').getAttribute('name')).toBe('niche');
  expect(await judgePage(page)).toEqual([]);
  expect(await noOverflow(page)).toEqual([]);
  await type(page.getByLabel('What buyers ask for'), 'help desk software');
  await type(page.getByRole('group', { name: 'Weak spot 2' }).getByLabel('Topic'), 'pricing');
  expect(await stack.chain.balance(stack.buyer.address)).toBe(before);
  await page.getByRole('button', BUY).click();
  await page.waitForURL(REPORT, { timeout: WITHIN_MS });
  expect(await page.locator('main').textContent()).toContain('pricing');
});

test('without scripts a form is judged, filled by an example, and leads to the free audit: only paying needs scripts', async () => {
  const plain = await browser.page({ scripts: false, width: 360 });
  await plain.goto(`${stack.api.url}/generate/skill`);
  expect(await plain.getByRole('button', BUY).isVisible()).toBe(false);
  await plain.getByRole('button', { name: /Check what is filled in/ }).click();
  await plain.getByRole('link', { name: 'Fill in “Address of the site”.' }).click();
  expect(plain.url()).toContain('#order-url');
  await plain.getByRole('link', { name: 'Fill in an example' }).click();
  await plain.getByText('Everything is filled in').waitFor();
  expect(await plain.getByLabel('Address of the site').inputValue()).toBe('https://example.com/');
  expect(await noOverflow(plain)).toEqual([]);
  await plain.getByRole('link', { name: /free live audit/ }).click();
  expect(plain.url()).toBe(`${stack.api.url}/audit?url=https%3A%2F%2Fexample.com%2F`);
  await plain.goto(`${stack.api.url}/visibility/fix`);
  await plain.getByRole('button', { name: /Check what is filled in/ }).click();
  expect(await plain.locator('[aria-invalid="true"]').count()).toBe(3);
});
