import { describe, expect, test } from 'vitest';
import type { TransferCredential } from '../../../../src/payment/rails/transfer/credential.ts';
import { parseCredential } from '../../../../src/payment/rails/x402-credential.ts';
import { checkProvenTerms } from '../../../../src/payment/rails/transfer/terms.ts';
import { checkTerms } from '../../../../src/payment/rails/x402-evm/terms.ts';
import { buildRequirements } from '../../../../src/payment/terms/terms.ts';
import {
  ACCEPTED,
  base64,
  BUYER,
  NOW_MS,
  NOW_S,
  OFFER,
  QUOTE,
  SIGNATURE,
  signedCredential,
} from '../../terms/offer-cases.ts';

const CLOCK = { nowMs: NOW_MS, worstCaseS: 60 };
const check = (parts: Parameters<typeof signedCredential>[0], offer = OFFER, clock = CLOCK) =>
  checkTerms(signedCredential(parts), offer, clock);

test('P7: a payload that fits is answered with our own requirements and the quote it sent back', () => {
  const accepted = { extra: { ...ACCEPTED.extra, name: 'Fake Coin', note: 'mine' } };
  expect(check({ accepted })).toEqual({
    ok: true,
    amountMicroUsdc: 60_000,
    validBeforeS: NOW_S + 300,
    requirements: buildRequirements(OFFER, 60_000, QUOTE),
    late: undefined,
  });
});

test('a hand-made payload without a quote gets requirements without one', () => {
  const checked = check({ accepted: { extra: undefined } });
  expect(checked).toMatchObject({ ok: true, requirements: { extra: { name: 'USD Coin', version: '2' } } });
  expect(checked.ok && checked.requirements.extra).not.toHaveProperty('quote');
});

const before = (seconds: number) => ({ authorization: { validBefore: String(NOW_S + seconds) } });

test.each([
  [
    'wrong_route',
    'another route of ours',
    { top: { resource: { url: 'https://sightline.test/api/agent/full_audit' } } },
  ],
  [
    'wrong_route',
    'the same path on another host',
    { top: { resource: { url: 'https://evil.test/api/agent/check_health' } } },
  ],
  ['wrong_route', 'another MCP tool', { top: { resource: { url: 'mcp://tool/full_audit' } } }],
  ['wrong_terms', 'another scheme', { accepted: { scheme: 'upto' } }],
  ['wrong_terms', 'another network', { accepted: { network: 'eip155:84532' } }],
  ['wrong_terms', 'another asset', { accepted: { asset: BUYER } }],
  ['wrong_terms', 'another life', { accepted: { maxTimeoutSeconds: 600 } }],
  ['wrong_recipient', 'another payee in accepted', { accepted: { payTo: BUYER } }],
  ['wrong_recipient', 'another payee that was signed', { authorization: { to: BUYER } }],
  ['wrong_amount', 'a smaller amount in accepted', { accepted: { amount: '1' } }],
  ['wrong_amount', 'a smaller amount that was signed', { authorization: { value: '1' } }],
  ['wrong_amount', 'a larger amount that was signed', { authorization: { value: '60001' } }],
  ['wrong_amount', 'the price with a leading zero', { accepted: { amount: '060000' } }],
  [
    'wrong_amount',
    'both amounts alike but not the price',
    { accepted: { amount: '1' }, authorization: { value: '1' } },
  ],
  ['authorization_expired', 'an end in the past', before(-1)],
  ['authorization_expired', 'an end now', before(0)],
  ['authorization_expires_too_soon', 'less than the work and its settlement left', before(94)],
  ['authorization_expires_too_late', 'an end over an hour ahead', before(3_601)],
  [
    'authorization_expires_too_late',
    'an end in the far future',
    { authorization: { validBefore: String(2n ** 256n - 1n) } },
  ],
  ['authorization_not_yet_valid', 'a start in the future', { authorization: { validAfter: String(NOW_S + 1) } }],
])('%s: %s', (reason, _what, parts) => {
  const checked = check(parts);
  // A late authorization still names its sale: what it bought before is for the ledger to say.
  expect(checked.ok ? checked.late : checked).toEqual({ ok: false, reason, detail: expect.any(String) });
});

test.each([
  ['no resource (P23)', { top: { resource: undefined } }],
  ['the MCP tool of the same name (P23)', { top: { resource: { url: 'mcp://tool/check_health' } } }],
  ['the payee in another letter case (P21)', { accepted: { payTo: OFFER.payTo.toUpperCase().replace('X', 'x') } }],
  ['just enough time left (P17)', before(95)],
  ['an hour left (P17)', before(3_600)],
  ['a start now', { authorization: { validAfter: String(NOW_S) } }],
])('fits: %s', (_what, parts) => {
  expect(check(parts)).toMatchObject({ ok: true });
});

test('P17: a row whose work takes longer needs more of the authorization', () => {
  expect(check(before(154), OFFER, { nowMs: NOW_MS, worstCaseS: 120 })).toMatchObject({
    late: { reason: 'authorization_expires_too_soon' },
  });
  expect(check(before(155), OFFER, { nowMs: NOW_MS, worstCaseS: 120 })).toMatchObject({ ok: true, late: undefined });
});

describe('P14: after a change of the price', () => {
  const raised = {
    ...OFFER,
    amountMicroUsdc: 90_000,
    previous: { amountMicroUsdc: 60_000, changedAtMs: NOW_MS - 1_800_000 },
  };
  const old = { ...raised, previous: { amountMicroUsdc: 60_000, changedAtMs: NOW_MS - 3_601_000 } };

  test('the old price is sold at the old price for an hour, and that is what the facilitator is asked for', () => {
    expect(check({}, raised)).toMatchObject({ ok: true, amountMicroUsdc: 60_000, requirements: { amount: '60000' } });
    expect(check({}, old)).toMatchObject({ ok: false, reason: 'wrong_amount' });
  });

  test('the two prices are not mixed', () => {
    expect(check({ accepted: { amount: '90000' } }, raised)).toMatchObject({ ok: false, reason: 'wrong_amount' });
  });
});

const proven = (accepted: object, resource?: object): Extract<TransferCredential, { proof: object }> => {
  const payload = {
    transaction: `0x${'ab'.repeat(32)}`,
    signature: SIGNATURE,
    issuedAt: NOW_S,
    expiresAt: NOW_S + 60,
  };
  const parsed = parseCredential(base64({ x402Version: 2, resource, accepted: { ...ACCEPTED, ...accepted }, payload }));
  if (!parsed.ok || parsed.credential.kind !== 'transfer' || !parsed.credential.proof) {
    throw new Error('no transfer proof');
  }
  return parsed.credential;
};

describe('what a client sends back with a transfer proof', () => {
  test('fits the offer, or is told why not', () => {
    expect(checkProvenTerms(proven({}), OFFER)).toBeUndefined();
    expect(checkProvenTerms(proven({ payTo: BUYER }), OFFER)).toMatchObject({ reason: 'wrong_recipient' });
    expect(checkProvenTerms(proven({ network: 'eip155:1' }), OFFER)).toMatchObject({ reason: 'wrong_terms' });
    expect(checkProvenTerms(proven({}, { url: 'mcp://tool/full_audit' }), OFFER)).toMatchObject({
      reason: 'wrong_route',
    });
  });

  test('P14: may name the price of another day, since the chain says what was paid', () => {
    expect(checkProvenTerms(proven({ amount: '50000' }), OFFER)).toBeUndefined();
  });
});
