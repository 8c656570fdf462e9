import type { ChainBlock, ChainReader } from '../chain/chain.ts';
import type { SvmReader } from '../chain/svm-chain.ts';
import { FIRST_RAILS, type RailId } from '../rails/rail-ids.ts';
import type { Reconciled } from './reconcile.ts';
import type { LedgerRow, RowIn, SettledLedgerPhase } from './row.ts';

/** What a look at the chain works with. A rail on a chain of another kind adds its own reader. */
export type LookPorts = {
  chain: ChainReader;
  /** In place of `chain`, where the network is Solana. */
  svm?: SvmReader;
  payTo: string;
  /** Read once in a run. */
  safeBlock: () => Promise<ChainBlock>;
};

/** What the chain shows of a sale's payment. `early`: it is not final yet. `unseen`: the node knows no such transaction. */
export type SaleSeen = 'early' | 'unseen' | 'found' | 'missing';

export type SeenElsewhere = { outcome: 'arrived'; transaction: string } | { outcome: 'nowhere' | 'undecided' };

/** What the ledger's alarm asks the chain about the rows of a rail. Everything throws ChainUnreachable. */
export type RailLooks = {
  /** What became of a settlement without an end (rules P3, P4, P18). */
  reconcile: (row: LedgerRow, ports: LookPorts) => Promise<Reconciled>;
  /** Whether the payment of a sale is where it was said to be (rules P25, P30). */
  seeSale: (row: RowIn<SettledLedgerPhase>, ports: LookPorts) => Promise<SaleSeen>;
  /** Whether the payment came by another transaction than the sale names. */
  seeElsewhere: (row: LedgerRow, ports: LookPorts) => Promise<SeenElsewhere>;
};

export type LooksByRail = Readonly<Record<RailId, RailLooks>>;

/** By which rail a row was paid. */
export const getRowRail = ({ rail, instrument }: Pick<LedgerRow, 'rail' | 'instrument'>): RailId =>
  rail ?? FIRST_RAILS[instrument.method];
