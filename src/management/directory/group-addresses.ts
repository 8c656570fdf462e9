import type { Context } from '../engine/operation.ts';
import type { JsonObject } from '../json.ts';
import { COLLECTIONS } from './collections.ts';
import { domainOf } from './keys.ts';
import { textOf } from './texts.ts';

/** Aliases of one domain that are looked at. */
const MAX_DOMAIN_ALIASES = 50;
const known = new WeakMap<Context, Map<string, readonly string[]>>();

/** The same address in each alias of its domain: it works, and cannot be taken away. */
export function otherAddresses(body: JsonObject, context: Context): string[] {
  const email = textOf(body, 'email');
  return domainAliasesOf(domainOf(email), context).map((alias) => `${email.slice(0, email.lastIndexOf('@'))}@${alias}`);
}

/** Nearly always there is none in the whole tenant: that is asked first. Read once in a call, however many groups a page shows. */
function domainAliasesOf(domain: string, context: Context): readonly string[] {
  const ofCall = known.get(context) ?? new Map<string, readonly string[]>();
  known.set(context, ofCall);
  const before = ofCall.get(domain);
  if (before !== undefined) return before;
  const { store } = context;
  const hasAny = store.count(COLLECTIONS.domainAliases, '') > 0;
  const names = hasAny ? store.byRef(COLLECTIONS.domainAliases, domain, MAX_DOMAIN_ALIASES).map(({ id }) => id) : [];
  ofCall.set(domain, names);
  return names;
}
