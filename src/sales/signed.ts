import type { ClaimRequest, ClaimResult } from '../payment/ledger/protocol.ts';
import type { AuthorizedPayment } from '../payment/rails/rail.ts';
import { rails } from '../payment/rails/rails.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import { mapFacilitatorReason } from '../payment/terms/reasons.ts';
import { isOfEarlierTerms, type PricedOffer, type TermsClock, type TermsRefusal } from '../payment/terms/terms.ts';
import { buildProblem } from '../problems/codes.ts';
import { claimRefusal, type PurchaseAnswer, refusePayment, buildSoldAnswer } from './answer.ts';
import { type Attached, claimOrAttach } from './measurement.ts';
import { dropResult, type Owned, readOrRedoResult, runAndStoreWork } from './deliver.ts';
import { buildMeteredPayment, markMeterPaid, type PaymentTools, type PurchaseTools } from './tools.ts';
import { type PurchaseOrder, selectWrittenFingerprint } from './read-order.ts';
import {
  askChain,
  openSettlement,
  settlePurchase,
  type Settlement,
  type SignedPurchasePayment,
  getSellingRail,
} from './settle.ts';
import { isPayerOfSignIn, refuseCreditedPayer } from './credited-payer.ts';
import { judgePayerProof } from './payer-proven.ts';
import type { Seller } from './seller.ts';
import { isPayersSignature, judgeSigner } from './payment-signer.ts';

/**
 * Sells to a payment that a facilitator settles, by whichever rail it came: local checks, claim, verify, work, store,
 * settle. Nothing is charged before the result is stored, and nothing is delivered before the ledger says `settled`. Only a
 * payload whose signature is the payer's is claimed: a contract wallet is asked before the claim and, when the chain cannot
 * be, the facilitator is.
 */
export async function sellToSigned(
  tools: PaymentTools,
  given: PurchaseOrder,
  offer: PricedOffer,
  signed: AuthorizedPayment,
): Promise<PurchaseAnswer> {
  const { network } = tools.seller;
  const rail = rails[signed.rail];
  const clock = (): TermsClock => ({ nowMs: tools.now(), worstCaseS: given.row.worstCaseS });
  const today = await signed.checkTerms(offer, clock());
  if (!today.ok && !tools.closed && !isOfEarlierTerms(today)) return refusePayment(today.reason, today.detail);
  const signer = await judgeSigner(tools, signed, network);
  const proven = signer.ok ? await judgePayerProof(tools, given, signed, network) : { ok: true as const, order: given };
  if (!proven.ok) return proven.answer;
  const { order } = proven;
  const isByKey = () => signed.isPayersKey(network);
  const unfit = signer.ok
    ? await refuseCreditedPayer(tools, order.row, { payer: signed.payer, network, isByKey })
    : undefined;
  // Nothing new is sold while the service is closed, nor by terms of another day: what is sold already is the buyer's.
  const refusal = tools.closed ?? (today.ok ? undefined : refusePayment(today.reason, today.detail)) ?? unfit;
  if (refusal) {
    const claim = signer.ok ? await lookUpClaim(tools, order, { signed, network }) : undefined;
    // What was begun is not over, and what is used is used: a 402 would have its buyer pay twice.
    if (claim?.outcome === 'in_progress' || claim?.outcome === 'already_used') return claimRefusal(claim, rail);
    if ((tools.seller.isClosed || unfit) && claim && isSettlementOpen(claim))
      return refusePayment('settlement_unknown');
    if (claim === undefined || !NEEDS_NO_WORK.has(claim.outcome)) return refusal;
  }
  if (!signer.ok) return signer.answer;
  const terms = today.ok ? today : signed.restoreTerms(offer);
  if (!tools.room.isFree() && BEGINS_WORK.has((await lookUpClaim(tools, order, { signed, network })).outcome)) {
    return refusePayment('service_busy');
  }
  const { payer } = signed;
  const payment: SignedPurchasePayment = {
    signed,
    network,
    requirements: terms.requirements,
    amountMicroUsdc: terms.amountMicroUsdc,
  };
  const key = signed.formatKey(network);
  const { shard, ledger } = await tools.shardOf(payer);
  // Who waits for a run may find its authorization too late by the end: it is judged anew each time.
  const lateNow = async (): Promise<TermsRefusal | undefined> => {
    const now = await signed.checkTerms(offer, clock());
    return now.ok ? now.late : now;
  };
  const request = async (unverified: boolean): Promise<ClaimRequest> =>
    buildSignedClaim(tools.seller, key, order, payment, {
      validBeforeS: terms.validBeforeS,
      late: (await lateNow()) !== undefined,
      unverified,
    });
  const claimAs = (unverified: boolean): Promise<Attached> =>
    claimOrAttach(tools, order, async () => ({ key, claim: await ledger.claim(await request(unverified)) }));
  let made = await claimAs(!signer.isPayers);
  let checked: Verified | undefined;
  if (made.kind === 'claim' && made.claim.outcome === 'unverified') {
    checked = await verifyUnclaimed(tools, order, payment);
    if (!checked.ok) return checked.answer;
    made = await claimAs(false);
  }
  if (made.kind === 'incomplete') return made.answer;
  const { claim } = made;
  switch (claim.outcome) {
    case 'served': {
      const stored = await readOrRedoResult(tools, order, claim.sale, shard);
      return stored.ok
        ? buildSoldAnswer(tools, stored.json, claim.sale, { ...getSellingRail(payment), isRepeat: true })
        : stored.answer;
    }
    case 'resume_settlement':
      return resume(tools, order, payment, {
        key,
        shard,
        payer,
        ledger,
        attempt: claim.attempt,
        reportId: claim.reportId,
      });
    case 'claimed': {
      const owned = { key, shard, payer, ledger, attempt: claim.attempt };
      const verified = await verify(tools, payment, owned, { checked, othersMicroUsdc: claim.othersInFlightMicroUsdc });
      return verified.ok ? deliver(tools, order, { ...payment, paidBy: verified.paidBy }, owned) : verified.answer;
    }
    case 'authorization_late': {
      const late = await lateNow();
      return late ? refusePayment(late.reason, late.detail) : refusePayment('authorization_expired');
    }
    case 'identifier_reused':
      return signed.identifier === undefined
        ? { kind: 'problem', problem: buildProblem('idempotency_key_reused') }
        : claimRefusal(claim, rail);
    case 'unverified':
      throw new Error('a payload that was found good is still unverified');
    default:
      return claimRefusal(claim, rail);
  }
}

/** Outcomes of a claim that need no work: the sale is made, or its settlement is all that is open. */
const NEEDS_NO_WORK: ReadonlySet<ClaimResult['outcome']> = new Set([
  'served',
  'resume_settlement',
  'settlement_unknown',
]);

/** Whether a sale lacks its settlement alone. While nothing is sold no payment is taken for it: the ledger goes on asking the chain. */
const isSettlementOpen = ({ outcome }: ClaimResult): boolean =>
  outcome === 'resume_settlement' || outcome === 'settlement_unknown';

/** Outcomes of a look that lead to new work. */
const BEGINS_WORK: ReadonlySet<ClaimResult['outcome']> = new Set(['claimed', 'unverified']);

/** What a claim of this payment would end in. Looks without claiming. */
async function lookUpClaim(
  tools: PurchaseTools,
  order: PurchaseOrder,
  { signed, network }: { signed: AuthorizedPayment; network: SaleNetwork },
): Promise<ClaimResult> {
  const { payer, amountMicroUsdc, validBeforeS } = signed;
  const { ledger } = await tools.shardOf(payer);
  const times = { validBeforeS, late: false, unverified: true };
  const key = signed.formatKey(network);
  return ledger.peek(await buildSignedClaim(tools.seller, key, order, { signed, network, amountMicroUsdc }, times));
}

async function buildSignedClaim(
  seller: Seller,
  key: string,
  order: PurchaseOrder,
  { signed, network, amountMicroUsdc }: Omit<SignedPurchasePayment, 'requirements' | 'paidBy'>,
  { unverified, ...times }: { validBeforeS: number; late: boolean; unverified: boolean },
): Promise<ClaimRequest> {
  const { rail, payer, nonce, blockhash } = signed;
  const identifier = signed.identifier ?? order.keyIdentifier;
  const isListed = await isPayerOfSignIn(seller, { network, isByKey: () => signed.isPayersKey(network) });
  return {
    key,
    rail,
    method: rails[rail].method,
    capability: order.row.name,
    fingerprint: order.fingerprint,
    ...selectWrittenFingerprint(order),
    credentialSha256: order.credentialSha256,
    // A key is not in the credential, so it proves nothing about who presents that (rule P1).
    hasSecret: signed.hasSecret,
    ...(signed.repeatsByProof ? { repeatsByProof: true } : {}),
    ...(order.isPayerProven ? { payerProven: true } : {}),
    proven: true,
    unverified,
    payer,
    amountMicroUsdc,
    digest: await signed.computeDigest(),
    authorization: { nonce, ...times, ...(blockhash === undefined ? {} : { blockhash }) },
    engineBacked: order.row.engineBacked,
    ...(isListed ? {} : { isUnlisted: true }),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** `paidBy`: the authorization was settled before we ever saw it, by this transaction, and never sold. */
type Verified = { ok: true; paidBy?: string } | { ok: false; answer: PurchaseAnswer };

/**
 * Verifies a payload that is not claimed, since its signature may be a contract wallet's or a stranger's. Counted by
 * the caller, and by the payer once the signature is found to be its own.
 */
async function verifyUnclaimed(
  tools: PaymentTools,
  order: PurchaseOrder,
  payment: SignedPurchasePayment,
): Promise<Verified> {
  const begun = tools.unverifiedChecks.begin(tools.guard.address.id, order.credentialSha256);
  if (!begun.ok) {
    return {
      ok: false,
      answer: refusePayment(begun.reason === 'in_progress' ? 'payment_in_progress' : 'too_many_in_flight'),
    };
  }
  try {
    const verified = await ask(tools, payment);
    if (verified.ok) tools.guard.foundGoodWallet(payment.signed.payer);
    return verified;
  } finally {
    begun.end();
  }
}

/**
 * Verifies a payment that this attempt owns; `checked` is what a verification before the claim found. A payment that is
 * not good is no longer claimed, and a facilitator that was asked for nothing counts against the payer (rule P12).
 */
async function verify(
  tools: PaymentTools,
  payment: SignedPurchasePayment,
  owned: Owned,
  { checked, othersMicroUsdc }: { checked: Verified | undefined; othersMicroUsdc: number },
): Promise<Verified> {
  const verified = checked ?? (await ask(tools, payment));
  const covered =
    verified.ok && verified.paidBy === undefined ? await refuseUncovered(tools, payment, othersMicroUsdc) : undefined;
  const judged: Verified = covered === undefined ? verified : { ok: false, answer: covered };
  if (!judged.ok) await owned.ledger.discard(owned.key, owned.attempt, !isDoubt(judged.answer));
  return judged;
}

const isDoubt = (answer: PurchaseAnswer): boolean =>
  answer.kind === 'problem' && answer.problem.code === 'payment_unverifiable';

/** Asks the facilitator, and the chain where its word is not enough. */
async function ask(tools: PaymentTools, payment: SignedPurchasePayment): Promise<Verified> {
  // A key without money costs nothing to make, so while the facilitator is busy, or many come from one address, the
  // facilitator does not see it. Checking the balance takes a call to the chain and locks no caller out.
  if (
    (tools.facilitatorIsBusy() || tools.guard.readsBalanceFirst()) &&
    (await checkBalanceCovers(tools, payment, 0)) === false
  ) {
    return verifyAfterRefusal(tools, payment, 'insufficient_funds');
  }
  const verdict = await payment.signed.verify(tools, payment.requirements);
  if (verdict.kind === 'valid') return { ok: true };
  if (verdict.kind === 'refused') return verifyAfterRefusal(tools, payment, verdict.reason);
  tools.log({ event: 'facilitator_unavailable', detail: verdict.detail });
  return { ok: false, answer: refusePayment('payment_unverifiable') };
}

/** Why the payer's balance does not carry this payment beside its others in flight (rule P5). */
async function refuseUncovered(
  tools: PurchaseTools,
  payment: SignedPurchasePayment,
  othersMicroUsdc: number,
): Promise<PurchaseAnswer | undefined> {
  const covered = othersMicroUsdc === 0 || (await checkBalanceCovers(tools, payment, othersMicroUsdc));
  if (covered === undefined) return refusePayment('payment_unverifiable');
  return covered ? undefined : refusePayment('too_many_in_flight', 'The balance is held by other requests');
}

/**
 * Facilitators name a used nonce in many words. Only a bad signature is believed as it is: for everything else the chain
 * is asked first, because money that arrived already must not be asked for again (rules P4, P13).
 */
async function verifyAfterRefusal(
  tools: PurchaseTools,
  payment: SignedPurchasePayment,
  word: string,
): Promise<Verified> {
  const reason = mapFacilitatorReason(word);
  const detail = `The facilitator says: ${word}`;
  if (reason === 'invalid_signature') return { ok: false, answer: refusePayment(reason, detail) };
  const used = await askChain(tools, () => payment.signed.isUsed(tools, openSettlement(tools, payment)));
  if (used === undefined) return { ok: false, answer: refusePayment('payment_unverifiable') };
  if (!used)
    return {
      ok: false,
      answer: refusePayment(reason === 'payment_already_used' ? 'payment_unverifiable' : reason, detail),
    };
  const paidBy = await findOutsideSettlement(tools, payment);
  return paidBy === undefined
    ? { ok: false, answer: refusePayment('payment_already_used', detail) }
    : { ok: true, paidBy };
}

/**
 * Rule P4: a third party broadcast this authorization, so the money is here and nothing was sold for it: the ledger
 * has no other row of its nonce. Returns the transaction that paid us, or undefined when it did not, or the signature
 * is not the payer's.
 */
async function findOutsideSettlement(
  tools: PurchaseTools,
  payment: SignedPurchasePayment,
): Promise<string | undefined> {
  const { signed, network } = payment;
  if ((await isPayersSignature(tools, signed, network)) !== true) return undefined;
  const seen = await askChain(tools, () => signed.reconcile(tools, openSettlement(tools, payment)));
  return seen?.outcome === 'settled' ? seen.transaction : undefined;
}

/** Rule P5: whether the payer's balance covers this payment and the others in flight; undefined when it is unknown. */
async function checkBalanceCovers(
  tools: PurchaseTools,
  payment: SignedPurchasePayment,
  othersMicroUsdc: number,
): Promise<boolean | undefined> {
  const balance = await askChain(tools, () => payment.signed.readBalance(tools));
  return balance === undefined ? undefined : balance >= BigInt(othersMicroUsdc) + BigInt(payment.amountMicroUsdc);
}

async function deliver(
  tools: PurchaseTools,
  order: PurchaseOrder,
  payment: SignedPurchasePayment,
  owned: Owned,
): Promise<PurchaseAnswer> {
  // Rule P5: engine money goes out before the payment comes in, so all of it together has a limit.
  const metered = { ...buildMeteredPayment(owned.key), isPrepaid: payment.paidBy !== undefined };
  const stored = await runAndStoreWork(tools, order, owned, order.row.engineBacked ? metered : undefined);
  if (!stored.ok) return stored.answer;
  const { reportId, json } = stored;
  const ending = (async () => {
    if (!(await owned.ledger.beginSettle(owned.key, owned.attempt, reportId)))
      return dropLostResult(tools, owned, reportId);
    return settleAndTell(tools, order, { owned, payment, json, isRepeat: false });
  })();
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  return ending;
}

/** Settles, and reports to the meter that the engine money was paid for after all. */
async function settleAndTell(
  tools: PurchaseTools,
  order: PurchaseOrder,
  settlement: Settlement,
): Promise<PurchaseAnswer> {
  const answer = await settlePurchase(tools, settlement);
  if (order.row.engineBacked && answer.kind === 'sold') await markMeterPaid(tools, settlement.owned.key);
  return answer;
}

/** Another attempt owns the payment, or its identifier went to another payment meanwhile: this result is dropped. */
async function dropLostResult(
  tools: PurchaseTools,
  { ledger, key, attempt }: Owned,
  reportId: string,
): Promise<PurchaseAnswer> {
  await Promise.all([ledger.release(key, attempt, false), dropResult(tools, reportId)]);
  return refusePayment('payment_in_progress');
}

/** The work of an earlier attempt is stored and its settlement was in doubt: settle the same payload again. */
async function resume(
  tools: PurchaseTools,
  order: PurchaseOrder,
  payment: SignedPurchasePayment,
  owned: Owned & { reportId: string },
): Promise<PurchaseAnswer> {
  const kept = await tools.reports.get(owned.reportId);
  if (!kept) {
    tools.log({ event: 'settling_without_result', shard: owned.shard });
    await owned.ledger.doubt(owned.key, owned.attempt);
    return refusePayment('settlement_unknown');
  }
  const ending = settleAndTell(tools, order, { owned, payment, json: kept.json, isRepeat: true });
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  return ending;
}
