import type { Context } from '../../../core/engine/operation.ts';
import { isText, getMember } from '../../../../lib/json.ts';
import { COLLECTIONS } from '../collections.ts';
import { extractEmailDomain, extractEmailLocalPart, findParentAddress } from '../keys.ts';

/** Aliases of one domain that are looked at. */
const MAX_DOMAIN_ALIASES = 50;
const known = new WeakMap<Context, Map<string, readonly string[]>>();

/** The same address in each alias of its domain: it works, and cannot be taken away. */
export const listDerivedAddresses = (email: string, context: Context): string[] =>
  listDomainAliases(extractEmailDomain(email), context).map((alias) => `${extractEmailLocalPart(email)}@${alias}`);

/**
 * The addresses that must not belong to another holder next to this one, or one of the two would work for both: for an
 * address in an alias of a domain, the one in the domain; for any other address, those in the aliases of its domain.
 */
export function listRelatedAddresses(email: string, context: Context): string[] {
  if (!hasDomainAliases(context)) return [];
  const inDomain = findParentAddress(email, context);
  return inDomain === undefined ? listDerivedAddresses(email, context) : [inDomain];
}

/**
 * The domains in which those have their primary address who have one in this domain: itself, and the one that it is an
 * alias of. Undefined for a name that is neither a domain of the tenant nor an alias of one.
 */
export function findPrimaryDomains(domain: string, { store }: Context): readonly string[] | undefined {
  if (store.get(COLLECTIONS.domains, '', domain) !== undefined) return [domain];
  const alias = store.get(COLLECTIONS.domainAliases, '', domain);
  const parent = alias && getMember(alias.body, 'parentDomainName');
  return isText(parent) ? [domain, parent.toLowerCase()] : undefined;
}

/** Nearly always there is none in the whole tenant: that is asked first. */
export const hasDomainAliases = ({ store }: Context): boolean => store.count(COLLECTIONS.domainAliases, '') > 0;

/** Read once in a call, however many users or groups a page shows. */
function listDomainAliases(domain: string, context: Context): readonly string[] {
  const ofCall = known.get(context) ?? new Map<string, readonly string[]>();
  known.set(context, ofCall);
  const before = ofCall.get(domain);
  if (before !== undefined) return before;
  const rows = hasDomainAliases(context)
    ? context.store.byRef(COLLECTIONS.domainAliases, domain, MAX_DOMAIN_ALIASES)
    : [];
  const names = rows.map(({ id }) => id);
  ofCall.set(domain, names);
  return names;
}
