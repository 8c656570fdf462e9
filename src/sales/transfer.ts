import {
  type ClaimRequest,
  type ClaimResult,
  type LedgerShard,
  LedgerUnavailable,
  type Sale,
} from '../payment/ledger/protocol.ts';
import {
  checkProofTimes,
  type ProofExpected,
  recoverProofSigner,
  verifyPayerProof,
} from '../payment/rails/transfer/payer-proof.ts';
import type { PresentedProof, TransferCredential } from '../payment/rails/transfer/credential.ts';
import { rails } from '../payment/rails/rails.ts';
import { checkProvenTerms } from '../payment/rails/transfer/terms.ts';
import type { MadePayment } from '../payment/rails/rail.ts';
import { type PaymentNetwork, requireEvm } from '../payment/terms/networks-data.ts';
import { formatPaymentKey, computeTransferDigest } from '../payment/ledger/payment-key.ts';
import type { PaymentReason } from '../payment/terms/reasons.ts';
import type { PricedOffer } from '../payment/terms/terms.ts';
import {
  type MinedAt,
  type PayingLog,
  type VerifiedTransfer,
  verifyTransfer,
} from '../payment/rails/transfer/verify-transfer.ts';
import { claimRefusal, type PurchaseAnswer, refusePayment, buildSoldAnswer, type SoldBy } from './answer.ts';
import { claimOrAttach } from './measurement.ts';
import { isPayerOfSignIn, refuseCreditedPayer } from './credited-payer.ts';
import { dropResult, type Owned, readOrRedoResult, runAndStoreWork } from './deliver.ts';
import { type PurchaseOrder, selectWrittenFingerprint } from './read-order.ts';
import { getProofThreshold } from './offers.ts';
import { buildMeteredPayment, markMeterPaid, type PaymentTools, type PurchaseTools } from './tools.ts';

/** Logs of one proven payer in one transaction that are tried, when the first are used: batches of a wallet. */
const MAX_OTHER_LOGS = 4;
const MAX_SELL_TRIES = 3;

/** A presented transfer, and the network that it was made on. */
type Made = Pick<MadePayment, 'rail' | 'credential'> & { network: PaymentNetwork };

/**
 * Sells to the hash of a USDC transfer that was already made. The chain is read before the claim, since the key needs
 * the log; reading it costs no payer anything, and the claim is atomic and comes before the work. A bare hash is taken
 * from its first presenter; a proven payer takes over an unproven claim (rule P9).
 */
export async function sellToTransfer(
  tools: PaymentTools,
  order: PurchaseOrder,
  offer: PricedOffer,
  { rail, credential }: MadePayment,
): Promise<PurchaseAnswer> {
  const { closed, seller } = tools;
  const made: Made = { rail, credential, network: requireEvm(seller.network) };
  // Only a proven payer gets again what a transfer bought.
  if (closed && !credential.proof) return closed;
  const nowS = Math.floor(tools.now() / 1000);
  const wrong = checkProof(credential, offer, tools.now());
  if (wrong) return wrong;
  const wait = await admit(tools, order, made);
  if (wait) return wait;
  const verdict = await verifyTransfer(tools.chain, {
    hash: credential.hash,
    offer,
    policy: {
      confirmations: seller.confirmations,
      sinceS: seller.paymentsSinceS,
      maxAgeS: seller.transferMaxAgeS,
      proofFromMicroUsdc: getProofThreshold(seller, order.row),
    },
    nowS,
    sightings: tools.sightings,
    refuseUsed: (logs, mined) => refuseUsed(tools, order, made, logs, mined),
    ...(credential.proof === undefined ? {} : { isPayer: createProofVerifier(tools, order, made, credential.proof) }),
  });
  if (!verdict.ok) {
    // A proof by a key other than the payer's proves nothing.
    if (verdict.reason === 'payer_proof_invalid') tools.guard.countOn(tools.guard.address);
    return refusePayment(verdict.reason);
  }
  if (credential.proof === undefined) tools.guard.foundGood(credential.hash);
  else tools.guard.countOn({ kind: 'payer', id: verdict.transfer.payer });
  const { payer } = verdict.transfer;
  const isByKey = () => isProvenByKey(tools, order, made, payer);
  const refused = closed ?? (await refuseCreditedPayer(tools, order.row, { payer, network: made.network, isByKey }));
  if (refused && !(await isServed(tools, order, made, verdict.transfer))) return refused;
  return claimAndSell(tools, order, made, verdict.transfer);
}

function checkProof(credential: TransferCredential, offer: PricedOffer, nowMs: number): PurchaseAnswer | undefined {
  if (credential.proof === undefined) return undefined;
  const terms = checkProvenTerms(credential, offer);
  if (terms) return refusePayment(terms.reason, terms.detail);
  const times = checkProofTimes(credential.proof, Math.floor(nowMs / 1000));
  return times.ok ? undefined : refusePayment(times.reason, times.detail);
}

/**
 * Why this transfer must wait before the chain is asked about it. Who signed a proof is asked to wait for its own
 * failures only; a bare hash has no signer but its caller's address.
 */
async function admit(tools: PaymentTools, order: PurchaseOrder, made: Made): Promise<PurchaseAnswer | undefined> {
  const { hash, proof } = made.credential;
  if (tools.sightings.recall(hash, Math.floor(tools.now() / 1000))) return undefined; // The chain is not asked again.
  if (proof === undefined) return tools.guard.admitHash(hash);
  const signer = await recoverProofSigner(proof, buildExpectedProof(tools, order, made));
  return tools.guard.admit(signer === undefined ? tools.guard.address : { kind: 'payer', id: signer });
}

const buildExpectedProof = (
  tools: PurchaseTools,
  { row, bodySha256 }: PurchaseOrder,
  { credential, network }: Made,
): ProofExpected => ({
  hash: credential.hash,
  capability: row.name,
  bodySha256,
  salt: tools.seller.proofSalt,
  chainId: network.chainId,
});

/** Whether the payer's own key signed the proof, and not a contract wallet for it. */
async function isProvenByKey(tools: PurchaseTools, order: PurchaseOrder, made: Made, payer: string): Promise<boolean> {
  const { proof } = made.credential;
  return proof !== undefined && (await recoverProofSigner(proof, buildExpectedProof(tools, order, made))) === payer;
}

function createProofVerifier(tools: PurchaseTools, order: PurchaseOrder, made: Made, proof: PresentedProof) {
  const expected = buildExpectedProof(tools, order, made);
  return (payer: string): Promise<boolean> => verifyPayerProof(tools.chain, proof, expected, payer);
}

/** What the ledger says of a transfer that it never sells again, whatever is asked for it: a sale, or one under way. */
const USED: ReadonlySet<ClaimResult['outcome']> = new Set(['already_used', 'served', 'in_progress']);

/** Rule P13: a transfer that is too small for this may have bought something cheaper. Then it is used, not too small. */
async function refuseUsed(
  tools: PurchaseTools,
  order: PurchaseOrder,
  made: Made,
  logs: readonly PayingLog[],
  mined: MinedAt,
): Promise<PaymentReason | undefined> {
  const { ledger } = await tools.shardOf(made.credential.hash);
  const outcomes = await Promise.all(
    logs.slice(0, 1 + MAX_OTHER_LOGS).map(async (log) => {
      const key = formatLogKey(made, log);
      return (await ledger.peek(await buildTransferClaim(tools, key, order, made, mined, log))).outcome;
    }),
  );
  if (!outcomes.every((outcome) => USED.has(outcome))) return undefined;
  return outcomes.includes('in_progress') ? 'payment_in_progress' : 'payment_already_used';
}

async function claimAndSell(
  tools: PurchaseTools,
  order: PurchaseOrder,
  made: Made,
  transfer: VerifiedTransfer,
): Promise<PurchaseAnswer> {
  const { shard, ledger } = await tools.shardOf(made.credential.hash);
  if (!tools.room.isFree() && (await isNewTransferWork(tools, ledger, order, made, transfer)))
    return refusePayment('service_busy');
  const tried = await claimOrAttach(tools, order, () => claimFirstFree(tools, ledger, order, made, transfer));
  if (tried.kind === 'incomplete') return tried.answer;
  const { key, claim } = tried;
  switch (claim.outcome) {
    case 'claimed':
      return deliver(tools, order, made, { key, shard, payer: transfer.payer, ledger, attempt: claim.attempt });
    case 'served': {
      const stored = await readOrRedoResult(tools, order, claim.sale, shard);
      return stored.ok
        ? buildSoldAnswer(tools, stored.json, claim.sale, { ...getSellingRail(made), isRepeat: true })
        : stored.answer;
    }
    case 'unverified':
    case 'authorization_late':
    case 'resume_settlement':
      throw new Error('a transfer has no settlement to resume');
    default:
      return claimRefusal(claim, rails[made.rail]);
  }
}

const getSellingRail = ({ rail, network }: Made): SoldBy => ({ rail: rails[rail], network });

const formatLogKey = ({ credential: { hash }, network }: Made, { logIndex }: Pick<PayingLog, 'logIndex'>): string =>
  formatPaymentKey({ method: 'transfer', hash, logIndex }, network);

/** Whether a claim of this transfer would lead to new work. */
const isNewTransferWork = async (...of: Parameters<typeof lookUpTransfer>): Promise<boolean> =>
  (await lookUpTransfer(...of)) === 'claimed';

/** Whether this transfer bought what is asked for, and this presenter may have it: for good, once it is so. */
async function isServed(
  tools: PurchaseTools,
  order: PurchaseOrder,
  made: Made,
  transfer: VerifiedTransfer,
): Promise<boolean> {
  const { ledger } = await tools.shardOf(made.credential.hash);
  return (await lookUpTransfer(tools, ledger, order, made, transfer)) === 'served';
}

/** What a claim of this transfer would end in. Looks without claiming. */
async function lookUpTransfer(
  tools: PurchaseTools,
  ledger: LedgerShard,
  order: PurchaseOrder,
  made: Made,
  transfer: VerifiedTransfer,
): Promise<ClaimResult['outcome']> {
  const logs = [
    transfer,
    ...transfer.others.slice(0, MAX_OTHER_LOGS).map((log) => ({ ...log, payer: transfer.payer })),
  ];
  for (const log of logs) {
    const claim = await buildTransferClaim(tools, formatLogKey(made, log), order, made, transfer, log);
    const { outcome } = await ledger.peek(claim);
    if (outcome !== 'already_used') return outcome;
  }
  return 'already_used';
}

/** Claims the first log of the presenter that is not used yet; most transactions have one. */
async function claimFirstFree(
  tools: PurchaseTools,
  ledger: LedgerShard,
  order: PurchaseOrder,
  made: Made,
  transfer: VerifiedTransfer,
): Promise<{ key: string; claim: ClaimResult }> {
  const claimLog = async (paid: Omit<PayingLog, 'payer'>) => {
    const log = { ...paid, payer: transfer.payer };
    const key = formatLogKey(made, log);
    return { key, claim: await ledger.claim(await buildTransferClaim(tools, key, order, made, transfer, log)) };
  };
  let tried = await claimLog(transfer);
  for (const log of transfer.others.slice(0, MAX_OTHER_LOGS)) {
    if (tried.claim.outcome !== 'already_used') return tried;
    tried = await claimLog(log);
  }
  return tried;
}

async function buildTransferClaim(
  tools: PurchaseTools,
  key: string,
  order: PurchaseOrder,
  made: Made,
  { blockTimeS, stale }: MinedAt,
  { payer, logIndex, amountMicroUsdc }: PayingLog,
): Promise<ClaimRequest> {
  const { rail, network, credential } = made;
  const { hash, proof } = credential;
  const isListed = await isPayerOfSignIn(tools.seller, {
    network,
    isByKey: () => isProvenByKey(tools, order, made, payer),
  });
  return {
    key,
    rail,
    method: 'transfer',
    capability: order.row.name,
    fingerprint: order.fingerprint,
    ...selectWrittenFingerprint(order),
    credentialSha256: order.credentialSha256,
    hasSecret: false,
    proven: proof !== undefined,
    payer,
    amountMicroUsdc,
    digest: await computeTransferDigest(hash, logIndex, payer, BigInt(amountMicroUsdc)),
    transfer: { hash, blockTimeS, stale },
    engineBacked: order.row.engineBacked,
    ...(isListed ? {} : { isUnlisted: true }),
  };
}

async function deliver(tools: PurchaseTools, order: PurchaseOrder, made: Made, owned: Owned): Promise<PurchaseAnswer> {
  // The money came before the engines are asked, yet each measurement that ends without a result costs them again.
  const metered = order.row.engineBacked ? { ...buildMeteredPayment(owned.key), isPrepaid: true } : undefined;
  const stored = await runAndStoreWork(tools, order, owned, metered);
  if (!stored.ok) return stored.answer;
  const ending = sell(tools, owned, stored.reportId);
  tools.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below.
  const sale = await ending;
  if (!sale) {
    await dropResult(tools, stored.reportId); // A proven payer took the claim over: its answer is the answer.
    return refusePayment('payment_in_progress');
  }
  if (metered) await markMeterPaid(tools, metered.id);
  tools.log({
    event: 'sold',
    method: sale.method,
    capability: sale.capability,
    amount_micro_usdc: sale.amountMicroUsdc,
  });
  return buildSoldAnswer(tools, stored.json, sale, { ...getSellingRail(made), isRepeat: false });
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
