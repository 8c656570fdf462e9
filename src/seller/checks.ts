import { discoveryChecks } from './checks/discovery.ts';
import { mppChecks } from './checks/mpp.ts';
import { statusChecks } from './checks/status.ts';
import { termsChecks } from './checks/terms.ts';
import { transportChecks } from './checks/transport.ts';
import type { SellerCheck } from './seller-check.ts';

/** Everything that is asked of a seller, in the order of a report. */
export const sellerChecks: readonly SellerCheck[] = [
  ...statusChecks,
  ...termsChecks,
  ...mppChecks,
  ...transportChecks,
  ...discoveryChecks,
];

/** Counts up when a row is added, removed or judges otherwise, so that two reports can be compared. */
export const SELLER_RUBRIC = '1.1.0';
