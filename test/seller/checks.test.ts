import { beforeAll, describe, expect, test } from 'vitest';
import { createTypedFetch } from '../../src/cli/audit/local-fetch.ts';
import { encodeJson } from '../../src/payment/rails/mpp/encoding.ts';
import { BASE } from '../../src/payment/terms/networks-data.ts';
import { ZERO_ADDRESS } from '../../src/payment/terms/constants.ts';
import { sellerChecks } from '../../src/seller/checks.ts';
import { SELLER_FETCH_LIMITS } from '../../src/seller/limits.ts';
import { readSeller } from '../../src/seller/reading/read-seller.ts';
import { reportSeller, type SellerReport } from '../../src/seller/seller-report.ts';
import { buildCharge, type Plant, startPlantedSeller } from '../support/seller/planted-seller.ts';

type Status = SellerReport['checks'][number]['status'];

async function judge(plant: Plant, options: { isReadOnly?: boolean; data?: string } = {}): Promise<SellerReport> {
  const seller = await startPlantedSeller(plant);
  try {
    const ask = createTypedFetch([seller.url], SELLER_FETCH_LIMITS);
    return reportSeller(await readSeller(seller.url, { ask, clock: Date.now }, { isReadOnly: false, ...options }));
  } finally {
    await seller.stop();
  }
}

const statusesOf = ({ checks }: SellerReport): Record<string, Status> =>
  Object.fromEntries(checks.map(({ id, status }) => [id, status]));

const answerAt =
  (
    where: { method?: string; path?: string },
    answer: ReturnType<NonNullable<Plant['answer']>>,
  ): NonNullable<Plant['answer']> =>
  ({ method, path }) =>
    (where.method === undefined || where.method === method) && (where.path === undefined || where.path === path)
      ? answer
      : undefined;

const charge = (change: Record<string, unknown>): Plant => ({
  challenge: (params) => (params['request'] = encodeJson({ ...buildCharge(), ...change })),
});
const way = (change: (way: any) => void): Plant => ({ terms: (terms) => change(terms.accepts[0]) });
const PAID = '/paid/report';
const TRACE = '{"error":"TypeError: x\\n    at pay (/srv/app/pay.js:1:2)"}';

/** One fault of a seller, and the row that must see it. */
const faults: readonly [id: string, status: Status, fault: string, plant: Plant, data?: string][] = [
  [
    'seller.status.payment-required',
    'fail',
    '200 without a payment',
    { answer: answerAt({ path: PAID }, { status: 200, body: '{}' }) },
  ],
  [
    'seller.status.payment-required',
    'fail',
    '402 without terms',
    { answer: answerAt({ path: PAID }, { status: 402, body: '{}' }) },
  ],
  [
    'seller.status.payment-required',
    'fail',
    'terms in URL-safe base64',
    { headers: (headers) => (headers['payment-required'] = '_-_-') },
  ],
  [
    'seller.status.before-validation',
    'fail',
    '400 to an empty body',
    { answer: ({ method, body }) => (method === 'POST' && body === '' ? { status: 400 } : undefined) },
    '{}',
  ],
  [
    'seller.status.redirect',
    'fail',
    'a redirect',
    { answer: answerAt({ path: PAID }, { status: 308, headers: { location: '/elsewhere' } }) },
  ],
  [
    'seller.status.other-method',
    'fail',
    '500 to GET',
    { answer: answerAt({ method: 'GET', path: PAID }, { status: 500 }) },
  ],
  [
    'seller.status.other-method',
    'partial',
    '405 without Allow',
    { answer: answerAt({ method: 'GET', path: PAID }, { status: 405 }) },
  ],
  [
    'seller.status.unknown-path',
    'fail',
    '402 everywhere',
    { answer: ({ path }) => (path.includes('no-such-path') ? { status: 402 } : undefined) },
  ],
  ['seller.status.head', 'fail', '500 to HEAD', { answer: answerAt({ method: 'HEAD' }, { status: 500 }) }],
  [
    'seller.status.garbage-credential',
    'fail',
    '500 to garbage',
    { answer: ({ credential }) => (credential === undefined ? undefined : { status: 500 }) },
  ],
  [
    'seller.status.garbage-credential',
    'fail',
    '200 to garbage',
    { answer: ({ credential }) => (credential === undefined ? undefined : { status: 200 }) },
  ],
  [
    'seller.status.no-trace',
    'fail',
    'a stack trace',
    { answer: ({ credential }) => (credential === undefined ? undefined : { status: 500, body: TRACE }) },
  ],
  [
    'seller.terms.version',
    'partial',
    'version 1',
    { terms: toVersion1, headers: (headers) => delete headers['payment-required'] },
  ],
  [
    'seller.terms.version',
    'fail',
    'version 2 in the body alone',
    { headers: (headers) => delete headers['payment-required'] },
  ],
  ['seller.terms.schema', 'fail', 'no resource', { terms: (terms) => delete terms.resource }],
  [
    'seller.terms.body-and-header',
    'fail',
    'another amount in the body',
    { body: (body) => ((body.accepts[0].amount = '1'), body) },
  ],
  ['seller.terms.body-and-header', 'partial', 'an empty body', { body: () => ({}) }],
  ['seller.terms.scheme', 'fail', 'an unknown scheme', way((one) => (one.scheme = 'deferred'))],
  ['seller.terms.scheme', 'fail', 'an unknown flow', way((one) => (one.extra.paymentFlow = 'escrow'))],
  ['seller.terms.network', 'fail', 'a name of version 1', way((one) => (one.network = 'base'))],
  ['seller.terms.network', 'fail', 'an unknown chain', way((one) => (one.network = 'eip155:999999'))],
  ['seller.terms.asset', 'fail', 'USDC of another network', way((one) => (one.asset = BASE.usdc))],
  ['seller.terms.amount', 'fail', 'dollars', way((one) => (one.amount = '0.06'))],
  ['seller.terms.amount', 'fail', 'a number', way((one) => (one.amount = 60_000))],
  ['seller.terms.amount', 'fail', 'zero', way((one) => (one.amount = '0'))],
  ['seller.terms.amount', 'fail', 'a slip of decimals', way((one) => (one.amount = '60000000000'))],
  ['seller.terms.client-cap', 'fail', 'a price over 1 USD', way((one) => (one.amount = '1950000'))],
  ['seller.terms.pay-to', 'fail', 'the zero address', way((one) => (one.payTo = ZERO_ADDRESS))],
  [
    'seller.terms.pay-to',
    'fail',
    'a test account',
    way((one) => (one.payTo = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')),
  ],
  ['seller.terms.timeout', 'fail', '5 s', way((one) => (one.maxTimeoutSeconds = 5))],
  ['seller.terms.timeout', 'fail', 'a day', way((one) => (one.maxTimeoutSeconds = 86_400))],
  ['seller.terms.domain', 'fail', 'the name of another network', way((one) => (one.extra.name = 'USD Coin'))],
  ['seller.terms.domain', 'fail', 'no domain', way((one) => delete one.extra)],
  [
    'seller.terms.resource',
    'fail',
    'another host',
    { terms: (terms) => (terms.resource.url = 'http://internal:8080/paid/report') },
  ],
  ['seller.mpp.challenge', 'fail', 'no id', { challenge: (params) => delete params['id'] }],
  ['seller.mpp.request', 'fail', 'no JSON', { challenge: (params) => (params['request'] = 'AAAA') }],
  ['seller.mpp.request', 'fail', 'a decimal amount', charge({ amount: '0.06' })],
  ['seller.mpp.expires', 'fail', 'a past end', { challenge: (params) => (params['expires'] = '2020-01-01T00:00:00Z') }],
  ['seller.mpp.expires', 'fail', 'no end', { challenge: (params) => delete params['expires'] }],
  [
    'seller.mpp.realm',
    'fail',
    'the realm of another host',
    { challenge: (params) => (params['realm'] = 'other.example') },
  ],
  ['seller.mpp.same-price', 'fail', 'another price by MPP', charge({ amount: '90000' })],
  [
    'seller.size.terms',
    'partial',
    '5 KiB of terms',
    { terms: (terms) => (terms.resource.description = 'x'.repeat(4_000)) },
  ],
  [
    'seller.size.terms',
    'fail',
    '12 KiB of terms',
    { terms: (terms) => (terms.resource.description = 'x'.repeat(8_000)) },
  ],
  [
    'seller.size.headers',
    'fail',
    '20 KiB of headers',
    { headers: (headers) => (headers['x-policy'] = 'x'.repeat(20_000)) },
  ],
  [
    'seller.cache.no-store',
    'fail',
    'a public 402',
    { headers: (headers) => (headers['cache-control'] = 'public, max-age=60') },
  ],
  [
    'seller.cache.no-store',
    'partial',
    'no word about caches',
    { headers: (headers) => delete headers['cache-control'] },
  ],
  ['seller.cors.exposed', 'fail', 'no CORS', { headers: (headers) => delete headers['access-control-allow-origin'] }],
  [
    'seller.cors.exposed',
    'partial',
    'terms not exposed',
    { headers: (headers) => delete headers['access-control-expose-headers'] },
  ],
  ['seller.cors.preflight', 'fail', '402 to OPTIONS', { answer: answerAt({ method: 'OPTIONS' }, { status: 402 }) }],
  ['seller.clock.date', 'fail', 'a clock an hour behind', { skewMs: -3_600_000 }],
  ['seller.clock.date', 'partial', 'a clock half a minute ahead', { skewMs: 30_000 }],
  ['seller.discovery.openapi', 'fail', 'no document', { answer: answerAt({ path: '/openapi.json' }, { status: 404 }) }],
  [
    'seller.discovery.openapi',
    'partial',
    'no x-payment-info',
    { openapi: (document) => delete document.paths[PAID].post['x-payment-info'] },
  ],
  [
    'seller.discovery.price',
    'fail',
    'another price',
    { openapi: (document) => (document.paths[PAID].post['x-payment-info'].price.amount = '0.05') },
  ],
  [
    'seller.discovery.well-known-x402',
    'fail',
    'another address',
    { listed: () => ['https://seller.example/paid/report'] },
  ],
  [
    'seller.discovery.well-known-mpp',
    'partial',
    'no document',
    { answer: answerAt({ path: '/.well-known/mpp' }, { status: 404 }) },
  ],
  ['seller.discovery.bazaar', 'fail', 'no extension', { terms: (terms) => delete terms.extensions }],
  [
    'seller.discovery.bazaar',
    'fail',
    'another method',
    { terms: (terms) => (terms.extensions.bazaar.info.input.method = 'GET') },
  ],
  [
    'seller.discovery.listing',
    'fail',
    'a long name',
    { terms: (terms) => (terms.resource.serviceName = 'x'.repeat(33)) },
  ],
];

function toVersion1(terms: any): void {
  const [one] = terms.accepts;
  terms.x402Version = 1;
  one.maxAmountRequired = one.amount;
  one.resource = terms.resource.url;
  one.network = 'base-sepolia';
  delete one.amount;
}

describe('a seller without a fault', () => {
  let report: SellerReport;
  beforeAll(async () => {
    report = await judge({});
  });

  test('passes every row that applies, by both protocols', () => {
    const open = report.checks.filter(({ status }) => status !== 'pass');
    expect(open.map(({ id, status }) => [id, status])).toEqual([
      ['seller.status.https', 'not_applicable'],
      ['seller.terms.client-cap', 'not_applicable'],
    ]);
    expect(report).toMatchObject({ score: 100, facts: { method: 'POST', protocols: ['x402 v2', 'MPP'] } });
  });

  test('is asked nothing but GET, HEAD and one unpaid request where it is only read', async () => {
    const seen: string[] = [];
    const read = await judge(
      {
        answer: ({ method, path, body, credential }) =>
          void seen.push([method, path, body, credential].join(' ').trim()),
      },
      { isReadOnly: true },
    );
    expect(seen.toSorted()).toEqual(
      [
        'GET /.well-known/mpp',
        'GET /.well-known/x402',
        'GET /openapi.json',
        `GET ${PAID}`,
        'GET /sightline-no-such-path-8f3a',
        `HEAD ${PAID}`,
        `POST ${PAID}`,
      ].toSorted(),
    );
    expect(read.checks.filter(({ status }) => status === 'unknown').map(({ id }) => id)).toEqual([
      'seller.status.garbage-credential',
      'seller.cors.preflight',
    ]);
  });
});

describe('a seller with one fault', () => {
  test.each(faults)('%s is %s: %s', async (id, status, _fault, plant, data) => {
    const report = await judge(plant, data === undefined ? {} : { data });
    expect(report.checks.find((check) => check.id === id)).toMatchObject({ id, status });
    expect(report.score).toBeLessThan(100);
  });

  test('every row has such a seller', () => {
    const seen = new Set(faults.map(([id]) => id));
    // By plain http only a seller on another machine can be wrong: see the next test.
    expect(sellerChecks.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual(['seller.status.https']);
  });

  test('plain http on another host fails', () => {
    const row = sellerChecks.find(({ id }) => id === 'seller.status.https');
    const reading = {
      url: new URL('http://seller.example/'),
      isReadOnly: true,
      sightings: {},
      offered: undefined,
    } as const;
    expect(row?.judge({ ...reading, x402: { state: 'none' }, mpp: { state: 'none' } }).status).toBe('fail');
  });
});

test('a seller that does not answer is unknown, and never failed; no credential is sent to it', async () => {
  const seller = await startPlantedSeller();
  await seller.stop();
  const ask = createTypedFetch([seller.url], SELLER_FETCH_LIMITS);
  const askAsBuyer = (): never => {
    throw new Error('a credential was sent');
  };
  const report = reportSeller(
    await readSeller(seller.url, { ask, askAsBuyer, clock: Date.now }, { isReadOnly: false }),
  );
  const judged = Object.entries(statusesOf(report)).filter(
    ([, status]) => status !== 'unknown' && status !== 'not_applicable',
  );
  expect(judged).toEqual([]);
  expect(report.score).toBe(0);
});

test('the ids are unique, and every row says why and where that is written', () => {
  expect(new Set(sellerChecks.map(({ id }) => id)).size).toBe(sellerChecks.length);
  for (const { why, source, fix } of sellerChecks) {
    expect(URL.canParse(source)).toBe(true);
    expect(why.length * fix.length).toBeGreaterThan(0);
  }
});
