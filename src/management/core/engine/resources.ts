import type { Sql } from '../../../lib/sqlite.ts';
import { insertMany } from './bulk.ts';
import { listed } from './listing.ts';
import { namesIn } from './names.ts';
import { referencesIn } from './references.ts';
import { ADDRESS, addressOf, columnsOf, ROW, storedRow } from './rows.ts';
import { type Binding, runnerOf } from './runner.ts';
import type { Resources } from './stored-row.ts';

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
