import { isPublishableCapability } from '../capabilities/published/publishing.ts';
import type { Bought, ClaimResult, Sale } from '../payment/ledger/protocol.ts';
import type { Rail } from '../payment/rails/rail.ts';
import { formatUsdAmount } from '../payment/terms/constants.ts';
import { type PaymentReason, getReasonRow } from '../payment/terms/reasons.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import { buildEnvelopePayment, type EnvelopePayment } from '../payment/terms/receipt.ts';
import { formatProblemType, type ProblemInput } from '../problems/problem.ts';
import { buildOfferReceipt } from '../statements/offer-receipt.ts';
import { type ReceiptFacts, signReceipt } from '../statements/purchase-receipt.ts';
import { readStatement, UNSIGNED } from '../statements/result-statement.ts';
import type { Seller } from './seller.ts';
import { buildProblem } from '../problems/codes.ts';
import type { FreshTerms, PaymentRequiredTemplate } from '../payment/terms/payment-required.ts';
import { formatIsoTimestamp } from '../lib/time.ts';
import { toHex, computeHmacSha256 } from '../lib/digest.ts';

/**
 * How a purchase ended. `sold` is 200 with the stored result and its payment; `pay_anew` is 402 with fresh terms
 * and the reason; everything else is a problem. 402 means "a new payment is the right next step" and nothing else.
 */
export type PurchaseAnswer =
  | {
      kind: 'sold';
      reportId: string;
      body: string;
      headers: Readonly<Record<string, string>>;
      isRepeat: boolean;
      /** Who paid. */
      payer: string;
    }
  | { kind: 'pay_anew'; reason: PaymentReason; detail?: string; paymentResponse?: string }
  | { kind: 'problem'; problem: ProblemInput };

/** By what rail a sale was paid, and on which network. */
export type SoldBy = { rail: Rail; network: SaleNetwork; challengeId?: string | undefined };

/**
 * The 200 answer: the stored result, with what is only for its buyer added last. Deterministic: a repeat gets the same
 * bytes. `isRepeat`: the payment was presented before, so a different client may present it now.
 */
export async function buildSoldAnswer(
  { seller }: { seller: Seller },
  storedJson: string,
  sale: Sale,
  { rail, network, challengeId, isRepeat }: SoldBy & { isRepeat: boolean },
): Promise<PurchaseAnswer> {
  const payment = buildEnvelopePayment(sale, network);
  const receipt = describePaid(sale, payment);
  return {
    kind: 'sold',
    reportId: sale.reportId,
    isRepeat,
    payer: sale.payer,
    body: await buildBuyersJson(seller, storedJson, sale, { payment, receipt }),
    headers: {
      'content-type': 'application/json',
      'cache-control': 'private',
      ...rail.prove(sale, network, {
        extensions: await listSettlementExtensions(seller, sale, network),
        challengeId,
      }),
    },
  };
}

/** What a receipt says of a sale: the same for each repeat, whichever rail shows the payment again. */
function describePaid(sale: Sale, { network, transaction, payer, ...paid }: EnvelopePayment): ReceiptFacts {
  return {
    rail: sale.rail ?? sale.method,
    paymentId: sale.key,
    amount: paid.amount,
    amountUsd: paid.amount_usd,
    paidAtMs: sale.settledAtMs,
    onChain: { network, transaction, payer },
  };
}

/** What the settlement response says beside the payment: the receipt that tools of x402 read, where results are signed. */
async function listSettlementExtensions({ signing, offers }: Seller, sale: Sale, { id: network }: SaleNetwork) {
  const resourceUrl = offers.get(sale.capability)?.offer.url;
  if (signing === undefined || resourceUrl === undefined) return undefined;
  const { payer, transaction, settledAtMs: paidAtMs } = sale;
  return buildOfferReceipt({ resourceUrl, network, payer, transaction, paidAtMs }, signing);
}

/**
 * A stored result with its payment, the receipt of that and, where it can be published, the key to that: none is ever
 * stored (rules P28, X5). Deterministic, as the signature of the receipt is.
 */
export async function buildBuyersJson(
  { ledgerSecret, signing }: Pick<Seller, 'ledgerSecret' | 'signing'>,
  storedJson: string,
  { capability, reportId }: Pick<Sale, 'capability' | 'reportId'>,
  { payment, receipt: facts }: { payment: Readonly<Record<string, unknown>>; receipt: ReceiptFacts },
): Promise<string> {
  const key = isPublishableCapability(capability)
    ? { publish_token: await derivePublishToken(ledgerSecret, reportId) }
    : {};
  const statement = readStatement(storedJson)?.claims;
  const receipt = signing && statement ? await signReceipt(statement, facts, signing.key) : UNSIGNED;
  return `${storedJson.slice(0, -1)},${JSON.stringify({ ...key, payment, receipt }).slice(1)}`;
}

/** The answer for a reason of the payment table; 402 reasons carry fresh terms, the others are problems. */
export function refusePayment(reason: PaymentReason, detail?: string, retryAfterS?: number): PurchaseAnswer {
  const row = getReasonRow(reason);
  if (row.status === 402) return { kind: 'pay_anew', reason, ...(detail === undefined ? {} : { detail }) };
  return { kind: 'problem', problem: buildProblem(reason, { detail, retryAfterS }) };
}

/** The answer for every claim that does not let the purchase go on. `rail`: how the payment was presented. */
export function claimRefusal(
  claim: Exclude<
    ClaimResult,
    { outcome: 'claimed' | 'unverified' | 'resume_settlement' | 'served' | 'authorization_late' }
  >,
  rail: Rail,
): PurchaseAnswer {
  switch (claim.outcome) {
    case 'in_progress':
      return refusePayment('payment_in_progress', undefined, claim.retryAfterS);
    case 'settlement_unknown':
      return refusePayment('settlement_unknown', undefined, claim.retryAfterS);
    case 'refused':
      return { kind: 'pay_anew', reason: 'settlement_refused', detail: claim.reason };
    case 'already_used':
      return refusePayment('payment_already_used', describeUse(rail, claim.bought));
    case 'identifier_reused':
      return refusePayment('payment_identifier_reused');
    case 'transfer_too_old':
      return refusePayment('transfer_too_old');
    case 'too_many_in_flight':
      return refusePayment('too_many_in_flight', undefined, claim.retryAfterS);
    case 'too_many_failures':
      return refusePayment('too_many_failures', undefined, claim.retryAfterS);
    case 'too_many_refusals':
      return refusePayment('too_many_failed_payments', undefined, claim.retryAfterS);
  }
}

/** What was bought, where its payer asks, and how the buyer gets it again: anyone may read the latter. */
function describeUse({ howToRepeat }: Rail, bought: Bought | undefined): string {
  if (bought === undefined) return `It paid for one request. ${howToRepeat}`;
  const { capability, amountMicroUsdc, settledAtMs } = bought;
  const when = formatIsoTimestamp(settledAtMs).slice(0, 16).replace('T', ' at ');
  const amount = formatUsdAmount(amountMicroUsdc);
  return `It bought ${capability} for ${amount} USD on ${when} UTC, with another body than this. ${howToRepeat}`;
}

/** No other text that is signed with this secret begins so. */
const LABEL = 'sightline publish token, version 1:';

/**
 * The key with which the buyer of a report publishes it and takes that back: 64 hex digits that only the secret's holder
 * can compute from the report id, so that it is stored nowhere and every legitimate repeat of the purchase has it again.
 */
export const derivePublishToken = async (secret: string, reportId: string): Promise<string> =>
  toHex(await computeHmacSha256(secret, `${LABEL}${reportId}`));

/** Why a new payment is the next step, in words. */
const payAnewText = ({ reason, detail }: PurchaseAnswer & { kind: 'pay_anew' }): string =>
  detail === undefined ? getReasonRow(reason).title : `${getReasonRow(reason).title}: ${detail}`;

/**
 * The 402 of an offer: x402's members and, before them in the body alone, those of a problem (RFC 9457). The header and the
 * media type stay those of x402: no member of its own says what the problem's `detail` and `next` would, `error` does.
 */
export function buildPaymentRequired(
  terms: PaymentRequiredTemplate,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
  refused?: PurchaseAnswer & { kind: 'pay_anew' },
): FreshTerms {
  const code = refused?.reason ?? 'payment_required';
  const { title, status } = getReasonRow(code);
  const members = { type: formatProblemType(baseUrl, code), title, status, code, request_id: requestId };
  return terms.fresh(refused && payAnewText(refused), members);
}
