import type { ChainReader, Receipt } from '../chain/chain.ts';
import type { SearchState } from './search.ts';

/** An authorization whose settlement has no certain end. Addresses and nonce in lower case, times in Unix seconds. */
export type OpenAuthorization = {
  from: string;
  nonce: string;
  payTo: string;
  amountMicroUsdc: number;
  validBeforeS: number;
  /** The settlement was first tried no earlier than this. */
  sinceS: number;
};

export type Reconciled =
  /** The money arrived by this transaction. */
  | { outcome: 'settled'; transaction: string }
  /** The nonce was cancelled, or used for a payment that is not ours: the money never can come to us. */
  | { outcome: 'cancelled' }
  /** The authorization ran out unused, seen at a safe block: it never can be used. */
  | { outcome: 'expired_unused' }
  /** Anything may still happen. `search`: how far the look came that was to find out, where the next one goes on. */
  | { outcome: 'undecided'; search?: SearchState };

const UNDECIDED: Reconciled = { outcome: 'undecided' };

/**
 * Asks the chain what became of an authorization. Only what can no longer change is called `cancelled` or
 * `expired_unused`: it is read at a safe block, never off our clock (rule P18). A settlement is believed as soon as a
 * receipt carries the transfer of exactly this amount to the payee.
 * @throws ChainUnreachable: that is as good as undecided, but worth telling apart in a log.
 */
export async function reconcileAuthorization(chain: ChainReader, open: OpenAuthorization): Promise<Reconciled> {
  const transaction = await chain.authorizationTransaction(open.from, open.nonce, open.sinceS);
  return transaction === undefined ? withoutTransaction(chain, open) : fromTransaction(chain, open, transaction);
}

async function fromTransaction(chain: ChainReader, open: OpenAuthorization, transaction: string): Promise<Reconciled> {
  const receipt = await chain.receipt(transaction);
  if (typeof receipt === 'string') return UNDECIDED; // The node that has the log is not the node that was asked now.
  if (receipt.status === 'reverted') return UNDECIDED;
  if (hasAuthorization(receipt, open)) return { outcome: 'settled', transaction: receipt.hash };
  const safe = await chain.block('safe');
  return safe.number >= receipt.blockNumber ? { outcome: 'cancelled' } : UNDECIDED;
}

/**
 * Whether a receipt carries our payment. USDC logs the transfer of an authorization right after the use of its nonce, so
 * the next transfer is the one that belongs to it: a batch may hold several of the same payer and amount.
 */
export function hasAuthorization({ status, events }: Receipt, open: OpenAuthorization): boolean {
  if (status !== 'success') return false;
  const standing = events.filter(({ removed }) => !removed).toSorted((a, b) => a.logIndex - b.logIndex);
  const used = standing.findIndex(
    (event) =>
      event.name === 'AuthorizationUsed' &&
      event.authorizer === open.from.toLowerCase() &&
      event.nonce === open.nonce.toLowerCase(),
  );
  const transfer = used === -1 ? undefined : standing.slice(used + 1).find((event) => event.name === 'Transfer');
  return (
    transfer?.name === 'Transfer' &&
    transfer.from === open.from.toLowerCase() &&
    transfer.to === open.payTo.toLowerCase() &&
    transfer.value === BigInt(open.amountMicroUsdc)
  );
}

/**
 * No log of a use names the nonce: it is unused, cancelled, or its log is one that the node lacks (too fresh, pruned). A
 * nonce that is gone may so have been used for us: only the log of a cancellation says that it was not.
 */
async function withoutTransaction(chain: ChainReader, open: OpenAuthorization): Promise<Reconciled> {
  const safe = await chain.block('safe');
  const expired = safe.timestampS > open.validBeforeS;
  // Neither used nor run out: the state at the safe block, which may be expensive to read, would tell nothing.
  if (!expired && !(await chain.authorizationState(open.from, open.nonce, 'latest'))) return UNDECIDED;
  if (!(await chain.authorizationState(open.from, open.nonce, safe.number)))
    return expired ? { outcome: 'expired_unused' } : UNDECIDED;
  const cancelled = await chain.authorizationCancelled(open.from, open.nonce, open.sinceS);
  return cancelled ? { outcome: 'cancelled' } : UNDECIDED;
}

export type RefusalJudged =
  | { outcome: 'refused' }
  | { outcome: 'settled'; transaction: string }
  | { outcome: 'undecided' };

/**
 * Whether a facilitator's "refused" can be trusted (rule P4): the money may have moved by an earlier try, or by a stranger who
 * sent the authorization. A nonce that is unused after the refusal proves that only of a first try. Once a settlement was tried
 * before (`wasTried`), its transaction may still be on its way: what is believed then can no longer change, or the payer no
 * longer has the money, so that such a transaction fails.
 * @throws ChainUnreachable when the chain cannot be read: the outcome is unknown then.
 */
export async function judgeRefusal(
  chain: ChainReader,
  open: OpenAuthorization,
  wasTried: boolean,
): Promise<RefusalJudged> {
  if (!wasTried && !(await chain.authorizationState(open.from, open.nonce, 'latest'))) return { outcome: 'refused' };
  const seen = await reconcileAuthorization(chain, open);
  if (seen.outcome === 'settled') return seen;
  const isOver = seen.outcome !== 'undecided' || (wasTried && (await isUncovered(chain, open)));
  return { outcome: isOver ? 'refused' : 'undecided' };
}

/**
 * Whether the nonce is unused and the balance too small for it. Both are read at one block: of two nodes that are not equally
 * far, one would show the balance after the payment and the other the nonce before it.
 */
async function isUncovered(chain: ChainReader, open: OpenAuthorization): Promise<boolean> {
  const { number } = await chain.block('latest');
  const [isUsed, balance] = await Promise.all([
    chain.authorizationState(open.from, open.nonce, number),
    chain.balanceOf(open.from, number),
  ]);
  return !isUsed && balance < BigInt(open.amountMicroUsdc);
}
