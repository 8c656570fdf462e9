import type { LooksByRail } from '../ledger/looks.ts';
import { eip3009Looks } from './eip3009-looks.ts';
import { transferLooks } from './transfer/looks.ts';
import { svmLooks } from './x402-svm/looks.ts';

/** How the ledger asks the chain about the payments of each rail. */
export const railLooks: LooksByRail = {
  'x402-evm': eip3009Looks,
  'x402-svm': svmLooks,
  mpp: eip3009Looks,
  transfer: transferLooks,
};
