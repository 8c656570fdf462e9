import { parsePaymentPayload } from '@x402/core/schemas';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCredential } from '../../../src/payment/rails/x402-credential.ts';
import {
  ACCEPTED,
  AUTHORIZATION,
  base64,
  BUYER,
  type Json,
  NOW_S,
  OFFER,
  PAY_TO,
  QUOTE,
  SIGNATURE,
  signedCredential,
  signedJson,
} from '../terms/offer-cases.ts';

const HASH = `0x${'aB'.repeat(32)}`;
const proofPayload = { transaction: HASH, signature: SIGNATURE, issuedAt: NOW_S, expiresAt: NOW_S + 600 };
const proofJson = (payload: Json = {}): Json => ({
  x402Version: 2,
  accepted: ACCEPTED,
  payload: { ...proofPayload, ...payload },
});

describe('a transaction hash', () => {
  test.each([HASH, HASH.toLowerCase(), ` ${HASH} `])(
    '%j is a bare transfer, although it is well-formed base64 too',
    (value) => {
      expect(parseCredential(value)).toEqual({
        ok: true,
        credential: { kind: 'transfer', hash: HASH.toLowerCase(), proof: undefined },
      });
    },
  );

  test.each([HASH.replace('0x', '0X'), HASH.slice(0, -1), `${HASH}a`, HASH.slice(2)])('P21: %s is no hash', (value) => {
    expect(parseCredential(value)).toMatchObject({ ok: false, reason: 'invalid_payload' });
  });
});

describe('a signed payload', () => {
  test('parses to lower case and numbers, beside what the client sends back', () => {
    expect(parseCredential(base64(signedJson()))).toEqual({
      ok: true,
      credential: {
        kind: 'signed',
        authorization: {
          from: BUYER,
          to: PAY_TO,
          value: 60_000n,
          validAfter: 0n,
          validBefore: BigInt(NOW_S + 300),
          nonce: AUTHORIZATION.nonce.toLowerCase(),
        },
        signature: SIGNATURE,
        accepted: {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '60000',
          asset: ACCEPTED.asset.toLowerCase(),
          payTo: PAY_TO,
          maxTimeoutSeconds: 300,
        },
        resourceUrl: OFFER.url,
        quote: QUOTE,
        identifier: undefined,
        echoesBazaar: false,
      },
    });
  });

  test.each([
    ['no resource', { top: { resource: undefined } }],
    ['null for absent members', { top: { resource: null, extensions: null } }],
    [
      'a resource with further members',
      { top: { resource: { url: OFFER.url, description: 'x', mimeType: null, tags: ['a'] } } },
    ],
    ['keys of its own in extra', { accepted: { extra: { ...ACCEPTED.extra, note: { a: 1 } } } }],
    ['no extra at all', { accepted: { extra: undefined } }],
    ['any JSON as extensions', { top: { extensions: { anything: [1, { a: null }], bazaar: 1 } } }],
    ['the signature of a contract wallet', { payload: { signature: `0x${'ab'.repeat(700)}` } }],
    ['the largest uint256', { authorization: { value: String(2n ** 256n - 1n) } }],
  ])('may have %s', (_what, parts) => {
    const json = signedJson(parts);
    expect(parsePaymentPayload(JSON.parse(JSON.stringify(json))).success).toBe(true); // The official schema takes it too.
    expect(parseCredential(base64(json))).toMatchObject({ ok: true, credential: { kind: 'signed' } });
  });

  test('P1: only a quote of the form we give out is taken for one', () => {
    expect(signedCredential().quote).toBe(QUOTE);
    for (const quote of [undefined, 1, '', QUOTE.toUpperCase(), `${QUOTE}0`]) {
      expect(signedCredential({ accepted: { extra: { ...ACCEPTED.extra, quote } } }).quote).toBeUndefined();
    }
  });

  test('P22: the id of the payment-identifier extension is read', () => {
    const extensions = {
      'payment-identifier': { info: { required: false, id: 'order_2026-0001-abcdef' }, schema: {} },
    };
    expect(signedCredential({ top: { extensions } }).identifier).toBe('order_2026-0001-abcdef');
    expect(
      signedCredential({ top: { extensions: { 'payment-identifier': { info: { required: false } } } } }).identifier,
    ).toBeUndefined();
  });

  test('an echoed bazaar block is noticed', () => {
    expect(signedCredential({ top: { extensions: { bazaar: { info: {} } } } }).echoesBazaar).toBe(true);
  });
});

describe('a transfer proof', () => {
  test('parses to hash, signature and times', () => {
    expect(parseCredential(base64(proofJson()))).toMatchObject({
      ok: true,
      credential: {
        kind: 'transfer',
        hash: HASH.toLowerCase(),
        proof: { signature: SIGNATURE, issuedAtS: NOW_S, expiresAtS: NOW_S + 600 },
        quote: QUOTE,
        resourceUrl: undefined,
      },
    });
  });

  test.each([
    ['a hash of 31 bytes', { transaction: HASH.slice(0, 64) }, /payload\.transaction/],
    ['a time as text', { issuedAt: String(NOW_S) }, /payload\.issuedAt/],
    ['a fractional time', { expiresAt: NOW_S + 0.5 }, /payload\.expiresAt/],
    ['an authorization beside it', { authorization: AUTHORIZATION }, /payload has members/],
    ['no signature', { signature: undefined }, /payload\.signature/],
  ])('with %s is refused', (_what, payload, detail) => {
    expect(parseCredential(base64(proofJson(payload)))).toEqual({
      ok: false,
      reason: 'invalid_payload',
      detail: expect.stringMatching(detail),
    });
  });
});

const extraWith = (extra: Json): Json => signedJson({ accepted: { extra: { ...ACCEPTED.extra, ...extra } } });
const authorized = (authorization: Json): Json => signedJson({ authorization });

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['a header of 20 KB', 'A'.repeat(20_000), /longer than 8192/],
  [
    'a header just over 8 KB',
    base64(signedJson({ top: { extensions: { x: 'y'.repeat(7_000) } } })),
    /longer than 8192/,
  ],
  ['nothing', '', /neither/],
  ['broken base64', '%%%not-base64%%%', /neither/],
  ['base64 of an impossible length', 'AAAAA', /neither/],
  [
    'base64url',
    base64(signedJson({ top: { extensions: { x: '???>>>' } } }))
      .replaceAll('/', '_')
      .replaceAll('+', '-')
      .replace(/^/, '-'),
    /neither/,
  ],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0xfd]).toString('base64'), /neither/],
  ['text that is no JSON', base64('payment please'), /does not hold a JSON object/],
  ['JSON null', base64('null'), /does not hold a JSON object/],
  ['a JSON array', base64('[1]'), /does not hold a JSON object/],
  ['an empty object', base64({}), /x402Version/],
  ['x402 version 1', base64({ ...signedJson(), x402Version: 1 }), /only x402 version 2/],
  ['a v1 payload', base64({ x402Version: 1, scheme: 'exact', network: 'base', payload: {} }), /only x402 version 2/],
  ['the version as text', base64({ ...signedJson(), x402Version: '2' }), /only x402 version 2/],
  ['no accepted', base64({ ...signedJson(), accepted: undefined }), /^accepted/],
  ['no payload', base64({ ...signedJson(), payload: undefined }), /^payload/],
  [
    'members that are not part of it',
    base64({ ...signedJson(), scheme: 'exact' }),
    /has members that are not part of it/,
  ],
  [
    'unknown members in accepted',
    base64(signedJson({ accepted: { maxAmountRequired: '60000' } })),
    /^accepted has members/,
  ],
  [
    'P7: the permit2 transfer method',
    base64(extraWith({ assetTransferMethod: 'permit2' })),
    /accepted\.extra: chooses/,
  ],
  [
    'P7: even the default transfer method',
    base64(extraWith({ assetTransferMethod: 'eip3009' })),
    /accepted\.extra: chooses/,
  ],
  ['P7: the upfront payment flow', base64(extraWith({ paymentFlow: 'upfront' })), /accepted\.extra: chooses/],
  [
    'P7: a permit2 payload',
    base64(signedJson({ payload: { authorization: undefined, permit2Authorization: { nonce: '1' } } })),
    /payload/,
  ],
  ['P7: no nonce', base64(authorized({ nonce: undefined })), /payload\.authorization\.nonce/],
  [
    'P21: a nonce of 31 bytes',
    base64(authorized({ nonce: `0x${'ab'.repeat(31)}` })),
    /payload\.authorization\.nonce: is not a 32-byte value/,
  ],
  ['P21: a nonce with 0X', base64(authorized({ nonce: `0X${'ab'.repeat(32)}` })), /payload\.authorization\.nonce/],
  [
    'P21: a payer of 21 bytes',
    base64(authorized({ from: `0x${'ab'.repeat(21)}` })),
    /payload\.authorization\.from: is not an address/,
  ],
  [
    'P21: a value with a leading zero',
    base64(authorized({ value: '060000' })),
    /payload\.authorization\.value: is not a decimal/,
  ],
  ['P21: a value with a sign', base64(authorized({ value: '+60000' })), /payload\.authorization\.value/],
  ['a negative value', base64(authorized({ value: '-1' })), /payload\.authorization\.value/],
  ['a hexadecimal value', base64(authorized({ value: '0xea60' })), /payload\.authorization\.value/],
  [
    'a value as a number',
    base64(authorized({ value: 60_000 })),
    /payload\.authorization\.value: is missing or of the wrong type/,
  ],
  [
    'a value of 257 bits',
    base64(authorized({ value: String(2n ** 256n) })),
    /payload\.authorization\.value: is over 256 bits/,
  ],
  ['a time in exponent form', base64(authorized({ validBefore: '1e10' })), /payload\.authorization\.validBefore/],
  ['a signature of half a byte', base64(signedJson({ payload: { signature: '0xabc' } })), /payload\.signature/],
  ['no signature', base64(signedJson({ payload: { signature: '0x' } })), /payload\.signature/],
  [
    'a short payment identifier',
    base64(signedJson({ top: { extensions: { 'payment-identifier': { info: { id: 'short' } } } } })),
    /payment-identifier/,
  ],
  [
    'a payment identifier with spaces',
    base64(signedJson({ top: { extensions: { 'payment-identifier': { info: { id: 'a b c d e f g h i j' } } } } })),
    /payment-identifier/,
  ],
];

test.each(refused)('%s is refused as invalid_payload', (_what, value, detail) => {
  expect(parseCredential(value)).toEqual({
    ok: false,
    reason: 'invalid_payload',
    detail: expect.stringMatching(detail),
  });
});

test('a refusal repeats nothing that the client chose', () => {
  const secret = 'c0ffee-secret-word';
  for (const json of [
    { ...signedJson(), [secret]: 1 },
    signedJson({ accepted: { [secret]: 1, scheme: secret, payTo: secret } }),
    signedJson({ authorization: { from: secret } }),
    signedJson({ top: { resource: { url: 1, [secret]: 1 }, extensions: { [secret]: 1 } } }),
  ]) {
    const parsed = parseCredential(base64(json));
    expect(JSON.stringify(parsed)).not.toContain(secret);
    expect(parsed.ok).toBe(false);
  }
});

test('whatever is sent, parsing answers and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map(base64),
        fc.jsonValue().map((payload) => base64({ ...signedJson(), payload })),
      ),
      (value) => {
        expect(parseCredential(value)).toHaveProperty('ok');
      },
    ),
  );
});
