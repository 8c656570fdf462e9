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
const ofGuide = /^```ts\n(.*?)^```$/ms.exec(read('docs/guides/pay-with-x402.md'))?.[1];
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
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/reports\/[0-9a-f]{32}$/);
  const report = await fetch(`${printed}.json`);
  expect(await report.json()).toMatchObject({ capability: 'full_audit', url: `${file.sites.good}/` });
});

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
