/** Texts, numbers and nulls by column. */
export type Row = Record<string, unknown>;

/** The SQLite of a Durable Object, or one in a test. Values are bound, never written into the text. */
export type Sql = {
  exec: (query: string, ...bindings: (string | number | null)[]) => Iterable<Row> & { toArray: () => Row[] };
};

/** What the state of an object stands on. */
export type StateTools = {
  sql: Sql;
  /** Runs work that is kept as a whole or not at all. Synchronous. */
  transaction: <T>(work: () => T) => T;
  /** Unix milliseconds. */
  now: () => number;
  /** Random bytes as lower-case hex. */
  random: (bytes: number) => string;
};
