import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { buildDeliverySummary } from '../../../src/statements/delivery-summary.ts';
import { complaints, judgePage, type Opened, openBrowser } from '../../support/stack/browser.ts';
import { boughtText, ISSUER, keyOf, keySetText } from '../../support/statements/signed-report.ts';

let stack: Stack;
let browser: Opened;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const jsonFile = (text: string) => ({ name: 'file.json', mimeType: 'application/json', buffer: Buffer.from(text) });

test('a browser without a network checks a report, and nothing leaves it', async () => {
  const page = await browser.page();
  await page.goto(`${stack.api.url}/verify`);
  expect(await judgePage(page)).toEqual([]);
  await page.context().setOffline(true);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  const bought = await boughtText();
  const check = async (report: string, issuer = ISSUER): Promise<string> => {
    await page.locator('[name="report"]').setInputFiles(jsonFile(report));
    await page.locator('[name="jwks"]').setInputFiles(jsonFile(await keySetText()));
    await page.locator('[name="issuer"]').fill(issuer);
    await page.locator('form[data-verify] button').click();
    await page.locator('[data-verify-found] p').first().waitFor();
    const text = await page.locator('[data-verify-found]').innerText();
    await page.evaluate('document.querySelector("[data-verify-found]").replaceChildren()');
    return text;
  };
  const passed = await check(bought);
  expect(passed).toContain('Every check passed.');
  expect(passed).toContain(ISSUER);
  expect(passed).toContain('read as a report');
  expect(passed).not.toContain('✗');
  const { receipt: _receipt, ...unproven } = JSON.parse(bought) as Record<string, object>;
  const partly = await check(
    JSON.stringify({ ...unproven, payment: { ...unproven['payment'], amount_usd: '999.00' } }),
  );
  expect(partly).toContain('Every check that could be made passed.');
  expect(partly).toContain('– The payment was not checked');
  const moved = { ...(JSON.parse(bought) as object), payment: { ...unproven['payment'], payer: '0x1' } };
  expect(await check(JSON.stringify(moved))).toContain('✗ The payment is not the one that the receipt names');
  const facts = { issuer: ISSUER, weeks: 12, since: '2026-09-07', rows: [], unread: 0, nowMs: 0 };
  const figures = await buildDeliverySummary(facts, await keyOf(2));
  expect(await check(JSON.stringify(figures))).toContain(
    'read as delivery figures. They say nothing about any report.',
  );
  const forged = await check(
    JSON.stringify({ report_id: 'f'.repeat(32), scores: { aeo: { score: 100 } }, ...figures }),
  );
  expect(forged).toContain('mixes delivery figures with something else');
  expect(forged).not.toContain('passed');
  const changed = await check(bought.replace('"score":61', '"score":99'));
  expect(changed).toContain('Not verified.');
  expect(changed).toContain('✗ The result was changed after it was signed');
  expect(await check(bought, 'https://other.example')).toContain('✗ The statement names another service');
  expect(await check('{}')).toContain('no report of a service');
  const hostile = JSON.stringify({
    ...(JSON.parse(bought) as object),
    statement: { ...(JSON.parse(bought) as { statement: object }).statement, jws: '<img src=x onerror=alert(1)>..' },
  });
  expect(await check(hostile)).toContain('✗ No key of the key set');
  expect(sent).toEqual([]);
  expect(await complaints(page)).toEqual([]);
});

test('the page of delivery figures has no faults, with and without figures', async () => {
  const page = await browser.page();
  await page.goto(`${stack.api.url}/delivery`);
  expect(await judgePage(page)).toEqual([]);
  expect(await page.locator('h1').innerText()).toBe('Delivery figures');
});
