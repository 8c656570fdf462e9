import type { Hono } from 'hono';
import { reasonRow } from '../src/payment/reasons.ts';
import { type AppContext, type AppEnv, failWith } from './context.ts';
import { freeGuard } from './free-guard.ts';
import { openReport } from './open-report.ts';
import { type StoredReport, reportStore } from './purchase/report-store.ts';

const REPORT_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'private, max-age=300',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/**
 * `GET /reports/{id}.json`: a stored result, once its payment is settled, to whoever knows its unguessable id.
 * `GET /reports/{id}/snapshot`: what it was made from. It holds bytes of the audited site, so it is served as a file to
 * be saved, never as something a browser would show from our origin (rule F10). `GET /runs/{id}.json`: the same for a
 * measurement, by the id of its run: prompts' answers, served models, hashes.
 */
export function reportRoutes(app: Hono<AppEnv>): void {
  app.get('/reports/:file{[0-9a-f]{32}\\.json}', freeGuard, async (c) => {
    const id = c.req.param('file').slice(0, 32);
    const found = await openedReport(c, id);
    return found instanceof Response ? found : c.body(found.json, 200, REPORT_HEADERS);
  });
  app.get('/reports/:id{[0-9a-f]{32}}/snapshot', freeGuard, async (c) => {
    const id = c.req.param('id');
    const found = await openedReport(c, id);
    return found instanceof Response ? found : serveSnapshot(c, id, `sightline-${id}.snapshot.json`, notFound);
  });
  app.get('/runs/:file{[0-9a-f]{32}\\.json}', freeGuard, async (c) => {
    const runId = c.req.param('file').slice(0, 32);
    for (const reportId of await reportStore(c.env.REPORTS, Date.now).reportsOfRun(runId)) {
      const found = await openedReport(c, reportId, noRun);
      if (!(found instanceof Response)) return serveSnapshot(c, reportId, `sightline-run-${runId}.json`, noRun);
      if (found.status !== 404) return found;
    }
    return noRun(c);
  });
}

/** What an open report was made from, as a file of this name: it must not tell more than the caller knew. */
async function serveSnapshot(
  c: AppContext,
  id: string,
  fileName: string,
  missing: (c: AppContext) => Response,
): Promise<Response> {
  const snapshot = await reportStore(c.env.REPORTS, Date.now).snapshot(id);
  if (!snapshot) return missing(c);
  const disposition = `attachment; filename="${fileName}"`;
  return c.body(snapshot, 200, { ...REPORT_HEADERS, 'content-disposition': disposition });
}

/** The stored report when its payment is settled, else the answer that says why not. */
async function openedReport(
  c: AppContext,
  id: string,
  missing: (c: AppContext) => Response = notFound,
): Promise<StoredReport | Response> {
  const found = await openReport(c.env, id);
  if (found.kind === 'open') return found.report;
  if (found.kind === 'missing') return missing(c);
  return failWith(c, { ...reasonRow('ledger_unavailable'), code: 'ledger_unavailable' });
}

const noRun = (c: AppContext): Response =>
  failWith(c, {
    status: 404,
    code: 'run_not_found',
    title: 'No answers under this id',
    detail: 'The answers of a measurement can be read for 30 days, once it is paid',
  });

const notFound = (c: Parameters<typeof failWith>[0]): Response =>
  failWith(c, {
    status: 404,
    code: 'report_not_found',
    title: 'No report under this id',
    detail: 'Reports are kept 30 days',
  });
