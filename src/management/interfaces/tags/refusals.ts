import { type Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** What of a sent name a refusal shows. */
const MAX_SHOWN_CHARS = 256;

/** 403 for a name that the caller may not see, whether it exists or not (rule K1). */
export const refuseTagAccess = (name: string): Refusal =>
  vendorRefusals.forbidden(`Permission denied on resource '${name.slice(0, MAX_SHOWN_CHARS)}' (or it may not exist).`);
