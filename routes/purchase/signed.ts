import { isForeignSignature } from '../../src/payment/authorization-signer.ts';
import { ChainUnreachable } from '../../src/payment/chain.ts';
import type { SignedCredential } from '../../src/payment/credential.ts';
import type { ClaimRequest } from '../../src/payment/ledger-protocol.ts';
import { authorizationDigest, paymentKey } from '../../src/payment/payment-key.ts';
import { reasonOfFacilitator } from '../../src/payment/reasons.ts';
import type { Offer } from '../../src/payment/requirements.ts';
import { checkTerms } from '../../src/payment/terms.ts';
import { claimRefusal, type PurchaseAnswer, refusal, sold } from './answer.ts';
import { type Owned, storedResult, workAndStore } from './deliver.ts';
import type { Order } from './read-order.ts';
import { settle, type SignedPayment } from './settle.ts';
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
  const terms = checkTerms(credential, offer, { nowMs: tools.now(), worstCaseS: order.row.worstCaseS });
  if (!terms.ok) return refusal(terms.reason, terms.detail);
  const { from, nonce } = credential.authorization;
  const payment: SignedPayment = { credential, requirements: terms.requirements, amountMicroUsdc: terms.amountMicroUsdc };
  const key = paymentKey({ method: 'x402', from, nonce });
  const { shard, ledger } = await tools.shardOf(from);
  const claim = await ledger.claim(await claimOf(key, order, payment, terms.validBeforeS));
  switch (claim.outcome) {
    case 'served': {
      const stored = await storedResult(tools, order, claim.sale, shard);
      return stored.ok ? sold(stored.json, claim.sale) : stored.answer;
    }
    case 'resume_settlement':
      return resume(tools, payment, { key, shard, ledger, attempt: claim.attempt }, claim.reportId);
    case 'claimed': {
      const owned = { key, shard, ledger, attempt: claim.attempt };
      const refused = await verify(tools, payment, owned, claim.othersInFlightMicroUsdc);
      return refused ?? deliver(tools, order, payment, owned);
    }
    default:
      return claimRefusal(claim);
  }
}

async function claimOf(key: string, order: Order, payment: SignedPayment, validBeforeS: number): Promise<ClaimRequest> {
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
    authorization: { nonce: authorization.nonce, validBeforeS },
    engineBacked: order.row.engineBacked,
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** Asks the facilitator, and the chain when the payer has other payments in flight; undefined when the payment is good. */
async function verify(
  tools: PurchaseTools,
  payment: SignedPayment,
  { key, ledger, attempt }: Owned,
  othersInFlightMicroUsdc: number,
): Promise<PurchaseAnswer | undefined> {
  if (tools.facilitatorIsBusy() && (await isForeign(tools, payment))) {
    await ledger.discard(key, attempt);
    return refusal('invalid_signature');
  }
  const verdict = await tools.facilitator.verify(payment.credential, payment.requirements);
  if (verdict.kind === 'valid') {
    if (othersInFlightMicroUsdc === 0) return undefined;
    const covered = await covers(tools, payment, othersInFlightMicroUsdc);
    if (covered === true) return undefined;
    await ledger.discard(key, attempt);
    return covered === undefined ? refusal('payment_unverifiable') : refusal('too_many_in_flight', 'The balance is held by other requests');
  }
  await ledger.discard(key, attempt);
  if (verdict.kind === 'unavailable') {
    tools.log({ event: 'facilitator_unavailable', detail: verdict.detail });
    return refusal('payment_unverifiable');
  }
  return refusal(reasonOfFacilitator(verdict.reason), `The facilitator says: ${verdict.reason}`);
}

/** Rule P12: whether the signature is certainly not the payer's; false when the chain cannot tell. */
async function isForeign({ chain }: PurchaseTools, { credential }: SignedPayment): Promise<boolean> {
  try {
    return await isForeignSignature(chain, credential.authorization, credential.signature);
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return false; // The facilitator decides then.
  }
}

/** Rule P5: whether the payer's balance covers this payment beside the others in flight; undefined when nobody can say. */
async function covers(tools: PurchaseTools, payment: SignedPayment, othersMicroUsdc: number): Promise<boolean | undefined> {
  try {
    const balance = await tools.chain.balanceOf(payment.credential.authorization.from);
    return balance >= BigInt(othersMicroUsdc) + BigInt(payment.amountMicroUsdc);
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    tools.log({ event: 'chain_unreadable' });
    return undefined;
  }
}

async function deliver(tools: PurchaseTools, order: Order, payment: SignedPayment, owned: Owned): Promise<PurchaseAnswer> {
  const stored = await workAndStore(tools, order, owned);
  if (!stored.ok) return stored.answer;
  const { reportId, json } = stored;
  const ending = (async () => {
    if (!(await owned.ledger.beginSettle(owned.key, owned.attempt, reportId))) return lost(tools, owned, reportId);
    return settle(tools, { owned, payment, json });
  })();
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  return ending;
}

/** Another attempt owns the payment, or its identifier went to another payment meanwhile: this result is dropped. */
async function lost(tools: PurchaseTools, { ledger, key, attempt }: Owned, reportId: string): Promise<PurchaseAnswer> {
  await Promise.all([ledger.release(key, attempt, false), tools.reports.delete(reportId)]);
  return refusal('payment_in_progress');
}

/** The work of an earlier attempt is stored and its settlement was in doubt: settle the same payload again. */
async function resume(tools: PurchaseTools, payment: SignedPayment, owned: Owned, reportId: string): Promise<PurchaseAnswer> {
  const kept = await tools.reports.get(reportId);
  if (!kept) {
    tools.log({ event: 'settling_without_result', shard: owned.shard });
    await owned.ledger.doubt(owned.key, owned.attempt);
    return refusal('settlement_unknown');
  }
  const ending = settle(tools, { owned, payment, json: kept.json });
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  return ending;
}
