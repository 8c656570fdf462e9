import {
  type ChainBlock,
  type ChainReader,
  ChainUnreachable,
  type Receipt,
  type UsdcEvent,
} from '../../chain/chain.ts';
import { FINAL_FROM_MICRO_USDC, ZERO_ADDRESS } from '../../terms/constants.ts';
import type { PaymentReason } from '../../terms/reasons.ts';
import { listAcceptedAmounts, isNotAhead, type PricedOffer } from '../../terms/terms.ts';
import { NOT_FOUND_GRACE_S, type Sightings } from '../../chain/chain-memory.ts';

/** The policy of a deployment on transfers. */
export type TransferPolicy = {
  confirmations: { small: number; large: number | 'safe' };
  /** PAYMENTS_SINCE: transfers mined before it bought something else (rule P16). Unix seconds. */
  sinceS: number;
  maxAgeS: number;
  /**
   * From this amount (micro-USDC) on a payer proof is required, be it the price or what was transferred: an onlooker could
   * spend the hash of a dear transfer on something cheap before its payer comes (rules P6, P9). Undefined: never.
   */
  proofFromMicroUsdc: number | undefined;
};

export type TransferQuestion = {
  /** Lower case. */
  hash: string;
  offer: PricedOffer;
  policy: TransferPolicy;
  nowS: number;
  sightings: Sightings;
  /** Whether the presenter proved to be this payer, see `verifyPayerProof`; absent for a bare hash. */
  isPayer?: (payer: string) => Promise<boolean>;
  /** Why transfers that are too small are refused in the ledger's words: they may have bought something cheaper. */
  refuseUsed?: (logs: readonly PayingLog[], mined: MinedAt) => Promise<PaymentReason | undefined>;
};

/** What one log paid, and who. */
export type PayingLog = { payer: string; logIndex: number; amountMicroUsdc: number };
/** When a transaction was mined; `stale` as in `VerifiedTransfer`. */
export type MinedAt = { blockTimeS: number; stale: boolean };

/** One log that pays. `amountMicroUsdc` is what was transferred, at least the price. */
export type VerifiedTransfer = {
  logIndex: number;
  payer: string;
  amountMicroUsdc: number;
  blockNumber: bigint;
  blockHash: string;
  blockTimeS: number;
  /** Older than the acceptance window: good only for a payment that verified while it was fresh (rule P15). */
  stale: boolean;
  /** Further logs of the same proven payer in this transaction: to be tried when this one is used. */
  others: readonly { logIndex: number; amountMicroUsdc: number }[];
};

export type TransferVerdict =
  | { ok: true; transfer: VerifiedTransfer }
  | { ok: false; class: 'refused' | 'pending' | 'unverifiable' | 'ambiguous'; reason: PaymentReason };

type Refusal = Extract<TransferVerdict, { ok: false }>;
type Transfer = Extract<UsdcEvent, { name: 'Transfer' }>;

/** Distinct payers of one transaction that a proof is tried for: each may cost a call to a contract wallet. */
const MAX_PROOF_PAYERS = 10;

const refuse = (reason: PaymentReason): Refusal => ({ ok: false, class: 'refused', reason });
const PENDING: Refusal = { ok: false, class: 'pending', reason: 'payment_pending' };
const UNVERIFIABLE: Refusal = { ok: false, class: 'unverifiable', reason: 'payment_unverifiable' };

/**
 * Whether a transaction holds a USDC transfer that pays for the offer: mined, canonical, confirmed enough, to our
 * payee, not smaller than the price, and no settlement of an authorization. Does NOT claim it: whether it was used
 * before is the ledger's word, and so is a stale one.
 * @see https://eips.ethereum.org/EIPS/eip-20
 */
export async function verifyTransfer(chain: ChainReader, question: TransferQuestion): Promise<TransferVerdict> {
  const { offer, policy, isPayer } = question;
  if (!isPayer && isProofNeeded(policy, offer.amountMicroUsdc)) return refuse('payer_proof_required');
  try {
    const receipt = await findReceipt(chain, question);
    return 'ok' in receipt ? receipt : await judgeReceipt(chain, receipt, question);
  } catch (error) {
    if (error instanceof ChainUnreachable) return UNVERIFIABLE;
    throw error;
  }
}

const isProofNeeded = ({ proofFromMicroUsdc }: TransferPolicy, amount: number | bigint): boolean =>
  proofFromMicroUsdc !== undefined && amount >= proofFromMicroUsdc;

/** The receipt, or why there is none: a node may not know yet what the payer's node knows (rule P13). */
async function findReceipt(
  chain: ChainReader,
  { hash, nowS, sightings }: TransferQuestion,
): Promise<Receipt | Refusal> {
  const recalled = sightings.recall(hash, nowS);
  if (recalled) return reportNotFound(recalled.forS);
  const receipt = await chain.receipt(hash);
  if (receipt === 'not_found') return reportNotFound(sightings.missing(hash, nowS).forS);
  sightings.found(hash);
  return receipt === 'pending' ? PENDING : receipt;
}

const reportNotFound = (forS: number): Refusal =>
  forS > NOT_FOUND_GRACE_S ? refuse('transaction_not_found') : PENDING;

async function judgeReceipt(
  chain: ChainReader,
  receipt: Receipt,
  question: TransferQuestion,
): Promise<TransferVerdict> {
  const { offer, policy, nowS } = question;
  if (receipt.status === 'reverted') return refuse('transaction_reverted');
  const paying = selectPayingLogs(receipt.events, offer.payTo.toLowerCase());
  if ('ok' in paying) return paying;
  const block = await chain.block(receipt.blockNumber);
  if (block.hash !== receipt.blockHash) return PENDING; // Reorganised away; the transaction may be mined again.
  if (!isNotAhead(block.timestampS, nowS)) return UNVERIFIABLE;
  if (block.timestampS < policy.sinceS) return refuse('transfer_too_old');
  const price = BigInt(Math.min(...listAcceptedAmounts(offer, block.timestampS)));
  const enough = paying.logs.filter(({ value }) => value >= price);
  if (enough.length === 0) return findTooSmall(paying.logs, block, question);
  const mine = await selectPresenterLogs(enough, question);
  if ('ok' in mine) return mine;
  if (!(await isConfirmed(chain, receipt.blockNumber, question))) return PENDING;
  return { ok: true, transfer: buildVerifiedTransfer(mine.logs, block, nowS - block.timestampS > policy.maxAgeS) };
}

type Logs = { logs: readonly Transfer[] };

/** Every log is smaller than the price; without a proof all of them may be the presenter's. */
async function findTooSmall(
  logs: readonly Transfer[],
  { timestampS }: ChainBlock,
  { isPayer, refuseUsed, nowS, policy }: TransferQuestion,
): Promise<Refusal> {
  const mine = isPayer ? await selectProvenLogs(logs, isPayer) : logs;
  const paid = mine.map((log) => ({ payer: log.from, ...toPaidLog(log) }));
  const mined = { blockTimeS: timestampS, stale: nowS - timestampS > policy.maxAgeS };
  const used = paid.length === 0 ? undefined : await refuseUsed?.(paid, mined);
  return refuse(used ?? 'transfer_too_small');
}

/** Transfers to the payee that are sales, or why there are none (rule P20). */
function selectPayingLogs(events: readonly UsdcEvent[], payTo: string): Logs | Refusal {
  const received = events.filter((event): event is Transfer => event.name === 'Transfer' && event.to === payTo);
  if (received.length === 0) return refuse('no_matching_transfer');
  const standing = received.filter(({ removed }) => !removed);
  if (standing.length === 0) return PENDING; // The node itself says that the block is gone.
  const paid = standing.filter(({ from }) => from !== payTo && from !== ZERO_ADDRESS);
  if (paid.length === 0) return refuse('transfer_source_refused');
  const authorizers = new Set(
    events.flatMap((event) => (event.name === 'AuthorizationUsed' ? [event.authorizer] : [])),
  );
  const logs = paid.filter(({ from }) => !authorizers.has(from));
  return logs.length === 0 ? refuse('transfer_is_settlement') : { logs };
}

/** The logs that this presenter may use: the only one, or those of the payer that was proven. */
async function selectPresenterLogs(
  logs: readonly Transfer[],
  { isPayer, policy }: TransferQuestion,
): Promise<Logs | Refusal> {
  if (!isPayer) {
    if (logs.some(({ value }) => isProofNeeded(policy, value))) return refuse('payer_proof_required');
    return logs.length === 1 ? { logs } : { ok: false, class: 'ambiguous', reason: 'ambiguous_transfer' };
  }
  const mine = await selectProvenLogs(logs, isPayer);
  return mine.length === 0 ? refuse('payer_proof_invalid') : { logs: mine };
}

/** The logs of the payer that was proven; none when the proof is no one's of them. */
async function selectProvenLogs(
  logs: readonly Transfer[],
  isPayer: (payer: string) => Promise<boolean>,
): Promise<readonly Transfer[]> {
  const payers = [...new Set(logs.map(({ from }) => from))].slice(0, MAX_PROOF_PAYERS);
  for (const payer of payers) {
    if (await isPayer(payer)) return logs.filter(({ from }) => from === payer);
  }
  return [];
}

/** Dear sales wait until the chain calls the block safe; others for some blocks on top (rule P25). */
async function isConfirmed(chain: ChainReader, mined: bigint, { offer, policy }: TransferQuestion): Promise<boolean> {
  const wanted =
    offer.amountMicroUsdc >= FINAL_FROM_MICRO_USDC ? policy.confirmations.large : policy.confirmations.small;
  if (wanted === 'safe') return (await chain.block('safe')).number >= mined;
  const { number } = await chain.block('latest');
  return number - mined + 1n >= BigInt(wanted); // The transaction's own block is its first confirmation.
}

function buildVerifiedTransfer(logs: readonly Transfer[], block: ChainBlock, stale: boolean): VerifiedTransfer {
  const [first, ...rest] = logs.toSorted((a, b) => a.logIndex - b.logIndex);
  if (!first) throw new TypeError('verified no log'); // `selectPresenterLogs` returns at least one.
  const { number: blockNumber, hash: blockHash, timestampS: blockTimeS } = block;
  return {
    ...toPaidLog(first),
    payer: first.from,
    blockNumber,
    blockHash,
    blockTimeS,
    stale,
    others: rest.map(toPaidLog),
  };
}

const toPaidLog = ({ logIndex, value }: Transfer) => ({ logIndex, amountMicroUsdc: Number(value) });
