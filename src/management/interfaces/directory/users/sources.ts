import { isText } from '../../../../lib/json.ts';
import type { RowSource } from '../../../core/engine/filtered-list.ts';
import {
  createHoldingSource,
  createRangeSource,
  hasFewRows,
  MAX_RANGES,
  type NarrowedList,
  type Range,
} from '../../../core/engine/narrowed-source.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ListCursor, ListedRow, RowSortOrder } from '../../../core/engine/stored-row.ts';
import { findOrgUnit, listUnitsBelow, normaliseOrgUnitPath, ROOT_PATH } from '../org-units/rows.ts';
import { COLLECTIONS, findAddressHolder } from '../rows.ts';
import { isEmail } from '../schemas.ts';
import { INDEXED_FLAGS, SEARCH_FIELDS } from './fields-data.ts';
import type { Clause } from './query.ts';
import { getPrimaryEmail } from './rows.ts';
import { listUserPatterns, parseFlag } from './search.ts';

/** A user that may be in a list. `isDouble`: the same user came before, or comes elsewhere. */
type UserCandidate = ListedRow & { isDouble?: true };

/** Where the candidates of a list come from: at most `limit` of them after a cursor; fewer only at the end. */
export type UserSource = (after: ListCursor | undefined, limit: number) => readonly UserCandidate[];

const COLUMNS = { email: 's1', familyName: 's2', givenName: 's3' } as const;

/** How users are asked for, beside the clauses of a search. */
export type UserListOrder = {
  orderBy: unknown;
  descending: boolean;
  deleted: boolean;
  /** Members of bodies that are read; all when absent. */
  members?: readonly string[] | undefined;
};

/**
 * Candidates by an index where a clause allows one: an address, the beginning of one or of a name, flags, an org unit.
 * Otherwise those that hold the texts of the search, or all users in order. An order that was asked for is always kept.
 */
export function createUserSource(clauses: readonly Clause[], asked: UserListOrder, context: Context): UserSource {
  const { orderBy, descending, deleted, members } = asked;
  const column = orderBy === 'familyName' || orderBy === 'givenName' ? orderBy : 'email';
  const collection = deleted ? COLLECTIONS.deletedUsers : COLLECTIONS.users;
  const exact = clauses.find(isAddress);
  if (exact !== undefined && !deleted) return createAddressSource(exact.text.toLowerCase(), context);
  const isFree = orderBy === undefined;
  const start = clauses.find(isBeginning);
  if (start?.field === 'email' && isFree && !descending && !deleted)
    return withAddress(start.text.toLowerCase(), context);
  if (start !== undefined && start.field !== 'email' && (isFree || start.field === orderBy)) {
    const order: RowSortOrder = { by: start.field === 'familyName' ? 's2' : 's3', descending };
    return from(collection, order, context, start.text.toLowerCase());
  }
  const list = { collection, order: { by: COLUMNS[column], descending }, members };
  return findNarrowSource(clauses, list, context) ?? from(collection, list.order, context, undefined, members);
}

/**
 * A source of fewer users than all. Of several clauses that an index serves, the first that few users fit, so that a search
 * without results is one page; where many fit each of them, the first.
 */
function findNarrowSource(clauses: readonly Clause[], list: NarrowedList, context: Context): RowSource | undefined {
  const patterns = listUserPatterns(clauses);
  const byHolding = (): RowSource | undefined => createHoldingSource(list, patterns, context);
  if (list.collection !== COLLECTIONS.users) return byHolding();
  const byRanges = (ranges: readonly Range[]): RowSource | undefined => createRangeSource(list, ranges, context);
  const wanted = listWantedFlags(clauses);
  const hasSetFlag = [...wanted.values()].includes(true);
  const units = listUnitRanges(clauses, context);
  const byIndex = [...(hasSetFlag ? [listStateRanges(wanted, context)] : []), ...(units === undefined ? [] : [units])];
  const hasChoice = byIndex.length + (patterns.length > 0 ? 1 : 0) > 1;
  const few = hasChoice ? byIndex.find((ranges) => hasFewRows(list.collection, ranges, context)) : undefined;
  if (few !== undefined) return byRanges(few);
  const [first, second] = byIndex;
  return (
    byHolding() ??
    (first && byRanges(first)) ??
    (second && byRanges(second)) ??
    // That a flag is not set fits nearly all.
    (wanted.size > 0 && !hasSetFlag ? byRanges(listStateRanges(wanted, context)) : undefined)
  );
}

/** What the clauses want the indexed flags to be. One that is wanted both ways is left to the test of each user. */
function listWantedFlags(clauses: readonly Clause[]): Map<string, boolean> {
  const wanted = new Map<string, boolean>();
  for (const clause of clauses) {
    const known = Object.hasOwn(SEARCH_FIELDS, clause.field) ? SEARCH_FIELDS[clause.field] : undefined;
    const [flag = ''] = known?.kind === 'flag' ? known.paths : [];
    if (INDEXED_FLAGS.includes(flag)) wanted.set(flag, parseFlag(clause));
  }
  return wanted;
}

const listStateRanges = (wanted: ReadonlyMap<string, boolean>, { store }: Context): Range[] =>
  store
    .states(COLLECTIONS.users)
    .filter((state) => [...wanted].every(([flag, isSet]) => (state[INDEXED_FLAGS.indexOf(flag)] === '1') === isSet))
    .map((value) => ({ by: 'state', value }));

/** The org unit of a clause and those below it; undefined where all users are asked for, and where there are many. */
function listUnitRanges(clauses: readonly Clause[], context: Context): Range[] | undefined {
  const clause = clauses.find(({ field }) => field === 'orgUnitPath');
  const path = clause && normaliseOrgUnitPath(clause.text);
  if (path === undefined || path === ROOT_PATH) return undefined;
  const unit = findOrgUnit(path, context);
  if (unit === undefined) return [];
  const ids = [unit.id, ...listUnitsBelow(unit, MAX_RANGES, context).map(({ id }) => id)];
  return ids.map((value) => ({ by: 'ref', value }));
}

const isAddress = ({ field, operator, text, isPrefix }: Clause): boolean =>
  field === 'email' && (operator === '=' || operator === ':') && !isPrefix && isEmail(text);

const isBeginning = ({ field, operator, isPrefix, text }: Clause): boolean =>
  (field === 'email' && isPrefix && text !== '') ||
  ((field === 'givenName' || field === 'familyName') && (operator === '=' || isPrefix) && text !== '');

const from =
  (
    collection: string,
    order: RowSortOrder,
    { store }: Context,
    prefix?: string,
    members?: readonly string[],
  ): UserSource =>
  (after, limit) =>
    store.list({ collection, parent: '', order, after, limit, prefix, members });

/** The one user with this address, be it in an alias of its domain. */
const createAddressSource =
  (address: string, context: Context): UserSource =>
  (after) => {
    const row = after === undefined ? findAddressHolder(address, context) : undefined;
    return row?.collection === COLLECTIONS.users ? [{ row, cursor: { sort: address, id: row.id } }] : [];
  };

/** Marks a cursor among the aliases: no user has this id. */
const AMONG_ALIASES = '@';

/** Users with an address that begins so: first those by their primary one, then those by an alias. */
const withAddress =
  (prefix: string, context: Context): UserSource =>
  (after, limit) => {
    const isAmongAliases = after?.id === AMONG_ALIASES;
    const primary = isAmongAliases ? [] : from(COLLECTIONS.users, { by: 's1' }, context, prefix)(after, limit);
    if (primary.length === limit) return primary;
    const alias = isAmongAliases ? { sort: after.sort, id: after.sort } : undefined;
    return [...primary, ...listAliasCandidates(prefix, alias, limit - primary.length, context)];
  };

function listAliasCandidates(
  prefix: string,
  after: ListCursor | undefined,
  limit: number,
  { store }: Context,
): UserCandidate[] {
  const query = { collection: COLLECTIONS.userAliases, parent: '', prefix, after, limit };
  const seen = new Set<string>();
  return store.list(query).flatMap(({ row: alias }) => {
    const { userId } = alias.body;
    const row = isText(userId) ? store.get(COLLECTIONS.users, '', userId) : undefined;
    if (row === undefined) return [];
    const first = (row.body['aliases'] as unknown[] | undefined)?.find(
      (each) => isText(each) && each.startsWith(prefix),
    );
    const isDouble = getPrimaryEmail(row.body).startsWith(prefix) || first !== alias.id || seen.has(row.id);
    seen.add(row.id);
    return [{ row, cursor: { sort: alias.id, id: AMONG_ALIASES }, ...(isDouble && { isDouble: true as const }) }];
  });
}
