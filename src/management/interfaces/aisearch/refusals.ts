import { type Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** The vendor's words for what is not there; another's is not there either (rule K1). */
export const refuseMissingNamespace = (): Refusal => vendorRefusals.missing('namespace_not_found');
export const refuseMissingInstance = (): Refusal => vendorRefusals.missing('ai_search_not_found');
export const refuseMissingToken = (): Refusal => vendorRefusals.missing('token_not_found');

export const refuseUnknownInstances = (): Refusal =>
  vendorRefusals.invalid('instances_allowed_contains_unknown_instances');
export const refuseDefaultNamespace = (): Refusal => vendorRefusals.invalid('cannot_modify_default_namespace');
export const refuseTakenName = (): Refusal => vendorRefusals.duplicate('namespace_already_exists');
/** Of an instance it is 400, as the vendor documents it. */
export const refuseTakenId = (): Refusal => vendorRefusals.invalid('ai_search_with_this_name_already_exist');
export const refuseTokenInUse = (): Refusal => vendorRefusals.aborted('token_in_use_by_instances');
export const refuseMissingQuery = (): Refusal => vendorRefusals.invalid('missing_user_query');
