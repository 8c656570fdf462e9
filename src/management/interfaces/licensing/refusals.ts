import { type Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** 404 for a user without this licence, and for a product or SKU that is not sold. */
export const refuseMissingLicense = (): Refusal => vendorRefusals.missing('Not Found');

/** 412 for a user who has a licence of the product. */
export const refuseSecondLicense = (): Refusal =>
  vendorRefusals.conditionNotMet('User already has a license for the specified product and SKU');
