import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { x402Carrier } from '../../src/payment/rails/x402-carrier.ts';
import { isWordOfVerification } from '../../src/payment/rails/x402-svm/refusals.ts';
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

/** Words of the official facilitator that leave it open whether a transaction was sent, or that no payment of ours meets. */
const UNBELIEVED = [
  'invalid_exact_svm_transaction_failed',
  'invalid_exact_svm_unsupported_scheme',
  'invalid_exact_svm_network_mismatch',
  'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
];

test('a refusal by the official facilitator is believed for the words of its verification', () => {
  const source = readFileSync(
    new URL('node_modules/@x402/svm/dist/cjs/exact/facilitator/index.js', import.meta.url),
    'utf8',
  );
  const words = Array.from(source.matchAll(/^var Err\w+ = "(\w+)";$/gm), ([, word = '']) => word);
  const unbelieved = words.filter((word) => word.startsWith('invalid_') && !isWordOfVerification(word));
  expect(words.length).toBeGreaterThan(40);
  // Smart wallets are refused before.
  expect(unbelieved.filter((word) => !word.includes('_smart_wallet_')).toSorted()).toEqual(UNBELIEVED.toSorted());
  expect(words.filter((word) => !word.startsWith('invalid_')).some(isWordOfVerification)).toBe(false);
});
