import { getMember, getTextMember, isObject, type JsonObject } from '../../../lib/json.ts';
import type { Context } from '../../core/engine/operation.ts';
import type { ListCursor, ResourceRow } from '../../core/engine/stored-row.ts';
import { COLLECTIONS, LICENSE_ROWS } from '../directory/rows.ts';

/** Users that one report looks through; with more, what has to be counted one by one is left out. */
export const MAX_COUNTED_USERS = 5_000;
const BATCH_ROWS = 500;

/** What the vendor counts of licences, by SKU. */
const USED_LICENSES: readonly (readonly [parameter: string, sku: string])[] = [
  ['accounts:gsuite_basic_used_licenses', 'Google-Apps-For-Business'],
  ['accounts:gsuite_unlimited_used_licenses', 'Google-Apps-Unlimited'],
  ['accounts:gsuite_enterprise_used_licenses', '1010020020'],
  ['accounts:vault_used_licenses', 'Google-Vault'],
];

/** What is counted of users one by one. */
const USER_COUNTS: readonly (readonly [parameter: string, is: (body: JsonObject) => boolean])[] = [
  ['accounts:num_suspended_users', (body) => body['suspended'] === true],
  ['accounts:num_users_2sv_enrolled', (body) => body['isEnrolledIn2Sv'] === true],
  ['accounts:num_users_2sv_enforced', (body) => body['isEnforcedIn2Sv'] === true],
];

/** Parameters of the report of the customer. */
export function countCustomer(isWanted: (name: string) => boolean, { store }: Context): JsonObject[] {
  const total = store.count(COLLECTIONS.users, '');
  const licenses = USED_LICENSES.map(([name, sku]) => [name, store.count(LICENSE_ROWS, sku)] as const);
  const isFew = total <= MAX_COUNTED_USERS;
  const wanted = isFew ? USER_COUNTS.filter(([name]) => isWanted(name)) : [];
  const counted = wanted.length === 0 ? [] : countUsers(wanted, store);
  return [['accounts:num_users', total] as const, ...counted, ...licenses]
    .filter(([name]) => isWanted(name))
    .map(([name, value]) => ({ name, intValue: String(value) }));
}

function countUsers(wanted: typeof USER_COUNTS, store: Context['store']): readonly (readonly [string, number])[] {
  const counts = wanted.map(() => 0);
  let after: ListCursor | undefined;
  for (let seen = 0; seen < MAX_COUNTED_USERS; seen += BATCH_ROWS) {
    const found = store.list({ collection: COLLECTIONS.users, parent: '', after, limit: BATCH_ROWS });
    for (const { row } of found)
      for (const [at, [, is]] of wanted.entries()) counts[at] = (counts[at] ?? 0) + (is(row.body) ? 1 : 0);
    after = found.at(-1)?.cursor;
    if (found.length < BATCH_ROWS) break;
  }
  return wanted.map(([name], at) => [name, counts[at] ?? 0] as const);
}

/** Parameters of the report of one user. */
export function describeUser({ body }: ResourceRow, isWanted: (name: string) => boolean): JsonObject[] {
  const name = getMember(body, 'name');
  const fullName = isObject(name) ? `${getTextMember(name, 'givenName')} ${getTextMember(name, 'familyName')}` : '';
  const all: readonly JsonObject[] = [
    { name: 'accounts:admin_set_name', stringValue: fullName },
    { name: 'accounts:is_suspended', boolValue: body['suspended'] === true },
    { name: 'accounts:is_archived', boolValue: body['archived'] === true },
    { name: 'accounts:is_super_admin', boolValue: body['isAdmin'] === true },
    { name: 'accounts:is_2sv_enrolled', boolValue: body['isEnrolledIn2Sv'] === true },
    { name: 'accounts:is_2sv_enforced', boolValue: body['isEnforcedIn2Sv'] === true },
    { name: 'accounts:creation_time', datetimeValue: getTextMember(body, 'creationTime') },
  ];
  return all.filter((each) => isWanted(getTextMember(each, 'name')));
}
