import * as z from 'zod';
import { createTables, type RunStatement, type Sql } from '../../lib/sqlite.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { MIN_PEOPLE_CELL } from '../tally/traffic-report.ts';
import { AUTOMATION, MAX_COUNTS_AGE_MS, PERSON } from './counts-body.ts';
import type { PageCell, SummedBatch } from './summed-batch.ts';
import { type StoredCounts, storedCells, storedDays, storedPages, storedReferrals } from './stored-counts.ts';

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS count_tokens (account TEXT PRIMARY KEY, hash TEXT UNIQUE NOT NULL, created_at_ms INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS count_batches (
    account TEXT NOT NULL, batch TEXT NOT NULL, minute_ms INTEGER NOT NULL, PRIMARY KEY (account, batch)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS count_days (
    account TEXT NOT NULL, day INTEGER NOT NULL, batches INTEGER NOT NULL, dropped INTEGER NOT NULL, pages INTEGER NOT NULL,
    last_ms INTEGER NOT NULL, PRIMARY KEY (account, day)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS counts (
    account TEXT NOT NULL, day INTEGER NOT NULL, agent TEXT NOT NULL, verification TEXT NOT NULL, status_class INTEGER NOT NULL,
    n INTEGER NOT NULL, bytes INTEGER NOT NULL, writes INTEGER NOT NULL, refused INTEGER NOT NULL, robots INTEGER NOT NULL,
    llms INTEGER NOT NULL, markdown INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
    PRIMARY KEY (account, day, agent, verification, status_class)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS count_pages (
    account TEXT NOT NULL, day INTEGER NOT NULL, agent TEXT NOT NULL, path TEXT NOT NULL, n INTEGER NOT NULL,
    errors INTEGER NOT NULL, PRIMARY KEY (account, day, agent, path)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS count_referrals (
    account TEXT NOT NULL, day INTEGER NOT NULL, assistant TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (account, day, assistant)
  ) WITHOUT ROWID`,
];

/** How long counts are kept, in days. */
export const COUNTS_KEPT_DAYS = 400;
/** Different pages of one agent, and of all, in a day; requests of others are counted as "other". */
export const MAX_PAGES_OF_CRAWLER = 200;
export const MAX_PAGES_OF_DAY = 1_000;
/** Batches of one account on one day: more than two a second. */
export const MAX_BATCHES_OF_DAY = 200_000;
/** Ids are kept for longer than a batch may be late: after that a repeat is refused by its age. */
const BATCHES_KEPT_MS = MAX_COUNTS_AGE_MS + HOUR_MS;
/** Pages of each agent, and pages that no agent reads, that are listed. */
const LISTED_PAGES = 20;
const LISTED_UNREAD = 50;
/** The path of pages beyond the limit. */
const OTHER = '';

const tokenRow = z.object({ account: z.string(), created_at_ms: z.number() });
const countRow = z.object({ n: z.number() });
const dayRow = z.object({ batches: z.number(), pages: z.number() });

/** What became of a batch. `repeat`: it was counted before. */
export type Counting = 'counted' | 'repeat' | 'too_many';

export type CountsBook = ReturnType<typeof openCountsBook>;

/** The counts of one host, apart for each account that sends them. Each call is one transaction. */
export function openCountsBook(sql: Sql, now: () => number) {
  const run = createTables(sql, SCHEMA);
  return {
    /** A new token; the one before it ends. `hash`: SHA-256 of it. */
    setToken: (account: string, hash: string): void =>
      void run('INSERT OR REPLACE INTO count_tokens VALUES (?, ?, ?)', account, hash, now()),
    /** Since when the account has its token; undefined: it has none. */
    findTokenTime(account: string): number | undefined {
      const [row] = run('SELECT account, created_at_ms FROM count_tokens WHERE account = ?', account);
      return row && tokenRow.parse(row).created_at_ms;
    },
    findAccount(hash: string): string | undefined {
      const [row] = run('SELECT account, created_at_ms FROM count_tokens WHERE hash = ?', hash);
      return row && tokenRow.parse(row).account;
    },
    accept: (account: string, batch: SummedBatch): Counting => acceptBatch(run, { account, batch, nowMs: now() }),
    /** Days are counted from 1970; both ends belong to the range. */
    read: (account: string, fromDay: number, toDay: number): StoredCounts => readCounts(run, account, fromDay, toDay),
    /** Everything of the account: its token ends. */
    forget(account: string): void {
      for (const table of ['count_tokens', 'count_batches', 'count_days', 'counts', 'count_pages', 'count_referrals'])
        run(`DELETE FROM ${table} WHERE account = ?`, account);
    },
  };
}

type Accepting = { account: string; batch: SummedBatch; nowMs: number };

function acceptBatch(run: RunStatement, { account, batch, nowMs }: Accepting): Counting {
  const { batchId, minuteMs } = batch;
  if (run('SELECT 1 FROM count_batches WHERE account = ? AND batch = ?', account, batchId).length > 0) return 'repeat';
  const day = Math.floor(minuteMs / DAY_MS);
  const [known] = run('SELECT batches, pages FROM count_days WHERE account = ? AND day = ?', account, day);
  const { batches, pages } = known === undefined ? { batches: 0, pages: 0 } : dayRow.parse(known);
  if (known === undefined) deleteOld(run, account, nowMs);
  if (batches >= MAX_BATCHES_OF_DAY) return 'too_many';
  run('INSERT INTO count_batches VALUES (?, ?, ?)', account, batchId, minuteMs);
  for (const cell of batch.cells)
    run(
      `INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n, bytes = bytes + excluded.bytes, writes = writes + excluded.writes,
         refused = refused + excluded.refused, robots = robots + excluded.robots, llms = llms + excluded.llms,
         markdown = markdown + excluded.markdown, first_ms = min(first_ms, excluded.first_ms),
         last_ms = max(last_ms, excluded.last_ms)`,
      account,
      day,
      cell.agent,
      cell.verification,
      cell.statusClass,
      cell.n,
      cell.bytes,
      cell.writes,
      cell.refused,
      cell.robots,
      cell.llms,
      cell.markdown,
      minuteMs,
      minuteMs,
    );
  let pageCount = pages;
  for (const page of batch.pages) pageCount += addPage(run, { account, day, pageCount, page });
  for (const { assistant, n } of batch.referrals)
    run(
      'INSERT INTO count_referrals VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
      account,
      day,
      assistant,
      n,
    );
  run(
    `INSERT INTO count_days VALUES (?, ?, 1, ?, ?, ?)
     ON CONFLICT DO UPDATE SET batches = batches + 1, dropped = dropped + excluded.dropped, pages = excluded.pages,
       last_ms = max(last_ms, excluded.last_ms)`,
    account,
    day,
    batch.dropped,
    pageCount,
    minuteMs,
  );
  return 'counted';
}

/** @returns 1 for a page that the day had not */
function addPage(
  run: RunStatement,
  { account, day, pageCount, page }: { account: string; day: number; pageCount: number; page: PageCell },
): 0 | 1 {
  const { agent, path, n, errors } = page;
  const add = (at: string): boolean =>
    run(
      `UPDATE count_pages SET n = n + ?, errors = errors + ? WHERE account = ? AND day = ? AND agent = ? AND path = ?
       RETURNING 1`,
      n,
      errors,
      account,
      day,
      agent,
      at,
    ).length > 0;
  if (add(path)) return 0;
  const own = run(
    'SELECT count(*) AS n FROM count_pages WHERE account = ? AND day = ? AND agent = ?',
    account,
    day,
    agent,
  );
  const hasRoom = pageCount < MAX_PAGES_OF_DAY && countRow.parse(own[0]).n < MAX_PAGES_OF_CRAWLER;
  if (!hasRoom && add(OTHER)) return 0;
  run('INSERT INTO count_pages VALUES (?, ?, ?, ?, ?, ?)', account, day, agent, hasRoom ? path : OTHER, n, errors);
  return hasRoom ? 1 : 0;
}

/** Once a day: with its first batch. */
function deleteOld(run: RunStatement, account: string, nowMs: number): void {
  const before = Math.floor(nowMs / DAY_MS) - COUNTS_KEPT_DAYS;
  for (const table of ['count_days', 'counts', 'count_pages', 'count_referrals'])
    run(`DELETE FROM ${table} WHERE account = ? AND day < ?`, account, before);
  run('DELETE FROM count_batches WHERE account = ? AND minute_ms < ?', account, nowMs - BATCHES_KEPT_MS);
}

/** The most read pages of each agent, reads beyond the limit, and what only people read: of pages that are added up once. */
const PAGES = `WITH pages AS MATERIALIZED (
  SELECT agent, path, sum(n) AS n, sum(errors) AS errors FROM count_pages
  WHERE account = ? AND day BETWEEN ? AND ? GROUP BY agent, path
)
SELECT 'top' AS list, agent, path, n, errors, pages FROM (
  SELECT agent, path, n, errors, count(*) OVER (PARTITION BY agent) AS pages,
    row_number() OVER (PARTITION BY agent ORDER BY n DESC, path) AS place
  FROM pages WHERE path <> '${OTHER}'
) WHERE place <= ${LISTED_PAGES}
UNION ALL SELECT 'top', agent, path, n, errors, 0 FROM pages WHERE path = '${OTHER}'
UNION ALL SELECT * FROM (
  SELECT 'unread', agent, path, n, errors, count(*) OVER () FROM pages
  WHERE agent = '${PERSON}' AND path <> '${OTHER}' AND n >= ${MIN_PEOPLE_CELL}
    AND path NOT IN (SELECT path FROM pages WHERE agent NOT IN ('${PERSON}', '${AUTOMATION}'))
  ORDER BY n DESC, path LIMIT ${LISTED_UNREAD}
)`;

function readCounts(run: RunStatement, account: string, fromDay: number, toDay: number): StoredCounts {
  const range = [account, fromDay, toDay] as const;
  const where = 'WHERE account = ? AND day BETWEEN ? AND ?';
  const pages = storedPages.parse(run(PAGES, ...range));
  return {
    cells: storedCells.parse(
      run(
        `SELECT agent, verification, status_class, sum(n) AS n, sum(bytes) AS bytes, sum(writes) AS writes,
           sum(refused) AS refused, sum(robots) AS robots, sum(llms) AS llms, sum(markdown) AS markdown,
           min(first_ms) AS first_ms, max(last_ms) AS last_ms
         FROM counts ${where} GROUP BY agent, verification, status_class`,
        ...range,
      ),
    ),
    days: storedDays.parse(run(`SELECT day, agent, sum(n) AS n FROM counts ${where} GROUP BY day, agent`, ...range)),
    pages: pages.filter(({ list }) => list === 'top'),
    unread: pages.filter(({ list }) => list === 'unread'),
    referrals: storedReferrals.parse(
      run(`SELECT assistant, sum(n) AS n FROM count_referrals ${where} GROUP BY assistant`, ...range),
    ),
    ...readSenders(run, range),
  };
}

const senderRow = z.object({
  batches: z.number().nullable(),
  dropped: z.number().nullable(),
  last_ms: z.number().nullable(),
});

function readSenders(run: RunStatement, range: readonly [string, number, number]): Pick<StoredCounts, 'received'> {
  const [row] = run(
    `SELECT sum(batches) AS batches, sum(dropped) AS dropped, max(last_ms) AS last_ms FROM count_days
     WHERE account = ? AND day BETWEEN ? AND ?`,
    ...range,
  );
  const { batches, dropped, last_ms: lastMs } = senderRow.parse(row);
  return { received: { batches: batches ?? 0, dropped: dropped ?? 0, lastMs: lastMs ?? undefined } };
}
