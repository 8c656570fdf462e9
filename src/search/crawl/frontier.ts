import { createTables, type Sql, type SqlRow } from '../../lib/sqlite.ts';

/**
 * What came of an address in this crawl. `waiting`: not looked at yet. `kept`: its item stays. `refused`: it was looked
 * at and is no page to index. `moved`: it redirects to another one, which counts in its place. `gone`: the site has it
 * no more. `failed`: it could not be looked at.
 */
export type PageState = 'waiting' | 'kept' | 'refused' | 'moved' | 'gone' | 'failed';

/** An address of the crawl. `isOwn`: another page names it as its canonical address, so that its own word for another counts no more. */
export type FrontierPage = { url: string; depth: number; isOwn: boolean };

/** Where a crawl is. */
export type CrawlPhase = 'robots' | 'sitemaps' | 'pages' | 'sweep';
export type CrawlState = {
  job: string;
  phase: CrawlPhase;
  /** Text of robots.txt; '' for none. */
  robots: string;
  /** The site is asked for nothing before this. */
  notBeforeMs: number;
  /** Something that lists pages could not be looked at, so that a page which nothing lists may still be there. */
  isPartial: boolean;
  /** There was no time for all of it. */
  isLate: boolean;
  /** Page of the list of items that the sweep is at, from 1. */
  sweepPage: number;
};

/** Addresses that one crawl remembers, looked at or not. */
const MAX_FRONTIER = 5_000;
/** Sitemaps of one crawl. */
const MAX_SITEMAPS = 50;

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS crawl (id INTEGER PRIMARY KEY CHECK (id = 1), job TEXT NOT NULL, phase TEXT NOT NULL,
     robots TEXT NOT NULL, not_before_ms INTEGER NOT NULL, is_partial INTEGER NOT NULL,
     is_late INTEGER NOT NULL, sweep_page INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS crawl_page (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, depth INTEGER NOT NULL,
     state TEXT NOT NULL, is_own INTEGER NOT NULL, is_known INTEGER NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS crawl_page_state ON crawl_page (state, depth, is_known DESC, n)',
  `CREATE TABLE IF NOT EXISTS crawl_sitemap (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, level INTEGER NOT NULL,
     is_done INTEGER NOT NULL)`,
];

const NEXT = `SELECT url, depth, is_own FROM crawl_page WHERE state = 'waiting'
  ORDER BY depth, is_known DESC, n LIMIT ?`;

/** The state of one crawl over SQLite: another instance of the object goes on where the last one was. */
export type Frontier = Omit<SkippedUrls, 'forgetSkips'> & {
  begin: (job: string) => void;
  /** Of the crawl that runs; undefined for none. */
  state: () => CrawlState | undefined;
  change: (changes: Partial<CrawlState>) => void;
  /** Adds an address unless it is there. @param isKnown it is indexed already @returns whether it is new */
  add: (url: string, depth: number, isKnown?: boolean) => boolean;
  /** Whether one more can be added. */
  hasRoom: () => boolean;
  /** The next addresses to look at: by depth, those that are indexed first, in the order in which they were found. */
  next: (limit: number) => readonly FrontierPage[];
  page: (url: string) => { state: PageState } | undefined;
  mark: (url: string, state: PageState) => void;
  /** The address is a canonical one. */
  own: (url: string) => void;
  count: (state: PageState) => number;
  /** Pages that were asked for; one behind a redirect is one. */
  asked: () => number;
  /** @returns false where there are too many */
  addSitemap: (url: string, level: number) => boolean;
  nextSitemap: () => { url: string; level: number } | undefined;
  doneSitemap: (url: string) => void;
  clear: () => void;
};

export function createFrontier(sql: Sql): Frontier {
  createTables(sql, SCHEMA);
  const { forgetSkips, ...leads } = createSkippedUrls(sql);
  const first = (query: string, ...values: (string | number)[]): SqlRow | undefined =>
    sql.exec(query, ...values).toArray()[0];
  const number = (query: string, ...values: (string | number)[]): number => Number(first(query, ...values)?.['n'] ?? 0);
  const clear = (): void => {
    for (const table of ['crawl', 'crawl_page', 'crawl_sitemap']) sql.exec(`DELETE FROM ${table}`);
    forgetSkips();
  };
  const hasRoom = (): boolean => number('SELECT MAX(n) AS n FROM crawl_page') < MAX_FRONTIER;
  const state = (): CrawlState | undefined => readCrawlState(first('SELECT * FROM crawl'));
  return {
    ...leads,
    clear,
    state,
    begin(job) {
      clear();
      sql.exec(`INSERT INTO crawl VALUES (1, ?, 'robots', '', 0, 0, 0, 1)`, job);
    },
    change(changes) {
      const now = state();
      if (!now) return;
      const { phase, robots, notBeforeMs, isPartial, isLate, sweepPage } = { ...now, ...changes };
      sql.exec(
        'UPDATE crawl SET phase = ?, robots = ?, not_before_ms = ?, is_partial = ?, is_late = ?, sweep_page = ?',
        phase,
        robots,
        notBeforeMs,
        Number(isPartial),
        Number(isLate),
        sweepPage,
      );
    },
    hasRoom,
    add(url, depth, isKnown = false) {
      if (!hasRoom()) return false;
      const columns = '(url, depth, state, is_own, is_known)';
      const insert = `INSERT OR IGNORE INTO crawl_page ${columns} VALUES (?, ?, 'waiting', 0, ?) RETURNING n`;
      return first(insert, url, depth, Number(isKnown)) !== undefined;
    },
    next: (limit) =>
      sql
        .exec(NEXT, limit)
        .toArray()
        .map((row) => ({ url: String(row['url']), depth: Number(row['depth']), isOwn: row['is_own'] === 1 })),
    page(url) {
      const row = first('SELECT state FROM crawl_page WHERE url = ?', url);
      return row && { state: String(row['state']) as PageState }; // Only `add` and `mark` write it.
    },
    mark: (url, pageState) => void sql.exec('UPDATE crawl_page SET state = ? WHERE url = ?', pageState, url),
    own: (url) => void sql.exec('UPDATE crawl_page SET is_own = 1 WHERE url = ?', url),
    count: (pageState) => number('SELECT COUNT(*) AS n FROM crawl_page WHERE state = ?', pageState),
    asked: () => number(`SELECT COUNT(*) AS n FROM crawl_page WHERE state NOT IN ('waiting', 'moved')`),
    addSitemap(url, level) {
      if (first('SELECT n FROM crawl_sitemap WHERE url = ?', url)) return true;
      if (number('SELECT MAX(n) AS n FROM crawl_sitemap') >= MAX_SITEMAPS) return false;
      sql.exec('INSERT INTO crawl_sitemap (url, level, is_done) VALUES (?, ?, 0)', url, level);
      return true;
    },
    nextSitemap() {
      const row = first('SELECT url, level FROM crawl_sitemap WHERE is_done = 0 ORDER BY n LIMIT 1');
      return row && { url: String(row['url']), level: Number(row['level']) };
    },
    doneSitemap: (url) => void sql.exec('UPDATE crawl_sitemap SET is_done = 1 WHERE url = ?', url),
  };
}

function readCrawlState(row: SqlRow | undefined): CrawlState | undefined {
  return (
    row && {
      job: String(row['job']),
      phase: String(row['phase']) as CrawlPhase, // Only `begin` and `change` write it.
      robots: String(row['robots']),
      notBeforeMs: Number(row['not_before_ms']),
      isPartial: row['is_partial'] === 1,
      isLate: row['is_late'] === 1,
      sweepPage: Number(row['sweep_page']),
    }
  );
}

/** Addresses that led elsewhere and are remembered, the newest: more than the pages of one job. */
const MAX_LEADS = 1_000;
/** Pages that a job names as left out by the rules of the instance; of the others it says that there are more. */
export const MAX_SKIP_LINES = 100;

const SKIPPED_SCHEMA = [
  'CREATE TABLE IF NOT EXISTS crawl_lead (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, target TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS crawl_skip (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE)',
];
const OLD_LEADS = 'DELETE FROM crawl_lead WHERE n <= (SELECT n FROM crawl_lead ORDER BY n DESC LIMIT 1 OFFSET ?)';

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
  createTables(sql, SKIPPED_SCHEMA);
  return {
    setLead(url, target) {
      if (target === undefined) {
        sql.exec('DELETE FROM crawl_lead WHERE url = ?', url);
        return;
      }
      sql.exec('INSERT OR REPLACE INTO crawl_lead (url, target) VALUES (?, ?)', url, target);
      sql.exec(OLD_LEADS, MAX_LEADS);
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
