import { ChainUndecided, ChainUnreachable } from '../../chain/chain.ts';
import type { SvmReader } from '../../chain/svm-chain.ts';
import type { LookPorts, RailLooks } from '../../ledger/looks.ts';
import { isUndecided, type LedgerRow } from '../../ledger/row.ts';
import { ALARM_LOOK, isOfMessage, type OpenMessage, reconcileMessage, findElsewhere } from './settlement.ts';

/** How far before the first claim a message is looked for, in seconds. */
const SEARCH_BACK_S = 600;

function openMessage(row: LedgerRow): OpenMessage {
  const { instrument, payer, firstClaimedAtMs } = row;
  if (instrument.method !== 'x402') throw new TypeError('the row of a message holds another instrument');
  const sinceS = Math.floor(firstClaimedAtMs / 1000) - SEARCH_BACK_S;
  const { named, search } = isUndecided(row) ? row.phase : {};
  const { nonce: hash, validBeforeS: endsS, blockhash } = instrument;
  return { payer, hash, sinceS, endsS, blockhash, named, search, look: ALARM_LOOK };
}

function requireSvm({ svm }: LookPorts): SvmReader {
  if (svm === undefined) throw new ChainUnreachable('no node of Solana is configured');
  return svm;
}

/** Anyone can fill the history of a payer. That is doubt about its own payment, and no silence of the node. */
async function readUnlessUnclear<T, U>(otherwise: U, look: () => Promise<T>): Promise<T | U> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ChainUndecided)) throw error;
    return otherwise;
  }
}

const UNDECIDED = { outcome: 'undecided' } as const;

/** Looks at messages of Solana: one is carried out once, no matter who sends it, under the signature of its fee payer. */
export const svmLooks: RailLooks = {
  reconcile: (row, ports) =>
    readUnlessUnclear(UNDECIDED, async () => reconcileMessage(requireSvm(ports), openMessage(row))),
  seeSale: (row, ports) =>
    readUnlessUnclear('unseen', async () => {
      const found = await requireSvm(ports).transaction(row.phase.transaction);
      if (found === undefined) return 'unseen';
      return found.isGood && (await isOfMessage(found, openMessage(row).hash)) ? 'found' : 'missing';
    }),
  seeElsewhere: (row, ports) =>
    readUnlessUnclear(UNDECIDED, async () => findElsewhere(requireSvm(ports), openMessage(row))),
};
