import { decodePaymentRequiredHeader } from '@x402/core/http';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { describe, expect, test } from 'vitest';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';
import { getSeller } from '../../src/sales/seller.ts';
import { apiWorkerSettingsSchema } from '../../src/sales/settings.ts';
import { PAY_TO } from '../payment/terms/offer-cases.ts';

/** A host as long as an owner may have. */
const BASE_URL = 'https://audits-for-agents.some-longer-name.example';
/** What a header may have, in characters: with one network, and with three. */
const [ONE, THREE] = [3_072, 3_584];
/** And the challenges of MPP, one for each EVM network. */
const CHALLENGE = 640;

const settings = apiWorkerSettingsSchema.parse({
  BASE_URL,
  PAY_TO,
  RPC_URL: 'https://rpc.test',
  FACILITATOR_URL: 'https://facilitator.test',
  PAYMENTS_SINCE: '1700000000',
  LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
});
const seller = await getSeller(settings, false);
if (seller === undefined) throw new Error('the settings of the test sell nothing');
const ON_THREE = [
  { network: 'eip155:137', rpc_url: 'https://polygon.test' },
  {
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    rpc_url: 'https://solana.test',
    pay_to: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
    fee_payer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
  },
];
const onThree = await getSeller({ ...settings, PAYMENT_NETWORKS: JSON.stringify(ON_THREE) }, false);
if (onThree === undefined) throw new Error('three networks sell nothing');
const { offers } = seller;
const headerOf = (name: string): string => offers.get(name)?.openWithout(new Set())?.terms.fresh().header ?? '';

/** Rows of other networks, as long as theirs are. */
const FURTHER = [
  {
    scheme: 'exact',
    network: 'eip155:137',
    amount: '100000000',
    asset: `0x${'3c'.repeat(20)}`,
    payTo: `0x${'7a'.repeat(20)}`,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2', quote: 'ab'.repeat(16) },
  },
  {
    scheme: 'exact',
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    amount: '100000000',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    payTo: '7a'.repeat(22),
    maxTimeoutSeconds: 300,
    extra: { feePayer: '7b'.repeat(22), quote: 'ab'.repeat(16) },
  },
];

describe.each(soldRoutes.map(({ row }) => row.name))('the terms of %s', (name) => {
  const header = headerOf(name);

  test('have a challenge for each EVM network, of 640 characters at most', async () => {
    for (const [selling, count] of [
      [seller, 1],
      [onThree, 2],
    ] as const) {
      const issued = await selling.offers.get(name)?.offer.challenges?.issue(1_790_000_000_000);
      const { header: challenges = '', list = [] } = issued?.fresh() ?? {};
      expect(list.map(({ request }) => request.methodDetails.chainId)).toEqual([8453, 137].slice(0, count));
      expect(challenges.length).toBeLessThanOrEqual(count * CHALLENGE);
      const terms = selling.offers.get(name)?.openWithout(new Set())?.terms.fresh().header ?? '';
      expect(terms.length).toBeLessThanOrEqual(count === 1 ? ONE : THREE);
    }
  });

  test('fit into 3 KiB of header, and with three networks into 3.5 KiB', () => {
    const terms = decodePaymentRequiredHeader(header);
    const three = { ...terms, accepts: [...terms.accepts, ...FURTHER] };
    const length = Buffer.from(JSON.stringify(three)).toString('base64').length;
    expect({ one: header.length <= ONE || header.length, three: length <= THREE || length }).toEqual({
      one: true,
      three: true,
    });
  });

  test('say who sells, by the schema of the official package', () => {
    const terms = PaymentRequiredV2Schema.parse(decodePaymentRequiredHeader(header));
    expect(terms.resource).toMatchObject({
      serviceName: 'Sightline',
      tags: ['audit', 'seo', 'aeo', 'geo', 'mcp'],
      iconUrl: `${BASE_URL}/web/icon.svg`,
    });
    expect(terms.extensions).toHaveProperty('bazaar');
  });
});
