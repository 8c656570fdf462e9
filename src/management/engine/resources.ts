import type { JsonObject } from '../json.ts';
import { insertMany } from './bulk.ts';
import { listed } from './listing.ts';
import { namesIn } from './names.ts';
import { referencesIn } from './references.ts';
import { addressOf, ADDRESS, columnsOf, ROW, storedRow } from './rows.ts';
import { type Binding, type Bounds, runnerOf } from './runner.ts';
import type { Sql } from './sql.ts';

/** Where a resource is: `parent` is '' for a collection at the top, else the id of what it belongs to. */
export type Address = { collection: string; parent: string; id: string };

/** A stored resource. `body` is without `kind` and `etag`; `revision` grows with each write in the whole tenant. */
export type StoredRow = Address & { body: JsonObject; revision: number };

/** What a row can be sorted and found by beside its address. Texts are compared by code point: lower them first where case is not to count. */
export type Indexed = { s1?: string; s2?: string; s3?: string; ref?: string };

export type NewRow = Address & Indexed & { body: JsonObject };

export type Order = { by: 'id' | 's1' | 's2' | 's3'; descending?: boolean };

/** The place after which a list goes on: the sort value and id of the last row seen. `isLast`: no other has its sort value. */
export type Cursor = { sort: string; id: string; isLast?: boolean };

export type ListQuery = {
  collection: string;
  parent: string;
  order?: Order;
  after?: Cursor | undefined;
  limit: number;
  /** Only ids (or sort values, as `order.by` says) that start with it. */
  prefix?: string | undefined;
};

/** A name for a row, unique in its namespace. */
export type NewName = { namespace: string; name: string; owner: Address; primary: boolean };

export type Listed = { row: StoredRow; cursor: Cursor };

/**
 * The resources of one tenant over SQLite. Synchronous: what an operation reads cannot change before it writes.
 * Every method is one SQL statement, but those that write, which are up to four.
 */
export type Resources = {
  get: (collection: string, parent: string, id: string) => StoredRow | undefined;
  /** @returns undefined when the address is taken */
  insert: (row: NewRow) => StoredRow | undefined;
  /** Replaces body and index values of a row that is there. @throws Error when it is not */
  put: (row: NewRow) => StoredRow;
  /** Deletes the row and its keys. @returns whether it was there */
  remove: (address: Address) => boolean;
  /** Deletes all rows below one parent, in one statement. @returns how many */
  removeAll: (collection: string, parent: string) => number;
  /** In the order asked for, at most `limit` rows. */
  list: (query: ListQuery) => readonly Listed[];
  /** How many rows a parent has: kept, not counted. */
  count: (collection: string, parent: string) => number;
  /** Rows of a collection, under any parent, that were stored with this `ref`, in the order of their parents. */
  byRef: (
    collection: string,
    ref: string,
    limit: number,
    after?: { parent: string; id: string },
  ) => readonly StoredRow[];
  /** The row of an address and, in the same statement, rows with a `ref` of a collection at the top. */
  withRef: (address: Address, collection: string, ref: string, limit: number) => { row?: StoredRow; refs: StoredRow[] };
  /** Deletes the rows of a collection with this `ref`. @returns their parents, one for each row */
  removeByRef: (collection: string, ref: string) => readonly string[];
  /** Who has this name. `primary` is false for an alias. */
  named: (namespace: string, name: string) => { row: StoredRow; primary: boolean } | undefined;
  /** Gives a row a name that is unique in its namespace. @returns false when it is taken, whoever has it */
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

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS resource (collection TEXT NOT NULL, parent TEXT NOT NULL, id TEXT NOT NULL,
     s1 TEXT, s2 TEXT, s3 TEXT, ref TEXT, revision INTEGER NOT NULL, json TEXT NOT NULL,
     PRIMARY KEY (collection, parent, id)) WITHOUT ROWID`,
  ...['s1', 's2', 's3'].map(
    (by) =>
      `CREATE INDEX IF NOT EXISTS resource_${by} ON resource (collection, parent, ${by}, id) WHERE ${by} IS NOT NULL`,
  ),
  'CREATE INDEX IF NOT EXISTS resource_ref ON resource (collection, ref, parent, id) WHERE ref IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS name (namespace TEXT NOT NULL, name TEXT NOT NULL, collection TEXT NOT NULL,
     parent TEXT NOT NULL, id TEXT NOT NULL, is_primary INTEGER NOT NULL, PRIMARY KEY (namespace, name)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS name_owner ON name (collection, parent, id)',
  `CREATE TABLE IF NOT EXISTS counter (collection TEXT NOT NULL, parent TEXT NOT NULL, n INTEGER NOT NULL,
     PRIMARY KEY (collection, parent)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS revision (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL)',
  'INSERT OR IGNORE INTO revision VALUES (1, 0)',
];

/** Makes the tables where they are missing, and what works on them. */
export function resourcesOf(sql: Sql): Resources {
  for (const statement of SCHEMA) sql.exec(statement);
  const { run, statements, statementsLeft, bounded } = runnerOf(sql);
  const rows = (query: string, ...bindings: Binding[]) => run(query, ...bindings).map(storedRow);
  const nextRevision = (): number => Number(run('UPDATE revision SET n = n + 1 WHERE one = 1 RETURNING n')[0]?.['n']);
  const addCount = (collection: string, parent: string, by: number): void => {
    const upsert = 'INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n';
    run(upsert, collection, parent, by);
  };
  return {
    get: (collection, parent, id) => rows(`SELECT ${ROW} FROM resource WHERE ${ADDRESS}`, collection, parent, id)[0],
    insert: (row) => {
      const revision = nextRevision();
      const values = 'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id';
      if (run(`INSERT INTO resource ${values}`, ...columnsOf(row, revision)).length === 0) return undefined;
      addCount(row.collection, row.parent, 1);
      return { ...addressOf(row), body: row.body, revision };
    },
    put: (row) => {
      const revision = nextRevision();
      const [collection, parent, id, ...rest] = columnsOf(row, revision);
      const set = 'SET s1 = ?, s2 = ?, s3 = ?, ref = ?, revision = ?, json = ?';
      const found = run(`UPDATE resource ${set} WHERE ${ADDRESS} RETURNING id`, ...rest, collection, parent, id);
      if (found.length === 0) throw new Error(`No row to replace in ${row.collection}`);
      return { ...addressOf(row), body: row.body, revision };
    },
    remove: ({ collection, parent, id }) => {
      if (run(`DELETE FROM resource WHERE ${ADDRESS} RETURNING id`, collection, parent, id).length === 0) return false;
      run(`DELETE FROM name WHERE ${ADDRESS}`, collection, parent, id);
      addCount(collection, parent, -1);
      return true;
    },
    removeAll: (collection, parent) => {
      run('DELETE FROM name WHERE collection = ? AND parent = ?', collection, parent);
      run('DELETE FROM resource WHERE collection = ? AND parent = ?', collection, parent);
      const [counted] = run('DELETE FROM counter WHERE collection = ? AND parent = ? RETURNING n', collection, parent);
      return Number(counted?.['n'] ?? 0);
    },
    list: (query) => listed(query, run),
    count: (collection, parent) =>
      Number(run('SELECT n FROM counter WHERE collection = ? AND parent = ?', collection, parent)[0]?.['n'] ?? 0),
    ...namesIn(run),
    ...referencesIn(run),
    insertMany: (many, names) => insertMany(many, names, run),
    statements,
    statementsLeft,
    bounded,
  };
}
