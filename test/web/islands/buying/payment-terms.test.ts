import type { PaymentAuthorization } from '../../../../src/payment/terms/authorization.ts';
import { x402Client } from '@x402/core/client';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { hashTypedData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { signTransferProof as provenByCommandLine } from '../../../../src/cli/buy/present-transfer.ts';
import { NETWORK, USDC } from '../../../../src/payment/terms/constants.ts';
import { POLYGON } from '../../../../src/payment/terms/networks-data.ts';
import { parseCredential } from '../../../../src/payment/rails/x402-credential.ts';
import { prepareTemplate } from '../../../../src/payment/terms/payment-required.ts';
import { convertToMicroUsdc, type PageOffer, readOffer } from '../../../../src/web/islands/buying/payment-terms.ts';
import { buildTransferProofTypedData, formatTransferProof } from '../../../../src/web/islands/buying/transfer-proof.ts';
import {
  buildAuthorization,
  buildAuthorizationTypedData,
  encodeJsonBase64,
  parseBase64Json,
  formatPaymentHeader,
  type SignableTypedData,
} from '../../../../src/web/islands/buying/payment-signing.ts';

const PAY_TO = '0x7a3F1c0D5b8e4a6f9c2d1E0b3a5C7d9e1F2a4b6C';
const AGREED = { priceUsd: '0.060000', payTo: PAY_TO };
const NOW_S = 1_790_000_000;
const account = privateKeyToAccount(generatePrivateKey());

const template = prepareTemplate(
  {
    name: 'full_audit',
    description: 'Everything – with a dash',
    url: 'https://sightline.test/api/agent/full_audit',
    payTo: PAY_TO,
    amountMicroUsdc: 60_000,
  },
  {
    transfer: {
      maxAgeS: 86_400,
      confirmations: { small: 2, large: 'safe' },
      proofFromMicroUsdc: 1_000_000,
      proofSalt: `0x${'5a'.repeat(32)}`,
    },
  },
);
const required = (): PaymentRequired => parseBase64Json(template.fresh().header) as PaymentRequired;

function offerOf(header: string): PageOffer {
  const judged = readOffer(header, AGREED);
  if (!judged.ok) throw new Error(judged.differs);
  return judged.offer;
}

/** viem wants numbers as numbers; the domain's own type it makes itself. */
function digestOf({ domain, types, primaryType, message }: SignableTypedData): Hex {
  const { EIP712Domain: _own, ...rest } = types;
  return hashTypedData({ domain, types: rest, primaryType, message });
}

describe('the terms of a 402', () => {
  test('may have entries of other networks before ours', () => {
    const ours = required();
    const [first] = ours.accepts;
    if (first === undefined) throw new TypeError('no terms');
    const other = {
      ...first,
      network: 'eip155:137' as const,
      asset: `0x${'3c'.repeat(20)}`,
      payTo: `0x${'5e'.repeat(20)}`,
    };
    const { accepted } = offerOf(encodeJsonBase64({ ...ours, accepts: [other, first] }));
    expect(accepted).toEqual(first);
    const alone = readOffer(encodeJsonBase64({ ...ours, accepts: [other] }), AGREED);
    expect(alone).toEqual({ ok: false, differs: 'network eip155:137', isClosed: true });
  });

  describe('on Polygon, where the page showed that', () => {
    const PAYEE = `0x${'5e'.repeat(20)}`;
    const agreed = { ...AGREED, payTo: PAYEE, network: POLYGON };
    const [onBase] = required().accepts;
    if (onBase === undefined) throw new TypeError('no terms');
    const onPolygon = { ...onBase, network: POLYGON.id, asset: POLYGON.usdc, payTo: PAYEE };
    const readWith = (...accepts: object[]) => readOffer(encodeJsonBase64({ ...required(), accepts }), agreed);

    test('are those of its entry, wherever it is', () => {
      const judged = readWith(onBase, onPolygon);
      expect(judged).toMatchObject({ ok: true, offer: { accepted: onPolygon, network: POLYGON } });
    });

    test.each([
      ['the token of Base', { asset: USDC }, `asset ${USDC}`],
      ['the payee of Base', { payTo: PAY_TO }, `payee ${PAY_TO}`],
      ['another amount', { amount: '60001' }, '60001 micro-USDC instead of 0.060000 USDC'],
      ['another scheme', { scheme: 'upto' }, 'scheme upto'],
      ['an authorization without end', { maxTimeoutSeconds: 1e9 }, 'an authorization of 1000000000 s'],
    ])('with %s are refused', (_what, changes, differs) => {
      expect(readWith(onBase, { ...onPolygon, ...changes })).toEqual({ ok: false, differs });
    });

    test('are refused where Polygon is not offered, and those of Base are not taken instead', () => {
      expect(readWith(onBase)).toEqual({ ok: false, differs: `network ${NETWORK}`, isClosed: true });
      expect(readWith()).toEqual({ ok: false, differs: undefined });
    });

    test('are signed for its token, as the official client signs them, and whatever they call the token', async () => {
      const asked: Hex[] = [];
      const scheme = new ExactEvmScheme({
        address: account.address,
        signTypedData: async (typed) => {
          asked.push(hashTypedData(typed as Parameters<typeof hashTypedData>[0]));
          return account.signTypedData(typed);
        },
      });
      const client = new x402Client().register(POLYGON.id, scheme);
      const { payload } = await client.createPaymentPayload({ ...required(), accepts: [onPolygon] });
      const ours = buildAuthorizationTypedData(payload['authorization'] as PaymentAuthorization, POLYGON);
      expect(asked).toEqual([digestOf(ours)]);
      expect(ours.domain).toEqual({
        name: 'USD Coin',
        version: '2',
        chainId: 137,
        verifyingContract: POLYGON.usdc,
      });
      const lying = readWith({ ...onPolygon, extra: { name: 'Other', version: '9' } });
      if (!lying.ok) throw new Error(lying.differs);
      const { accepted, network } = lying.offer;
      const made = buildAuthorizationTypedData(buildAuthorization(accepted, account.address, NOW_S), network);
      expect(made.domain).toEqual(ours.domain);
      expect(made.message).toMatchObject({ to: PAYEE, value: '60000' });
    });
  });

  test('are taken when they are what the page showed', () => {
    const { accepted, transfer, resource } = offerOf(template.fresh().header);
    expect(accepted).toEqual(required().accepts[0] && { ...required().accepts[0], extra: accepted['extra'] });
    expect(resource.url).toBe('https://sightline.test/api/agent/full_audit');
    expect(transfer).toMatchObject({ confirmations: 2, maxAgeSeconds: 86_400, proofRequired: false });
  });

  test.each<[string, (terms: Record<string, unknown>) => unknown]>([
    ['another amount', (terms) => (terms['amount'] = '60001')],
    ['a smaller amount', (terms) => (terms['amount'] = '1')],
    ['another payee', (terms) => (terms['payTo'] = `0x${'9'.repeat(40)}`)],
    ['another token', (terms) => (terms['asset'] = `0x${'8'.repeat(40)}`)],
    ['another network', (terms) => (terms['network'] = 'eip155:1')],
    ['another scheme', (terms) => (terms['scheme'] = 'upto')],
    ['an authorization without end', (terms) => (terms['maxTimeoutSeconds'] = 1e9)],
    ['an authorization of no time', (terms) => (terms['maxTimeoutSeconds'] = 0)],
    ['an amount that is no text', (terms) => (terms['amount'] = 60_000)],
  ])('with %s are refused, and nothing is signed', (_what, change) => {
    const changed = structuredClone(required());
    change(changed.accepts[0] ?? {});
    expect(readOffer(encodeJsonBase64(changed), AGREED)).toMatchObject({ ok: false });
  });

  test.each([
    null,
    '',
    '!!',
    encodeJsonBase64([]),
    encodeJsonBase64({ x402Version: 1, accepts: [] }),
    btoa('{"x402Version":2'),
  ])('%j cannot be read', (header) => {
    expect(readOffer(header, AGREED)).toEqual({ ok: false, differs: undefined });
  });

  test.each([
    ['0.060000', '60000'],
    ['1.00', '1000000'],
    ['12.345678', '12345678'],
    ['0.000001', '1'],
    ['0.1234567', undefined],
    ['1e3', undefined],
    ['-1.0', undefined],
  ])('%s USD are %s micro-USDC', (usd, micro) => {
    expect(convertToMicroUsdc(usd)).toBe(micro);
  });
});

describe('the authorization that a wallet signs', () => {
  test('is, digest for digest, what the official client signs for the same terms', async () => {
    const asked: Hex[] = [];
    const client = new x402Client().register(
      NETWORK,
      new ExactEvmScheme({
        address: account.address,
        signTypedData: async (typed) => {
          asked.push(hashTypedData(typed as Parameters<typeof hashTypedData>[0]));
          return account.signTypedData(typed);
        },
      }),
    );
    const { payload } = await client.createPaymentPayload(required());
    const theirs = payload['authorization'] as PaymentAuthorization;
    expect(asked).toEqual([digestOf(buildAuthorizationTypedData(theirs))]);
    const ours = buildAuthorization(offerOf(template.fresh().header).accepted, account.address, NOW_S);
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(theirs).toSorted());
    const unchanging = ({ nonce: _nonce, validBefore: _validBefore, to, ...rest }: PaymentAuthorization) => ({
      ...rest,
      to: to.toLowerCase(),
    });
    expect(unchanging(ours)).toEqual(unchanging(theirs));
    expect(Number(ours.validBefore)).toBe(NOW_S + 300);
  });

  test('is for USDC on Base, whatever the terms call the token', () => {
    const { accepted } = offerOf(template.fresh().header);
    const { domain } = buildAuthorizationTypedData(
      buildAuthorization({ ...accepted, extra: { name: 'Other', version: '9' } }, account.address, NOW_S),
    );
    expect(domain).toEqual({ name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC });
  });

  test('has a nonce of its own each time', () => {
    const { accepted } = offerOf(template.fresh().header);
    const nonces = Array.from({ length: 50 }, () => buildAuthorization(accepted, account.address, NOW_S).nonce);
    expect(new Set(nonces).size).toBe(50);
    for (const nonce of nonces) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test('goes into a header that service and official decoder read back', async () => {
    const { accepted, resource } = offerOf(template.fresh().header);
    const authorization = buildAuthorization(accepted, account.address, NOW_S);
    const header = formatPaymentHeader({
      resource,
      accepted,
      payload: { signature: `0x${'ab'.repeat(65)}`, authorization },
    });
    expect(decodePaymentSignatureHeader(header)).toMatchObject({ x402Version: 2, accepted, resource });
    const parsed = parseCredential(header);
    expect(parsed).toMatchObject({
      ok: true,
      credential: {
        kind: 'signed',
        quote: (accepted['extra'] as { quote: string }).quote, // The secret that a repeat is answered by (rule P1).
        resourceUrl: 'https://sightline.test/api/agent/full_audit',
        authorization: { from: account.address.toLowerCase(), value: 60_000n, nonce: authorization.nonce },
      },
    });
  });
});

describe('the proof of a payer', () => {
  const proof = {
    origin: 'https://sightline.test',
    transaction: `0x${'3c'.repeat(32)}`,
    capability: 'full_audit',
    bodyText: '{"url":"https://example.com/ü"}',
    nowS: NOW_S,
  };

  test('is what the command line signs and sends for the same transfer', async () => {
    const offer = offerOf(template.fresh().header);
    const typed = await buildTransferProofTypedData(proof);
    const signature = await account.sign({ hash: digestOf(typed) });
    const accepted = offer.accepted as PaymentRequired['accepts'][number];
    const theirs = await provenByCommandLine(account, {
      ...proof,
      network: NETWORK,
      transaction: proof.transaction as Hex,
      accepted,
    });
    expect(parseBase64Json(formatTransferProof(offer, proof, signature))).toEqual(parseBase64Json(theirs));
  });

  test('of another deployment is another', async () => {
    const other = await buildTransferProofTypedData({ ...proof, origin: 'https://other.test' });
    expect(digestOf(other)).not.toBe(digestOf(await buildTransferProofTypedData(proof)));
  });
});
