import type { ObjectTools } from './parts.ts';

/** An input that was being read when the object died so often is not read again of its own accord. */
export const MAX_DEATHS = 2;
/** What an item and a job's log say of such an input. */
export const LEFT_OUT = 'left_out: the service stopped twice while reading this. Index the item yourself to try again';
/** Names that are remembered, the newest: each stands for a death, so an honest instance has none. */
const MAX_NAMES = 1_000;
/** Objects that died together do not read what they were reading at the same moment again: only one of them is at fault. */
const LONGEST_PAUSE_MS = 5_000;
const RANDOM_BYTES = 2;
const RANDOM_END = 256 ** RANDOM_BYTES;

const SCHEMA = `CREATE TABLE IF NOT EXISTS attempt (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  attempts INTEGER NOT NULL)`;
const COUNT = `INSERT INTO attempt (name, attempts) VALUES (?, 1)
  ON CONFLICT (name) DO UPDATE SET attempts = attempts + 1`;
const OLD = 'DELETE FROM attempt WHERE n <= (SELECT n FROM attempt ORDER BY n DESC LIMIT 1 OFFSET ?)';

/**
 * Which inputs are being read, and how often that was begun. It is on disk before the reading begins, so that an input which
 * ends the process cannot do so for ever: what still stands here after a restart was being read when the process died.
 */
export type Attempts = {
  /** How often the object died while it read an input. */
  deaths: (name: string) => number;
  /** Writes an attempt down. It is durable when this is done; at the second attempt there is a pause before it. */
  begin: (name: string) => Promise<void>;
  /** The reading is over, whatever came of it: nothing is held against the input any more. */
  end: (name: string) => void;
  /** Its deaths no longer count. */
  forget: (name: string) => void;
  /** This attempt is over, but the deaths before it still count. */
  leave: (name: string) => void;
  /** Forgets all inputs. */
  clear: () => void;
};

export function attemptsOf({
  sql,
  sync,
  sleep,
  random,
}: Pick<ObjectTools, 'sql' | 'sync' | 'sleep' | 'random'>): Attempts {
  sql.exec(SCHEMA);
  const running = new Map<string, number>();
  const change = (name: string, by: number): void => {
    const left = (running.get(name) ?? 0) + by;
    if (left > 0) running.set(name, left);
    else running.delete(name);
  };
  const deaths = (name: string): number => {
    const [row] = sql.exec('SELECT attempts FROM attempt WHERE name = ?', name).toArray();
    return Number(row?.['attempts'] ?? 0) - (running.get(name) ?? 0);
  };
  const forget = (name: string): void => {
    if (running.has(name)) sql.exec('UPDATE attempt SET attempts = ? WHERE name = ?', running.get(name) ?? 0, name);
    else sql.exec('DELETE FROM attempt WHERE name = ?', name);
  };
  return {
    deaths,
    forget,
    async begin(name) {
      if (deaths(name) > 0)
        await sleep(Math.floor((Number(`0x${random(RANDOM_BYTES)}`) / RANDOM_END) * LONGEST_PAUSE_MS));
      sql.exec(COUNT, name);
      sql.exec(OLD, MAX_NAMES);
      change(name, 1);
      await sync();
    },
    end(name) {
      change(name, -1);
      forget(name);
    },
    leave(name) {
      change(name, -1);
      sql.exec('UPDATE attempt SET attempts = attempts - 1 WHERE name = ?', name);
      sql.exec('DELETE FROM attempt WHERE name = ? AND attempts <= 0', name);
    },
    clear: () => void sql.exec('DELETE FROM attempt'),
  };
}

/** The name of a page or other address of a site. */
export const urlName = (url: string): string => `url ${url}`;
