import { createTables, type Sql, type Binding, type RunStatement } from '../../../lib/sqlite.ts';
import {
  requireKey,
  ADDRESS,
  formatRowAddress,
  buildRowColumns,
  ROW,
  readStoredRow,
  requirePageRoom,
  type Address,
  type ListCursor,
  type ListedRow,
  type ListQuery,
  type NewName,
  type NewRow,
  type Resources,
  createStatementRunner,
  type ResourceRow,
  selectBody,
} from './stored-row.ts';
import { type CollectionIndex, createIndexMethods, createIndexSchema } from './collection-index.ts';

/** Texts that one statement takes, in characters: below the 2 MB of a bound value, whatever the alphabet. */
const STATEMENT_CHARS = 500_000;

const INSERT_ROW = 'INSERT INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const INSERT_ROWS = `INSERT INTO resource SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
  value ->> 5, value ->> 6, ? + key, value ->> 8 FROM json_each(?)`;
const INSERT_NAMES = `INSERT INTO name SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
  FROM json_each(?)`;
const ADD_COUNTS = `INSERT INTO counter SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET n = n + excluded.n`;

/**
 * Stores many rows with their names in a few statements.
 * @throws Error when an address or a name is taken: the caller's transaction rolls back
 */
function insertMany(rows: readonly NewRow[], names: readonly NewName[], run: RunStatement): void {
  if (rows.length > 0) {
    const [counter] = run('UPDATE revision SET n = n + ? WHERE one = 1 RETURNING n', rows.length);
    let revision = Number(counter?.['n']) - rows.length + 1;
    for (const row of rows.filter(isLarge)) run(INSERT_ROW, ...buildRowColumns(row, revision++));
    for (const part of splitJsonParts(rows.filter((row) => !isLarge(row)).map((row) => buildRowColumns(row, 0)))) {
      run(INSERT_ROWS, revision, `[${part.join(',')}]`);
      revision += part.length;
    }
    for (const part of splitJsonParts(countByCollection(rows))) run(ADD_COUNTS, `[${part.join(',')}]`);
  }
  const columns = names.map(({ namespace, name, owner, primary }) => [
    namespace,
    name,
    owner.collection,
    owner.parent,
    owner.id,
    primary ? 1 : 0,
  ]);
  for (const part of splitJsonParts(columns)) run(INSERT_NAMES, `[${part.join(',')}]`);
}

/** Whether a row must have a statement of its own. */
const isLarge = (row: NewRow): boolean => JSON.stringify(row.body).length > STATEMENT_CHARS / 4;

/** New rows by collection and parent. */
function countByCollection(rows: readonly NewRow[]): [string, string, number][] {
  const counts = new Map<string, [string, string, number]>();
  for (const { collection, parent } of rows) {
    const key = JSON.stringify([collection, parent]);
    const before = counts.get(key)?.[2] ?? 0;
    counts.set(key, [collection, parent, before + 1]);
  }
  return [...counts.values()];
}

/** Each value as JSON, in lists that one statement can take. */
function* splitJsonParts(values: readonly unknown[]): Generator<string[]> {
  let part: string[] = [];
  let chars = 0;
  for (const value of values) {
    const text = JSON.stringify(value);
    if (part.length > 0 && chars + text.length > STATEMENT_CHARS) {
      yield part;
      part = [];
      chars = 0;
    }
    part.push(text);
    chars += text.length;
  }
  if (part.length > 0) yield part;
}

/** Column names come from here only (rule K9). */
const SORT_COLUMNS = { id: 'id', s1: 's1', s2: 's2', s3: 's3' } as const;
/** Nothing that begins with a prefix comes after the prefix and this. */
const LAST = '\u{10FFFF}';

type Part = { where: string; bindings: Binding[] };

/**
 * One page in one statement, by an index: only rows that are shown are read, however many have the same sort value.
 * @throws Refusal where so many rows are larger than an answer may be
 */
function listPageRows(query: ListQuery, run: RunStatement): ListedRow[] {
  const column = SORT_COLUMNS[query.order?.by ?? 'id'];
  const direction = query.order?.descending === true ? 'DESC' : 'ASC';
  const by = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
  const parts = buildPageParts(query, column);
  // Left to itself SQLite may walk the primary key, and read every row of the parent.
  const index = column === 'id' ? '' : ` INDEXED BY resource_${column}`;
  const body = selectBody(query.members);
  const columns = `id, revision, ${body.sql} AS json, ${column} AS sort`; // Each cell costs: the address is known.
  const selects = parts.map(
    ({ where }) => `SELECT * FROM (SELECT ${columns} FROM resource${index} WHERE ${where} ORDER BY ${by} LIMIT ?)`,
  );
  const bindings = parts.flatMap((part) => [...body.bindings, ...part.bindings, query.limit]);
  const rows = run(`${selects.join(' UNION ALL ')} LIMIT ?`, ...bindings, query.limit);
  requirePageRoom(rows);
  return rows.map((row, place) => ({
    row: readStoredRow(row, query),
    cursor: buildListCursor(row, rows[place + 1]),
  }));
}

function buildListCursor(row: Record<string, unknown>, next: Record<string, unknown> | undefined): ListCursor {
  const cursor = { sort: String(row['sort']), id: String(row['id']) };
  return next !== undefined && next['sort'] !== row['sort'] ? { ...cursor, isLast: true } : cursor;
}

/**
 * Where the page is. After a cursor two parts follow each other: the rest of those with the same sort value, and what has
 * a later one. As one condition SQLite would read all with the same value from the beginning.
 */
function buildPageParts(query: ListQuery, column: (typeof SORT_COLUMNS)[keyof typeof SORT_COLUMNS]): Part[] {
  const { collection, parent, order, after, prefix } = query;
  const compare = order?.descending === true ? '<' : '>';
  const where = ['collection = ? AND parent = ?'];
  const bindings: Binding[] = [collection, parent];
  if (column !== 'id') where.push(`${column} IS NOT NULL`);
  if (prefix !== undefined) {
    where.push(`${column} >= ? AND ${column} < ?`);
    bindings.push(prefix, `${prefix}${LAST}`);
  }
  const and = (condition: string, ...more: Binding[]): Part => ({
    where: [...where, condition].join(' AND '),
    bindings: [...bindings, ...more],
  });
  if (after === undefined) return [{ where: where.join(' AND '), bindings }];
  if (column === 'id') return [and(`id ${compare} ?`, after.id)];
  const later = and(`${column} ${compare} ?`, after.sort);
  if (after.isLast === true) return [later];
  return [and(`${column} = ? AND id ${compare} ?`, after.sort, after.id), later];
}

/** Counters and names of the rows with a `ref`, in one statement each, however many parents they have. */
const FEWER_BY_REF = `UPDATE counter SET n = n - (SELECT count(*) FROM resource r WHERE r.collection = ? AND r.ref = ?
  AND r.parent = counter.parent) WHERE collection = ? AND parent IN (SELECT parent FROM resource WHERE collection = ? AND ref = ?)`;
const UNNAMED_BY_REF = `DELETE FROM name WHERE (collection, parent, id) IN
  (SELECT collection, parent, id FROM resource WHERE collection = ? AND ref = ?)`;

/** By address: SQLite would look through the whole collection to delete by `ref`. */
const DELETE_BY_REF = `DELETE FROM resource WHERE (collection, parent, id) IN
  (SELECT collection, parent, id FROM resource WHERE collection = ? AND ref = ?) RETURNING parent`;

/** The index is named: SQLite would read all rows below a parent instead, because it takes the order from its own key. */
const REFERRING = 'resource INDEXED BY resource_ref';

const WITH_REF = `SELECT ${ROW} FROM resource WHERE ${ADDRESS} UNION ALL SELECT ${ROW} FROM
  (SELECT ${ROW} FROM ${REFERRING} WHERE collection = ? AND ref = ? AND parent = '' ORDER BY id LIMIT ?)`;

/** What finds rows by the row that they refer to. */
function createReferenceMethods(run: RunStatement): Pick<Resources, 'byRef' | 'withRef' | 'removeByRef' | 'isWithin'> {
  const rows = (query: string, ...bindings: Binding[]): ResourceRow[] =>
    run(query, ...bindings).map((row) => readStoredRow(row));
  return {
    byRef: (collection, ref, limit, after = { parent: '', id: '' }) =>
      rows(
        `SELECT ${ROW} FROM ${REFERRING} WHERE collection = ? AND ref = ? AND (parent, id) > (?, ?) ORDER BY parent, id LIMIT ?`,
        collection,
        ref,
        after.parent,
        after.id,
        limit,
      ),
    withRef: ({ collection: own, parent, id }, collection, ref, limit) => {
      const found = rows(WITH_REF, own, parent, id, collection, ref, limit);
      const row = found.find((each) => each.collection === own);
      return { ...(row && { row }), refs: found.filter((each) => each !== row) };
    },
    removeByRef: (collection, ref) => {
      run(FEWER_BY_REF, collection, ref, collection, collection, ref);
      run(UNNAMED_BY_REF, collection, ref);
      const gone = run(DELETE_BY_REF, collection, ref);
      return gone.map(({ parent }) => String(parent));
    },
    // CROSS JOIN keeps the order: from what is known upwards. Else SQLite reads the whole collection at each step.
    isWithin: (collection, from, to) =>
      run(
        `WITH RECURSIVE up (id) AS
           (SELECT ? UNION SELECT r.parent FROM up CROSS JOIN resource r WHERE r.collection = ? AND r.ref = up.id)
         SELECT 1 FROM up WHERE id = ? LIMIT 1`,
        from,
        collection,
        to,
      ).length > 0,
  };
}

const JOINED = `SELECT r.collection, r.parent, r.id, r.revision, r.json, n.is_primary FROM name n JOIN resource r
  ON r.collection = n.collection AND r.parent = n.parent AND r.id = n.id WHERE n.namespace = ? AND n.name = ?`;
const INSERT = 'INSERT INTO name VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING name';

/** Names that are unique in a namespace of the tenant, and the rows that have them. */
function createNameMethods(
  run: RunStatement,
): Pick<Resources, 'named' | 'name' | 'unname' | 'namesOf' | 'hasNameEnding'> {
  return {
    named: (namespace, name) => {
      const [found] = run(JOINED, namespace, name);
      return found && { row: readStoredRow(found), primary: found['is_primary'] === 1 };
    },
    name: (namespace, name, { collection, parent, id }: Address, primary = true) => {
      requireKey(name, namespace);
      return run(INSERT, namespace, name, collection, parent, id, primary ? 1 : 0).length > 0;
    },
    unname: (namespace, name) =>
      run('DELETE FROM name WHERE namespace = ? AND name = ? RETURNING name', namespace, name).length > 0,
    hasNameEnding: (namespace, end) =>
      run('SELECT 1 FROM name WHERE namespace = ? AND substr(name, -length(?)) = ? LIMIT 1', namespace, end, end)
        .length > 0,
    namesOf: ({ collection, parent, id }, namespace) =>
      run(
        `SELECT name, is_primary FROM name WHERE ${ADDRESS} AND namespace = ? ORDER BY name`,
        collection,
        parent,
        id,
        namespace,
      ).map((row) => ({ name: String(row['name']), primary: row['is_primary'] === 1 })),
  };
}

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

/** Makes the tables and indexes where they are missing, and what works on them. */
export function createResourceStore(sql: Sql, indexes: readonly CollectionIndex[] = []): Resources {
  createTables(sql, [...SCHEMA, ...indexes.flatMap(createIndexSchema)]);
  const { run, statements, statementsLeft, bounded } = createStatementRunner(sql);
  const rows = (query: string, ...bindings: Binding[]) => run(query, ...bindings).map((row) => readStoredRow(row));
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
      if (run(`INSERT INTO resource ${values}`, ...buildRowColumns(row, revision)).length === 0) return undefined;
      addCount(row.collection, row.parent, 1);
      return { ...formatRowAddress(row), body: row.body, revision };
    },
    put: (row) => {
      const revision = nextRevision();
      const [collection, parent, id, ...rest] = buildRowColumns(row, revision);
      const set = 'SET s1 = ?, s2 = ?, s3 = ?, ref = ?, revision = ?, json = ?';
      const found = run(`UPDATE resource ${set} WHERE ${ADDRESS} RETURNING id`, ...rest, collection, parent, id);
      if (found.length === 0) throw new Error(`No row to replace in ${row.collection}`);
      return { ...formatRowAddress(row), body: row.body, revision };
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
    list: (query) => listPageRows(query, run),
    ...createIndexMethods(indexes, run),
    count: (collection, parent) =>
      Number(run('SELECT n FROM counter WHERE collection = ? AND parent = ?', collection, parent)[0]?.['n'] ?? 0),
    ...createNameMethods(run),
    ...createReferenceMethods(run),
    insertMany: (many, names) => insertMany(many, names, run),
    statements,
    statementsLeft,
    bounded,
  };
}
