import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const program = /^## Buy an audit from code\n.*?^```ts\n(.*?)^```$/ms.exec(read('README.md'))?.[1] ?? '';
const x402 = read('docs/guides/pay-with-x402.md');
const ofGuide = /^```ts\n(.*?)^```$/ms.exec(x402)?.[1];
const repeatable = /^## A program that may be repeated\n.*?^```ts\n(.*?)^```$/ms.exec(x402)?.[1] ?? '';
const guide = read('docs/guides/pay-with-curl.md');
const sender = /^cat > send\.mjs <<'END'\n(.*?)^END$/ms.exec(guide)?.[1] ?? '';
const LONGEST_PROGRAM = 12;

let stack: Stack;
let folder = '';
beforeAll(async () => {
  stack = await startStack();
  folder = mkdtempSync(join(tmpdir(), 'sightline-readme-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> =>
  (await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, env, timeout: 60_000 })).stdout.trim();

test('the twelve lines of README, as they are printed, buy an audit and print where its report is', async () => {
  expect(program.split('\n').filter((line) => line !== '')).toHaveLength(LONGEST_PROGRAM);
  expect(ofGuide).toBe(program);
  writeFileSync(join(folder, 'buy.ts'), program);
  const { api, file } = stack;
  const printed = await run('buy.ts', [`${file.sites.good}/`], {
    SERVICE: api.url,
    PRIVATE_KEY: file.buyer.privateKey,
  });
  expect(printed).toMatch(/^http:\/\/localhost:\d+\/reports\/[0-9a-f]{32}$/);
  const report = await fetch(`${printed}.json`);
  expect(await report.json()).toMatchObject({ capability: 'full_audit', url: `${file.sites.good}/` });
});

test('the twelve lines end with the problem where there is no result', async () => {
  writeFileSync(join(folder, 'buy.ts'), program);
  const { api, file } = stack;
  const failing = run('buy.ts', ['https://10.0.0.1/'], { SERVICE: api.url, PRIVATE_KEY: file.buyer.privateKey });
  await expect(failing).rejects.toThrow(/"code":"target_refused"/);
});

test.each(['before', 'after'])(
  'the program that may be repeated, killed %s its payment arrives, pays once in all',
  async (when) => {
    writeFileSync(join(folder, 'repeat.ts'), repeatable);
    // Loaded first: it dies as its payment leaves, or as the answer to it comes.
    writeFileSync(
      join(folder, 'die.mjs'),
      `const real = fetch;
       globalThis.fetch = async (input, init) => {
         if (!(input instanceof Request) || !input.headers.has('payment-signature')) return real(input, init);
         if (${when === 'after'}) await (await real(input, init)).text();
         process.kill(process.pid, 'SIGKILL');
       };`,
    );
    const { api, chain, file, seller } = stack;
    const env = { SERVICE: api.url, PRIVATE_KEY: file.buyer.privateKey };
    const site = `${file.sites.good}/`;
    const before = await chain.balance(seller.address);
    await expect(run('repeat.ts', [site], { ...env, NODE_OPTIONS: '--import ./die.mjs' })).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    expect(await run('repeat.ts', [site], env)).toMatch(/\/reports\/[0-9a-f]{32}$/);
    const { capabilities } = (await (await fetch(`${api.url}/api/agent/index`)).json()) as Index;
    const price = BigInt(capabilities['full_audit']?.amount ?? 0);
    expect((await chain.balance(seller.address)) - before).toBe(price);
    await run('repeat.ts', [site], env);
    expect((await chain.balance(seller.address)) - before).toBe(2n * price);
  },
);

type Index = { capabilities: Record<string, { amount: string }> };

test('the guide to curl: a transfer by its program, and its hash by itself, buy a check once', async () => {
  const { api, file } = stack;
  const ask = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${api.url}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: `${file.sites.good}/` }),
    });
  const { accepts } = (await (await ask()).json()) as { accepts: { asset: string; payTo: string; amount: string }[] };
  const terms = accepts[0] ?? { asset: '', payTo: '', amount: '' };
  writeFileSync(join(folder, 'send.mjs'), sender.replace('.local/stack.json', 'stack.json'));
  writeFileSync(join(folder, 'stack.json'), JSON.stringify(file));
  const hash = await run('send.mjs', [terms.asset, terms.payTo, terms.amount], {});
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
  await expect.poll(async () => (await ask({ 'payment-signature': hash })).status, { timeout: 30_000 }).toBe(200);
  const again = await ask({ 'payment-signature': hash });
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'payment_already_used' }]);
});
