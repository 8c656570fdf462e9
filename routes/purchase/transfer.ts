import type { PresentedProof, TransferCredential } from '../../src/payment/credential.ts';
import {
  type ClaimRequest,
  type ClaimResult,
  type LedgerShard,
  LedgerUnavailable,
  type Sale,
} from '../../src/payment/ledger-protocol.ts';
import { checkProofTimes, verifyPayerProof } from '../../src/payment/payer-proof.ts';
import { paymentKey, transferDigest } from '../../src/payment/payment-key.ts';
import type { Offer } from '../../src/payment/requirements.ts';
import { checkProvenTerms } from '../../src/payment/terms.ts';
import { type VerifiedTransfer, verifyTransfer } from '../../src/payment/transfer.ts';
import { claimRefusal, type PurchaseAnswer, refusal, sold } from './answer.ts';
import { claimOrAttach } from './attach.ts';
import { dropResult, type Owned, storedResult, workAndStore } from './deliver.ts';
import type { Order } from './read-order.ts';
import { proofFrom } from './seller.ts';
import type { PurchaseTools } from './tools.ts';

/** Logs of one proven payer in one transaction that are tried, when the first are used: batches of a wallet. */
const MAX_OTHER_LOGS = 4;
const MAX_SELL_TRIES = 3;

/**
 * Sells to the hash of a USDC transfer that was already made. The chain is read before the claim, since the key needs
 * the log; reading costs nobody anything, and the claim is atomic and comes before the work. A bare hash is taken from
 * its first presenter; a proven payer takes over an unproven claim (rule P9).
 */
export async function sellToTransfer(
  tools: PurchaseTools,
  order: Order,
  offer: Offer,
  credential: TransferCredential,
): Promise<PurchaseAnswer> {
  if (tools.closed) return tools.closed;
  const { seller } = tools;
  const nowS = Math.floor(tools.now() / 1000);
  const wrong = checkProof(credential, offer, tools.now());
  if (wrong) return wrong;
  const verdict = await verifyTransfer(tools.chain, {
    hash: credential.hash,
    offer,
    policy: {
      confirmations: seller.confirmations,
      sinceS: seller.paymentsSinceS,
      maxAgeS: seller.transferMaxAgeS,
      proofFromMicroUsdc: proofFrom(seller, order.row),
    },
    nowS,
    sightings: tools.sightings,
    ...(credential.proof === undefined ? {} : { isPayer: proofJudge(tools, order, credential.hash, credential.proof) }),
  });
  if (!verdict.ok) return refusal(verdict.reason);
  return claimAndSell(tools, order, credential, verdict.transfer);
}

function checkProof(credential: TransferCredential, offer: Offer, nowMs: number): PurchaseAnswer | undefined {
  if (credential.proof === undefined) return undefined;
  const terms = checkProvenTerms(credential, offer);
  if (terms) return refusal(terms.reason, terms.detail);
  const times = checkProofTimes(credential.proof, Math.floor(nowMs / 1000));
  return times.ok ? undefined : refusal(times.reason, times.detail);
}

function proofJudge(tools: PurchaseTools, { row, bodySha256 }: Order, hash: string, proof: PresentedProof) {
  const expected = { hash, capability: row.name, bodySha256, salt: tools.seller.proofSalt };
  return (payer: string): Promise<boolean> => verifyPayerProof(tools.chain, proof, expected, payer);
}

async function claimAndSell(
  tools: PurchaseTools,
  order: Order,
  credential: TransferCredential,
  transfer: VerifiedTransfer,
): Promise<PurchaseAnswer> {
  const { shard, ledger } = await tools.shardOf(credential.hash);
  const made = await claimOrAttach(tools, order, () => claimFirstFree(ledger, order, credential, transfer));
  if (made.kind === 'incomplete') return made.answer;
  const { key, claim } = made;
  switch (claim.outcome) {
    case 'claimed':
      return deliver(tools, order, { key, shard, payer: transfer.payer, ledger, attempt: claim.attempt });
    case 'served': {
      const stored = await storedResult(tools, order, claim.sale, shard);
      return stored.ok ? sold(tools, stored.json, claim.sale, true) : stored.answer;
    }
    case 'authorization_late':
    case 'resume_settlement':
      throw new Error('a transfer has no settlement to resume');
    default:
      return claimRefusal(claim);
  }
}

/** Claims the first log of the presenter that is not used yet; most transactions have one. */
async function claimFirstFree(
  ledger: LedgerShard,
  order: Order,
  credential: TransferCredential,
  transfer: VerifiedTransfer,
): Promise<{ key: string; claim: ClaimResult }> {
  const claimLog = async (log: PayingLog) => {
    const key = paymentKey({ method: 'transfer', hash: credential.hash, logIndex: log.logIndex });
    return { key, claim: await ledger.claim(await claimOf(key, order, credential, transfer, log)) };
  };
  let tried = await claimLog(transfer);
  for (const log of transfer.others.slice(0, MAX_OTHER_LOGS)) {
    if (tried.claim.outcome !== 'already_used') return tried;
    tried = await claimLog(log);
  }
  return tried;
}

type PayingLog = { logIndex: number; amountMicroUsdc: number };

async function claimOf(
  key: string,
  order: Order,
  { hash, proof }: TransferCredential,
  { payer, blockTimeS, stale }: VerifiedTransfer,
  { logIndex, amountMicroUsdc }: PayingLog,
): Promise<ClaimRequest> {
  return {
    key,
    method: 'transfer',
    capability: order.row.name,
    fingerprint: order.fingerprint,
    credentialSha256: order.credentialSha256,
    hasSecret: false,
    proven: proof !== undefined,
    payer,
    amountMicroUsdc,
    digest: await transferDigest(hash, logIndex, payer, BigInt(amountMicroUsdc)),
    transfer: { hash, blockTimeS, stale },
    engineBacked: order.row.engineBacked,
  };
}

async function deliver(tools: PurchaseTools, order: Order, owned: Owned): Promise<PurchaseAnswer> {
  tools.watcher?.accepted();
  const stored = await workAndStore(tools, order, owned);
  if (!stored.ok) return stored.answer;
  const ending = sell(tools, owned, stored.reportId);
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  const sale = await ending;
  if (!sale) {
    await dropResult(tools, stored.reportId); // A proven payer took the claim over: its answer is the answer.
    return refusal('payment_in_progress');
  }
  tools.log({
    event: 'sold',
    method: sale.method,
    capability: sale.capability,
    amount_micro_usdc: sale.amountMicroUsdc,
  });
  return sold(tools, stored.json, sale, false);
}

/** Selling is idempotent, and a bare hash has no second chance: a lost reply of the ledger is asked for again. */
async function sell(tools: PurchaseTools, { ledger, key, attempt }: Owned, reportId: string): Promise<Sale | false> {
  for (let tried = 1; tried < MAX_SELL_TRIES; tried += 1) {
    try {
      return await ledger.sell(key, attempt, reportId);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      tools.log({ event: 'sell_again', tried });
    }
  }
  return ledger.sell(key, attempt, reportId);
}
