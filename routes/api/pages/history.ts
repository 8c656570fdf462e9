import type { Hono } from 'hono';
import {
  compareReports,
  formatChangesJson,
  type History,
  type PublishedEntry,
} from '../../../src/capabilities/published/history.ts';
import { decodeCursor, encodeCursor } from '../../../src/lib/cursor.ts';
import { parseSiteKey, formatSiteUrl } from '../../../src/capabilities/published/site-key.ts';
import { publishOperations } from '../../../src/openapi/publish-operations.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { formatHistoryPath } from '../../../src/web/badge/badge.tsx';
import { type HistoryChangesView, type HistoryShown, renderHistoryPage } from '../../../src/web/history/page.tsx';
import { type AppContext, type AppEnv, fail, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { isPageWanted, showPage, showRefusal } from './pages.ts';
import { readHistory } from '../../../src/sales/reports/published-store.ts';
import { computeReportExpiry } from '../../../src/sales/reports/report-store.ts';

const SUFFIX = '.json';
/** Entries of one answer as JSON; the rest is behind `next_cursor`. The page for people shows them all. */
export const HISTORY_PAGE_ENTRIES = 20;
/** Short: what its buyer takes back should be gone soon. */
const CACHE = 'public, max-age=60';

/**
 * `GET /history/{host}` and `/history/{host}.json`: published reports of a site, newest first, and what changed between
 * two of them, by `?from=` and `?to=` (report ids); without them between the last two. The JSON comes in pages, by `?cursor=`.
 */
export function registerHistoryRoutes(app: Hono<AppEnv>): void {
  app.on(publishOperations.history.method, publishOperations.history.route, guardFreeRoute, (c) => showHistory(c));
}

async function showHistory(c: AppContext): Promise<Response> {
  const text = c.req.param('host') ?? '';
  const isJson = text.endsWith(SUFFIX);
  const key = parseSiteKey(isJson ? text.slice(0, -SUFFIX.length) : text);
  const entries = key === undefined ? [] : await readHistory(c.env.REPORTS, key);
  if (key === undefined || entries.length === 0) return refuseMissingHistory(c, key, isJson);
  const shownFrom = isJson ? await readCursor(c, key) : 0;
  if (shownFrom === undefined || shownFrom > entries.length) return fail(c, 'invalid_cursor');
  const { origin: baseUrl } = new URL(c.get('settings').BASE_URL);
  const compared = selectCompared(entries, c.req.query('from'), c.req.query('to'));
  const changes = compared && { ...compared, ...compareReports(compared.from, compared.to) };
  const shown = {
    host: key,
    siteUrl: formatSiteUrl(key),
    baseUrl,
    entries: entries.map((entry) => ({ ...entry, isReadable: isReadable(entry) })),
    changes,
  };
  if (!isJson) {
    c.header('vary', 'Accept-Language, Cookie', { append: true });
    return showPage(c, renderHistoryPage(shown, c.get('language')), { script: true, cacheControl: CACHE });
  }
  const page = entries.slice(shownFrom, shownFrom + HISTORY_PAGE_ENTRIES).length;
  const next = await findNextPage(c, key, { at: shownFrom + page, of: entries.length });
  const body = toHistoryJson({ ...shown, entries: shown.entries.slice(shownFrom, shownFrom + page) });
  const headers = { 'cache-control': CACHE, 'x-robots-tag': 'noindex' };
  if (next === undefined) return c.json(body, 200, headers);
  return c.json({ ...body, next_cursor: next.cursor }, 200, { ...headers, link: `<${next.url}>; rel="next"` });
}

const formatListScope = (key: string): string => `history\n${key}`;

/** Where the asked page begins; undefined for a cursor that is not of this history. */
async function readCursor(c: AppContext, key: string): Promise<number | undefined> {
  const cursor = c.req.query('cursor');
  return cursor === undefined ? 0 : decodeCursor(cursor, formatListScope(key));
}

/** The cursor of the page that follows, and its address with what else the query asks. */
async function findNextPage(
  c: AppContext,
  key: string,
  { at, of }: { at: number; of: number },
): Promise<{ cursor: string; url: string } | undefined> {
  if (at >= of) return undefined;
  const cursor = await encodeCursor(formatListScope(key), at);
  const url = new URL(`${formatHistoryPath(key)}${SUFFIX}`, c.get('settings').BASE_URL);
  for (const name of ['from', 'to']) {
    const value = c.req.query(name);
    if (value !== undefined) url.searchParams.set(name, value);
  }
  url.searchParams.set('cursor', cursor);
  return { cursor, url: url.href };
}

function refuseMissingHistory(c: AppContext, key: string | undefined, isJson: boolean): Response | Promise<Response> {
  const problem = buildProblem('history_not_found');
  if (isJson) return failWith(c, problem);
  return isPageWanted(c.req.raw)
    ? showRefusal(c, problem, key === undefined ? {} : { url: formatSiteUrl(key) })
    : failWith(c, problem);
}

const isReadable = ({ atMs }: PublishedEntry): boolean => Date.now() <= computeReportExpiry({ storedAtMs: atMs });

type Compared = Pick<HistoryChangesView, 'from' | 'to'>;

/** The two entries that the query names; the last two where it names neither. */
function selectCompared(entries: History, fromId: string | undefined, toId: string | undefined): Compared | undefined {
  const named = (id: string | undefined) => entries.find(({ reportId }) => reportId === id);
  const to = named(toId) ?? entries[0];
  const before = to && entries[entries.indexOf(to) + 1];
  const from = named(fromId) ?? before;
  return from && to && from !== to ? { from, to } : undefined;
}

function toHistoryJson({ host, siteUrl, baseUrl, entries, changes }: HistoryShown): object {
  return {
    host,
    url: siteUrl,
    page: `${baseUrl}${formatHistoryPath(host)}`,
    entries: entries.map(({ reportId, atMs, isReadable: readable, ...rest }) => ({
      report_id: reportId,
      at: new Date(atMs).toISOString(),
      ...(readable ? { report: `${baseUrl}/reports/${reportId}.json` } : {}),
      ...rest,
    })),
    changes: changes === undefined ? null : toChangesJson(changes),
  };
}

const toChangesJson = (changes: HistoryChangesView): object => ({
  from: changes.from.reportId,
  to: changes.to.reportId,
  ...formatChangesJson(changes),
});
