import type { Context } from '../../../core/engine/operation.ts';
import type { Cursor, Listed, Order } from '../../../core/engine/stored-row.ts';
import { isText } from '../../../../lib/json.ts';
import { COLLECTIONS } from '../collections.ts';
import { holderOf, isEmail } from '../keys.ts';
import type { Clause } from './query.ts';
import { emailOf } from './rows.ts';

/** A user that may be in a list. `isDouble`: the same user came before, or comes elsewhere. */
export type Candidate = Listed & { isDouble?: true };

/** Where the candidates of a list come from: at most `limit` of them after a cursor; fewer only at the end. */
export type Source = (after: Cursor | undefined, limit: number) => Candidate[];

const COLUMNS = { email: 's1', familyName: 's2', givenName: 's3' } as const;

/**
 * Candidates by an index where a clause allows one: an address, the beginning of one, or of a name. Otherwise all users
 * in order. An order that was asked for is always kept.
 */
export function sourceOf(
  clauses: readonly Clause[],
  { orderBy, descending, deleted }: { orderBy: unknown; descending: boolean; deleted: boolean },
  context: Context,
): Source {
  const column = orderBy === 'familyName' || orderBy === 'givenName' ? orderBy : 'email';
  const collection = deleted ? COLLECTIONS.deletedUsers : COLLECTIONS.users;
  const exact = clauses.find(isAddress);
  if (exact !== undefined && !deleted) return atAddress(exact.text.toLowerCase(), context);
  const isFree = orderBy === undefined;
  const start = clauses.find(isBeginning);
  if (start?.field === 'email' && isFree && !descending && !deleted)
    return withAddress(start.text.toLowerCase(), context);
  if (start !== undefined && start.field !== 'email' && (isFree || start.field === orderBy)) {
    const order: Order = { by: start.field === 'familyName' ? 's2' : 's3', descending };
    return from(collection, order, context, start.text.toLowerCase());
  }
  return from(collection, { by: COLUMNS[column], descending }, context);
}

const isAddress = ({ field, operator, text, isPrefix }: Clause): boolean =>
  field === 'email' && (operator === '=' || operator === ':') && !isPrefix && isEmail(text);

const isBeginning = ({ field, operator, isPrefix, text }: Clause): boolean =>
  (field === 'email' && isPrefix && text !== '') ||
  ((field === 'givenName' || field === 'familyName') && (operator === '=' || isPrefix) && text !== '');

const from =
  (collection: string, order: Order, { store }: Context, prefix?: string): Source =>
  (after, limit) => [...store.list({ collection, parent: '', order, after, limit, prefix })];

/** The one user with this address, be it in an alias of its domain. */
const atAddress =
  (address: string, context: Context): Source =>
  (after) => {
    const row = after === undefined ? holderOf(address, context) : undefined;
    return row?.collection === COLLECTIONS.users ? [{ row, cursor: { sort: address, id: row.id } }] : [];
  };

/** Marks a cursor among the aliases: no user has this id. */
const AMONG_ALIASES = '@';

/** Users with an address that begins so: first those by their primary one, then those by an alias. */
const withAddress =
  (prefix: string, context: Context): Source =>
  (after, limit) => {
    const isAmongAliases = after?.id === AMONG_ALIASES;
    const primary = isAmongAliases ? [] : from(COLLECTIONS.users, { by: 's1' }, context, prefix)(after, limit);
    if (primary.length === limit) return primary;
    const alias = isAmongAliases ? { sort: after.sort, id: after.sort } : undefined;
    return [...primary, ...byAlias(prefix, alias, limit - primary.length, context)];
  };

function byAlias(prefix: string, after: Cursor | undefined, limit: number, { store }: Context): Candidate[] {
  const query = { collection: COLLECTIONS.userAliases, parent: '', prefix, after, limit };
  const seen = new Set<string>();
  return store.list(query).flatMap(({ row: alias }) => {
    const { userId } = alias.body;
    const row = isText(userId) ? store.get(COLLECTIONS.users, '', userId) : undefined;
    if (row === undefined) return [];
    const first = (row.body['aliases'] as unknown[] | undefined)?.find(
      (each) => isText(each) && each.startsWith(prefix),
    );
    const isDouble = emailOf(row.body).startsWith(prefix) || first !== alias.id || seen.has(row.id);
    seen.add(row.id);
    return [{ row, cursor: { sort: alias.id, id: AMONG_ALIASES }, ...(isDouble && { isDouble: true as const }) }];
  });
}
