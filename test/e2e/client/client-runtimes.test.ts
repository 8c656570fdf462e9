import { build } from 'esbuild';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { findNode } from '../../support/runner/node-versions.ts';
import { startBareWorkerd } from '../../support/stack/bare-workerd.ts';
import { complaints, type Opened, openBrowser } from '../../support/stack/browser.ts';
import { type InstalledClient, installPackedClient } from './packed-client.ts';

let stack: Stack;
let installed: InstalledClient;
let browser: Opened;
let pages: HttpServer;
let bundle: string;

beforeAll(async () => {
  installed = installPackedClient();
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  const { outputFiles } = await build({
    entryPoints: [join(installed.project, 'web-program.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  bundle = outputFiles[0]?.text ?? '';
  pages = await startHttpServer((request, response) => {
    const isScript = request.url === '/program.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? bundle : '<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">',
    );
  });
});
afterAll(async () => {
  await Promise.all([browser.close(), pages.stop(), stack.stop()]);
  installed.remove();
});

const orders = () => ({
  key: stack.file.buyer.privateKey,
  baseUrl: stack.api.url,
  url: `${stack.sites.good}/`,
  budget: { perCall: 1, perDay: 1 },
});
const bought = { capability: 'check_health', view: 'summary', checks: expect.any(Number), progress: true };

test.each([20, 24])('it buys and reads in Node %i', async (major) => {
  expect(await installed.run('node-program.mjs', orders(), findNode(major))).toMatchObject(bought);
});

test('it buys and reads in a Worker that has nothing but web globals', async () => {
  const script = `${bundle}\nexport default { fetch: async (request) => Response.json(await globalThis.buyOnce(await request.json())) };`;
  const workerd = await startBareWorkerd(script);
  try {
    const answer = await workerd.dispatchFetch('https://worker.test/', {
      method: 'POST',
      body: JSON.stringify(orders()),
    });
    expect(await answer.json()).toMatchObject(bought);
  } finally {
    await workerd.dispose();
  }
});

test('it buys and reads in a page of another origin, where its orders outlive a reload', async () => {
  const page = await browser.page();
  const run = async (more: object): Promise<unknown> => {
    await page.goto(pages.url);
    const given = JSON.stringify({ ...orders(), ...more });
    return page.evaluate(`import('/program.js').then(() => globalThis.buyOnce(${given}))`);
  };
  expect(await run({ order: 'job-1' })).toMatchObject(bought);
  const before = await stack.chain.balance(stack.buyer.address);
  expect(await run({ order: 'job-1' })).toMatchObject(bought);
  expect(await stack.chain.balance(stack.buyer.address)).toBe(before);
  // The browser writes down each 402 as an error of its own.
  expect(await complaints(page, (text) => text.includes('402'))).toEqual([]);
});
