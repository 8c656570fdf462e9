import { afterAll, describe, expect, test } from 'vitest';
import type { PaymentChallenge } from '../../../../src/payment/rails/mpp/challenge.ts';
import { mppCarrier } from '../../../../src/payment/rails/mpp/carrier.ts';
import { selectPaymentCredential } from '../../../../src/payment/rails/mpp/credential.ts';
import { buildMppReceipt, proveMppSale } from '../../../../src/payment/rails/mpp/receipt.ts';
import { computeChallengeNonce } from '../../../../src/payment/rails/mpp/terms.ts';
import { BASE, BASE_SEPOLIA } from '../../../../src/payment/terms/networks-data.ts';
import type { PricedOffer } from '../../../../src/payment/terms/terms.ts';
import { startMppx } from '../../../support/stack/mppx-buyer.ts';
import { NOW_MS, NOW_S, OFFER, PAY_TO, USDC } from '../../terms/offer-cases.ts';
import { BEFORE, credentialJson, encode, issueOne, KEY, MPP_OFFER, payer, SECRET } from './mpp-cases.ts';

const mppx = startMppx();
afterAll(() => mppx.stop());

const judge = async (text: string, offer: PricedOffer = MPP_OFFER, nowMs = NOW_MS) => {
  const parsed = await mppCarrier.parse(text);
  if (!parsed.ok) return parsed;
  if (parsed.payment.flow !== 'authorization') throw new Error('no authorization');
  return parsed.payment.checkTerms(offer, { nowMs, worstCaseS: 60 });
};

/** What the official client sends for a challenge; it signs for none that has ended, so its clock is the real one. */
const sign = async (secret = SECRET) => {
  const { header, challenge } = await issueOne({}, secret, Date.now());
  return { text: selectPaymentCredential(await mppx.sign({ key: KEY }, header)) ?? '', challenge };
};

describe('a credential of the official client', () => {
  test('is the payment of an EIP-3009 authorization, as one of x402 is', async () => {
    const { text, challenge } = await sign();
    const parsed = await mppCarrier.parse(text);
    const end = Date.parse(challenge.expires) / 1000;
    const nonce = await computeChallengeNonce(challenge.id, challenge.realm);
    expect(parsed).toMatchObject({
      ok: true,
      payment: {
        flow: 'authorization',
        rail: 'mpp',
        payer: payer.address.toLowerCase(),
        amountMicroUsdc: 60_000,
        nonce,
        validBeforeS: end,
        hasSecret: false,
        repeatsByProof: true,
        challengeId: challenge.id,
        identifier: undefined,
      },
    });
    if (!parsed.ok || parsed.payment.flow !== 'authorization') throw new Error('not parsed');
    expect(parsed.payment.formatKey(BASE)).toBe(
      `eip3009:eip155:8453:${USDC.toLowerCase()}:${payer.address.toLowerCase()}:${nonce}`,
    );
    expect(await parsed.payment.isPayersKey(BASE)).toBe(true);
    expect(await judge(text, MPP_OFFER, Date.now())).toMatchObject({
      ok: true,
      amountMicroUsdc: 60_000,
      validBeforeS: end,
      late: undefined,
      requirements: { scheme: 'exact', network: BASE.id, amount: '60000', asset: USDC, payTo: PAY_TO },
    });
  });

  test('is taken under the secret before, and read the same from JSON transports', async () => {
    const { text } = await sign(BEFORE);
    expect(await judge(text, MPP_OFFER, Date.now())).toMatchObject({ ok: true });
    const json = JSON.parse(Buffer.from(text, 'base64url').toString()) as { challenge: { request: string } };
    const request = JSON.parse(Buffer.from(json.challenge.request, 'base64url').toString()) as object;
    const same = mppCarrier.readMeta({ ...json, challenge: { ...json.challenge, request } });
    expect(await judge(same ?? '', MPP_OFFER, Date.now())).toMatchObject({ ok: true });
  });
});

type Parts = Parameters<typeof credentialJson>[1];

describe('whether a credential is for an offer', () => {
  const of = async (parts: Parts = {}, offer: PricedOffer = MPP_OFFER, nowMs = NOW_MS) => {
    const { challenge } = await issueOne();
    return judge(encode(await credentialJson(challenge, parts)), offer, nowMs);
  };
  const past = { previous: { amountMicroUsdc: 60_000, changedAtMs: NOW_MS - 1_800_000 }, amountMicroUsdc: 90_000 };

  test.each<[string, Parts, Partial<PricedOffer>]>([
    ['as it is', {}, {}],
    ['without a source', { top: { source: undefined } }, {}],
    ['P14: at the price of before, within the hour', {}, past],
  ])('%s it is', async (_what, parts, offer) => {
    expect(await of(parts, { ...MPP_OFFER, ...offer })).toMatchObject({ ok: true, amountMicroUsdc: 60_000 });
  });

  test.each<[string, Parts, Partial<PricedOffer>, string]>([
    [
      'P14: the price of before, after the hour',
      {},
      { ...past, previous: { amountMicroUsdc: 60_000, changedAtMs: NOW_MS - 3_601_000 } },
      'wrong_amount',
    ],
    ['another amount signed', { payload: { value: '59999' } }, {}, 'wrong_amount'],
    ['another payee of ours since', {}, { payTo: `0x${'11'.repeat(20)}` }, 'wrong_recipient'],
    ['another payee signed', { payload: { to: `0x${'11'.repeat(20)}` } }, {}, 'challenge_invalid'],
    ['another network of ours since', {}, { network: BASE_SEPOLIA }, 'wrong_terms'],
    ['a nonce of its own', { payload: { nonce: `0x${'11'.repeat(32)}` } }, {}, 'challenge_invalid'],
    [
      'the name of another payer',
      { top: { source: `did:pkh:eip155:8453:0x${'22'.repeat(20)}` } },
      {},
      'challenge_invalid',
    ],
    ['a payer of another network', { top: { source: `did:pkh:eip155:1:${payer.address}` } }, {}, 'challenge_invalid'],
    ['another realm', { challenge: { realm: 'other.test' } }, {}, 'challenge_invalid'],
    ['a later end of the challenge', { challenge: { expires: '2099-01-01T00:00:00Z' } }, {}, 'challenge_invalid'],
    ['an invented id', { challenge: { id: `${'a'.repeat(43)}.${'0'.repeat(32)}` } }, {}, 'challenge_invalid'],
    [
      'P17: an authorization for two hours',
      { payload: { validBefore: String(NOW_S + 7_200) } },
      {},
      'authorization_expires_too_late',
    ],
    [
      'an authorization that begins later',
      { payload: { validAfter: String(NOW_S + 10) } },
      {},
      'authorization_not_yet_valid',
    ],
  ])('%s: it is not', async (_what, parts, offer, reason) => {
    expect(await of(parts, { ...MPP_OFFER, ...offer })).toMatchObject({ ok: false, reason });
  });

  test('where MPP is switched off, no challenge is ours', async () => {
    expect(await of({}, OFFER)).toMatchObject({ ok: false, reason: 'challenge_invalid' });
  });

  test('P17: one that ends before the work does buys nothing new', async () => {
    const late = { late: { reason: 'authorization_expires_too_soon' } };
    expect(await of({ payload: { validBefore: String(NOW_S + 94) } })).toMatchObject({ ok: true, ...late });
    expect(await of({ payload: { validBefore: String(NOW_S + 95) } })).toMatchObject({ ok: true, late: undefined });
  });

  test('a challenge that has ended buys nothing new, however long its authorization is valid', async () => {
    const long = { payload: { validBefore: String(NOW_S + 3_500) } };
    expect(await of(long, MPP_OFFER, NOW_MS)).toMatchObject({ ok: true, late: undefined });
    expect(await of(long, MPP_OFFER, NOW_MS + 360_000)).toMatchObject({ late: { reason: 'authorization_expired' } });
  });
});

describe('a credential that is no good', () => {
  const of = async (parts: Parts, change?: (given: PaymentChallenge) => object) => {
    const { challenge } = await issueOne();
    return judge(encode(await credentialJson(challenge, change ? { challenge: { ...change(challenge) } } : parts)));
  };

  test.each([
    ['is empty', ''],
    ['is garbage', encode('this is garbage')],
    ['is a JSON text', encode('"x"')],
    ['is a JSON list', encode('[]')],
    ['is standard base64', Buffer.from('{"challenge":{}}??>>').toString('base64')],
    ['has no members', encode({})],
    ['has a null challenge', encode({ challenge: null, payload: null })],
    ['is huge', 'A'.repeat(8_193)],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')],
  ])('it %s: it cannot be read', async (_what, text) => {
    expect(await judge(text)).toMatchObject({ ok: false, reason: 'credential_invalid' });
  });

  test.each<[string, Parts]>([
    ['an unknown member', { top: { extra: 1 } }],
    ['an unknown member of the challenge', { challenge: { opaque: 'e30' } }],
    ['a huge id', { challenge: { id: 'a'.repeat(301) } }],
    ['an unknown member of the payload', { payload: { permit: {} } }],
    ['no signature', { payload: { signature: undefined } }],
    ['a signature that is no hex', { payload: { signature: '0xzz' } }],
    ['an amount with a leading zero', { payload: { value: '060000' } }],
    ['an amount over 256 bits', { payload: { value: `${2n ** 256n}` } }],
    ['a nonce of 31 bytes', { payload: { nonce: `0x${'11'.repeat(31)}` } }],
    ['an address in 0X', { payload: { from: `0X${'11'.repeat(20)}` } }],
  ])('%s: it cannot be read', async (_what, parts) => {
    expect(await of(parts)).toMatchObject({ ok: false, reason: 'credential_invalid' });
  });

  test.each<[string, Parts]>([
    ['another method', { challenge: { method: 'tempo' } }],
    ['another intent', { challenge: { intent: 'session' } }],
    ['a request that is no JSON', { challenge: { request: encode('x') } }],
    [
      'a request without a network',
      { challenge: { request: encode({ amount: '1', currency: USDC, recipient: PAY_TO }) } },
    ],
    ['splits', { challenge: { request: encode({ amount: '60000', splits: [] }) } }],
    ['an end in another spelling', { challenge: { expires: '2099-01-01T00:00:00.000Z' } }],
  ])('a challenge with %s is not ours', async (_what, parts) => {
    expect(await of(parts)).toMatchObject({ ok: false, reason: 'challenge_invalid' });
  });

  test.each<[string, Parts]>([
    ['a type that is not offered', { payload: { type: 'permit2' } }],
    ['the hash of a transaction', { payload: { type: 'hash', hash: `0x${'11'.repeat(32)}` } }],
  ])('%s does not accept our terms', async (_what, parts) => {
    expect(await of(parts)).toMatchObject({ ok: false, reason: 'wrong_terms' });
  });

  test('what it says repeats nothing of the credential', async () => {
    expect(JSON.stringify(await of({ top: { '<script>': 1 } }))).not.toContain('script');
  });
});

test.each([
  ['Bearer abc', undefined],
  ['Paymentabc', undefined],
  ['Payment', ''],
  ['Payment abc', 'abc'],
  ['payment  abc ', 'abc'],
  ['PAYMENT\tabc', 'abc'],
])('A12: the scheme decides: %j', (header, wanted) => {
  expect(mppCarrier.readHeader(header)).toBe(wanted);
});

test('the official client reads our receipt', async () => {
  const sale = { transaction: `0x${'ab'.repeat(32)}`, settledAtMs: NOW_MS };
  const receipt = {
    status: 'success',
    method: 'evm',
    timestamp: new Date(NOW_MS).toISOString(),
    reference: sale.transaction,
    challengeId: 'the-id',
    chainId: 8453,
  };
  expect(buildMppReceipt(sale, 'the-id', BASE)).toEqual(receipt);
  const { 'payment-receipt': value } = proveMppSale(sale, BASE, 'the-id');
  expect(await mppx.do('receipt', { value })).toEqual(receipt);
});
