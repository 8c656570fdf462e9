import type { SaleNetwork } from './networks-data.ts';

/** What decides on which networks a row is sold. */
export type RowOnNetworks = {
  /** The longest that its work takes, in seconds. */
  worstCaseS: number;
  engineBacked: boolean;
  /** Belongs to the paying address. */
  forPayerOnly?: true;
};

/** Longest work that is sold for a message of Solana, in seconds: the message itself ends after about a minute. */
const MAX_SVM_WORK_S = 60;
/** Accounts are of EVM addresses, and engines are paid before their message may have ended. */
export const isSoldBySvm = ({ worstCaseS, engineBacked, forPayerOnly }: RowOnNetworks): boolean =>
  worstCaseS <= MAX_SVM_WORK_S && !engineBacked && forPayerOnly !== true;

/** Whether a row is sold on a network: on each one of EVM, and on Solana what a message lasts for. */
export const isSoldOn = (network: SaleNetwork, row: RowOnNetworks): boolean => 'chainId' in network || isSoldBySvm(row);
