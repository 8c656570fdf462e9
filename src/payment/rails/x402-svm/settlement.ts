import { ChainUnreachable } from '../../chain/chain.ts';
import type { SvmReader, SvmTransaction } from '../../chain/svm-chain.ts';
import type { Reconciled, RefusalJudged } from '../../ledger/reconcile.ts';
import { readSvmMessage } from './message.ts';

/** What is looked for: who signed which message, and when it can have been carried out. */
export type OpenMessage = {
  payer: string;
  /** SHA-256 of the message, hex. */
  hash: string;
  sinceS: number;
  /** After this it can never be carried out, in Unix seconds. A request does not wait for that: the alarm of the ledger does. */
  endsS?: number;
  look: Look;
};

/** How much of its payer's history one look for a message reads: anyone can fill that, by naming the payer. */
type Look = {
  pages: number;
  transactions: number;
  /** Where it begins: what was sent just now is among the newest, and what came after an old message is above it. */
  from: 'newest' | 'oldest';
};

/** A buyer waits for this look. */
export const REQUEST_LOOK: Look = { pages: 1, transactions: 20, from: 'newest' };
/** The alarm comes again, and no one waits for it. */
export const ALARM_LOOK: Look = { pages: 10, transactions: 100, from: 'oldest' };
/** How long after the end of a message its transaction is looked for, in seconds: more than clocks of blocks differ from ours. */
const SEARCH_AHEAD_S = 600;

/** The payer made, or was named in, more transactions than one look reads: whether the message is among them is not known. */
export class HistoryTooLong extends ChainUnreachable {
  override name = 'HistoryTooLong';
}

/**
 * The transaction of a message, among those of its payer. A failed one moved nothing, and cannot be sent again. Undefined only
 * where all of them were read.
 */
async function findMessage(
  chain: SvmReader,
  { payer, hash, sinceS, endsS, look }: OpenMessage,
  finalSlot?: number,
): Promise<SvmTransaction | undefined> {
  const untilS = endsS === undefined ? undefined : endsS + SEARCH_AHEAD_S;
  const listed = await chain.signaturesOf(payer, { sinceS, untilS, pages: look.pages, finalSlot });
  const ordered = look.from === 'oldest' ? listed.signatures.toReversed() : listed.signatures;
  let unread = 0;
  for (const signature of ordered.slice(0, look.transactions)) {
    const found = await chain.transaction(signature);
    if (found === undefined) unread += 1;
    else if (await isOfMessage(found, hash)) return found;
  }
  if (!listed.isWhole || ordered.length > look.transactions)
    throw new HistoryTooLong('the payer has more transactions than one look reads');
  if (unread > 0) throw new ChainUnreachable('a transaction is listed that cannot be read');
  return undefined;
}

/** Whether a transaction on chain is this very message: its payment is what the message says. */
export async function isOfMessage({ wire }: SvmTransaction, hash: string): Promise<boolean> {
  const read = await readSvmMessage(Uint8Array.from(atob(wire), (char) => char.charCodeAt(0)));
  return read.ok && read.message.hash === hash;
}

/** Whether the message is on chain, carried out or failed: it is never carried out a second time. */
export const isMessageUsed = async (chain: SvmReader, open: OpenMessage): Promise<boolean> =>
  (await findMessage(chain, open)) !== undefined;

/**
 * Asks the chain what became of a message. Only what can no longer change is called `cancelled` (it failed) or
 * `expired_unused`: that is read off the time of a final block, never off our clock (rule P18). That block is read first, and the
 * list of a node that knows it as final has all that was carried out up to then.
 */
export async function reconcileMessage(chain: SvmReader, open: OpenMessage): Promise<Reconciled> {
  const { endsS } = open;
  const final = endsS === undefined ? undefined : await chain.finalBlock();
  const isOver = final !== undefined && endsS !== undefined && final.timeS > endsS;
  const found = await findMessage(chain, open, isOver ? final.slot : undefined);
  if (found?.isGood === true) return { outcome: 'settled', transaction: found.signature };
  if (found !== undefined) return { outcome: found.isFinal ? 'cancelled' : 'undecided' };
  return { outcome: isOver ? 'expired_unused' : 'undecided' };
}

/**
 * Whether a facilitator's "refused" can be trusted. A message that is not on chain may still be carried out while its recent
 * block is known, but a facilitator that refuses before it sends has not sent it (rule P4). Whether an earlier settlement of the
 * message sent it, its word does not say: `wasTried`.
 */
export async function judgeRefusedMessage(
  chain: SvmReader,
  open: OpenMessage,
  wasTried: boolean,
): Promise<RefusalJudged> {
  const found = await findMessage(chain, open);
  if (found === undefined) return { outcome: wasTried ? 'undecided' : 'refused' };
  if (found.isGood) return { outcome: 'settled', transaction: found.signature };
  return { outcome: found.isFinal ? 'refused' : 'undecided' };
}
