import { createTables, type Sql } from '../../lib/sqlite.ts';

/** The one object that remembers since when secrets are in force: an operations register under this name. */
export const SECRET_AGES_OBJECT = 'secret-ages';
/** Secrets of one Worker that are remembered: more than there are settings. */
export const REMEMBERED_SECRETS = 100;

/** A secret as it is in force: a part of its digest, by which a new value is noticed. */
export type SecretPrint = { name: string; print: string };
/** When a value was first seen, in Unix milliseconds: it is in force since then or for longer. */
export type SecretAge = { worker: string; name: string; firstSeenMs: number };
export type SecretsSeen = { worker: string; secrets: readonly SecretPrint[] };

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS secret_ages (
     worker TEXT NOT NULL, name TEXT NOT NULL, print TEXT NOT NULL, first_seen_ms INTEGER NOT NULL,
     PRIMARY KEY (worker, name)) WITHOUT ROWID`,
];

/** Remembers secrets in a table of its own, created where missing. No value comes here. */
export function openSecretAges(sql: Sql) {
  const run = createTables(sql, SCHEMA);
  return {
    /** Takes the secrets of a Worker as they are: another print is a new value, and what is not there was deleted. */
    note({ worker, secrets }: SecretsSeen, nowMs: number): SecretAge[] {
      const given = new Map(secrets.slice(0, REMEMBERED_SECRETS).map(({ name, print }) => [name, print]));
      for (const { name } of run('SELECT name FROM secret_ages WHERE worker = ?', worker))
        if (!given.has(String(name)))
          run('DELETE FROM secret_ages WHERE worker = ? AND name = ?', worker, String(name));
      for (const [name, print] of given)
        run(
          `INSERT INTO secret_ages VALUES (?, ?, ?, ?) ON CONFLICT (worker, name)
           DO UPDATE SET print = excluded.print, first_seen_ms = excluded.first_seen_ms WHERE print <> excluded.print`,
          worker,
          name,
          print,
          nowMs,
        );
      return run('SELECT name, first_seen_ms FROM secret_ages WHERE worker = ? ORDER BY name', worker).map((found) => ({
        worker,
        name: String(found['name']),
        firstSeenMs: Number(found['first_seen_ms']),
      }));
    },
  };
}
