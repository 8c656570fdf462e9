/** Texts, numbers, blobs and nulls by column. */
export type SqlRow = Record<string, unknown>;

/**
 * The SQLite of a Durable Object (`SqlStorage` fits), or one in a test. Values are bound, never written into the text
 * (rule K9).
 */
export type Sql = {
  /** Rows are read as they are asked for. */
  exec: (
    query: string,
    ...bindings: (string | number | null | Uint8Array)[]
  ) => Iterable<SqlRow> & { toArray: () => SqlRow[] };
};

export type Binding = string | number | null;

/** One SQL statement: its rows. */
export type RunStatement = (query: string, ...bindings: Binding[]) => SqlRow[];

/**
 * Makes the tables and indexes of a schema where they are missing; existing rows stay.
 * @returns what runs statements on them
 */
export function createTables(sql: Sql, schema: readonly string[]): RunStatement {
  for (const statement of schema) sql.exec(statement);
  return (query, ...bindings) => sql.exec(query, ...bindings).toArray();
}
