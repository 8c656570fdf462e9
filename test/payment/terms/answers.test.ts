import { decodePaymentResponseHeader } from '@x402/core/http';
import { expect, test } from 'vitest';
import type { Sale } from '../../../src/payment/ledger/protocol.ts';
import { mapFacilitatorReason, type PaymentReason, getReasonRow } from '../../../src/payment/terms/reasons.ts';
import { reasonRows } from '../../../src/payment/terms/reasons-data.ts';
import {
  buildEnvelopePayment,
  formatPaymentResponse,
  formatRefusedPaymentResponse,
} from '../../../src/payment/terms/receipt.ts';
import { formatUsdAmount } from '../../../src/payment/terms/constants.ts';
import { NOW_MS } from './offer-cases.ts';

const ALICE = `0x${'a1'.repeat(20)}`;
const SALE: Sale = {
  key: 'eip3009:x',
  method: 'x402',
  capability: 'check_health',
  reportId: 'f'.repeat(32),
  payer: ALICE,
  transaction: `0x${'77'.repeat(32)}`,
  amountMicroUsdc: 60_000,
  settledAtMs: NOW_MS,
};

test('the envelope tells what was paid, by whom and when', () => {
  expect(buildEnvelopePayment(SALE)).toEqual({
    method: 'x402',
    transaction: SALE.transaction,
    network: 'eip155:8453',
    payer: ALICE,
    amount: '60000',
    amount_usd: '0.060000',
    settled_at: new Date(NOW_MS).toISOString(),
  });
});

test('PAYMENT-RESPONSE is read by the official decoder, the same for every repeat, without keys and report ids', () => {
  const header = formatPaymentResponse(SALE);
  expect(decodePaymentResponseHeader(header)).toEqual({
    success: true,
    transaction: SALE.transaction,
    network: 'eip155:8453',
    payer: ALICE,
    amount: '60000',
  });
  expect(formatPaymentResponse({ ...SALE })).toBe(header);
  expect(formatPaymentResponse({ ...SALE, method: 'transfer' })).toBe(header);
});

test("PAYMENT-RESPONSE of a refused settlement says so in the facilitator's word", () => {
  expect(decodePaymentResponseHeader(formatRefusedPaymentResponse('insufficient_funds', ALICE))).toEqual({
    success: false,
    errorReason: 'insufficient_funds',
    transaction: '',
    network: 'eip155:8453',
    payer: ALICE,
  });
});

test.each([
  [0, '0.000000'],
  [1, '0.000001'],
  [60_000, '0.060000'],
  [1_000_000, '1.000000'],
  [3_500_000, '3.500000'],
])('%i micro-USDC are %s US dollars', (micro, usd) => {
  expect(formatUsdAmount(micro)).toBe(usd);
});

test.each([-1, 0.5, Number.NaN, 2 ** 53])('%d is no amount', (micro) => {
  expect(() => formatUsdAmount(micro)).toThrow(RangeError);
});

test.each<[number, PaymentReason[]]>([
  [400, ['invalid_payload', 'payer_proof_invalid', 'payer_proof_expired']],
  [
    402,
    [
      'payment_required',
      'wrong_route',
      'wrong_amount',
      'wrong_recipient',
      'transaction_not_found',
      'transaction_reverted',
      'transfer_too_small',
      'transfer_too_old',
      'payer_proof_required',
      'settlement_refused',
    ],
  ],
  [409, ['payment_in_progress', 'payment_already_used', 'payment_identifier_reused', 'ambiguous_transfer']],
  [
    503,
    [
      'payment_pending',
      'payment_unverifiable',
      'settlement_unknown',
      'engine_not_configured',
      'capability_unavailable',
      'not_configured',
      'ledger_unavailable',
    ],
  ],
  [422, ['target_unreachable']],
  [502, ['measurement_incomplete']],
  [429, ['too_many_in_flight', 'too_many_failures', 'too_many_failed_payments']],
])('P13: status %i stands for %j', (status, reasons) => {
  expect(reasons.map((reason) => getReasonRow(reason).status)).toEqual(reasons.map(() => status));
});

test('P13: whoever is to come back with the same payment is told when', () => {
  const comeBack: PaymentReason[] = [
    'payment_in_progress',
    'payment_pending',
    'payment_unverifiable',
    'settlement_unknown',
    'too_many_in_flight',
    'too_many_failures',
  ];
  for (const reason of comeBack) expect(getReasonRow(reason).retryAfterS).toBeGreaterThan(0);
  const payAgain = Object.values(reasonRows).filter(({ status }) => status === 402);
  expect(payAgain.filter((row) => 'retryAfterS' in row)).toEqual([]);
});

test('every reason is a stable word with a title of its own', () => {
  const titles = Object.values(reasonRows).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const reason of Object.keys(reasonRows)) expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test.each([
  ['invalid_exact_evm_signature', 'invalid_signature'],
  ['insufficient_funds', 'insufficient_funds'],
  ['invalid_exact_evm_nonce_already_used', 'payment_already_used'],
  ['a_word_of_tomorrow', 'payment_refused'],
  ['constructor', 'payment_refused'],
])("P13: the facilitator's %s is our %s", (word, reason) => {
  expect(mapFacilitatorReason(word)).toBe(reason);
});
