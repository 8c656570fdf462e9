import { recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createAttemptSigner } from '../../../src/cli/seller/attempt-signer.ts';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { BASE, BASE_SEPOLIA, type PaymentNetwork, POLYGON } from '../../../src/payment/terms/networks-data.ts';
import { PAYEE } from '../../support/seller/planted-seller.ts';

const account = privateKeyToAccount(generatePrivateKey());
const CAP = 1_000_000n;

/** Signs for an amount on a network, by a wallet that was opened for Base Sepolia. */
function openSigner() {
  const reserved: bigint[] = [];
  const counter = {
    reserve: async (amount: bigint) => {
      reserved.push(amount);
      return { ok: true } as const;
    },
  };
  const sign = createAttemptSigner({ account, network: BASE_SEPOLIA, isLocal: false }, counter, CAP);
  const authorize = (amount: bigint) => ({
    from: account.address,
    to: PAYEE,
    value: String(amount),
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + 240),
    nonce: `0x${'1'.repeat(64)}`,
  });
  return {
    reserved,
    authorize,
    pay: (amount: bigint, network: PaymentNetwork = BASE_SEPOLIA) =>
      sign(authorize(amount), { network, amount, payTo: PAYEE }),
  };
}

const FOREIGN = [
  ['Base', BASE],
  ['Polygon', POLYGON],
  ['the name of its own with the chain of Base', { ...BASE_SEPOLIA, chainId: BASE.chainId }],
  ['the name of its own with the token of Base', { ...BASE_SEPOLIA, usdc: BASE.usdc, usdcLower: BASE.usdcLower }],
  ['the name of its own with the domain of Base', { ...BASE_SEPOLIA, domain: BASE.domain }],
] as const;

test.each(FOREIGN)('a wallet of Base Sepolia signs nothing for %s', async (_what, network) => {
  const { pay, reserved } = openSigner();
  expect(await pay(1n, network as unknown as PaymentNetwork)).toMatchObject({ ok: false, reason: 'network_changed' });
  expect(reserved).toEqual([]);
});

test('what it signs is good on Base Sepolia', async () => {
  const { pay, authorize } = openSigner();
  const outcome = await pay(60_000n);
  const { from, to, value, validAfter, validBefore, nonce } = authorize(60_000n);
  const recovered = await recoverTypedDataAddress({
    domain: { ...BASE_SEPOLIA.domain, chainId: BASE_SEPOLIA.chainId, verifyingContract: BASE_SEPOLIA.usdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from,
      to: to as `0x${string}`,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as `0x${string}`,
    },
    signature: (outcome.ok ? outcome.signature : '') as `0x${string}`,
  });
  expect(recovered).toBe(account.address);
});

test('amounts that grow, and two at once, stop at the cap together', async () => {
  const growing = openSigner();
  const outcomes = [await growing.pay(400_000n), await growing.pay(500_000n), await growing.pay(600_000n)];
  expect(outcomes.map((outcome) => (outcome.ok ? 'signed' : outcome.reason))).toEqual([
    'signed',
    'signed',
    'cap_reached',
  ]);
  expect(await growing.pay(100_000n)).toMatchObject({ ok: true }); // Just the cap.
  const twice = openSigner();
  const both = await Promise.all([twice.pay(600_000n), twice.pay(600_000n)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(twice.reserved).toEqual([600_000n]);
});
