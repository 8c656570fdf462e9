import type { CountedRow, CountsBatch, EdgeVerification } from './counts-body.ts';

/** Requests of an agent with one class of status, of one batch. */
export type CountCell = {
  agent: string;
  verification: EdgeVerification;
  /** The first digit of the status. */
  statusClass: number;
  n: number;
  bytes: number;
  /** Of them: other methods than GET and HEAD, 401, 403, 429 and 5xx, and what agents ask for beside pages. */
  writes: number;
  refused: number;
  robots: number;
  llms: number;
  markdown: number;
};
/** Reads of one page by an agent, and how many of them were answered 4xx or 5xx. */
export type PageCell = { agent: string; path: string; n: number; errors: number };
export type ReferralCell = { assistant: string; n: number };

/** A batch as rows of a book. */
export type SummedBatch = {
  batchId: string;
  minuteMs: number;
  dropped: number;
  cells: readonly CountCell[];
  pages: readonly PageCell[];
  referrals: readonly ReferralCell[];
};

/** Adds the rows of a batch up: what is written down depends on what was asked for, not on how it was sent. */
export function sumBatch({ rows, ...batch }: CountsBatch): SummedBatch {
  const cells = new Map<string, CountCell>();
  const pages = new Map<string, PageCell>();
  const referrals = new Map<string, ReferralCell>();
  for (const row of rows) {
    addToCell(cells, row);
    const { agent, path, n } = row;
    if (row.kind === 'page' && row.isRead) {
      const page = getOr(pages, `${agent} ${path}`, { agent, path, n: 0, errors: 0 });
      page.n += n;
      if (row.status >= FIRST_ERROR) page.errors += n;
    }
    if (row.referral !== undefined) getOr(referrals, row.referral, { assistant: row.referral, n: 0 }).n += n;
  }
  return { ...batch, cells: [...cells.values()], pages: [...pages.values()], referrals: [...referrals.values()] };
}

const FIRST_ERROR = 400;
const FIRST_SERVER_ERROR = 500;
const REFUSING: ReadonlySet<number> = new Set([401, 403, 429]);

function addToCell(cells: Map<string, CountCell>, row: CountedRow): void {
  const { agent, verification, status, kind, n } = row;
  const statusClass = Math.floor(status / 100);
  const none = { n: 0, bytes: 0, writes: 0, refused: 0, robots: 0, llms: 0, markdown: 0 };
  const cell = getOr(cells, `${agent} ${verification} ${statusClass}`, { agent, verification, statusClass, ...none });
  cell.n += n;
  cell.bytes += row.bytes;
  if (!row.isRead) cell.writes += n;
  if (status >= FIRST_SERVER_ERROR || REFUSING.has(status)) cell.refused += n;
  if (kind === 'robots' || kind === 'llms' || kind === 'markdown') cell[kind] += n;
}

function getOr<T>(map: Map<string, T>, key: string, initial: T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, initial);
  return initial;
}
