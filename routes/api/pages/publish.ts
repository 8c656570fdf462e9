import type { Hono } from 'hono';
import { PUBLISHING_WORDS } from '../../../src/capabilities/published/publishing.ts';
import { siteKeyFrom } from '../../../src/capabilities/published/site-key.ts';
import { isSameText } from '../../../src/authorization/oauth/constant-time.ts';
import { sha256Hex } from '../../../src/lib/digest.ts';
import { publishTokenOf } from '../../../src/payment/terms/publish-token.ts';
import { reasonRow } from '../../../src/payment/terms/reasons.ts';
import { problems } from '../../../src/problems/codes.ts';
import { badgePath, historyPath } from '../../../src/web/badge/snippets.tsx';
import { type AppContext, type AppEnv } from '../context.ts';
import { freeGuard } from '../free-guard.ts';
import { type OpenReport, openReport } from '../bindings/open-report.ts';
import { ownPagesOnly, type Posted, readPosted, refuse } from './pages.ts';
import { keyOf, publish, publishableKey, standingOf, unpublish, unpublishListed } from '../bindings/published-store.ts';

/**
 * `POST /reports/{id}/publish` and `/unpublish` with `publish_token`, as JSON or as a form of ours: the buyer's own choice,
 * whenever it is made. Both may be repeated.
 */
export function publishRoutes(app: Hono<AppEnv>): void {
  const path = '/reports/:id{[0-9a-f]{32}}';
  app.post(`${path}/publish`, freeGuard, ownPagesOnly, publishReport);
  app.post(`${path}/unpublish`, freeGuard, ownPagesOnly, unpublishReport);
}

type Answer = Response | Promise<Response>;

async function publishReport(c: AppContext): Promise<Response> {
  const asked = await askedBy(c);
  if (asked instanceof Response) return asked;
  const { id, posted, found } = asked;
  if (found.kind !== 'open') return unreadable(c, found);
  if (!asked.isBuyer) return wrongToken(c);
  const key = publishableKey(found.report);
  if (key === undefined) return refused(c, 422, 'not_publishable', PUBLISHING_WORDS[standingOf(found.report)]);
  await publish(c.env.REPORTS, key, found.report.json, found.report.storedAtMs);
  return done(c, posted, { id, key, published: true });
}

/** A history outlives its reports: with `host`, what is left of one that can no longer be read is taken back too. */
async function unpublishReport(c: AppContext): Promise<Response> {
  const asked = await askedBy(c);
  if (asked instanceof Response) return asked;
  const { id, posted, found } = asked;
  const isOpen = found.kind === 'open';
  const key = isOpen ? keyOf(found.report) : siteKeyFrom(posted.get('host') ?? '');
  if (!isOpen && (key === undefined || found.kind === 'unavailable')) return unreadable(c, found);
  if (!asked.isBuyer) return wrongToken(c);
  if (key !== undefined) await (isOpen ? unpublish : unpublishListed)(c.env.REPORTS, key, id);
  return done(c, posted, { id, key, published: false });
}

type Asked = { id: string; posted: Posted; found: OpenReport; isBuyer: boolean };

async function askedBy(c: AppContext): Promise<Asked | Response> {
  const { LEDGER_SECRET: secret } = c.get('settings');
  if (!secret) return refuse(c, { ...reasonRow('not_configured'), code: 'not_configured' });
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const id = c.req.param('id') ?? '';
  const given = posted.get('publish_token') ?? '';
  const [own, theirs] = await Promise.all([publishTokenOf(secret, id).then(sha256Hex), sha256Hex(given)]);
  return { id, posted, found: await openReport(c.env, id), isBuyer: isSameText(own, theirs) };
}

function done(
  c: AppContext,
  posted: Posted,
  { id, key, published }: { id: string; key?: string | undefined; published: boolean },
): Response {
  if (posted.form) return c.redirect(`/reports/${id}#publish`, 303);
  const { origin } = new URL(c.get('settings').BASE_URL);
  const links =
    key === undefined
      ? {}
      : { host: key, badge: `${origin}${badgePath(key)}`, history: `${origin}${historyPath(key)}` };
  return c.json({ report_id: id, published, ...links }, 200, { 'cache-control': 'no-store' });
}

function unreadable(c: AppContext, found: Exclude<OpenReport, { kind: 'open' }>): Answer {
  if (found.kind === 'unavailable')
    return refuse(c, { ...reasonRow('ledger_unavailable'), code: 'ledger_unavailable' });
  if (found.kind === 'expired') return refused(c, 410, 'report_expired');
  return refused(c, 404, 'report_not_found');
}

const wrongToken = (c: AppContext): Answer => refused(c, 403, 'publish_refused');

const refused = (c: AppContext, status: number, code: string, detail?: string): Answer =>
  refuse(c, { status, code, title: problems[code]?.title ?? code, ...(detail === undefined ? {} : { detail }) });
