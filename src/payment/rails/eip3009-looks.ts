import type { LookPorts, RailLooks } from '../ledger/looks.ts';
import { hasAuthorization, type OpenAuthorization, reconcileAuthorization } from '../ledger/reconcile.ts';
import type { LedgerRow } from '../ledger/row.ts';

/**
 * How far before the first claim the use of an authorization is looked for, in seconds. One that was used before its
 * claim is refused by verification; this allows for clocks apart and nodes behind.
 */
const SEARCH_BACK_S = 600;

/** What the chain is asked about the authorization of a row. */
function openAuthorization(row: LedgerRow, { payTo }: LookPorts): OpenAuthorization {
  const { instrument, payer, amountMicroUsdc } = row;
  if (instrument.method !== 'x402') throw new TypeError('a transfer is never settled by a facilitator');
  const { nonce, validBeforeS } = instrument;
  const sinceS = Math.floor(row.firstClaimedAtMs / 1000) - SEARCH_BACK_S;
  return { from: payer, nonce, payTo, amountMicroUsdc, validBeforeS, sinceS };
}

/** Looks at payments by EIP-3009. A payload is paid by the use of its own nonce, and of no other. */
export const eip3009Looks: RailLooks = {
  reconcile: (row, ports) => reconcileAuthorization(ports.chain, openAuthorization(row, ports)),
  async seeSale(row, ports) {
    const receipt = await ports.chain.receipt(row.phase.transaction);
    if (typeof receipt === 'string') return 'unseen';
    return hasAuthorization(receipt, openAuthorization(row, ports)) ? 'found' : 'missing';
  },
  async seeElsewhere(row, ports) {
    const open = openAuthorization(row, ports);
    const verdict = await reconcileAuthorization(ports.chain, open);
    if (verdict.outcome === 'settled') return { outcome: 'arrived', transaction: verdict.transaction };
    if (verdict.outcome !== 'undecided') return { outcome: 'nowhere' };
    const isUsed = await ports.chain.authorizationState(open.from, open.nonce, 'latest');
    return { outcome: isUsed ? 'undecided' : 'nowhere' };
  },
};
