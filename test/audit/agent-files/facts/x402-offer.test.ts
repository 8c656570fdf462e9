import { describe, expect, test } from 'vitest';
import { readPaymentOffer } from '../../../../src/audit/agent-files/facts/x402-offer.ts';
import type { SnapshotAnswer } from '../../../../src/audit/core/snapshot.ts';

const answer = (headers: Readonly<Record<string, string>>, body = ''): SnapshotAnswer => ({
  ok: true,
  url: 'https://acme.example/paid',
  status: 402,
  headers,
  body,
  bodyBytes: body.length,
  sha256: '',
  truncated: false,
  redirects: [],
});

// The example of specs/transports-v2/http.md of the x402 specification, shortened to one way to pay.
const SPEC_OFFER = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: {
    url: 'https://api.example.com/premium-data',
    description: 'Access to premium market data',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
};

describe('x402 offers', () => {
  test('the example of the specification has no fault', () => {
    expect(readPaymentOffer(answer({ 'payment-required': btoa(JSON.stringify(SPEC_OFFER)) }))).toEqual({
      state: 'offer',
      offer: {
        version: 2,
        where: 'header',
        options: [
          {
            scheme: 'exact',
            network: 'eip155:84532',
            amount: '10000',
            asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
            payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
          },
        ],
        bazaar: false,
        bazaarComplete: false,
        resource: { url: 'https://api.example.com/premium-data', serviceName: false, tags: false },
        issues: [],
      },
    });
  });

  test('base64url without padding is read too', () => {
    const header = btoa(JSON.stringify(SPEC_OFFER)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    expect(readPaymentOffer(answer({ 'payment-required': header }))).toMatchObject({ state: 'offer' });
  });

  test.each([
    ['none', {}, 'a page', 'none'],
    ['a header that is no base64', { 'payment-required': '%' }, '', 'broken'],
    ['a header with padding of the wrong length', { 'payment-required': 'aa=' }, '', 'broken'],
    ['a header with padding and no need of it', { 'payment-required': 'aaaa=' }, '', 'broken'],
    ['a header of a JSON string', { 'payment-required': btoa('"x"') }, '', 'broken'],
    ['a price for crawlers', { 'crawler-price': 'USD 1' }, '', 'other'],
    ['a payment challenge', { 'www-authenticate': 'Payment realm="x"' }, '', 'other'],
  ] as const)('%s', (_name, headers, body, state) => {
    expect(readPaymentOffer(answer(headers, body)).state).toBe(state);
  });
});
