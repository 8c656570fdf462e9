import type { Receipt } from '../../chain/chain.ts';
import type { RailLooks } from '../../ledger/looks.ts';
import type { LedgerRow } from '../../ledger/row.ts';

/** Looks at transfers: one is sold before it is final, and when it is, it must still be there (rule P25). */
export const transferLooks: RailLooks = {
  async reconcile() {
    throw new TypeError('a transfer is never settled by a facilitator');
  },
  async seeSale(row, { chain, payTo, safeBlock }) {
    const { instrument } = row;
    if (instrument.method !== 'transfer') throw new TypeError('the row of a transfer holds another instrument');
    const safe = await safeBlock();
    if (safe.timestampS < instrument.blockTimeS) return 'early';
    const receipt = await chain.receipt(instrument.hash);
    if (typeof receipt === 'string') return 'unseen';
    if (receipt.blockNumber > safe.number) return 'early';
    return hasTransfer(receipt, row, payTo) ? 'found' : 'missing';
  },
  seeElsewhere: async () => ({ outcome: 'nowhere' }),
};

const hasTransfer = ({ status, events }: Receipt, { payer, amountMicroUsdc }: LedgerRow, payTo: string): boolean =>
  status === 'success' &&
  events.some(
    (event) =>
      event.name === 'Transfer' &&
      !event.removed &&
      event.from === payer &&
      event.to === payTo &&
      event.value === BigInt(amountMicroUsdc),
  );
