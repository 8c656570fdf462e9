import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** 400 of a search for users or groups that cannot be understood. */
export const refuseSearch = (): Refusal => vendorRefusals.invalidInput('query');

/** 400 of a query of devices or rooms that cannot be understood. */
export const refuseQuery = (): Refusal => vendorRefusals.invalid('Invalid query');

/** 400 of users.list that names neither a customer nor a domain. */
export const refuseBadRequest = (): Refusal =>
  new Refusal({ status: 400, word: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Bad Request' });

/** 400 of a value of a custom field that is not defined, or does not fit. */
export const refuseCustomValue = (): Refusal => vendorRefusals.invalidInput('custom_schema');

/** 400 of a user, device or role that names an org unit that is not there. */
export const refuseUnknownOrgUnit = (): Refusal => vendorRefusals.invalidInput('INVALID_OU_ID');

/** 400 of an org unit whose name does not fit. */
export const refuseOrgUnitName = (): Refusal => vendorRefusals.invalid('Invalid Ou Name');

/** 400 of an org unit whose parent is not there, or cannot be its parent. */
export const refuseParentOrgUnit = (): Refusal => vendorRefusals.invalid('Invalid Parent Orgunit Id');

/** 404 of a domain that is none of the tenant's, where users, groups and channels name one. */
export const refuseUnknownDomain = (): Refusal => vendorRefusals.missing('Domain not found.');

/** 404 of the same in the methods of domains, which leave the full stop out. */
export const refuseMissingDomain = (): Refusal => vendorRefusals.missing('Domain not found');

/** 412 of a domain or alias of one in which there are addresses. */
export const refuseDomainInUse = (): Refusal =>
  vendorRefusals.conditionNotMet('Domain is in use: remove its users, groups and aliases first');

/** What the vendor says of a device whose state does not allow an action. */
export const ILLEGAL_TRANSITION = 'Illegal device state transition.';

/** 412 of an action that the device's state does not allow. */
export const refuseTransition = (): Refusal => vendorRefusals.conditionNotMet(ILLEGAL_TRANSITION);

/** 403 of one alias more than a user or group may have. */
export const refuseMoreAliases = (owner: 'user' | 'group', max: number): Refusal =>
  vendorRefusals.limitExceeded(`A ${owner} has at most ${max} aliases`);

/** 412 of a deleted user who was not deleted within so many days. */
export const refuseLateUndelete = (days: number): Refusal =>
  vendorRefusals.conditionNotMet(`The user cannot be undeleted: it was not deleted in the last ${days} days`);
