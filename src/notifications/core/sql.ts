import type { Sql } from '../../lib/sqlite.ts';

/** Texts, numbers and nulls by column. */
export type ColumnRow = Record<string, unknown>;

/** What the state of an object needs from it. */
export type StateTools = {
  sql: Sql;
  /** Runs work that is kept as a whole or not at all. Synchronous. */
  transaction: <T>(work: () => T) => T;
  /** Unix milliseconds. */
  now: () => number;
  /** Random bytes as lower-case hex. */
  random: (bytes: number) => string;
};
