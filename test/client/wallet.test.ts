import { x402Client } from '@x402/core/client';
import { decodePaymentSignatureHeader, encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { type Hex, recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { sightline, SightlineError } from '../../src/client/index.ts';
import { selectTerms, signTerms } from '../../src/client/wallet.ts';
import {
  BASE_USDC,
  CAPABILITY,
  honestCatalogue,
  honestTerms,
  type PaidService,
  PAY_TO,
  type Scene,
  startPaidService,
} from '../support/stack/paid-service.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const expected = { chain: 'eip155:8453', payTo: PAY_TO, maxMicroUsd: 60_000 } as const;

const required: PaymentRequired = {
  x402Version: 2,
  resource: { url: `https://service.test/api/agent/${CAPABILITY}` },
  accepts: [honestTerms],
  extensions: { 'payment-identifier': { info: { required: false }, schema: {} } },
};

const answerWith = (terms: PaymentRequired) => ({
  status: 402,
  headers: new Headers({ 'payment-required': encodePaymentRequiredHeader(terms) }),
  body: {},
});

/** Differs from one signing to the next. */
function withoutChance(payload: PaymentPayload): unknown {
  const { authorization, ...rest } = payload.payload as { authorization: Record<string, string> };
  return { ...payload, payload: { ...rest, signature: '', authorization: Object.keys(authorization).toSorted() } };
}

describe('a signed payment', () => {
  test('is what the official client for EVM chains makes of the same terms', async () => {
    const ours = decodePaymentSignatureHeader(
      await signTerms(selectTerms(answerWith(required), expected), wallet, expected.chain),
    );
    const official = await new x402Client()
      .register('eip155:8453', new ExactEvmScheme(wallet))
      .createPaymentPayload(required);
    expect(withoutChance(ours)).toEqual(withoutChance(official));
  });

  test('is signed by the wallet for the token of the chain, for as long as the terms say', async () => {
    const header = await signTerms(selectTerms(answerWith(required), expected), wallet, expected.chain);
    const { signature, authorization } = decodePaymentSignatureHeader(header).payload as {
      signature: Hex;
      authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore', string> & { nonce: Hex };
    };
    const uint = { type: 'uint256' } as const;
    const signer = await recoverTypedDataAddress({
      signature,
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC },
      primaryType: 'TransferWithAuthorization',
      types: {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', ...uint },
          { name: 'validAfter', ...uint },
          { name: 'validBefore', ...uint },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      message: {
        from: authorization.from as Hex,
        to: authorization.to as Hex,
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
        nonce: authorization.nonce,
      },
    });
    expect(signer).toBe(wallet.address);
    expect(authorization).toMatchObject({ to: PAY_TO, value: honestTerms.amount });
    const lifeS = Number(authorization.validBefore) - Math.floor(Date.now() / 1_000);
    expect(lifeS).toBeGreaterThan(honestTerms.maxTimeoutSeconds - 60);
    expect(lifeS).toBeLessThanOrEqual(honestTerms.maxTimeoutSeconds);
  });

  test('of over 1 USD is signed: the official spend control follows the budget', async () => {
    const dear = { ...required, accepts: [{ ...honestTerms, amount: '1550000' }] };
    const header = await signTerms(
      selectTerms(answerWith(dear), { ...expected, maxMicroUsd: 1_550_000 }),
      wallet,
      expected.chain,
    );
    expect(decodePaymentSignatureHeader(header).payload).toMatchObject({ authorization: { value: '1550000' } });
  });
});

const services: PaidService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

async function buyAt(
  scene: Scene,
  options: object = {},
): Promise<{ error: unknown; signatures: number; sent: number }> {
  const service = await startPaidService(scene);
  services.push(service);
  let signatures = 0;
  const counted = {
    address: wallet.address,
    signTypedData: () => {
      signatures += 1;
      return Promise.resolve('0x');
    },
  };
  const client = sightline({ wallet: counted, baseUrl: service.url, ...options });
  const error: unknown = await client
    .buy(CAPABILITY, { url: 'https://example.com/' })
    .catch((reason: unknown) => reason);
  return { error, signatures, sent: service.credentials.length };
}

describe('terms that are not what is expected are refused before anything is signed', () => {
  const wrong: readonly (readonly [string, Partial<PaymentRequirements>])[] = [
    ['scheme', { scheme: 'upto' }],
    ['way to move the money', { extra: { assetTransferMethod: 'permit2' } }],
    ['network', { network: 'eip155:1' }],
    ['network of the test money', { network: 'eip155:84532' }],
    ['asset', { asset: PAY_TO }],
    ['payee', { payTo: BASE_USDC }],
    ['price above that of the catalogue', { amount: '60001' }],
    ['amount that is no number', { amount: '6e4' }],
    ['amount of nothing', { amount: '0' }],
    ['life', { maxTimeoutSeconds: 86_400 }],
  ];
  test.each(wrong)('another %s', async (_what, change) => {
    const { error, signatures, sent } = await buyAt({ accepts: [{ ...honestTerms, ...change }] });
    expect(error).toBeInstanceOf(SightlineError);
    expect(error).toMatchObject({ code: 'terms_refused', payment: 'none' });
    expect([signatures, sent]).toEqual([0, 0]);
  });

  test.each<[string, Scene]>([
    ['without a header', { header: null }],
    ['with a header that is no terms', { header: 'AAAA' }],
    ['that accept nothing', { accepts: [] }],
  ])('a 402 %s', async (_what, scene) => {
    expect(await buyAt(scene)).toMatchObject({ error: { code: 'terms_refused' }, signatures: 0, sent: 0 });
  });

  test('the payee of the options wins over that of the catalogue', async () => {
    expect(await buyAt({}, { payTo: BASE_USDC })).toMatchObject({ error: { code: 'terms_refused' }, signatures: 0 });
    expect(await buyAt({ catalogue: honestCatalogue(BASE_USDC) }, { payTo: PAY_TO })).toMatchObject({ sent: 1 });
  });

  test('good terms beside bad ones are paid', async () => {
    expect(await buyAt({ accepts: [{ ...honestTerms, network: 'eip155:1' }, honestTerms] })).toMatchObject({
      signatures: 1,
      sent: 1,
    });
  });
});
