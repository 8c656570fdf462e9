import type { Hono } from 'hono';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { freeGuard } from '../free-guard.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { reportStore } from '../../../src/sales/report-store.ts';
import { PRIVATE_HEADERS } from './report-headers.ts';
import { noReport, openedReport } from './report-refusals.ts';

/**
 * `GET /reports/{id}/snapshot`: what a report was made from. It holds bytes of the audited site, so it is served as a file
 * to be saved, never as something a browser would show from our origin (rule F10). `GET /runs/{id}.json`: the same for a
 * measurement, by the id of its run: prompts' answers, served models, hashes.
 */
export function reportSourceRoutes(app: Hono<AppEnv>): void {
  app.get('/reports/:id{[0-9a-f]{32}}/snapshot', freeGuard, async (c) => {
    const id = c.req.param('id');
    const found = await openedReport(c, id);
    return found instanceof Response ? found : serveSnapshot(c, id, `sightline-${id}.snapshot.json`, noReport);
  });
  app.get('/runs/:file{[0-9a-f]{32}\\.json}', freeGuard, async (c) => {
    const runId = c.req.param('file').slice(0, 32);
    for (const reportId of await reportStore(c.env.REPORTS, Date.now).reportsOfRun(runId)) {
      const found = await openedReport(c, reportId, failWith, noRun);
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

const noRun: ProblemInput = {
  status: 404,
  code: 'run_not_found',
  title: 'No answers under this id',
  detail: 'The answers of a measurement can be read for 30 days, once it is paid',
};
