import { type JsonObject, isObject, type Json } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Binding, RunStatement, Sql } from '../../../lib/sqlite.ts';
import { countUtf8Bytes } from '../../../lib/utf8.ts';

/** What a piece of work may do with the store. */
type Bounds = { statements: number; writes: boolean };

type Runner = {
  run: RunStatement;
  /** SQL statements since this runner was made. */
  statements: () => number;
  /** SQL statements that the present work may still need; Infinity where none bounds it. */
  statementsLeft: () => number;
  /**
   * Does the work within bounds. @throws Refusal when it needs more statements: none may hold up the tenant for long
   * (rule K9). @throws Error when it writes and must not
   */
  bounded: <T>(bounds: Bounds, work: () => T) => T;
};

/** Counts every statement, and stops the work that takes too many. */
export function createStatementRunner(sql: Sql): Runner {
  let statements = 0;
  let last = Number.POSITIVE_INFINITY;
  let mayWrite = true;
  return {
    run: (query, ...bindings) => {
      if (statements >= last) throw vendorRefusals.limitExceeded('The request is too large');
      if (!mayWrite && !isRead(query)) throw new Error('A method that only reads must not write');
      statements += 1;
      return sql.exec(query, ...bindings).toArray();
    },
    statements: () => statements,
    statementsLeft: () => last - statements,
    bounded: (bounds, work) => {
      const before = { last, mayWrite };
      last = statements + bounds.statements;
      mayWrite = bounds.writes;
      try {
        return work();
      } finally {
        ({ last, mayWrite } = before);
      }
    },
  };
}

const isRead = (query: string): boolean => query.startsWith('SELECT') || query.startsWith('WITH');

/** Where a resource is: `parent` is '' for a collection at the top, else the id of what it belongs to. */
export type Address = { collection: string; parent: string; id: string };

/** A stored resource. `body` is without `kind` and `etag`; `revision` grows with each write in the whole tenant. */
export type ResourceRow = Address & { body: JsonObject; revision: number };

/** What a row can be sorted and found by beside its address. Texts are compared by code point: lower them first where case is not to count. */
export type Indexed = { s1?: string; s2?: string; s3?: string; ref?: string };

export type NewRow = Address & Indexed & { body: JsonObject };

export type RowSortOrder = { by: 'id' | 's1' | 's2' | 's3'; descending?: boolean };

/** The place after which a list goes on: the sort value and id of the last row seen. `isLast`: no other has its sort value. */
export type ListCursor = { sort: string; id: string; isLast?: boolean };

export type ListQuery = {
  collection: string;
  parent: string;
  order?: RowSortOrder;
  after?: ListCursor | undefined;
  limit: number;
  /** Only ids (or sort values, as `order.by` says) that start with it. */
  prefix?: string | undefined;
  /** Members of bodies that are needed; others may be missing. All are there when absent. */
  members?: readonly string[] | undefined;
};

/** Places of the rows of an indexed collection (`CollectionIndex`) with one state, or one `ref`, in the order of `s1`. */
export type PlaceQuery = {
  collection: string;
  by: 'state' | 'ref';
  value: string;
  /** What a place has for its sort value; `s1` when absent. */
  sort?: 's1' | 's2' | 's3';
  descending?: boolean;
  after?: ListCursor | undefined;
  limit: number;
};

/** A name for a row, unique in its namespace. */
export type NewName = { namespace: string; name: string; owner: Address; primary: boolean };

export type ListedRow = { row: ResourceRow; cursor: ListCursor };

/**
 * The resources of one tenant over SQLite. Synchronous: what an operation reads cannot change before it writes.
 * Every method is one SQL statement, but those that write, which are up to four.
 */
export type Resources = {
  get: (collection: string, parent: string, id: string) => ResourceRow | undefined;
  /** @returns undefined when the address is taken */
  insert: (row: NewRow) => ResourceRow | undefined;
  /** Replaces body and index values of a row that is there. @throws Error when it is not */
  put: (row: NewRow) => ResourceRow;
  /** Deletes the row and its keys. @returns whether it was there */
  remove: (address: Address) => boolean;
  /** Deletes all rows below one parent, in one statement. @returns how many */
  removeAll: (collection: string, parent: string) => number;
  /** In the order asked for, at most `limit` rows. */
  list: (query: ListQuery) => readonly ListedRow[];
  /** The states that rows of an indexed collection have, in order. */
  states: (collection: string) => readonly string[];
  places: (query: PlaceQuery) => readonly ListCursor[];
  /** Places of rows at the top whose bodies match all patterns of LIKE, in any order. Looks at every body. */
  holding: (
    collection: string,
    patterns: readonly string[],
    by: RowSortOrder['by'],
    limit: number,
  ) => readonly ListCursor[];
  /** Those of these rows at the top that are there. `members` as in a list. @throws Refusal where they are too large together */
  rowsOf: (collection: string, ids: readonly string[], members?: readonly string[]) => readonly ResourceRow[];
  /** How many rows a parent has: kept, not counted. */
  count: (collection: string, parent: string) => number;
  /** Rows of a collection, under any parent, that were stored with this `ref`, in the order of their parents. */
  byRef: (
    collection: string,
    ref: string,
    limit: number,
    after?: { parent: string; id: string },
  ) => readonly ResourceRow[];
  /** The row of an address and, in the same statement, rows with a `ref` of a collection at the top. */
  withRef: (
    address: Address,
    collection: string,
    ref: string,
    limit: number,
  ) => { row?: ResourceRow; refs: ResourceRow[] };
  /** Deletes the rows of a collection with this `ref`. @returns their parents, one for each row */
  removeByRef: (collection: string, ref: string) => readonly string[];
  /** Who has this name. `primary` is false for an alias. */
  named: (namespace: string, name: string) => { row: ResourceRow; primary: boolean } | undefined;
  /** Gives a row a name that is unique in its namespace. @returns false when it is taken, no matter by which row */
  name: (namespace: string, name: string, owner: Address, primary?: boolean) => boolean;
  /** @returns whether the name was given */
  unname: (namespace: string, name: string) => boolean;
  /** Whether a name of a namespace ends so. Looks at all of them: for methods that are called rarely. */
  hasNameEnding: (namespace: string, end: string) => boolean;
  /** All names of a row in a namespace, in order. */
  namesOf: (owner: Address, namespace: string) => readonly { name: string; primary: boolean }[];
  /**
   * Whether `from` is reached from `to` by going up: row (parent p, ref r) of the collection says that r is in p.
   * Cycles end by themselves.
   */
  isWithin: (collection: string, from: string, to: string) => boolean;
  /** Stores many rows and names in a few statements. @throws Error when one is taken: roll back */
  insertMany: (rows: readonly NewRow[], names: readonly NewName[]) => void;
  /** SQL statements since this object was made. */
  statements: () => number;
  /** SQL statements that the present work may still need; Infinity where none bounds it. */
  statementsLeft: () => number;
  /** Does the work with so many statements at most, and without writing where it must not. @throws Refusal, Error */
  bounded: <T>(bounds: Bounds, work: () => T) => T;
};

/** Columns that a stored row is read from. */
export const ROW = 'collection, parent, id, revision, json';
export const ADDRESS = 'collection = ? AND parent = ? AND id = ?';

export const formatRowAddress = ({ collection, parent, id }: Address): Address => ({ collection, parent, id });

/** The columns of a row in the order of the table. @throws Refusal for an id, a sort value or a body that is too long */
export function buildRowColumns(row: NewRow, revision: number): [string, string, string, ...Binding[]] {
  requireKey(row.id, 'id');
  for (const value of [row.parent, row.s1, row.s2, row.s3, row.ref])
    if (value !== undefined) requireKey(value, 'value');
  const json = JSON.stringify(row.body);
  requireRoom(json);
  const { s1 = null, s2 = null, s3 = null, ref = null } = row;
  return [row.collection, row.parent, row.id, s1, s2, s3, ref, revision, json];
}

/** Characters of all rows of one page (rule K9): what fits into an answer between Worker and object. */
const MAX_PAGE_CHARS = 8_000_000;

/** @throws Refusal where so many rows are larger than an answer may be */
export function requirePageRoom(rows: readonly Record<string, unknown>[]): void {
  const chars = rows.reduce((sum, row) => sum + String(row['json']).length, 0);
  if (chars > MAX_PAGE_CHARS && rows.length > 1)
    throw vendorRefusals.limitExceeded('The page is too large: ask for fewer');
}

/** Names that mean the same in a path of SQLite and in JSON. */
const PLAIN_NAME = /^\w+$/;

/**
 * What reads the body of a row: all of it, or one member of it, or nothing. Of two members and more, all is read: SQLite
 * would lose the order in which they are stored, and takes as long for them as it takes to read the whole.
 */
export function selectBody(
  members: readonly string[] | undefined,
  json = 'json',
): { sql: string; bindings: Binding[] } {
  if (members === undefined || members.length > 1) return { sql: json, bindings: [] };
  const [member] = members;
  if (member === undefined) return { sql: "'{}'", bindings: [] };
  if (!PLAIN_NAME.test(member)) return { sql: json, bindings: [] };
  return { sql: `coalesce(? || (${json} -> ?) || '}', '{}')`, bindings: [`{"${member}":`, `$."${member}"`] };
}

/** @param at where the row is, if that was not read with it */
export function readStoredRow(row: Record<string, unknown>, at?: Pick<Address, 'collection' | 'parent'>): ResourceRow {
  const body = JSON.parse(String(row['json'])) as Json; // Written by this folder.
  return {
    collection: at?.collection ?? String(row['collection']),
    parent: at?.parent ?? String(row['parent']),
    id: String(row['id']),
    revision: Number(row['revision']),
    body: isObject(body) ? body : {},
  };
}

/** Longest id, name and sort value, in bytes of UTF-8 (rule K9). */
export const MAX_KEY_BYTES = 1_024;
/** Longest stored body, in bytes: a row of SQLite in a Durable Object holds 2 MB with all its columns. */
export const MAX_STORED_BODY_BYTES = 1_900_000;

/** Whether a text can be an id, a name or a sort value: not too long, and whole characters only. */
export const isKey = (text: string): boolean =>
  text.length <= MAX_KEY_BYTES && countUtf8Bytes(text) <= MAX_KEY_BYTES && text.isWellFormed();

/** @throws Refusal for a text that cannot be one. `what` names it to the caller */
export function requireKey(text: string, what: string): void {
  if (!isKey(text)) throw vendorRefusals.invalidInput(what);
}

/** @throws Refusal for a body that no row can hold */
export function requireRoom(json: string): void {
  if (json.length * 3 > MAX_STORED_BODY_BYTES && countUtf8Bytes(json) > MAX_STORED_BODY_BYTES)
    throw vendorRefusals.limitExceeded('The resource is too large');
}
