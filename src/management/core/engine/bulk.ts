import type { NewName, NewRow } from './stored-row.ts';
import type { Run } from './runner.ts';
import { columnsOf } from './rows.ts';

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
export function insertMany(rows: readonly NewRow[], names: readonly NewName[], run: Run): void {
  if (rows.length > 0) {
    const [counter] = run('UPDATE revision SET n = n + ? WHERE one = 1 RETURNING n', rows.length);
    let revision = Number(counter?.['n']) - rows.length + 1;
    for (const row of rows.filter(isLarge)) run(INSERT_ROW, ...columnsOf(row, revision++));
    for (const part of parts(rows.filter((row) => !isLarge(row)).map((row) => columnsOf(row, 0)))) {
      run(INSERT_ROWS, revision, `[${part.join(',')}]`);
      revision += part.length;
    }
    for (const part of parts(counted(rows))) run(ADD_COUNTS, `[${part.join(',')}]`);
  }
  const columns = names.map(({ namespace, name, owner, primary }) => [
    namespace,
    name,
    owner.collection,
    owner.parent,
    owner.id,
    primary ? 1 : 0,
  ]);
  for (const part of parts(columns)) run(INSERT_NAMES, `[${part.join(',')}]`);
}

/** Whether a row must have a statement of its own. */
const isLarge = (row: NewRow): boolean => JSON.stringify(row.body).length > STATEMENT_CHARS / 4;

/** New rows by collection and parent. */
function counted(rows: readonly NewRow[]): [string, string, number][] {
  const counts = new Map<string, [string, string, number]>();
  for (const { collection, parent } of rows) {
    const key = JSON.stringify([collection, parent]);
    const before = counts.get(key)?.[2] ?? 0;
    counts.set(key, [collection, parent, before + 1]);
  }
  return [...counts.values()];
}

/** Each value as JSON, in lists that one statement can take. */
function* parts(values: readonly unknown[]): Generator<string[]> {
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
