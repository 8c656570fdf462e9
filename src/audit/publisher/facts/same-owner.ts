import { getRegistrableDomain } from '../../../net/registrable-domain.ts';

/** Whether two URLs belong to one owner, as far as names show: one host, or hosts below one registrable domain. */
export const isSameOwner = (one: URL, other: URL): boolean =>
  one.host === other.host || getRegistrableDomain(one.hostname) === getRegistrableDomain(other.hostname);
