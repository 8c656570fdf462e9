import { expect, test } from 'vitest';
import { findPresented } from '../../../src/payment/rails/presented.ts';
import type { CredentialCarrier } from '../../../src/payment/rails/rail.ts';
import { x402Carrier } from '../../../src/payment/rails/x402-carrier.ts';

const HASH = `0x${'ab'.repeat(32)}`;
/** A second way to carry a payment, in a header that may hold something else. */
const other: CredentialCarrier = {
  ...x402Carrier,
  header: 'Authorization',
  readHeader: (value) => /^Payment (\S+)$/.exec(value)?.[1],
  metaKey: 'other/payment',
};
const find = (headers: Readonly<Record<string, string>>, meta: Readonly<Record<string, unknown>> = {}) =>
  findPresented((name) => headers[name], meta, [x402Carrier, other]);

test('a request without a payment has none, whatever else its headers hold', () => {
  expect(find({})).toEqual({ kind: 'none' });
  expect(find({ authorization: 'Bearer abc' })).toEqual({ kind: 'none' });
});

test('a payment is found with what carried it, and its text is not looked at', () => {
  expect(find({ 'payment-signature': 'garbage' })).toEqual({
    kind: 'credential',
    carrier: x402Carrier,
    text: 'garbage',
  });
  expect(find({ authorization: 'Payment abc' })).toEqual({ kind: 'credential', carrier: other, text: 'abc' });
  expect(find({}, { 'other/payment': HASH })).toEqual({ kind: 'credential', carrier: other, text: HASH });
});

test.each([
  ['in two headers', { 'payment-signature': HASH, authorization: 'Payment abc' }, {}],
  ['in a header and in `_meta`', { 'payment-signature': HASH }, { 'other/payment': HASH }],
  ['in `_meta` twice', {}, { 'x402/payment': HASH, 'other/payment': HASH }],
])('two payments %s are refused before either is read', (_where, headers, meta) => {
  expect(find(headers, meta)).toEqual({
    kind: 'refused',
    reason: 'several_payments',
    detail: 'PAYMENT-SIGNATURE and Authorization bring a payment each: send one of them',
  });
});

test('one payment in header and `_meta` is one; two differing ones are refused', () => {
  const twice = { 'payment-signature': HASH };
  expect(find(twice, { 'x402/payment': HASH })).toMatchObject({ kind: 'credential', text: HASH });
  expect(find(twice, { 'x402/payment': HASH.replace('a', 'b') })).toMatchObject({ reason: 'invalid_payload' });
});
