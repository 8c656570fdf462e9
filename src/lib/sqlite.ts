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
