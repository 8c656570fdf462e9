import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Sql } from '../../../src/lib/sqlite.ts';

/** A database of Node behind the port that a Durable Object's storage has. Queries run at once, as they do there. */
export function openSql(database: DatabaseSync, seen?: (query: string) => void): Sql {
  // As a Durable Object does: a query is prepared once.
  const prepared = new Map<string, StatementSync>();
  return {
    exec: (query, ...bindings) => {
      seen?.(query);
      const statement = prepared.get(query) ?? database.prepare(query);
      prepared.set(query, statement);
      const rows = statement.all(...bindings) as Record<string, string | number | null>[];
      return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
    },
  };
}

/** A SQLite database in memory with the face of a Durable Object's, and its transactions. */
export function memorySqlite(seen?: (query: string) => void): { sql: Sql; transaction: <T>(work: () => T) => T } {
  const database = new DatabaseSync(':memory:');
  return {
    sql: openSql(database, seen),
    transaction: (work) => {
      database.exec('SAVEPOINT one');
      try {
        const result = work();
        database.exec('RELEASE one');
        return result;
      } catch (error) {
        database.exec('ROLLBACK TO one');
        database.exec('RELEASE one');
        throw error;
      }
    },
  };
}
