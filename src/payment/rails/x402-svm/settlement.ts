import { ChainUndecided } from '../../chain/chain.ts';
import type { FinalBlock, SvmReader, SvmTransaction } from '../../chain/svm-chain.ts';
import type { SeenElsewhere } from '../../ledger/looks.ts';
import type { Reconciled, RefusalJudged } from '../../ledger/reconcile.ts';
import { continueSearch, type SearchState } from '../../ledger/search.ts';
import { readSvmMessage } from './message.ts';

/** What is looked for: who signed which message, and when it can have been carried out. */
export type OpenMessage = {
  payer: string;
  /** SHA-256 of the message, hex. */
  hash: string;
  sinceS: number;
  /** After this it can never be carried out, in Unix seconds. A request does not wait for that: the alarm of the ledger does. */
  endsS?: number;
  /** Its recent block. While that is known it may still be carried out, whatever the time: after a halt of the chain. */
  blockhash?: string | undefined;
  /** The transaction that the facilitator named. It is looked at first, and believed only where it is the message. */
  named?: string | undefined;
  /** Where the last look ended, once the message can no longer be carried out. */
  search?: SearchState | undefined;
  look: Look;
};

/** How much of its payer's history one look for a message reads: anyone can fill that, by naming the payer. */
type Look = {
  pages: number;
  transactions: number;
  /** Where it begins: what was sent just now is among the newest, and what came after an old message is above it. */
  from: 'newest' | 'oldest';
};

/** A buyer waits for this look. The second page shows that a short one was all. */
export const REQUEST_LOOK: Look = { pages: 2, transactions: 20, from: 'newest' };
/** The alarm comes again, and no one waits for it. */
export const ALARM_LOOK: Look = { pages: 10, transactions: 100, from: 'oldest' };
/** How long after the end of a message its transaction is looked for, in seconds: more than times of blocks differ. */
const SEARCH_AHEAD_S = 600;

/** The payer made, or was named in, transactions that one look does not read: whether the message is among them is not known. */
export class HistoryUnread extends ChainUndecided {
  override name = 'HistoryUnread';
}
const UNREAD = 'the payer has transactions that one look does not read';

/** `found` in a final block or not; `rest`: what is left to read, where that may hold the message. */
type Looked = { found?: SvmTransaction; isFinal?: boolean; rest?: Rest };
type Rest = Pick<SearchState, 'before' | 'after' | 'untilS' | 'hasUnread'> & { isFurther: boolean };

/** Looks for the transaction of a message. A failed one moved nothing, and cannot be sent again. */
async function lookForMessage(chain: SvmReader, open: OpenMessage, final?: FinalBlock): Promise<Looked> {
  const named = open.named === undefined ? undefined : await readTransaction(chain, open.named);
  if (named !== undefined && (await isOfMessage(named, open.hash))) return { found: named };
  return lookThroughHistory(chain, open, final);
}

/** Only what is final stays in its place: without that, every look is the first. */
async function lookThroughHistory(chain: SvmReader, open: OpenMessage, final?: FinalBlock): Promise<Looked> {
  const { payer, hash, sinceS, look, search } = open;
  const { before, after, hasUnread = false } = (final === undefined ? undefined : search) ?? {};
  const untilS = final && computeSearchEndS(open, final);
  const span = { sinceS, untilS, before, after, pages: look.pages, finalSlot: final?.slot };
  const listed = await readIfShown(chain.signaturesOf(payer, span));
  if (listed === undefined) return { rest: describeRest({ before, after, untilS, hasUnread }, false) };
  const { signatures, isWhole, above = before } = listed;
  // Of a list that has no end yet the oldest are not known.
  const isUpward = look.from === 'oldest' && isWhole;
  const turn = (isUpward ? signatures.toReversed() : signatures).slice(0, look.transactions);
  let isUnread = hasUnread;
  for (const signature of turn) {
    const read = await readTransaction(chain, signature);
    if (read === undefined) isUnread = true;
    else if (await isOfMessage(read, hash)) return { found: read, isFinal: final !== undefined };
  }
  if (isWhole && turn.length === signatures.length) return isUnread ? { rest: describeRest({ untilS }, false) } : {};
  const last = turn.at(-1);
  const left = isUpward ? { before: above, after: last } : { before: last ?? above, after };
  const isFurther = left.before !== before || left.after !== after;
  return { rest: describeRest({ ...left, untilS, hasUnread: isUnread }, isFurther) };
}

/** Of a message that could be carried out for longer than its time, what is later than that counts as well. */
const computeSearchEndS = ({ endsS = 0, blockhash, search }: OpenMessage, { timeS }: FinalBlock): number =>
  blockhash === undefined ? endsS + SEARCH_AHEAD_S : (search?.untilS ?? timeS + SEARCH_AHEAD_S);

type Left = {
  before?: string | undefined;
  after?: string | undefined;
  untilS?: number | undefined;
  hasUnread?: boolean;
};

function describeRest({ before, after, untilS, hasUnread }: Left, isFurther: boolean): Rest {
  return {
    ...(untilS === undefined ? {} : { untilS }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(hasUnread === true ? { hasUnread } : {}),
    isFurther,
  };
}

/** Undefined where the node lists a transaction and does not show it, or shows more than is read. */
const readTransaction = (chain: SvmReader, signature: string): Promise<SvmTransaction | undefined> =>
  readIfShown(chain.transaction(signature));

/** Anyone can have a node answer more than is read, for a payer of their choice: that is no silence of the node. */
async function readIfShown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ChainUndecided)) throw error;
    return undefined;
  }
}

/** The transaction of a message. Undefined only where all that it can be was read. */
async function findMessage(chain: SvmReader, open: OpenMessage): Promise<SvmTransaction | undefined> {
  const { found, rest } = await lookForMessage(chain, open);
  if (rest !== undefined) throw new HistoryUnread(UNREAD);
  return found;
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
 * `expired_unused`: that is read off the time of a final block, never off our clock (rule P18), and off whether the chain still
 * knows the recent block of the message. The final block is read first, and the list of a node that has it has all that was
 * carried out up to then.
 */
export async function reconcileMessage(chain: SvmReader, open: OpenMessage): Promise<Reconciled> {
  const { isOver, found, isFinal, rest } = await lookNow(chain, open);
  if (found?.isGood === true) return { outcome: 'settled', transaction: found.signature };
  if (found !== undefined) return { outcome: (await isFailure(chain, found, isFinal)) ? 'cancelled' : 'undecided' };
  if (!isOver && rest !== undefined) throw new HistoryUnread(UNREAD);
  if (!isOver) return { outcome: 'undecided' };
  if (rest === undefined) return { outcome: 'expired_unused' };
  const { isFurther, ...left } = rest;
  return { outcome: 'undecided', search: continueSearch(open.search, left, isFurther) };
}

/** Whether a message was carried out by another transaction than the one that was named for it. */
export async function findElsewhere(chain: SvmReader, open: OpenMessage): Promise<SeenElsewhere> {
  const { found, isFinal, rest } = await lookNow(chain, open);
  if (found?.isGood === true) return { outcome: 'arrived', transaction: found.signature };
  if (found !== undefined) return { outcome: (await isFailure(chain, found, isFinal)) ? 'nowhere' : 'undecided' };
  return { outcome: rest === undefined ? 'nowhere' : 'undecided' };
}

/** `isOver`: the message can no longer be carried out. */
async function lookNow(chain: SvmReader, open: OpenMessage): Promise<Looked & { isOver: boolean }> {
  const final = await findEnd(chain, open);
  return { isOver: final !== undefined, ...(await lookForMessage(chain, open, final)) };
}

/** A final block after which the message can no longer be carried out; undefined while it may be. */
async function findEnd(chain: SvmReader, { endsS, blockhash }: OpenMessage): Promise<FinalBlock | undefined> {
  if (endsS === undefined) return undefined;
  const final = await chain.finalBlock();
  if (final.timeS <= endsS) return undefined;
  if (blockhash === undefined) return final;
  const known = await chain.isBlockKnown(blockhash, final.slot);
  return known.isKnown ? undefined : { ...final, slot: Math.max(final.slot, known.slot) };
}

const isFailure = async (chain: SvmReader, { signature }: SvmTransaction, isFinal = false): Promise<boolean> =>
  isFinal || (await chain.hasFailed(signature));

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
  return { outcome: (await isFailure(chain, found)) ? 'refused' : 'undecided' };
}
