import { ChainUnreachable } from '../../chain/chain.ts';
import type { SvmReader } from '../../chain/svm-chain.ts';
import type { LookPorts, RailLooks, SeenElsewhere } from '../../ledger/looks.ts';
import type { LedgerRow } from '../../ledger/row.ts';
import {
  ALARM_LOOK,
  HistoryTooLong,
  isMessageUsed,
  isOfMessage,
  type OpenMessage,
  reconcileMessage,
} from './settlement.ts';

/** How far before the first claim a message is looked for, in seconds. */
const SEARCH_BACK_S = 600;

function openMessage({ instrument, payer, firstClaimedAtMs }: LedgerRow): OpenMessage {
  if (instrument.method !== 'x402') throw new TypeError('the row of a message holds another instrument');
  const sinceS = Math.floor(firstClaimedAtMs / 1000) - SEARCH_BACK_S;
  return { payer, hash: instrument.nonce, sinceS, endsS: instrument.validBeforeS, look: ALARM_LOOK };
}

function requireSvm({ svm }: LookPorts): SvmReader {
  if (svm === undefined) throw new ChainUnreachable('no node of Solana is configured');
  return svm;
}

/** Anyone can make the history of a payer too long to read. That is doubt about its own payment, and no silence of the node. */
async function readOrUndecided<T>(look: () => Promise<T>): Promise<T | { outcome: 'undecided' }> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof HistoryTooLong)) throw error;
    return { outcome: 'undecided' };
  }
}

/** Looks at messages of Solana: one is carried out once, no matter who sends it, under the signature of its fee payer. */
export const svmLooks: RailLooks = {
  reconcile: (row, ports) => readOrUndecided(async () => reconcileMessage(requireSvm(ports), openMessage(row))),
  async seeSale(row, ports) {
    const found = await requireSvm(ports).transaction(row.phase.transaction);
    if (found === undefined) return 'unseen';
    return found.isGood && (await isOfMessage(found, openMessage(row).hash)) ? 'found' : 'missing';
  },
  seeElsewhere: (row, ports) => readOrUndecided(() => findElsewhere(requireSvm(ports), openMessage(row))),
};

async function findElsewhere(chain: SvmReader, open: OpenMessage): Promise<SeenElsewhere> {
  const verdict = await reconcileMessage(chain, open);
  if (verdict.outcome === 'settled') return { outcome: 'arrived', transaction: verdict.transaction };
  if (verdict.outcome !== 'undecided') return { outcome: 'nowhere' };
  return { outcome: (await isMessageUsed(chain, open)) ? 'undecided' : 'nowhere' };
}
