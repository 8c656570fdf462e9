import { listBody, pageSize, shown } from '../../../core/engine/collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { Cursor, StoredRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { Refusal, refuse } from '../../../../lib/refusal.ts';
import { domainsBehind } from '../customers/alias-domains.ts';
import { domainOf, requireCustomer } from '../keys.ts';
import { isGone } from './deletion.ts';
import { parseUserQuery } from './query.ts';
import { userTest, type UserTest } from './query-match.ts';
import { emailOf } from './rows.ts';
import { userViewer } from './view.ts';
import { users } from './users.ts';
import { sourceOf, type Source } from './source.ts';

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
  const limit = pageSize(call.query['maxResults'], PAGE);
  const clauses = isText(query) ? parseUserQuery(query) : [];
  const deleted = String(showDeleted) === 'true';
  const tests: UserTest[] = clauses.map((clause) => userTest(clause, context));
  if (domains !== undefined) tests.push(({ body }) => domains.includes(domainOf(emailOf(body))));
  if (deleted) tests.push((row) => !isGone(row, context.now()));
  const source = sourceOf(clauses, { orderBy, descending: sortOrder === 'DESCENDING', deleted }, context);
  const page = pageOf(source, (row) => tests.every((test) => test(row)), limit, context);
  return answerOf(page, call, context);
}

/** The domain that was asked for, with the one that it is an alias of; undefined for the whole customer. @throws Refusal when neither is named, or it is not the tenant's */
function requirePlace(call: Call, context: Context): readonly string[] | undefined {
  const { customer, domain } = call.query;
  const hasCustomer = isText(customer) && customer !== '';
  if (hasCustomer) requireCustomer(customer, context);
  if (!isText(domain) || domain === '') {
    if (!hasCustomer) throw badRequest();
    return undefined;
  }
  const domains = domainsBehind(domain.toLowerCase(), context);
  if (domains === undefined) throw refuse.missing('Domain not found.');
  return domains;
}

const badRequest = (): Refusal =>
  new Refusal({ status: 400, word: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Bad Request' });

type Page = { rows: StoredRow[]; next?: Cursor };

function pageOf(source: Source, fits: UserTest, limit: number, { pages, store }: Context): Page {
  const start = pages.open();
  const rows: StoredRow[] = [];
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

function answerOf({ rows, next }: Page, call: Call, context: Context): JsonObject {
  const see = userViewer(call, context);
  const collection = { ...users, view: see };
  const items = rows.map((row) => shown(collection, row, call, context));
  return listBody(users, items, next, context);
}
