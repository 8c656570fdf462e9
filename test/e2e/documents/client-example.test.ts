import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type InstalledClient, installPackedClient, ROOT } from '../client/packed-client.ts';

const EXAMPLE = 'docs/examples/client-typescript/audit.ts';
const LONGEST_PROGRAM = 20;
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

let stack: Stack;
let installed: InstalledClient;
beforeAll(async () => {
  installed = installPackedClient();
  copyFileSync(join(ROOT, EXAMPLE), join(installed.project, 'audit.ts'));
  stack = await startStack();
});
afterAll(async () => {
  await stack.stop();
  installed.remove();
});

const run = (site: string, env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, ['audit.ts', site], {
    cwd: installed.project,
    env: { SERVICE: stack.api.url, PRIVATE_KEY: stack.file.buyer.privateKey, ...env },
    timeout: 60_000,
  });

test.each(['docs/start/agent-developer.md', 'docs/guides/client-typescript.md'])(
  '%s shows the example as it is',
  (page) => {
    expect(read(page)).toContain(`\`\`\`ts\n${read(EXAMPLE)}\`\`\``);
    expect(read(EXAMPLE).trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST_PROGRAM);
  },
);

test('the example buys an audit, and prints its headline and the first fix with what to do', async () => {
  const { stdout, stderr } = await run(`${stack.sites.poor}/`);
  const [headline = '', ...fix] = stdout.split('\n');
  expect(headline).toMatch(/^AEO \d+ of 100 .* \d+ http:\/\/localhost:\d+\/reports\/[0-9a-f]{32}$/);
  expect(fix.join('\n').trim().length).toBeGreaterThan(40);
  expect(stderr).toBe('');
});

test('it says what went wrong and what to do', async () => {
  const { stdout, stderr } = await run('https://10.0.0.1/');
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^target_refused .+/);
});

// Loaded first: it dies as its payment leaves, or as the answer to it comes.
test.each(['before', 'after'])('killed %s its payment arrives and run again, it pays once in all', async (when) => {
  const die = `const real = fetch;
    globalThis.fetch = async (input, init) => {
      if (!new Headers(init?.headers).has('payment-signature')) return real(input, init);
      if (${String(when === 'after')}) await (await real(input, init)).text();
      process.kill(process.pid, 'SIGKILL');
    };`;
  const site = `${stack.sites.good}/`;
  const before = await stack.chain.balance(stack.seller.address);
  const options = `--import data:text/javascript,${encodeURIComponent(die)}`;
  await expect(run(site, { NODE_OPTIONS: options })).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect((await run(site)).stdout).toContain('/reports/');
  expect((await stack.chain.balance(stack.seller.address)) - before).toBe(350_000n);
});
