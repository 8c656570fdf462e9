import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { parsePaymentRequired } from '@x402/core/schemas';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import {
  declarePaymentIdentifierExtension,
  isPaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier';
import { describe, expect, test } from 'vitest';
import { parseCredential } from '../../../src/payment/rails/x402-credential.ts';
import { prepareTemplate } from '../../../src/payment/terms/payment-required.ts';
import { checkTerms } from '../../../src/payment/rails/x402-evm/terms.ts';
import { listAcceptedAmounts, buildRequirements } from '../../../src/payment/terms/terms.ts';
import { buyer, NOW_S, OFFER, TRANSFER_TERMS, USDC } from './offer-cases.ts';

/** About as large as the block of a row with several body fields. */
const BAZAAR = {
  info: {
    input: { type: 'http', method: 'POST', bodyType: 'json', body: { url: 'https://example.com' } },
    output: { type: 'json', example: { ok: true } },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { input: { type: 'object' } },
    note: 'x'.repeat(300),
  },
};

const template = prepareTemplate(OFFER, { transfer: TRANSFER_TERMS, bazaar: BAZAAR });
const DEAR = { ...OFFER, name: 'visibility_vs_competitor', amountMicroUsdc: 3_500_000 };

const client = () => new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));

/** What official clients read from a header. */
const decoded = (header: string): PaymentRequired => decodePaymentRequiredHeader(header);

describe('the header', () => {
  test('decodes, with the official decoder and schema, to the object that is also the body', () => {
    const { header, body } = template.fresh();
    expect(parsePaymentRequired(decoded(header)).success).toBe(true);
    expect(decoded(header)).toEqual(JSON.parse(body));
    expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  });

  // Descriptions of every length modulo three put the quote at every offset.
  test.each(['', 'a', 'ab', 'abc', 'é', '中', '中文é', '"}],"quote":"'])(
    'keeps its quote in place behind the description %j',
    (description) => {
      const { header, body, quote } = prepareTemplate({ ...OFFER, description }, { transfer: TRANSFER_TERMS }).fresh();
      expect(Buffer.from(header, 'base64').toString()).toBe(body);
      expect(decoded(header).accepts[0]?.extra).toEqual({ name: 'USD Coin', version: '2', quote });
      expect(decoded(header).resource.description).toBe(description);
    },
  );

  test('offers exactly one way to pay: the price, in USDC on Base, to the payee', () => {
    const { header, quote } = template.fresh();
    expect(decoded(header).accepts).toEqual([buildRequirements(OFFER, OFFER.amountMicroUsdc, quote)]);
    expect(decoded(header).accepts[0]).toMatchObject({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '60000',
      asset: USDC,
      maxTimeoutSeconds: 300,
    });
  });

  test('takes at most 3 KiB of what proxies let through', () => {
    expect(template.fresh().header.length).toBeLessThanOrEqual(3_072);
  });
});

test('P1: every 402 carries a quote of 128 bits of its own', () => {
  const quotes = Array.from({ length: 500 }, () => template.fresh().quote);
  expect(new Set(quotes).size).toBe(500);
  expect(quotes.every((quote) => /^[0-9a-f]{32}$/.test(quote))).toBe(true);
});

describe('the reason of a 402', () => {
  test('is "Payment required" when nothing was wrong', () => {
    expect(decoded(template.fresh().header).error).toBe('Payment required');
  });

  test('replaces the error text and nothing else, with a quote of its own', () => {
    const plain = decoded(template.fresh().header);
    const { header, body, quote } = template.fresh('wrong_amount: "60000" was signed');
    expect(decoded(header)).toEqual(JSON.parse(body));
    expect(decoded(header)).toEqual({
      ...plain,
      error: 'wrong_amount: "60000" was signed',
      accepts: [buildRequirements(OFFER, OFFER.amountMicroUsdc, quote)],
    });
  });

  test('may put members into the body that the header does not carry', () => {
    const { header, body } = template.fresh('wrong_amount', { code: 'wrong_amount', input_errors: [] });
    expect(JSON.parse(body)).toEqual({ code: 'wrong_amount', input_errors: [], ...decoded(header) });
    expect(JSON.parse(template.fresh('x', {}).body)).not.toHaveProperty('code');
  });

  test('of a price above 1 USD tells how to lift the cap of official clients', () => {
    const { error } = decoded(prepareTemplate(DEAR, { transfer: TRANSFER_TERMS }).fresh().header);
    expect(error).toContain('setSpendControls({ maxAmountPerPayment: "$3.500000" })');
  });
});

describe('an official client', () => {
  test('signs the terms, and what it sends back parses and fits them with the same quote', async () => {
    const { header, quote } = template.fresh();
    const payload = await client().createPaymentPayload(decoded(header));
    const sent = encodePaymentSignatureHeader(payload);
    const parsed = parseCredential(sent);
    if (!parsed.ok || parsed.credential.kind !== 'signed') throw new Error(`not parsed: ${JSON.stringify(parsed)}`);
    expect(parsed.credential).toMatchObject({
      quote,
      resourceUrl: OFFER.url,
      identifier: undefined,
      echoesBazaar: true,
    });
    expect(sent.length).toBeLessThan(8_192 - 2_000); // Room for a contract wallet's signature.
    expect(checkTerms(parsed.credential, OFFER, { nowMs: Date.now(), worstCaseS: 120 })).toMatchObject({
      ok: true,
      amountMicroUsdc: 60_000,
      requirements: { extra: { quote } },
    });
  });

  test('refuses a price above 1 USD until the hint in the 402 is followed', async () => {
    const terms = decoded(prepareTemplate(DEAR, { transfer: TRANSFER_TERMS }).fresh().header);
    await expect(client().createPaymentPayload(terms)).rejects.toThrow(/spendControls/);
    const told = /maxAmountPerPayment: "(\$[\d.]+)"/.exec(terms.error ?? '')?.[1] ?? '';
    const payload = await client().setSpendControls({ maxAmountPerPayment: told }).createPaymentPayload(terms);
    expect(payload.accepted.amount).toBe('3500000');
  });
});

describe('the extensions', () => {
  const { extensions = {} } = decoded(template.fresh().header);

  test('pass the bazaar block of the caller through', () => {
    expect(extensions['bazaar']).toEqual(BAZAAR);
    expect(decoded(prepareTemplate(OFFER, { transfer: TRANSFER_TERMS }).fresh().header).extensions).not.toHaveProperty(
      'bazaar',
    );
  });

  test('declare the payment-identifier as the official package does', () => {
    expect(isPaymentIdentifierExtension(extensions['payment-identifier'])).toBe(true);
    const { info, schema } = extensions['payment-identifier'] as { info: object; schema: object };
    expect(info).toEqual(declarePaymentIdentifierExtension(false).info);
    const judge = (id: string): boolean => validatePaymentIdentifier({ info: { ...info, id }, schema }).valid;
    expect(['a'.repeat(16), 'Z9_-'.repeat(32)].map(judge)).toEqual([true, true]);
    // The schema alone refuses what the official package refuses.
    for (const id of ['a'.repeat(15), 'a'.repeat(129), `${'a'.repeat(16)}:`])
      expect([
        judge(id),
        new RegExp((schema as { properties: { id: { pattern: string } } }).properties.id.pattern).test(id),
      ]).toEqual([false, false]);
  });

  test('P10, P15: advertise the direct transfer with its terms and the domain of the proof', () => {
    expect(extensions['direct-transfer']).toMatchObject({
      info: {
        network: 'eip155:8453',
        maxAgeSeconds: 86_400,
        confirmations: 2,
        bareHash: 'first presenter; from 1 USDC by proof only',
        excess: 'not refunded',
        proofRequired: false,
        proof: {
          domain: { name: 'Sightline payment proof', version: '1', chainId: 8453, salt: TRANSFER_TERMS.proofSalt },
          capability: 'check_health',
        },
      },
      schema: { type: 'object' },
    });
  });

  test('P9, P25: ask a dear row for a proof and for a safe block', () => {
    const dear = decoded(prepareTemplate(DEAR, { transfer: TRANSFER_TERMS }).fresh().header);
    expect(dear.extensions?.['direct-transfer']).toMatchObject({
      info: { proofRequired: true, bareHash: 'refused', confirmations: 'safe' },
    });
  });
});

test('terms that clients could not send back in 8 KB are a fault of ours at start', () => {
  const huge = { ...OFFER, description: 'x'.repeat(4_000) };
  expect(() => prepareTemplate(huge, { transfer: TRANSFER_TERMS })).toThrow(RangeError);
});

test.each([
  ['the price alone without a change', undefined, NOW_S, [60_000]],
  ['both prices for an hour after the change', 0, NOW_S, [60_000, 50_000]],
  ['both at the end of that hour', 3_600, NOW_S, [60_000, 50_000]],
  ['the new price after it', 3_601, NOW_S, [60_000]],
  ['both for what was mined before the change', -86_400, NOW_S, [60_000, 50_000]],
])('P14: accepted is %s', (_what, changedSecondsAgo, atS, amounts) => {
  const previous =
    changedSecondsAgo === undefined
      ? {}
      : { previous: { amountMicroUsdc: 50_000, changedAtMs: (NOW_S - changedSecondsAgo) * 1000 } };
  expect(listAcceptedAmounts({ ...OFFER, ...previous }, atS)).toEqual(amounts);
});
