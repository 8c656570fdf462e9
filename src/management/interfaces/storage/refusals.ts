import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** 404 for a bucket that the tenant does not have: of another tenant's it says the same (rule K1). */
export const refuseMissingBucket = (): Refusal => vendorRefusals.missing('The specified bucket does not exist.');

/** 409 by the vendor's word. */
export const refuseBucketConflict = (message: string): Refusal =>
  new Refusal({ status: 409, word: 'ABORTED', reason: 'conflict', message });

/** 412. */
export const refuseStorageCondition = (): Refusal =>
  vendorRefusals.conditionNotMet('At least one of the pre-conditions you specified did not hold.');
