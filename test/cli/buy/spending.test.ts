import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { recoverTypedDataAddress } from 'viem';
import { afterAll, describe, expect, test } from 'vitest';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { PAYMENT_NETWORKS } from '../../../src/payment/terms/networks-data.ts';
import {
  type Allowance,
  createFileCounter,
  guardSigner,
  type SpendCounter,
  SpendingRefused,
  type SigningRequest,
  formatUsdc,
} from '../../../src/cli/buy/spending.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAYEE = '0x7a3F1C0D5b8E4A6f9C2d1E0B3a5c7d9E1F2A4b6c';
const NOW_S = 1_800_000_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const account = privateKeyToAccount(generatePrivateKey());
const allowance: Allowance = {
  network: 'eip155:8453',
  payTo: PAYEE,
  catalogueMicroUsdc: 60_000n,
  maxMicroUsdc: 60_000n,
  maxMicroUsdcPerDay: 1_000_000n,
};
const folder = mkdtempSync(join(tmpdir(), 'sightline-spending-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const typed = (changes: { domain?: object; message?: object; primaryType?: string } = {}): SigningRequest => ({
  domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC, ...changes.domain },
  types: {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: changes.primaryType ?? 'TransferWithAuthorization',
  message: {
    from: account.address,
    to: PAYEE,
    value: 60_000n,
    validAfter: 0n,
    validBefore: BigInt(NOW_S + 300),
    nonce: `0x${'11'.repeat(32)}`,
    ...changes.message,
  },
});

const counting = (): SpendCounter & { amounts: bigint[] } => {
  const amounts: bigint[] = [];
  return { amounts, reserve: async (amount) => (amounts.push(amount), { ok: true }) };
};

const guard = (counter: SpendCounter = counting()) => guardSigner(account, allowance, counter, () => NOW_S * 1000);

test('A9: a payment within the allowance is signed, and counted before it is', async () => {
  const counter = counting();
  const signer = guard(counter);
  expect(await signer.signTypedData(typed())).toMatch(/^0x[0-9a-f]{130}$/);
  expect(counter.amounts).toEqual([60_000n]);
  expect(signer.signed()).toBe(true);
});

test.each<[string, SigningRequest, string]>([
  ['for another chain', typed({ domain: { chainId: 1 } }), 'wrong_network'],
  ['for the testnet', typed({ domain: { chainId: 84_532 } }), 'wrong_network'],
  ['without a chain', typed({ domain: { chainId: undefined } }), 'wrong_network'],
  ['for another contract', typed({ domain: { verifyingContract: PAYEE } }), 'wrong_asset'],
  ['for no contract', typed({ domain: { verifyingContract: undefined } }), 'wrong_asset'],
  ['to another payee', typed({ message: { to: USDC } }), 'wrong_payee'],
  ['over the allowance', typed({ message: { value: 60_001n } }), 'amount_above_catalogue'],
  ['over nothing', typed({ message: { value: 0n } }), 'amount_invalid'],
  ['over an amount in text', typed({ message: { value: '60000' } }), 'amount_invalid'],
  ['for 301 s', typed({ message: { validBefore: BigInt(NOW_S + 301) } }), 'authorization_too_long'],
  ['for ever', typed({ message: { validBefore: 2n ** 256n - 1n } }), 'authorization_too_long'],
  ['of an approval', typed({ primaryType: 'Permit' }), 'unexpected_message'],
  ['of a Permit2 transfer', typed({ primaryType: 'PermitWitnessTransferFrom' }), 'unexpected_message'],
  ['that others could pull at will', typed({ primaryType: 'ReceiveWithAuthorization' }), 'unexpected_message'],
])('A9: a message %s is not signed, whatever the terms said', async (_what, message, reason) => {
  const counter = counting();
  const signer = guard(counter);
  await expect(signer.signTypedData(message)).rejects.toThrow(SpendingRefused);
  expect(signer.refusal()).toMatchObject({ ok: false, reason });
  expect([signer.signed(), counter.amounts]).toEqual([false, []]);
});

describe.each(Object.values(PAYMENT_NETWORKS))('A9: on $id', (network) => {
  const own = { ...network.domain, chainId: network.chainId, verifyingContract: network.usdc };
  const counter = counting();
  const guardOn = () => guardSigner(account, { ...allowance, network: network.id }, counter, () => NOW_S * 1000);

  test.each<[string, object]>([
    ['as the table has it', {}],
    ['with another name', { name: 'Other Coin' }],
    ['with another version', { version: '1' }],
    ['with a salt', { salt: `0x${'22'.repeat(32)}` }],
  ])('the domain is that of our table, where the 402 has it %s', async (_what, changes) => {
    const message = typed({ domain: { ...own, ...changes } });
    const signature = await guardOn().signTypedData(message);
    const signer = await recoverTypedDataAddress({
      domain: own,
      types: AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: message.message as never,
      signature,
    });
    expect(signer).toBe(account.address);
  });

  test.each(Object.values(PAYMENT_NETWORKS).filter(({ id }) => id !== network.id))(
    'nothing is signed for $id, nor for its token',
    async ({ chainId, usdc: verifyingContract }) => {
      counter.amounts.length = 0;
      const chain = guardOn();
      await expect(chain.signTypedData(typed({ domain: { ...own, chainId } }))).rejects.toThrow(SpendingRefused);
      expect(chain.refusal()).toMatchObject({ reason: 'wrong_network' });
      const token = guardOn();
      await expect(token.signTypedData(typed({ domain: { ...own, verifyingContract } }))).rejects.toThrow(
        SpendingRefused,
      );
      expect(token.refusal()).toMatchObject({ reason: 'wrong_asset' });
      expect(counter.amounts).toEqual([]);
    },
  );
});

test('A9: one purchase gives one signature, also when two are asked for at once', async () => {
  const signer = guard();
  const asked = await Promise.allSettled([signer.signTypedData(typed()), signer.signTypedData(typed())]);
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('A9: the daily limit counts signatures, and the next day starts at zero', async () => {
  const counter = createFileCounter(join(folder, 'day.json'));
  const spend = (at: number) => counter.reserve(400_000n, 1_000_000n, at);
  expect(await spend(NOON)).toEqual({ ok: true });
  expect(await spend(NOON)).toEqual({ ok: true });
  expect(await spend(NOON)).toMatchObject({ ok: false, reason: 'daily_limit_reached' });
  expect(await counter.reserve(200_000n, 1_000_000n, NOON)).toEqual({ ok: true });
  expect(await spend(NOON + 86_400_000)).toEqual({ ok: true });
});

test('A9: the count is kept in a file of mode 0600 that survives the process', async () => {
  const path = join(folder, 'kept', 'day.json');
  await createFileCounter(path).reserve(60_000n, 1_000_000n, NOON);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ day: '2026-11-21', signatures: 1, microUsdc: '60000' });
  expect(await createFileCounter(path).reserve(950_000n, 1_000_000n, NOON)).toMatchObject({
    ok: false,
    reason: 'daily_limit_reached',
  });
});

test('A9: of many signatures asked for at once no more are counted than the limit allows', async () => {
  const path = join(folder, 'race.json');
  const asked = await Promise.all(
    Array.from({ length: 20 }, () => createFileCounter(path).reserve(100n, 1_000n, NOON)),
  );
  expect(asked.filter(({ ok }) => ok)).toHaveLength(10);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ signatures: 10, microUsdc: '1000' });
});

test.each<[string, (path: string) => void]>([
  [
    'is readable by others',
    (path) => writeFileSync(path, '{"day":"2026-11-21","signatures":0,"microUsdc":"0"}', { mode: 0o644 }),
  ],
  ['is not JSON', (path) => writeFileSync(path, 'zero', { mode: 0o600 })],
  [
    'holds a negative sum',
    (path) => writeFileSync(path, '{"day":"2026-11-21","signatures":0,"microUsdc":"-5"}', { mode: 0o600 }),
  ],
  ['is locked by another process', (path) => writeFileSync(`${path}.lock`, '')],
])('A9: nothing is counted, so nothing signed, when the spending file %s', async (what, prepare) => {
  const path = join(folder, `${what.replaceAll(' ', '-')}.json`);
  prepare(path);
  expect(await createFileCounter(path).reserve(1n, 1_000n, NOON)).toMatchObject({
    ok: false,
    reason: 'counter_unavailable',
  });
});

test('a lock that a dead process left behind is taken over', async () => {
  const path = join(folder, 'stale.json');
  writeFileSync(`${path}.lock`, '');
  utimesSync(`${path}.lock`, new Date(0), new Date(0));
  expect(await createFileCounter(path).reserve(1n, 1_000n, NOON)).toEqual({ ok: true });
});

test.each([
  [60_000n, '0.060000 USDC'],
  [1n, '0.000001 USDC'],
  [3_500_000n, '3.500000 USDC'],
  [0n, '0.000000 USDC'],
])('%d micro-USDC reads %s', (amount, text) => expect(formatUsdc(amount)).toBe(text));
