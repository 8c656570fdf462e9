import { expect, test } from 'vitest';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { buildDryRun, isDryRunAsked, reachTargets, refusePaidDryRun } from '../../../src/sales/dry-run/dry-run.ts';
import { getSeller } from '../../../src/sales/seller.ts';
import { apiWorkerSettingsSchema } from '../../../src/sales/settings.ts';
import { PAY_TO } from '../../payment/terms/offer-cases.ts';

const BASE = {
  BASE_URL: 'https://sightline.test',
  PAY_TO,
  RPC_URL: 'https://rpc.test',
  FACILITATOR_URL: 'https://facilitator.test',
  PAYMENTS_SINCE: '1700000000',
  LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
};

async function railsOf(
  more: Record<string, string>,
  unread: readonly string[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const seller = await getSeller(apiWorkerSettingsSchema.parse({ ...BASE, ...more }), false);
  const row = findCapability('check_health');
  const sold = seller?.offers.get('check_health');
  if (seller === undefined || row === undefined || sold === undefined) throw new Error('nothing is sold');
  const closed = new Set(unread);
  const open = sold.openWithout(closed);
  if (open === undefined) throw new Error('no network is left');
  const outcome = { ok: true, sale: { seller, row, ...sold, terms: open.terms, unread: closed } } as const;
  const freeLimit = { perMinute: 300, left: 12 };
  const said = buildDryRun({ row, input: {}, outcome, targets: [], freeLimit, baseUrl: BASE.BASE_URL });
  expect(said).toMatchObject({ sale: { open: true }, limits: { free_requests_left: 12 } });
  return said['rails'] as Record<string, unknown>[];
}

test('each network that is configured is a way to pay, and MPP is one where it is on', async () => {
  const one = await railsOf({});
  expect(one.map(({ rail }) => rail)).toEqual(['x402', 'mpp', 'direct-transfer', 'credits']);
  const polygon = {
    network: 'eip155:137',
    rpc_url: 'https://polygon.test',
    facilitator_url: 'https://facilitator.test',
  };
  const more = { PAYMENT_NETWORKS: JSON.stringify([polygon]) };
  const unread = await railsOf(more, ['eip155:8453']);
  expect(unread.map(({ rail, network }) => [rail, network]).slice(0, 1)).toEqual([['x402', 'eip155:137']]);
  expect(unread.map(({ rail }) => rail)).not.toContain('direct-transfer');
  const two = await railsOf({ PAYMENT_NETWORKS: JSON.stringify([polygon]) });
  expect(two.filter(({ rail }) => rail === 'x402').map(({ network }) => network)).toEqual([
    'eip155:8453',
    'eip155:137',
  ]);
  expect((await railsOf({ MPP: 'off' })).map(({ rail }) => rail)).toEqual(['x402', 'direct-transfer', 'credits']);
});

test('hosts that are not let in are not asked, and what they would have said stays open', async () => {
  const asked: string[] = [];
  const fetchOnce = (async ({ url }: { url: string }) => {
    asked.push(url);
    return {
      ok: true,
      url,
      status: 503,
      headers: {},
      bytes: new Uint8Array(),
      truncated: false,
      redirects: [],
      elapsedMs: 1,
    };
  }) as unknown as GuardedFetch;
  const reached = await reachTargets(
    [
      { field: 'url', url: 'https://open.example/' },
      { field: 'competitor', url: 'https://busy.example/' },
    ],
    {
      createFetch: () => fetchOnce,
      enter: async (host) => (host === 'busy.example' ? { admitted: false, retryAfterS: 9 } : { admitted: true }),
    },
  );
  expect(asked).toEqual(['https://open.example/']);
  expect(reached).toEqual([
    { field: 'url', url: 'https://open.example/', reachable: true, status: 503 },
    expect.objectContaining({ field: 'competitor', reachable: null, reason: 'target_busy', retry_after_s: 9 }),
  ]);
});

test.each([
  [['1'], true],
  [['TRUE'], true],
  [[''], true],
  [['0', 'no'], true],
  [['0'], false],
  [['False'], false],
  [[], false],
])('dry=%j asks for a dry run: %j', (values, isAsked) => {
  expect(isDryRunAsked(values)).toBe(isAsked);
});

test.each([
  [{ authorization: 'Payment' }, true],
  [{ authorization: 'Bearer x,payment id="y"' }, true],
  [{ 'payment-signature': '' }, true],
  [{ authorization: 'Bearer payment' }, false],
  [{ authorization: 'Paymentish x' }, false],
  [{}, false],
])('%j is a payment: %j', (headers, isPaid) => {
  expect(refusePaidDryRun(new Headers(headers as Record<string, string>))?.code).toBe(
    isPaid ? 'dry_run_with_payment' : undefined,
  );
});
