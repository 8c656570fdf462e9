import { findDefaultAsset } from '@x402/evm';
import { readFileSync } from 'node:fs';
import { hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { formatPaymentKey, readKeyNetwork } from '../../../src/payment/ledger/payment-key.ts';
import {
  computeAuthorizationHash,
  recoverAuthorizationSigner,
} from '../../../src/payment/terms/authorization-signer.ts';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { BASE, PAYMENT_NETWORKS, toTextOfNetwork } from '../../../src/payment/terms/networks-data.ts';
import { prepareTemplate } from '../../../src/payment/terms/payment-required.ts';
import { buildEnvelopePayment, formatPaymentResponse } from '../../../src/payment/terms/receipt.ts';
import { checkTerms } from '../../../src/payment/rails/x402-evm/terms.ts';
import { buildRequirements } from '../../../src/payment/terms/terms.ts';
import { ACCEPTED, NOW_MS, NOW_S, OFFER, signedCredential, TRANSFER_TERMS } from './offer-cases.ts';

const NETWORKS = Object.values(PAYMENT_NETWORKS);
const SEPOLIA = PAYMENT_NETWORKS['eip155:84532'];
const buyer = privateKeyToAccount(`0x${'c3'.repeat(32)}`);

test.each(NETWORKS)('$id has the token and the domain that the official x402 parts have', (network) => {
  expect(findDefaultAsset(network.usdc, network.id)).toMatchObject({
    asset: network.usdc,
    ...network.domain,
    decimals: 6,
  });
  expect(network.usdcLower).toBe(network.usdc.toLowerCase());
  expect(`eip155:${network.chainId}`).toBe(network.id);
});

test.each(NETWORKS)('the client for Python signs for the token of $id under its own domain', ({ id, usdc, domain }) => {
  const source = readFileSync(new URL('../../../src/client-python/sightline/payment.py', import.meta.url), 'utf8');
  const key = id === BASE.id ? 'BASE' : `"${id}"`;
  expect(source).toContain(`    ${key}: Token("${usdc}", "${domain.name}"),\n`);
  expect(source).toContain(`    version: str = "${domain.version}"\n`);
});

const AUTHORIZATION = {
  from: buyer.address.toLowerCase(),
  to: OFFER.payTo.toLowerCase(),
  value: 60_000n,
  validAfter: 0n,
  validBefore: BigInt(NOW_S + 300),
  nonce: `0x${'0e'.repeat(32)}`,
};

const typedOf = (network: (typeof NETWORKS)[number]) =>
  ({
    domain: { ...network.domain, chainId: network.chainId, verifyingContract: network.usdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: AUTHORIZATION as never,
  }) as const;

test.each(NETWORKS)(
  'an authorization on $id is hashed as viem hashes it, and its signature is good there alone',
  async (network) => {
    expect(await computeAuthorizationHash(AUTHORIZATION, network)).toBe(hashTypedData(typedOf(network)));
    const signature = await buyer.signTypedData(typedOf(network));
    for (const other of NETWORKS)
      expect((await recoverAuthorizationSigner(AUTHORIZATION, signature, other)) === AUTHORIZATION.from).toBe(
        other === network,
      );
  },
);

type Terms = { extensions: { 'direct-transfer': { info: unknown } } };

test('an offer of the test network is paid there: terms, the transfer and its proof', () => {
  const offer = { ...OFFER, network: SEPOLIA };
  expect(buildRequirements(offer, 60_000)).toEqual({
    ...buildRequirements(OFFER, 60_000),
    network: 'eip155:84532',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    extra: { name: 'USDC', version: '2' },
  });
  const { body } = prepareTemplate(offer, { transfer: TRANSFER_TERMS }).fresh();
  const { info } = (JSON.parse(body) as Terms).extensions['direct-transfer'];
  expect(info).toMatchObject({ network: 'eip155:84532', proof: { domain: { chainId: 84_532 } } });
  expect(body).not.toMatch(/eip155:8453\b|0x833589/);
});

test('an offer that names no network is that of Base, to the byte', () => {
  const [plain, named] = [OFFER, { ...OFFER, network: BASE }].map((offer) =>
    withoutQuote(prepareTemplate(offer, { transfer: TRANSFER_TERMS }).fresh()),
  );
  expect(named).toBe(plain);
});

/** A 402 without what is fresh in it. */
const withoutQuote = ({ header, quote }: { header: string; quote: string }): string =>
  atob(header).replaceAll(quote, 'quote');

const CLOCK = { nowMs: NOW_MS, worstCaseS: 60 };

test.each([
  ['of Base', OFFER, { network: SEPOLIA.id, asset: SEPOLIA.usdc }],
  ['of Base, with the asset of Base', OFFER, { network: SEPOLIA.id }],
  ['of the test network', { ...OFFER, network: SEPOLIA }, {}],
  ['of the test network, with its asset', { ...OFFER, network: SEPOLIA }, { network: BASE.id, asset: SEPOLIA.usdc }],
])('a payment of the other network is not good for an offer %s', (_what, offer, changes) => {
  const credential = signedCredential({ accepted: { ...ACCEPTED, ...changes } });
  expect(checkTerms(credential, offer, CLOCK)).toMatchObject({ ok: false, reason: 'wrong_terms' });
});

test('the ledger key names the network, so that one nonce on two networks is two payments', () => {
  const id = { method: 'x402', from: AUTHORIZATION.from, nonce: AUTHORIZATION.nonce } as const;
  const keys = NETWORKS.map((network) => formatPaymentKey(id, network));
  expect(new Set(keys).size).toBe(NETWORKS.length);
  expect(keys[0]).toBe(formatPaymentKey(id));
  const hash = { method: 'transfer', hash: AUTHORIZATION.nonce, logIndex: 3 } as const;
  for (const network of NETWORKS)
    for (const key of [formatPaymentKey(id, network), formatPaymentKey(hash, network)])
      expect(readKeyNetwork(key)).toBe(network.id);
});

test('receipts name the network that was paid on', () => {
  const sale = {
    key: 'a key',
    reportId: 'a'.repeat(32),
    method: 'x402',
    capability: 'check_health',
    transaction: `0x${'5e'.repeat(32)}`,
    payer: AUTHORIZATION.from,
    amountMicroUsdc: 60_000,
    settledAtMs: NOW_MS,
  } as const;
  expect(buildEnvelopePayment(sale, SEPOLIA).network).toBe('eip155:84532');
  expect(buildEnvelopePayment(sale).network).toBe('eip155:8453');
  expect(JSON.parse(atob(formatPaymentResponse(sale, SEPOLIA)))).toMatchObject({ network: 'eip155:84532' });
});

test('texts of ours name one network', () => {
  const text = `pay USDC on Base (${BASE.id}, ${BASE.usdc})`;
  expect(toTextOfNetwork(text, BASE)).toBe(text);
  expect(toTextOfNetwork(text, SEPOLIA)).toBe(
    `pay USDC on Base Sepolia, a test network, (${SEPOLIA.id}, ${SEPOLIA.usdc})`,
  );
});
