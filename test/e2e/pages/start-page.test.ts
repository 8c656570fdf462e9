import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import type { ProgramText } from '../../../src/web/start/document.ts';
import { buildPricesText } from '../../../src/web/start/prices-text.ts';
import { type Opened, openBrowser } from '../../support/stack/browser.ts';

const run = promisify(execFile);

let stack: Stack;
let browser: Opened;
let folder: string;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  folder = mkdtempSync(new URL('../../../.start-page-', import.meta.url).pathname); // Beside `node_modules`, for its imports.
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await browser.close();
  await stack.stop();
});

/** Code of the page of prices in a language, with addresses of the stack for those of the example. */
function codeOf(language: string): string {
  const blocks = buildPricesText(stack.api.url, 'en').sections.flatMap((section) => section.blocks);
  const ways = blocks.flatMap((block) => (block.kind === 'ways' ? block.items : []));
  const found = ways
    .flatMap(({ blocks: inside }) => inside)
    .find((block): block is ProgramText => block.kind === 'code' && block.language === language);
  if (found === undefined) throw new Error(`the page has no code in ${language}`);
  return found.code.replaceAll('https://example.com/', stack.sites.good);
}

async function runProgram(name: string, code: string): Promise<string> {
  const file = `${folder}/${name}`;
  writeFileSync(file, code);
  const env = { ...process.env, PRIVATE_KEY: stack.file.buyer.privateKey };
  return (await run(process.execPath, [file], { env, timeout: 60_000 })).stdout;
}

test('the program for the official client buys as it is on the page of prices, and prints the result', async () => {
  const stdout = await runProgram('buy.mjs', codeOf('js'));
  expect(stdout).toMatch(/capability: 'full_audit'/);
  expect(stdout).toMatch(/report_id: '[0-9a-f]{32}'/);
});

test('so does the program for our client', async () => {
  const client = new URL('../../../src/client/index.ts', import.meta.url).href;
  const stdout = await runProgram('sdk.ts', codeOf('ts').replace("'@sightline/client'", `'${client}'`));
  expect(stdout).toMatch(/AEO \d+ of 100/);
});

test('the call of the page answers 402 with the terms', async () => {
  const { stdout } = await run('sh', ['-c', `${codeOf('sh')} -sS`], { timeout: 60_000 });
  expect(stdout).toMatch(/^HTTP\/1\.1 402 /);
  expect(stdout).toMatch(/^payment-required: \S+/im);
});

test('its configuration is that of the endpoint which signs people in', () => {
  expect(JSON.parse(codeOf('json'))).toEqual({
    mcpServers: { sightline: { type: 'http', url: `${stack.api.url}/mcp-account` } },
  });
});

test('a bare host and Enter start an audit at once, with scripts and without', async () => {
  for (const scripts of [true, false]) {
    const page = await browser.page({ scripts });
    await page.goto(stack.api.url);
    await page.locator('#url').fill(new URL(stack.sites.good).host);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/audit$/);
    await page.locator('.audit-summary').first().waitFor();
    expect(await page.locator('.gauge').count()).toBeGreaterThanOrEqual(4);
    await page.context().close();
  }
});

test('the ways to call are reached by keys and by address, and show one panel at a time', async () => {
  const page = await browser.page({ scripts: true });
  const shown = () =>
    page.locator('.tabs .panel:visible').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  await page.goto(`${stack.api.url}/prices`);
  expect(await shown()).toEqual(['curl']);
  await page.locator('#way-curl').focus();
  await page.keyboard.press('ArrowRight');
  expect(await shown()).toEqual(['TypeScript']);
  await page.goto(`${stack.api.url}/prices#mcp`);
  expect(await shown()).toEqual(['MCP']);
  await page.emulateMedia({ media: 'print' });
  expect(await shown()).toHaveLength(5);
  await page.context().close();
});
