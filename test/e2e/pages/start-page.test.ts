import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { startText } from '../../../src/web/start/text.ts';

const run = promisify(execFile);

let stack: Stack;
let folder: string;
beforeAll(async () => {
  stack = await startStack();
  folder = mkdtempSync(new URL('../../../.start-page-', import.meta.url).pathname); // Beside `node_modules`, for its imports.
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.stop();
});

/** Code of the page in a language, with addresses of the stack for those of the example. */
function codeOf(language: string): string {
  const blocks = startText(stack.api.url).sections.flatMap((section) => section.blocks);
  const found = blocks.find((block) => block.kind === 'code' && block.language === language);
  if (found?.kind !== 'code') throw new Error(`the page has no code in ${language}`);
  return found.code.replaceAll('https://example.com/', stack.sites.good);
}

test('the program of the start page buys as it stands there, and prints the result', async () => {
  const file = `${folder}/buy.mjs`;
  writeFileSync(file, codeOf('ts'));
  const { stdout } = await run(process.execPath, [file], {
    env: { ...process.env, PRIVATE_KEY: stack.file.buyer.privateKey },
    timeout: 60_000,
  });
  expect(stdout).toMatch(/capability: 'full_audit'/);
  expect(stdout).toMatch(/report_id: '[0-9a-f]{32}'/);
});

test('the call of the start page answers 402 with the terms', async () => {
  const { stdout } = await run('sh', ['-c', `${codeOf('sh')} -sS`], { timeout: 60_000 });
  expect(stdout).toMatch(/^HTTP\/1\.1 402 /);
  expect(stdout).toMatch(/^payment-required: \S+/im);
});

test('the configuration of the start page is that of the endpoint which signs people in', () => {
  expect(JSON.parse(codeOf('json'))).toEqual({
    mcpServers: { sightline: { type: 'http', url: `${stack.api.url}/mcp-account` } },
  });
});
