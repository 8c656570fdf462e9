import type { Hono } from 'hono';
import { parseSiteKey } from '../../../src/capabilities/published/site-key.ts';
import { publishOperations } from '../../../src/openapi/publish-operations.ts';
import {
  describeUnreadable,
  isBuyersToken,
  judgePublishing,
  type PublishJudgement,
  refusePublishing,
} from '../../../src/sales/reports/publish-report.ts';
import { listPublishSecrets } from '../../../src/sales/seller.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { formatBadgePath, formatHistoryPath } from '../../../src/web/badge/badge.tsx';
import type { AppContext, AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { openStoredReport } from '../bindings/open-report.ts';
import type { OpenReport } from '../../../src/sales/reports/report-store.ts';
import { publishWords } from '../../../src/web/report/publish-words.ts';
import { requireOwnPagePost, type FormInput, isPageWanted, readPosted, refuseRequest, showRefusal } from './pages.ts';
import {
  findSiteKey,
  isTakenDown,
  publish,
  unpublish,
  unpublishListed,
} from '../../../src/sales/reports/published-store.ts';

/**
 * `POST /reports/{id}/publish` and `/unpublish` with `publish_token`, as JSON or as a form of ours: the buyer's own choice,
 * whenever it is made. Both may be repeated.
 */
export function publishRoutes(app: Hono<AppEnv>): void {
  const { publish: publishOperation, unpublish: unpublishOperation } = publishOperations;
  app.on(publishOperation.method, publishOperation.route, guardFreeRoute, requireOwnPagePost, publishReport);
  app.on(unpublishOperation.method, unpublishOperation.route, guardFreeRoute, requireOwnPagePost, unpublishReport);
}

async function publishReport(c: AppContext): Promise<Response> {
  const asked = await readPublishRequest(c);
  if (asked instanceof Response) return asked;
  const { id, posted, found } = asked;
  const judged = judgePublishing(found, asked.isBuyer);
  if (!judged.ok) return refuseJudged(c, judged);
  const { key, report } = judged;
  if (await isTakenDown(c.env.REPORTS, key, id)) return refuseJudged(c, refusePublishing('taken_down'));
  await publish(c.env.REPORTS, key, report.json, report.storedAtMs);
  return answerPublished(c, posted, { id, key, published: true });
}

/** People read why in their own language. */
const refuseJudged = (
  c: AppContext,
  { problem, reason }: Extract<PublishJudgement, { ok: false }>,
): Response | Promise<Response> =>
  reason === undefined || !isPageWanted(c.req.raw)
    ? refuseRequest(c, problem)
    : showRefusal(c, problem, { said: publishWords[c.get('language')].reasons[reason] });

/** A history outlives its reports: with `host`, what is left of one that can no longer be read is taken back too. */
async function unpublishReport(c: AppContext): Promise<Response> {
  const asked = await readPublishRequest(c);
  if (asked instanceof Response) return asked;
  const { id, posted, found } = asked;
  const isOpen = found.kind === 'open';
  const key = isOpen ? findSiteKey(found.report) : parseSiteKey(posted.get('host') ?? '');
  if (!isOpen && (key === undefined || found.kind === 'unavailable'))
    return refuseRequest(c, describeUnreadable(found));
  if (!asked.isBuyer) return refuseRequest(c, buildProblem('publish_refused'));
  if (key !== undefined) await (isOpen ? unpublish : unpublishListed)(c.env.REPORTS, key, id);
  return answerPublished(c, posted, { id, key, published: false });
}

type PublishRequest = { id: string; posted: FormInput; found: OpenReport; isBuyer: boolean };

async function readPublishRequest(c: AppContext): Promise<PublishRequest | Response> {
  const secrets = listPublishSecrets(c.get('settings'));
  if (secrets.length === 0) return refuseRequest(c, buildProblem('not_configured'));
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const id = c.req.param('id') ?? '';
  const given = posted.get('publish_token') ?? '';
  const isBuyer = await isBuyersToken(secrets, id, given);
  return { id, posted, found: await openStoredReport(c.env, id), isBuyer };
}

function answerPublished(
  c: AppContext,
  posted: FormInput,
  { id, key, published }: { id: string; key?: string | undefined; published: boolean },
): Response {
  if (posted.form) return c.redirect(`/reports/${id}#publish`, 303);
  const { origin } = new URL(c.get('settings').BASE_URL);
  const links =
    key === undefined
      ? {}
      : { host: key, badge: `${origin}${formatBadgePath(key)}`, history: `${origin}${formatHistoryPath(key)}` };
  return c.json({ report_id: id, published, ...links }, 200, { 'cache-control': 'no-store' });
}
