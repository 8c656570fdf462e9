import type { Hono } from 'hono';
import { REPORT_ROUTE } from '../../../src/openapi/report-operations.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { createCardStore } from '../../../src/sales/reports/report-cards.ts';
import { readPublishedState } from '../../../src/sales/reports/published-store.ts';
import { type ReportRecord, reportStore } from '../../../src/sales/reports/report-store.ts';
import { readStoredRun } from '../../../src/sales/stored-run.ts';
import type { BrandHistory } from '../../../src/visibility/trend/history.ts';
import { CARD } from '../../../src/web/design/card.ts';
import {
  formatAnswersCsv,
  formatAnswerTableCsv,
  formatAnswerTableLines,
} from '../../../src/web/report/answers/answer-tables.ts';
import { answerTables, isAnswerTable } from '../../../src/web/report/answers/answer-tables-data.ts';
import type { ShownAnswers } from '../../../src/web/report/answers/shown-answer.ts';
import { readStoredAnswers } from '../../../src/web/report/answers/stored-answers.ts';
import { type NotComparable, pairReports, parseReportId } from '../../../src/web/report/since/read-compared.ts';
import { readStoredHistory } from '../../../src/web/report/since/read-history.ts';
import { renderSincePage } from '../../../src/web/report/since/page.tsx';
import { formatSincePath } from '../../../src/web/report/since-form.tsx';
import { escapeForPage, readStored } from '../../../src/web/report/stored.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { showPage } from './pages.ts';
import { LANGUAGE_VARY, openReportOrRefuse, PAGE_CACHE, PRIVATE_HEADERS, refuseByPage } from './report-refusals.ts';

/** Short, so that what its buyer takes back is soon gone from previews too. */
const CARD_CACHE = 'public, max-age=300';

/** What belongs to a report beside its forms: what changed since another one, the answers as files, and the picture of its link. */
export function registerReportExtras(app: Hono<AppEnv>): void {
  app.get(`${REPORT_ROUTE}/since`, guardFreeRoute, redirectToSince);
  app.get(`${REPORT_ROUTE}/since/:other{[0-9a-f]{32}}`, guardFreeRoute, showSince);
  app.get(`${REPORT_ROUTE}/answers.csv`, guardFreeRoute, showAnswersCsv);
  app.get(`${REPORT_ROUTE}/answers.jsonl`, guardFreeRoute, showAnswersLines);
  app.get(`${REPORT_ROUTE}/card.png`, guardFreeRoute, showCard);
}

/** The form of a report, which works without scripts: leads to the address of the comparison. */
function redirectToSince(c: AppContext): Response | Promise<Response> {
  const id = c.req.param('id') ?? '';
  const other = parseReportId(c.req.query('other') ?? '');
  if (other === undefined)
    return refuseByPage(c, buildProblem('not_comparable', { detail: 'That is no address and no id of a report' }));
  c.header('referrer-policy', PRIVATE_HEADERS['referrer-policy']);
  return c.redirect(formatSincePath(id, other), 303);
}

/** Only who knows both ids can name this page (rule X5). The earlier of the two is what the later one is compared with. */
async function showSince(c: AppContext): Promise<Response> {
  const ids = [c.req.param('id') ?? '', c.req.param('other') ?? ''];
  const opened = await Promise.all(ids.map((id) => openReportOrRefuse(c, id, refuseByPage)));
  const reports: { id: string; report: ReportRecord }[] = [];
  for (const [place, report] of opened.entries()) {
    if (report instanceof Response) return report;
    reports.push({ id: ids[place] ?? '', report });
  }
  const [from, to] = reports.toSorted((one, other) => one.report.storedAtMs - other.report.storedAtMs);
  if (from === undefined || to === undefined || from.id === to.id) return refusePair(c, 'the_same');
  const pair = pairReports(escapeForPage(readStored(from.report.json)), escapeForPage(readStored(to.report.json)));
  if (typeof pair === 'string') return refusePair(c, pair);
  const history = pair.kind !== 'site' ? await readHistory(c, [from, to]) : undefined;
  const shown = {
    language: c.get('language'),
    pair,
    ...(history === undefined ? {} : { history }),
    from: { id: from.id, atMs: from.report.storedAtMs },
    to: { id: to.id, atMs: to.report.storedAtMs },
  };
  for (const [name, value] of Object.entries(PRIVATE_HEADERS)) c.header(name, value);
  c.header('vary', LANGUAGE_VARY, { append: true });
  return showPage(c, renderSincePage(shown), { cacheControl: PAGE_CACHE });
}

/** What the answers behind two reports show; undefined where those of one are no longer there, or may not be compared. */
async function readHistory(
  c: AppContext,
  reports: readonly { id: string; report: ReportRecord }[],
): Promise<BrandHistory | undefined> {
  const store = reportStore(c.env.REPORTS, Date.now);
  const stored = await Promise.all(
    reports.map(async ({ id, report }) => ({
      json: readStored(report.json).json,
      runs: await readStoredRun(store, id),
    })),
  );
  return readStoredHistory(stored);
}

const WHY: Readonly<Record<NotComparable | 'the_same', string>> = {
  without_figures: 'One of them has neither checks nor figures of one subject',
  another_subject: 'They are about two subjects: the address of the site, or brand and market, differ',
  no_common_check: 'No check is in both of them',
  the_same: 'Both addresses lead to the same report',
};

const refusePair = (c: AppContext, why: NotComparable | 'the_same'): Response | Promise<Response> =>
  refuseByPage(c, buildProblem('not_comparable', { detail: WHY[why] }));

/** The answers behind a measurement as files: all of it for a spreadsheet, or the table that `table` names. */
function showAnswersCsv(c: AppContext): Promise<Response> {
  const table = c.req.query('table');
  return showAnswers(c, { ending: 'csv', type: 'text/csv; charset=utf-8', table }, (shown) =>
    table !== undefined && isAnswerTable(table) ? formatAnswerTableCsv(shown, table) : formatAnswersCsv(shown),
  );
}

function showAnswersLines(c: AppContext): Promise<Response> {
  const table = c.req.query('table') ?? 'answers';
  return showAnswers(c, { ending: 'jsonl', type: 'application/jsonl; charset=utf-8', table }, (shown) =>
    formatAnswerTableLines(shown, isAnswerTable(table) ? table : 'answers'),
  );
}

type AnswerFile = { ending: 'csv' | 'jsonl'; type: string; table: string | undefined };

async function showAnswers(
  c: AppContext,
  { ending, type, table }: AnswerFile,
  format: (shown: ShownAnswers) => string,
): Promise<Response> {
  if (table !== undefined && !isAnswerTable(table)) return refuseByPage(c, NO_SUCH_TABLE);
  const id = c.req.param('id') ?? '';
  const report = await openReportOrRefuse(c, id, refuseByPage);
  if (report instanceof Response) return report;
  const run = await readStoredRun(reportStore(c.env.REPORTS, Date.now), id);
  const answers = run && (await readStoredAnswers(readStored(report.json), run));
  if (answers === undefined) return refuseByPage(c, buildProblem('run_not_found'));
  const isWhole = c.req.query('table') === undefined;
  return c.body(format(answers), 200, {
    ...PRIVATE_HEADERS,
    'content-type': type,
    'content-disposition': `attachment; filename="sightline-${id}-${isWhole ? 'answers' : (table ?? '')}.${ending}"`,
  });
}

const NO_SUCH_TABLE = buildProblem('not_acceptable', {
  detail: `The tables of answers are ${answerTables.join(', ')}: name one of them as \`table\`, or leave it out`,
});

/** The picture that was drawn when the report was published; for any other the one that all share, which says nothing (rule X5). */
async function showCard(c: AppContext): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const report = await openReportOrRefuse(c, id, refuseByPage);
  if (report instanceof Response) return report;
  const state = await readPublishedState(c.env.REPORTS, c.get('settings').BASE_URL, id, report, Date.now());
  const card = state.published ? await createCardStore(c.env.REPORTS).get(id) : undefined;
  c.header('cache-control', CARD_CACHE);
  c.header('x-content-type-options', 'nosniff');
  return card === undefined ? c.redirect(CARD.path, 302) : c.body(card, 200, { 'content-type': 'image/png' });
}
