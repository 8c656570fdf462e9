import { describe, expect, test } from 'vitest';
import { readPresentedPayment } from '../../src/mcp/payment-meta.ts';

const payment = { x402Version: 2, accepted: { scheme: 'exact' }, payload: { signature: '0xab' } };
const base64 = Buffer.from(JSON.stringify(payment)).toString('base64');
const spaced = Buffer.from(JSON.stringify(payment, null, 1)).toString('base64');
const HASH = `0x${'ab'.repeat(32)}`;

describe('the payment of a call', () => {
  test.each([
    ['nothing', {}, undefined, { kind: 'none' }],
    ['an object', { 'x402/payment': payment }, undefined, { kind: 'credential', text: base64 }],
    ['base64 JSON', { 'x402/payment': base64 }, undefined, { kind: 'credential', text: base64 }],
    ['a transaction hash', { 'x402/payment': HASH }, undefined, { kind: 'credential', text: HASH }],
    ['the header', {}, base64, { kind: 'credential', text: base64 }],
    ['both, the same', { 'x402/payment': payment }, base64, { kind: 'credential', text: base64 }],
    ['both, the same in another layout', { 'x402/payment': payment }, spaced, { kind: 'credential', text: spaced }],
    ['both, one hash in two spellings', { 'x402/payment': HASH }, HASH.toUpperCase(), { kind: 'credential' }],
  ])('P23: %s is taken as it is', (_what, meta, header, expected) => {
    expect(readPresentedPayment(meta, { paymentHeader: header, hasVersion1Header: false })).toMatchObject(expected);
  });

  test.each([
    ['two different payments', { 'x402/payment': { ...payment, x402Version: 1 } }, base64],
    ['a payment of version 1', { 'x402.payment': base64 }, undefined],
    ['a number', { 'x402/payment': 7 }, undefined],
    ['null', { 'x402/payment': null }, undefined],
    ['an empty text', { 'x402/payment': ' ' }, undefined],
    ['over 8 KB of text', { 'x402/payment': 'a'.repeat(8193) }, undefined],
    ['over 8 KB of an object', { 'x402/payment': { x: 'a'.repeat(7000) } }, undefined],
  ])('%s is refused in our words', (_what, meta, header) => {
    const presented = readPresentedPayment(meta, { paymentHeader: header, hasVersion1Header: false });
    expect(presented.kind).toBe('refused');
    expect(JSON.stringify(presented)).not.toContain('aaaa');
  });

  test.each([
    ['alone', {}, undefined],
    ['beside a payment', { 'x402/payment': payment }, base64],
  ])('P6: X-PAYMENT %s is refused with the text of x402.payment', (_what, meta, paymentHeader) => {
    const presented = readPresentedPayment(meta, { paymentHeader, hasVersion1Header: true });
    const named = readPresentedPayment({ 'x402.payment': base64 }, { hasVersion1Header: false });
    expect(presented).toMatchObject({ kind: 'refused', detail: expect.stringContaining('Only x402 version 2') });
    expect(presented).toEqual(named);
  });
});
