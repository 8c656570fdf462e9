import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { chooseWallet, WALLET_KEY_VARIABLE } from '../../../src/cli/buy/wallet.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-wallet-'));
const stackPath = join(folder, 'stack.json');
const demoKey = generatePrivateKey();
const ownKey = generatePrivateKey();
const environment = { [WALLET_KEY_VARIABLE]: ownKey };

writeFileSync(
  stackPath,
  JSON.stringify({
    api: 'http://127.0.0.1:8787',
    rpc: 'http://127.0.0.1:8545',
    facilitator: 'http://127.0.0.1:4022',
    sites: { good: 'http://127.0.0.1:8080', poor: 'http://127.0.0.1:8081' },
    buyer: { address: privateKeyToAddress(demoKey), privateKey: demoKey },
    seller: { address: privateKeyToAddress(ownKey) },
  }),
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  'http://127.0.0.1:8787',
  'http://localhost:8787',
  'http://localhost.:8787',
  'http://LOCALHOST',
  'http://api.localhost',
  'http://127.1',
  'http://0x7f.0.0.1',
  'http://2130706433',
  'http://127.255.255.254',
  'http://0.0.0.0',
  'http://[::1]:8787',
  'http://[::ffff:127.0.0.1]',
  'https://localhost',
])('P8: against %s the demo key pays, and the key in the environment is ignored', async (baseUrl) => {
  const wallet = await chooseWallet(baseUrl, environment, stackPath);
  expect(wallet).toMatchObject({
    ok: true,
    loopback: true,
    rpcUrl: 'http://127.0.0.1:8545',
    account: { address: privateKeyToAddress(demoKey) },
  });
});

test.each<[string, string | undefined]>([
  ['there is no stack file', undefined],
  ['the stack file is broken', '{'],
  ['the stack file has no buyer', '{}'],
])('P8: on this machine there is no falling back to the key in the environment when %s', async (_what, content) => {
  const path = join(folder, 'other.json');
  rmSync(path, { force: true });
  if (content !== undefined) writeFileSync(path, content);
  expect(await chooseWallet('http://127.0.0.1:8787', environment, path)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('run the command in the clone'),
  });
});

test('elsewhere the key in the environment pays, never the demo key', async () => {
  const wallet = await chooseWallet('https://sightline.example', environment, stackPath);
  expect(wallet).toMatchObject({ ok: true, loopback: false, account: { address: privateKeyToAddress(ownKey) } });
});

test.each([undefined, '', 'secret', '0x1234', demoKey.slice(2)])('elsewhere the key %j is none', async (key) => {
  const wallet = await chooseWallet('https://sightline.example', { [WALLET_KEY_VARIABLE]: key }, stackPath);
  expect(wallet).toMatchObject({ ok: false, reason: 'no_wallet' });
  expect(JSON.stringify(wallet)).not.toContain(key === undefined || key === '' ? 'no such text' : key);
});

test('plain http elsewhere is refused before any key is read', async () => {
  expect(await chooseWallet('http://sightline.example', environment, stackPath)).toMatchObject({
    ok: false,
    reason: 'not_https',
  });
});

test.each([
  'http://127.0.0.1.sightline.example',
  'http://localhost.example',
  'http://128.0.0.1',
  'http://notlocalhost',
])('%s is not this machine', async (baseUrl) => {
  expect(await chooseWallet(baseUrl, environment, stackPath)).toMatchObject({ ok: false, reason: 'not_https' });
});
