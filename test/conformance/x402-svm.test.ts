import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { x402Carrier } from '../../src/payment/rails/x402-carrier.ts';
import { SOLANA } from '../../src/payment/terms/networks-data.ts';
import { buildRequirements, type PricedOffer } from '../../src/payment/terms/terms.ts';

const BUYER = fileURLToPath(new URL('support/svm-buyer.mjs', import.meta.url));
const QUOTE = '00112233445566778899aabbccddeeff';
const OFFER: PricedOffer = {
  name: 'check_health',
  description: 'd',
  url: 'https://sightline.test/api/agent/check_health',
  payTo: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
  network: SOLANA,
  feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
  amountMicroUsdc: 60_000,
};

/** What the official client answers our terms with, in a process of its own and with a stub node. */
test('the official client of Solana signs our terms, and its transaction is what we take', async () => {
  const required = {
    x402Version: 2,
    resource: { url: OFFER.url },
    accepts: [buildRequirements(OFFER, 60_000, QUOTE)],
  };
  const { stdout, stderr } = spawnSync(process.execPath, [BUYER, '5'], {
    input: JSON.stringify(required),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { payer, payload } = JSON.parse(stdout) as { payer: string; payload: unknown };
  const parsed = await x402Carrier.parse(Buffer.from(JSON.stringify(payload)).toString('base64'));
  if (!parsed.ok || parsed.payment.flow !== 'authorization') throw new Error(JSON.stringify(parsed));
  const { payment } = parsed;
  expect([payment.payer, await payment.isPayersKey(SOLANA)]).toEqual([payer, true]);
  const clock = { nowMs: Date.now(), worstCaseS: 60 };
  expect(await payment.checkTerms(OFFER, clock)).toMatchObject({ ok: true, amountMicroUsdc: 60_000, late: undefined });
});
