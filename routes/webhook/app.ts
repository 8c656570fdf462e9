import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { createForgeryLog } from '../../src/notifications/core/forgeries.ts';
import { NOTIFICATIONS_PATH } from '../../src/notifications/core/receive.ts';
import { METADATA_PATH } from '../../src/authorization/oauth/tokens.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import { judgeHost } from '../shared/own-host.ts';
import { observeRequest, formatRouteTemplate, logLine } from '../shared/telemetry.ts';
import { operations, findOperations, buildResourceMetadata } from '../../src/notifications/operator-api/operations.ts';
import { getWebhookTelemetry, type WebhookEnv } from './bindings/env.ts';
import { ownRequestId } from '../shared/request-id.ts';
import { readWebhookSettings } from '../../src/notifications/core/settings.ts';
import { createKnownChannels } from '../../src/notifications/channels/known-channels.ts';
import { POLICY_HEADERS, respondRefusal } from './refusals.ts';
import { buildWebhookDocument } from '../../src/notifications/operator-api/openapi.ts';
import { operate } from './operator.ts';
import { selectPreferredType } from '../../src/openapi/accept.ts';
import { formatProblemPath } from '../../src/problems/problem.ts';
import { problems } from '../../src/notifications/operator-api/problems-data.ts';
import { receive, type Receiving } from './receiver.ts';

export type WebhookAppEnv = { Bindings: WebhookEnv; Variables: { requestId: string } };

/** A deployment changes the documents, nothing else does. */
const DOCUMENT_HEADERS = { 'cache-control': 'public, max-age=3600' };

/**
 * The webhook Worker's HTTP surface: the receiver of notifications, the operator's interface, and what describes them.
 * Callers of the interface are known by their bearer token only: no cookie counts, and no page of another origin reads
 * an answer.
 */
export function createWebhookApp(): Hono<WebhookAppEnv> {
  const app = new Hono<WebhookAppEnv>();
  const now = () => Date.now();
  const own: Receiving = {
    channels: createKnownChannels(),
    forgeries: createForgeryLog({ now, log: logLine }),
    now,
    log: logLine,
  };
  app.use('*', ownRequestId, async (c, next) => {
    await next();
    c.res.headers.set('x-request-id', c.get('requestId'));
    c.res.headers.set('x-content-type-options', 'nosniff');
    // A refusal may tell of another limit that it was counted against.
    if (!c.res.headers.has('ratelimit-policy'))
      for (const [name, value] of Object.entries(POLICY_HEADERS)) c.res.headers.set(name, value);
  });
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.use('*', requireOwnHost);
  app.use('*', observe);
  app.all(`${NOTIFICATIONS_PATH}/*`, (c) => receive(c.req.raw, c.env, c.get('requestId'), own));
  app.get(METADATA_PATH, (c) => c.json(buildResourceMetadata(readWebhookSettings(c.env)), 200, DOCUMENT_HEADERS));
  app.get('/openapi.json', (c) => c.json(buildWebhookDocument(readWebhookSettings(c.env)), 200, DOCUMENT_HEADERS));
  app.get('/problems/:code', (c) => showProblemText(c));
  app.all('*', (c) => operate(c.req.raw, c.env, { requestId: c.get('requestId'), log: logLine }));
  app.onError((error, c) => {
    const requestId = c.get('requestId');
    if (error instanceof BodyBrokenOff) return respondRefusal({ code: 'body_broken_off' }, requestId, c.env);
    logLine({ event: 'webhook_failed', request_id: requestId, error: error.name });
    return respondRefusal({ code: 'internal_error' }, requestId, c.env);
  });
  return app;
}

/** Refuses what came to another host (rule A10). */
const requireOwnHost: MiddlewareHandler<WebhookAppEnv> = async (c, next) => {
  const verdict = judgeHost(c.req.raw, readWebhookSettings(c.env).WEBHOOK_URL);
  if (verdict !== 'own')
    return respondRefusal({ code: verdict === 'broken' ? 'invalid_host' : 'wrong_host' }, c.get('requestId'), c.env);
  await next();
  return undefined;
};

/** Records each request and its answer in the service's own log. */
const observe: MiddlewareHandler<WebhookAppEnv> = async (c, next) => {
  const { WEBHOOK_URL } = readWebhookSettings(c.env);
  const waitUntil = (promise: Promise<unknown>): void => c.executionCtx.waitUntil(promise);
  const observing = observeRequest(c.req.raw, c.get('requestId'), WEBHOOK_URL, {
    ...getWebhookTelemetry(c.env),
    waitUntil,
  });
  await next();
  observing?.answered(() => ({ status: c.res.status, route: describeRoute(c) }));
};

/** The template of the route: that of the operation, where the path has one. */
function describeRoute(c: Context<WebhookAppEnv>): string {
  const template = formatRouteTemplate(c);
  if (template === `${NOTIFICATIONS_PATH}/*`) return `${NOTIFICATIONS_PATH}/{watch}`;
  if (template !== '') return template;
  const [found] = findOperations(c.req.path);
  return found === undefined ? '' : operations[found.operation].path;
}

/** What a code means, where the `type` of a problem points. */
function showProblemText(c: Context<WebhookAppEnv>): Response {
  const [, row] = Object.entries(problems).find(([code]) => code === c.req.param('code')) ?? [];
  if (row === undefined) return respondRefusal({ code: 'not_found' }, c.get('requestId'), c.env);
  c.header('vary', 'Accept');
  // People get the section of the documentation, which the api Worker serves.
  if (selectPreferredType(c.req.header('accept') ?? null, ['text/plain', 'text/html']) === 'text/html')
    return c.redirect(
      new URL(formatProblemPath(c.req.param('code') ?? ''), readWebhookSettings(c.env).BASE_URL).href,
      302,
    );
  return c.text(`${c.req.param('code')} (HTTP ${row.status})\n\n${row.title}.\n`, 200, DOCUMENT_HEADERS);
}
