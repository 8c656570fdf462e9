import type { Hono } from 'hono';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { buildAtomFeed } from '../../../src/monitors/receivers/feed.ts';
import { formatFeedUrl } from '../../../src/monitors/receivers/links.ts';
import { formatEntityTag, isKnownTag } from '../../../src/net/entity-tag.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { renderMonitorMailPage } from '../../../src/web/monitor-mail-page.tsx';
import { createMonitorShards } from '../bindings/monitor-shards.ts';
import { type AppContext, type AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { showPage } from '../pages/pages.ts';
import { PRIVATE_HEADERS, refuseByAccept } from '../pages/report-refusals.ts';

const MONITOR = '/monitors/:id{mon_[0-9a-f]{24}}';
const FEED_ROUTE = `${MONITOR}/feed/:token{[0-9a-f]{32}}`;
const MAIL_ROUTE = `${MONITOR}/mail/:receiver{rcv_[0-9a-f]{16}}/:use{confirm|unsubscribe}`;
const PROOF = /^[0-9a-f]{32}$/;

/** The same for a monitor that is not there and a secret that is wrong: an answer says nothing of which it was. */
const NOT_HERE = buildProblem('not_found', {
  detail: 'The link is misspelt or was replaced, or its monitor is deleted',
});

/**
 * What opens with a secret in its address and without a sign-in: the feed of a monitor, and the links of its mails. Those
 * show a button at GET, because programs that read mail follow links, and act at POST: from the button, or from a mail
 * program by RFC 8058, which has neither a cookie nor an origin.
 */
export function registerMonitorLinks(app: Hono<AppEnv>): void {
  app.get(FEED_ROUTE, guardFreeRoute, (c) => showFeed(c));
  app.get(MAIL_ROUTE, guardFreeRoute, (c) => showMailPage(c, `${c.req.path}${new URL(c.req.url).search}`));
  app.post(MAIL_ROUTE, guardFreeRoute, (c) => followMailLink(c));
}

async function showFeed(c: AppContext): Promise<Response> {
  const { id = '', token = '' } = c.req.param();
  const found = await createMonitorShards(c.env)?.ofMonitor(id)?.feed(id, token);
  if (found === undefined) return refuseByAccept(c, NOT_HERE);
  const baseUrl = c.get('settings').BASE_URL;
  const body = buildAtomFeed(found, { baseUrl, selfUrl: formatFeedUrl(baseUrl, id, token) });
  const etag = formatEntityTag(await computeSha256Hex(body));
  const headers = { ...PRIVATE_HEADERS, etag };
  return isKnownTag(c.req.header('if-none-match'), etag)
    ? c.body(null, 304, headers)
    : c.body(body, 200, { ...headers, 'content-type': 'application/atom+xml; charset=utf-8' });
}

const readUse = (c: AppContext): 'confirm' | 'unsubscribe' =>
  c.req.param('use') === 'confirm' ? 'confirm' : 'unsubscribe';

function showMailPage(c: AppContext, action: string | undefined): Response | Promise<Response> {
  c.header('x-robots-tag', PRIVATE_HEADERS['x-robots-tag']);
  return showPage(c, renderMonitorMailPage({ language: c.get('language'), use: readUse(c), action }));
}

async function followMailLink(c: AppContext): Promise<Response> {
  const { id = '', receiver = '' } = c.req.param();
  const proof = c.req.query('proof') ?? '';
  const object = PROOF.test(proof) ? createMonitorShards(c.env)?.ofMonitor(id) : undefined;
  const isDone =
    readUse(c) === 'confirm'
      ? await object?.confirmEmail(id, receiver, proof)
      : await object?.unsubscribe(id, receiver, proof);
  return isDone === true ? showMailPage(c, undefined) : refuseByAccept(c, NOT_HERE);
}
