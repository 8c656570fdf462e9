import { isText, type JsonObject } from '../../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../../lib/refusal.ts';
import { listBody, readPageSize, buildShownResource } from '../../../core/engine/collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ListCursor, ListedRow, RowSortOrder, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { findPrimaryDomains } from '../customers/alias-domains.ts';
import { extractEmailDomain, findAddressHolder, isEmail, requireCustomer } from '../keys.ts';
import { isGone } from './deletion.ts';
import { createUserTest, type UserTest } from './query-match.ts';
import { type Clause, parseUserQuery } from './query.ts';
import { getPrimaryEmail } from './rows.ts';
import { users } from './users.ts';
import { createUserView } from './view.ts';

/** A user that may be in a list. `isDouble`: the same user came before, or comes elsewhere. */
type Candidate = ListedRow & { isDouble?: true };

/** Where the candidates of a list come from: at most `limit` of them after a cursor; fewer only at the end. */
type Source = (after: ListCursor | undefined, limit: number) => Candidate[];

const COLUMNS = { email: 's1', familyName: 's2', givenName: 's3' } as const;

/**
 * Candidates by an index where a clause allows one: an address, the beginning of one, or of a name. Otherwise all users
 * in order. An order that was asked for is always kept.
 */
function createUserSource(
  clauses: readonly Clause[],
  { orderBy, descending, deleted }: { orderBy: unknown; descending: boolean; deleted: boolean },
  context: Context,
): Source {
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
  return from(collection, { by: COLUMNS[column], descending }, context);
}

const isAddress = ({ field, operator, text, isPrefix }: Clause): boolean =>
  field === 'email' && (operator === '=' || operator === ':') && !isPrefix && isEmail(text);

const isBeginning = ({ field, operator, isPrefix, text }: Clause): boolean =>
  (field === 'email' && isPrefix && text !== '') ||
  ((field === 'givenName' || field === 'familyName') && (operator === '=' || isPrefix) && text !== '');

const from =
  (collection: string, order: RowSortOrder, { store }: Context, prefix?: string): Source =>
  (after, limit) => [...store.list({ collection, parent: '', order, after, limit, prefix })];

/** The one user with this address, be it in an alias of its domain. */
const createAddressSource =
  (address: string, context: Context): Source =>
  (after) => {
    const row = after === undefined ? findAddressHolder(address, context) : undefined;
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
    return [...primary, ...listAliasCandidates(prefix, alias, limit - primary.length, context)];
  };

function listAliasCandidates(
  prefix: string,
  after: ListCursor | undefined,
  limit: number,
  { store }: Context,
): Candidate[] {
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

const PAGE = { parameter: 'maxResults', default: 100, max: 500 } as const;
/** A search that no index serves looks at so many users, then gives what it found and a token to go on with. */
export const MAX_SCANNED_USERS = 4_000;
/** Of a search that did not fill its page at once, so many users are read at a time. */
const BATCH_USERS = 500;
/** SQL statements that are kept back for one more batch, for the tests of one user, and for showing a page. */
const RESERVED_STATEMENTS = 1_500;

/** users.list. Without a query it reads one row more than the page shows; with one, a page may be short and yet not the last. */
export function listUsers(call: Call, context: Context): JsonObject {
  const { query, orderBy, sortOrder, showDeleted } = call.query;
  const domains = requirePlace(call, context);
  const limit = readPageSize(call.query['maxResults'], PAGE);
  const clauses = isText(query) ? parseUserQuery(query) : [];
  const deleted = String(showDeleted) === 'true';
  const tests: UserTest[] = clauses.map((clause) => createUserTest(clause, context));
  if (domains !== undefined) tests.push(({ body }) => domains.includes(extractEmailDomain(getPrimaryEmail(body))));
  if (deleted) tests.push((row) => !isGone(row, context.now()));
  const source = createUserSource(clauses, { orderBy, descending: sortOrder === 'DESCENDING', deleted }, context);
  const page = readUserPage(source, (row) => tests.every((test) => test(row)), limit, context);
  return answerUserPage(page, call, context);
}

/** The domain that was asked for, with the one that it is an alias of; undefined for the whole customer. @throws Refusal when neither is named, or it is not the tenant's */
function requirePlace(call: Call, context: Context): readonly string[] | undefined {
  const { customer, domain } = call.query;
  const hasCustomer = isText(customer) && customer !== '';
  if (hasCustomer) requireCustomer(customer, context);
  if (!isText(domain) || domain === '') {
    if (!hasCustomer) throw refuseBadRequest();
    return undefined;
  }
  const domains = findPrimaryDomains(domain.toLowerCase(), context);
  if (domains === undefined) throw vendorRefusals.missing('Domain not found.');
  return domains;
}

const refuseBadRequest = (): Refusal =>
  new Refusal({ status: 400, word: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Bad Request' });

type Page = { rows: ResourceRow[]; next?: ListCursor };

function readUserPage(source: Source, fits: UserTest, limit: number, { pages, store }: Context): Page {
  const start = pages.open();
  const rows: ResourceRow[] = [];
  let after = start;
  let last = start;
  for (let scanned = 0, batch = limit + 1; batch > 0; batch = Math.min(BATCH_USERS, MAX_SCANNED_USERS - scanned)) {
    const found = source(after, batch);
    for (const { row, cursor, isDouble } of found) {
      if (after !== undefined && after !== start && store.statementsLeft() < RESERVED_STATEMENTS)
        return { rows, next: after };
      after = cursor;
      if (isDouble === true || !fits(row)) continue;
      if (rows.length === limit) return last === undefined ? { rows } : { rows, next: last };
      rows.push(row);
      last = cursor;
    }
    scanned += found.length;
    if (found.length < batch) return { rows };
  }
  return after === undefined ? { rows } : { rows, next: after };
}

function answerUserPage({ rows, next }: Page, call: Call, context: Context): JsonObject {
  const see = createUserView(call, context);
  const collection = { ...users, view: see };
  const items = rows.map((row) => buildShownResource(collection, row, call, context));
  return listBody(users, items, next, context);
}
