import type { Hono } from 'hono';
import { reportOperations } from '../../../src/openapi/report-operations.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { REPORT_DAYS, reportStore, type ReportRecord } from '../../../src/sales/reports/report-store.ts';
import { FORM_NAMES, type ReportForm } from '../../../src/web/report/forms.ts';
import { openStoredReport } from '../bindings/open-report.ts';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { isPagePreferred, showRefusal } from './pages.ts';

/** Of the page: it shows whether the report is published, which its own forms change. */
export const PAGE_CACHE = 'private, no-cache';

/** Pages are in the language of their reader, which the browser or its cookie says. */
export const LANGUAGE_VARY = 'Accept-Language, Cookie';

/** Of every form of a report and of its data: only those who know its id may read it (rule X5). */
export const PRIVATE_HEADERS = {
  'cache-control': 'private, max-age=300',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** Makes the answer to a refusal: a problem, or a page where people asked. */
export type Refuse = (c: AppContext, input: ProblemInput) => Response | Promise<Response>;

export const noReport: ProblemInput = buildProblem('report_not_found', {
  detail: `The address is misspelt, the payment of the report was not settled, or its ${REPORT_DAYS} days are over`,
});

const EXPIRED: ProblemInput = buildProblem('report_expired', {
  detail: `Reports can be read for ${REPORT_DAYS} days, and those of this one are over`,
});

/** No form of a report that was asked for is one that this report has. */
export const buildNoSuchFormProblem = (forms: readonly ReportForm[]): ProblemInput =>
  buildProblem('not_acceptable', {
    detail: `It can be read as ${forms.map((form) => `${FORM_NAMES[form].name} (.${form})`).join(', ')}`,
  });

/** No PDF was made: there is no browser, or none now. */
export const buildPdfProblem = (reason: 'no_browser' | 'browser_unavailable' | 'print_failed'): ProblemInput =>
  reason === 'no_browser'
    ? buildProblem('pdf_unavailable', {
        detail:
          'This deployment has no browser that prints. Open the page of the report and print it to a PDF there, or download its snapshot and run `sightline replay FILE --format pdf`',
      })
    : buildProblem('pdf_unavailable', {
        detail:
          'The browser that prints is busy or failed. Repeat after Retry-After, or open the page of the report and print it to a PDF there',
        retryAfterS: PDF_RETRY_S,
      });

/** After so long a browser of the platform is free again. */
const PDF_RETRY_S = 30;

/** The stored report when its payment is settled, else the answer that says why not. */
export async function openReportOrRefuse(
  c: AppContext,
  id: string,
  refuse: Refuse = failWith,
  missing: ProblemInput = noReport,
): Promise<ReportRecord | Response> {
  const found = await openStoredReport(c.env, id);
  switch (found.kind) {
    case 'open':
      return found.report;
    case 'missing':
      return refuse(c, missing);
    case 'expired':
      return refuse(c, EXPIRED);
    case 'unavailable':
      return refuse(c, buildProblem('ledger_unavailable'));
  }
}

/** A page for people. `detail` is ours, so it contains no text of a site. */
export const refuseByPage: Refuse = (c, input) => {
  c.header('x-robots-tag', 'noindex, nofollow');
  return showRefusal(c, input);
};

/** By Accept: a page for browsers, a problem for programs; neither may be kept for the other. */
export const refuseByAccept: Refuse = (c, input) => {
  c.header('vary', 'Accept');
  if (isPagePreferred(c)) return refuseByPage(c, input);
  return failWith(c, { ...input, headers: { ...input.headers, vary: 'Accept' } });
};

/**
 * `GET /reports/{id}/snapshot`: what a report was made from. It holds bytes of the audited site, so it is served as a file
 * to be saved, never as something a browser would show from our origin (rule F10). `GET /runs/{id}.json`: the same for a
 * measurement, by the id of its run: prompts' answers, served models, hashes.
 */
export function reportSourceRoutes(app: Hono<AppEnv>): void {
  const { snapshot, run } = reportOperations;
  app.on(snapshot.method, snapshot.route, guardFreeRoute, async (c) => {
    const id = c.req.param('id');
    const found = await openReportOrRefuse(c, id);
    return found instanceof Response ? found : serveSnapshot(c, id, `sightline-${id}.snapshot.json`, noReport);
  });
  app.on(run.method, run.route, guardFreeRoute, async (c) => {
    const runId = c.req.param('file').slice(0, 32);
    for (const reportId of await reportStore(c.env.REPORTS, Date.now).reportsOfRun(runId)) {
      const found = await openReportOrRefuse(c, reportId, failWith, noRun);
      if (!(found instanceof Response)) return serveSnapshot(c, reportId, `sightline-run-${runId}.json`, noRun);
      if (found.status !== 404) return found;
    }
    return failWith(c, noRun);
  });
}

/** What an open report was made from, as a file of this name: it must not tell more than the caller knew. */
async function serveSnapshot(c: AppContext, id: string, fileName: string, missing: ProblemInput): Promise<Response> {
  const snapshot = await reportStore(c.env.REPORTS, Date.now).snapshot(id);
  if (!snapshot) return failWith(c, missing);
  const disposition = `attachment; filename="${fileName}"`;
  return c.body(snapshot, 200, {
    ...PRIVATE_HEADERS,
    'content-type': 'application/json',
    'content-disposition': disposition,
  });
}

const noRun: ProblemInput = buildProblem('run_not_found', {
  detail: 'The answers of a measurement can be read for 30 days, once it is paid',
});
