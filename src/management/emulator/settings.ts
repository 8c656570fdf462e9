import type { Json } from '../../lib/json.ts';
import type { Sql } from '../../lib/sqlite.ts';

/** Values that a tenant keeps of itself, by name: read once, then from memory. */
export type Settings = {
  get: (name: string) => Json | undefined;
  set: (name: string, value: Json) => void;
  drop: (name: string) => void;
  /** After a transaction that rolled back: forgets what it had set. @returns whether it had set anything */
  reload: () => boolean;
};

const SCHEMA = 'CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID';

/** A kept value that is a text. */
export const readTextSetting = (value: unknown): string => String(value);

export function createTenantSettings(sql: Sql): Settings {
  sql.exec(SCHEMA);
  const read = (): Map<string, Json> =>
    new Map(
      sql
        .exec('SELECT name, json FROM setting')
        .toArray()
        .map((row) => [String(row['name']), JSON.parse(String(row['json'])) as Json]), // Written below.
    );
  let values = read();
  let changed = false;
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      changed = true;
      values.set(name, value);
      sql.exec('INSERT OR REPLACE INTO setting VALUES (?, ?)', name, JSON.stringify(value));
    },
    drop: (name) => {
      changed = true;
      values.delete(name);
      sql.exec('DELETE FROM setting WHERE name = ?', name);
    },
    reload: () => {
      const wasChanged = changed;
      if (changed) values = read();
      changed = false;
      return wasChanged;
    },
  };
}
