import type { SvmReader, SvmTransaction } from '../../chain/svm-chain.ts';
import type { Reconciled, RefusalJudged } from '../../ledger/reconcile.ts';
import { readSvmMessage } from './message.ts';

/** What is looked for: who signed which message, and since when. */
export type OpenMessage = {
  payer: string;
  /** SHA-256 of the message, hex. */
  hash: string;
  sinceS: number;
  /** After this it can never be carried out, in Unix seconds. */
  endsS: number;
};

/** The transaction of a message, among those of its payer. A failed one moved nothing, and cannot be sent again. */
async function findMessage(
  chain: SvmReader,
  { payer, hash, sinceS }: OpenMessage,
): Promise<SvmTransaction | undefined> {
  for (const signature of await chain.signaturesOf(payer, sinceS)) {
    const found = await chain.transaction(signature);
    if (found !== undefined && (await isOfMessage(found, hash))) return found;
  }
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
 * `expired_unused`: that is read off the time of a final block, never off our clock (rule P18).
 */
export async function reconcileMessage(chain: SvmReader, open: OpenMessage): Promise<Reconciled> {
  const found = await findMessage(chain, open);
  if (found?.isGood === true) return { outcome: 'settled', transaction: found.signature };
  if (found !== undefined) return { outcome: found.isFinal ? 'cancelled' : 'undecided' };
  return { outcome: (await chain.finalTimeS()) > open.endsS ? 'expired_unused' : 'undecided' };
}

/**
 * Whether a facilitator's "refused" can be trusted. A message that is not on chain may still be carried out while its recent
 * block is known, but a facilitator that refuses before it sends has not sent it (rule P4).
 */
export async function judgeRefusedMessage(chain: SvmReader, open: OpenMessage): Promise<RefusalJudged> {
  const found = await findMessage(chain, open);
  if (found === undefined) return { outcome: 'refused' };
  if (found.isGood) return { outcome: 'settled', transaction: found.signature };
  return { outcome: found.isFinal ? 'refused' : 'undecided' };
}
