import { isForeignSignature, recoverAuthorizationSigner } from '../../src/payment/authorization-signer.ts';
import type { SignedCredential } from '../../src/payment/credential.ts';
import type { ClaimRequest, ClaimResult } from '../../src/payment/ledger-protocol.ts';
import { authorizationDigest, paymentKey } from '../../src/payment/payment-key.ts';
import { reconcileAuthorization } from '../../src/payment/reconcile.ts';
import { reasonOfFacilitator } from '../../src/payment/reasons.ts';
import type { Offer } from '../../src/payment/requirements.ts';
import { checkTerms, type TermsRefusal } from '../../src/payment/terms.ts';
import { claimRefusal, type PurchaseAnswer, refusal, sold } from './answer.ts';
import { claimOrAttach } from './attach.ts';
import { dropResult, type Owned, storedResult, workAndStore } from './deliver.ts';
import { meteredPayment, paidMeter, refuseByMeter } from './metered.ts';
import type { Order } from './read-order.ts';
import { askChain, openAuthorization, settle, type Settlement, type SignedPayment } from './settle.ts';
import type { PurchaseTools } from './tools.ts';

/**
 * Sells to a signed EIP-3009 payload: local checks, claim, verify, work, store, settle. Nothing is charged before the
 * result is stored, and nothing is delivered before the ledger says `settled`.
 */
export async function sellToSigned(
  tools: PurchaseTools,
  order: Order,
  offer: Offer,
  credential: SignedCredential,
): Promise<PurchaseAnswer> {
  if (tools.closed && !(await wasSold(tools, order, credential))) return tools.closed;
  const terms = checkTerms(credential, offer, { nowMs: tools.now(), worstCaseS: order.row.worstCaseS });
  if (!terms.ok) return refusal(terms.reason, terms.detail);
  const { from, nonce } = credential.authorization;
  const payment: SignedPayment = {
    credential,
    requirements: terms.requirements,
    amountMicroUsdc: terms.amountMicroUsdc,
  };
  const key = paymentKey({ method: 'x402', from, nonce });
  const { shard, ledger } = await tools.shardOf(from);
  // Who waits for a run may find its authorization too late by the end: it is judged anew each time.
  const lateNow = (): TermsRefusal | undefined => {
    const now = checkTerms(credential, offer, { nowMs: tools.now(), worstCaseS: order.row.worstCaseS });
    return now.ok ? now.late : now;
  };
  const request = async (): Promise<ClaimRequest> =>
    claimOf(key, order, payment, { validBeforeS: terms.validBeforeS, late: lateNow() !== undefined });
  const made = await claimOrAttach(tools, order, async () => ({ key, claim: await ledger.claim(await request()) }));
  if (made.kind === 'incomplete') return made.answer;
  const { claim } = made;
  switch (claim.outcome) {
    case 'served': {
      const stored = await storedResult(tools, order, claim.sale, shard);
      return stored.ok ? sold(tools, stored.json, claim.sale, true) : stored.answer;
    }
    case 'resume_settlement':
      return resume(tools, order, payment, {
        key,
        shard,
        payer: from,
        ledger,
        attempt: claim.attempt,
        reportId: claim.reportId,
      });
    case 'claimed': {
      const owned = { key, shard, payer: from, ledger, attempt: claim.attempt };
      const verified = await verify(tools, payment, owned, claim.othersInFlightMicroUsdc);
      return verified.ok ? deliver(tools, order, { ...payment, paidBy: verified.paidBy }, owned) : verified.answer;
    }
    case 'authorization_late': {
      const late = lateNow();
      return late ? refusal(late.reason, late.detail) : refusal('authorization_expired');
    }
    default:
      return claimRefusal(claim);
  }
}

/** Outcomes of a claim that need no work: the sale is made, or its settlement is all that is open. */
const NEEDS_NO_WORK: ReadonlySet<ClaimResult['outcome']> = new Set([
  'served',
  'resume_settlement',
  'settlement_unknown',
]);

/** Whether this payment bought this before. Looks without claiming. */
async function wasSold(tools: PurchaseTools, order: Order, credential: SignedCredential): Promise<boolean> {
  const { from, nonce, value, validBefore } = credential.authorization;
  const { ledger } = await tools.shardOf(from);
  const payment = { credential, amountMicroUsdc: Number(value) };
  const times = { validBeforeS: Number(validBefore), late: false };
  const request = await claimOf(paymentKey({ method: 'x402', from, nonce }), order, payment, times);
  return NEEDS_NO_WORK.has((await ledger.peek(request)).outcome);
}

async function claimOf(
  key: string,
  order: Order,
  payment: Pick<SignedPayment, 'credential' | 'amountMicroUsdc'>,
  times: { validBeforeS: number; late: boolean },
): Promise<ClaimRequest> {
  const { authorization, quote, identifier } = payment.credential;
  return {
    key,
    method: 'x402',
    capability: order.row.name,
    fingerprint: order.fingerprint,
    credentialSha256: order.credentialSha256,
    hasSecret: quote !== undefined || identifier !== undefined,
    proven: true,
    payer: authorization.from,
    amountMicroUsdc: payment.amountMicroUsdc,
    digest: await authorizationDigest(authorization),
    authorization: { nonce: authorization.nonce, ...times },
    engineBacked: order.row.engineBacked,
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** `paidBy`: the authorization was settled before we ever saw it, by this transaction, and never sold. */
type Verified = { ok: true; paidBy?: string } | { ok: false; answer: PurchaseAnswer };

/** Asks the facilitator, and the chain where its word is not enough. A payment that is not good is no longer claimed. */
async function verify(
  tools: PurchaseTools,
  payment: SignedPayment,
  owned: Owned,
  othersInFlightMicroUsdc: number,
): Promise<Verified> {
  const verified = await ask(tools, payment, othersInFlightMicroUsdc);
  if (!verified.ok) await owned.ledger.discard(owned.key, owned.attempt);
  return verified;
}

async function ask(tools: PurchaseTools, payment: SignedPayment, othersInFlightMicroUsdc: number): Promise<Verified> {
  const refused = (answer: PurchaseAnswer): Verified => ({ ok: false, answer });
  // A stranger's payloads must not hold the places of the payer they name while a facilitator looks at them (rule P5).
  const contested = othersInFlightMicroUsdc > 0 || tools.facilitatorIsBusy();
  if (contested && (await isForeign(tools, payment))) return refused(refusal('invalid_signature'));
  const verdict = await tools.facilitator.verify(payment.credential, payment.requirements);
  if (verdict.kind === 'valid') {
    const covered = othersInFlightMicroUsdc === 0 || (await covers(tools, payment, othersInFlightMicroUsdc));
    if (covered === undefined) return refused(refusal('payment_unverifiable'));
    return covered ? { ok: true } : refused(refusal('too_many_in_flight', 'The balance is held by other requests'));
  }
  if (verdict.kind === 'unavailable') {
    tools.log({ event: 'facilitator_unavailable', detail: verdict.detail });
    return refused(refusal('payment_unverifiable'));
  }
  return afterRefusal(tools, payment, verdict.reason);
}

/**
 * Facilitators name a used nonce in many words. Only a bad signature is believed as it is: for everything else the chain
 * is asked first, because money that arrived already must not be asked for again (rules P4, P13).
 */
async function afterRefusal(tools: PurchaseTools, payment: SignedPayment, word: string): Promise<Verified> {
  const reason = reasonOfFacilitator(word);
  const detail = `The facilitator says: ${word}`;
  if (reason === 'invalid_signature') return { ok: false, answer: refusal(reason, detail) };
  const { from, nonce } = payment.credential.authorization;
  const used = await askChain(tools, () => tools.chain.authorizationState(from, nonce, 'latest'));
  if (used === undefined) return { ok: false, answer: refusal('payment_unverifiable') };
  if (!used)
    return { ok: false, answer: refusal(reason === 'payment_already_used' ? 'payment_unverifiable' : reason, detail) };
  const paidBy = await settledElsewhere(tools, payment);
  return paidBy === undefined ? { ok: false, answer: refusal('payment_already_used', detail) } : { ok: true, paidBy };
}

/**
 * Rule P4: somebody else broadcast this authorization, so the money is here and nothing was sold for it: the ledger has
 * no other row of its nonce. The transaction that paid us, or undefined when it did not, or the signature is not the payer's.
 */
async function settledElsewhere(tools: PurchaseTools, payment: SignedPayment): Promise<string | undefined> {
  const { authorization, signature } = payment.credential;
  if ((await recoverAuthorizationSigner(authorization, signature)) !== authorization.from) return undefined;
  const seen = await askChain(tools, () => reconcileAuthorization(tools.chain, openAuthorization(tools, payment)));
  return seen?.outcome === 'settled' ? seen.transaction : undefined;
}

/** Rule P12: whether the signature is certainly not the payer's; false when the chain cannot tell. */
async function isForeign(tools: PurchaseTools, { credential }: SignedPayment): Promise<boolean> {
  const foreign = await askChain(tools, () =>
    isForeignSignature(tools.chain, credential.authorization, credential.signature),
  );
  return foreign ?? false; // Unknown: the facilitator decides.
}

/** Rule P5: whether the payer's balance covers this payment beside the others in flight; undefined when nobody can say. */
async function covers(
  tools: PurchaseTools,
  payment: SignedPayment,
  othersMicroUsdc: number,
): Promise<boolean | undefined> {
  const balance = await askChain(tools, () => tools.chain.balanceOf(payment.credential.authorization.from));
  return balance === undefined ? undefined : balance >= BigInt(othersMicroUsdc) + BigInt(payment.amountMicroUsdc);
}

async function deliver(
  tools: PurchaseTools,
  order: Order,
  payment: SignedPayment,
  owned: Owned,
): Promise<PurchaseAnswer> {
  // Rule P5: engine money goes out before the payment comes in, so all of it together has a limit.
  const isUnpaid = order.row.engineBacked && payment.paidBy === undefined;
  const unpaid = isUnpaid ? await refuseByMeter(tools, owned, meteredPayment(owned.key)) : undefined;
  if (unpaid) return unpaid;
  tools.watcher?.accepted();
  const stored = await workAndStore(tools, order, owned);
  if (!stored.ok) return stored.answer;
  const { reportId, json } = stored;
  const ending = (async () => {
    if (!(await owned.ledger.beginSettle(owned.key, owned.attempt, reportId))) return lost(tools, owned, reportId);
    return settleAndTell(tools, order, { owned, payment, json, isRepeat: false });
  })();
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  return ending;
}

/** Settles, and tells the meter that engine money was paid for after all. */
async function settleAndTell(tools: PurchaseTools, order: Order, settlement: Settlement): Promise<PurchaseAnswer> {
  const answer = await settle(tools, settlement);
  if (order.row.engineBacked && answer.kind === 'sold') await paidMeter(tools, settlement.owned.key);
  return answer;
}

/** Another attempt owns the payment, or its identifier went to another payment meanwhile: this result is dropped. */
async function lost(tools: PurchaseTools, { ledger, key, attempt }: Owned, reportId: string): Promise<PurchaseAnswer> {
  await Promise.all([ledger.release(key, attempt, false), dropResult(tools, reportId)]);
  return refusal('payment_in_progress');
}

/** The work of an earlier attempt is stored and its settlement was in doubt: settle the same payload again. */
async function resume(
  tools: PurchaseTools,
  order: Order,
  payment: SignedPayment,
  owned: Owned & { reportId: string },
): Promise<PurchaseAnswer> {
  const kept = await tools.reports.get(owned.reportId);
  if (!kept) {
    tools.log({ event: 'settling_without_result', shard: owned.shard });
    await owned.ledger.doubt(owned.key, owned.attempt);
    return refusal('settlement_unknown');
  }
  const ending = settleAndTell(tools, order, { owned, payment, json: kept.json, isRepeat: true });
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  return ending;
}
