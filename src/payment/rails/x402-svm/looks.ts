import { ChainUnreachable } from '../../chain/chain.ts';
import type { SvmReader } from '../../chain/svm-chain.ts';
import type { LookPorts, RailLooks } from '../../ledger/looks.ts';
import type { LedgerRow } from '../../ledger/row.ts';
import { isMessageUsed, isOfMessage, type OpenMessage, reconcileMessage } from './settlement.ts';

/** How far before the first claim a message is looked for, in seconds. */
const SEARCH_BACK_S = 600;

function openMessage({ instrument, payer, firstClaimedAtMs }: LedgerRow): OpenMessage {
  if (instrument.method !== 'x402') throw new TypeError('the row of a message holds another instrument');
  const sinceS = Math.floor(firstClaimedAtMs / 1000) - SEARCH_BACK_S;
  return { payer, hash: instrument.nonce, sinceS, endsS: instrument.validBeforeS };
}

function requireSvm({ svm }: LookPorts): SvmReader {
  if (svm === undefined) throw new ChainUnreachable('no node of Solana is configured');
  return svm;
}

/** Looks at messages of Solana: one is carried out once, no matter who sends it, under the signature of its fee payer. */
export const svmLooks: RailLooks = {
  reconcile: (row, ports) => reconcileMessage(requireSvm(ports), openMessage(row)),
  async seeSale(row, ports) {
    const found = await requireSvm(ports).transaction(row.phase.transaction);
    if (found === undefined) return 'unseen';
    return found.isGood && (await isOfMessage(found, openMessage(row).hash)) ? 'found' : 'missing';
  },
  async seeElsewhere(row, ports) {
    const chain = requireSvm(ports);
    const verdict = await reconcileMessage(chain, openMessage(row));
    if (verdict.outcome === 'settled') return { outcome: 'arrived', transaction: verdict.transaction };
    if (verdict.outcome !== 'undecided') return { outcome: 'nowhere' };
    return { outcome: (await isMessageUsed(chain, openMessage(row))) ? 'undecided' : 'nowhere' };
  },
};
