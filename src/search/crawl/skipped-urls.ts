import type { Sql } from '../../lib/sqlite.ts';

/** Addresses that led elsewhere and are remembered, the newest: more than the pages of one job. */
const MAX_LEADS = 1_000;
/** Pages that a job names as left out by the rules of the instance; of the others it says that there are more. */
export const MAX_SKIP_LINES = 100;

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS crawl_lead (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, target TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS crawl_skip (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE)',
];
const OLD = 'DELETE FROM crawl_lead WHERE n <= (SELECT n FROM crawl_lead ORDER BY n DESC LIMIT 1 OFFSET ?)';

/** What crawls remember of addresses that have no item of their own. */
export type SkippedUrls = {
  /** By its redirect or its canonical address a page is another one; undefined: it is itself. Later crawls know it too. */
  setLead: (url: string, target: string | undefined) => void;
  /** Where an address led when it was last read. */
  lead: (url: string) => string | undefined;
  /** Takes note of a page that is left out. `last`: it is the first one that is not named. */
  noteSkip: (url: string) => 'named' | 'known' | 'last' | 'unnamed';
  /** The crawl is over: another one names what it leaves out anew. */
  forgetSkips: () => void;
};

export function createSkippedUrls(sql: Sql): SkippedUrls {
  for (const statement of SCHEMA) sql.exec(statement);
  return {
    setLead(url, target) {
      if (target === undefined) {
        sql.exec('DELETE FROM crawl_lead WHERE url = ?', url);
        return;
      }
      sql.exec('INSERT OR REPLACE INTO crawl_lead (url, target) VALUES (?, ?)', url, target);
      sql.exec(OLD, MAX_LEADS);
    },
    lead(url) {
      const [row] = sql.exec('SELECT target FROM crawl_lead WHERE url = ?', url).toArray();
      return row && String(row['target']);
    },
    noteSkip(url) {
      const [row] = sql.exec('SELECT MAX(n) AS n FROM crawl_skip').toArray();
      const count = Number(row?.['n'] ?? 0);
      if (count > MAX_SKIP_LINES) return 'unnamed';
      const noted = sql.exec('INSERT OR IGNORE INTO crawl_skip (url) VALUES (?) RETURNING n', url).toArray();
      if (noted.length === 0) return 'known';
      return count === MAX_SKIP_LINES ? 'last' : 'named';
    },
    forgetSkips: () => void sql.exec('DELETE FROM crawl_skip'),
  };
}
