import type { Hono } from 'hono';
import {
  compareReports,
  formatChangesJson,
  type History,
  type PublishedEntry,
} from '../../../src/capabilities/published/history.ts';
import { parseSiteKey, formatSiteUrl } from '../../../src/capabilities/published/site-key.ts';
import { publishOperations } from '../../../src/openapi/publish-operations.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { formatHistoryPath } from '../../../src/web/badge/badge.tsx';
import { type HistoryChangesView, type HistoryShown, renderHistoryPage } from '../../../src/web/history/page.tsx';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { isPageWanted, showPage, showRefusal } from './pages.ts';
import { readHistory } from '../../../src/sales/published-store.ts';
import { computeReportExpiry } from '../../../src/sales/report-store.ts';

const SUFFIX = '.json';
/** Short: what its buyer takes back should be gone soon. */
const CACHE = 'public, max-age=60';

/**
 * `GET /history/{host}` and `/history/{host}.json`: published reports of a site, newest first, and what changed between
 * two of them, by `?from=` and `?to=` (report ids); without them between the last two.
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
  if (!isJson) return showPage(c, renderHistoryPage(shown), { script: true, cacheControl: CACHE });
  return c.json(toHistoryJson(shown), 200, { 'cache-control': CACHE, 'x-robots-tag': 'noindex' });
}

function refuseMissingHistory(c: AppContext, key: string | undefined, isJson: boolean): Response | Promise<Response> {
  const problem = buildProblem('history_not_found');
  if (isJson) return failWith(c, problem);
  return isPageWanted(c.req.raw)
    ? showRefusal(c, problem, key === undefined ? '' : formatSiteUrl(key))
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
