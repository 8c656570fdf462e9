import type { Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject } from '../../../../lib/json.ts';
import { derivedAddresses } from '../customers/alias-domains.ts';
import { COLLECTIONS } from '../collections.ts';
import { holderOf } from '../keys.ts';
import { badQuery, type Clause } from './query.ts';
import { aliasesOf, emailOf } from './rows.ts';

/** So many managers up a chain are looked at. */
const MAX_CHAIN = 20;

/**
 * Tells whether somebody manages a user: directly, or with `chain` from further up. Managers are the `relations` of
 * the type `manager`, by address. Each manager is read once in a search.
 */
export function managerTest(
  { operator, text, isPrefix }: Clause,
  { chain, byId }: { chain: boolean; byId: boolean },
  context: Context,
): (row: StoredRow) => boolean {
  if (isPrefix || (operator !== '=' && operator !== ':')) throw badQuery();
  const wanted = addressesOf(text, byId, context);
  const known = new Map<string, string[]>();
  const above = (address: string): string[] => {
    const managers = known.get(address) ?? managersOf(userAt(address, context)?.body ?? {});
    known.set(address, managers);
    return managers;
  };
  return ({ body }) => {
    const seen = new Set<string>();
    let managers = managersOf(body);
    for (let step = 0; step < MAX_CHAIN && managers.length > 0; step += 1) {
      if (managers.some((address) => wanted.has(address))) return true;
      if (!chain) return false;
      for (const address of managers) seen.add(address);
      managers = managers.flatMap(above).filter((address) => !seen.has(address));
    }
    return false;
  };
}

const userAt = (address: string, context: Context): StoredRow | undefined => {
  const row = holderOf(address, context);
  return row?.collection === COLLECTIONS.users ? row : undefined;
};

/** All addresses of the manager that is asked for, those in aliases of their domains too; the address itself when there is no such user. */
function addressesOf(text: string, byId: boolean, context: Context): Set<string> {
  const user = byId ? context.store.get(COLLECTIONS.users, '', text) : userAt(text.toLowerCase(), context);
  if (user !== undefined) {
    const own = [emailOf(user.body), ...aliasesOf(user.body)];
    return new Set(own.flatMap((address) => [address, ...derivedAddresses(address, context)]));
  }
  return new Set(byId ? [] : [text.toLowerCase()]);
}

function managersOf({ relations }: JsonObject): string[] {
  if (!Array.isArray(relations)) return [];
  return relations.flatMap((entry) =>
    isObject(entry) && entry['type'] === 'manager' && isText(entry['value']) ? [entry['value'].toLowerCase()] : [],
  );
}
