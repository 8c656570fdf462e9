import type { Sql } from '../../lib/sqlite.ts';

/** Deletes every resource with its names and counters. Revisions go on: entity tags are never used twice. */
export function clearData(sql: Sql): void {
  for (const table of ['name', 'resource', 'counter']) sql.exec(`DELETE FROM ${table}`);
}

/** Whether an error of SQLite says that an address or a name is taken. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed');
