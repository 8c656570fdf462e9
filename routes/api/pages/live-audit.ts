import type { Hono, MiddlewareHandler } from 'hono';
import type { MadePreview } from '../../../src/audit/core/preview.ts';
import { MAX_URL_LENGTH } from '../../../src/capabilities/bodies.ts';
import { auditPage } from '../../../src/web/audit/page.tsx';
import { typedUrl } from '../../../src/web/audit/typed-url.ts';
import { buyPanelOf } from './buy-panel.ts';
import { isSameOrigin } from '../../shared/cookies.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from '../context.ts';
import { STREAM_HEADERS } from '../../../src/sales/event-stream.ts';
import { freeAllowed, tooManyFree } from '../free-guard.ts';
import { type LiveEvents, liveEvents } from './live-events.ts';
import { logLine } from '../../shared/log.ts';
import { pageHeaders, readPosted, refuse, showPage } from './pages.ts';
import { type Admitted, admitPreview, faultProblem, loopProblem, runPreview, startOf } from './preview.ts';
import { judgeOrder, readJsonOrder } from './preview-order.ts';
import { problemBody, type ProblemInput } from '../../../src/problems/problem.ts';

/**
 * `GET /audit`: the form, and nothing more, whatever its address says: a picture on a busy page must not make its visitors
 * audit somebody (rule F6). `POST /audit/stream`: a free preview as server-sent events. `POST /audit`: the same as a page,
 * for browsers without scripts. Both take requests of our own page only, which browsers vouch for.
 */
export function liveAuditRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/audit/*', freePages, ownPageOnly);
  app.get('/audit', (c) => showForm(c, options));
  app.post('/audit', (c) => previewAsPage(c, options));
  app.post('/audit/stream', (c) => previewAsEvents(c, options));
}

const freePages: MiddlewareHandler<AppEnv> = async (c, next) => {
  const verdict = await freeAllowed(c);
  if (!verdict.isAllowed) return refuse(c, tooManyFree(verdict));
  await next();
  return undefined;
};

/** Who does not say where a request comes from, as programs and old browsers do not, starts nothing either. */
const ownPageOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method !== 'POST') return next();
  const isOurs =
    c.req.header('sec-fetch-site') === 'same-origin' && isSameOrigin(c.req.raw, c.get('settings').BASE_URL);
  if (!isOurs)
    return refuse(c, { status: 403, code: 'foreign_origin', title: 'Only the page of this service may send this' });
  const loop = loopProblem(c);
  if (loop) return refuse(c, loop);
  await next();
  return undefined;
};

async function showForm(c: AppContext, options: AppOptions): Promise<Response> {
  const given = c.req.query('url') ?? '';
  // A longer one could not be sent either.
  const url = given.length > MAX_URL_LENGTH ? '' : given;
  return auditResponse(c, options, { url });
}

type Shown = { url: string; profile?: string | undefined; made?: MadePreview; problem?: ProblemInput };

async function auditResponse(c: AppContext, options: AppOptions, shown: Shown): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  const target = URL.canParse(typedUrl(shown.url)) ? typedUrl(shown.url) : undefined;
  const buy = await buyPanelOf(c, options, { capability: 'full_audit', url: target });
  const { problem, ...rest } = shown;
  const content = auditPage({
    baseUrl: BASE_URL,
    buy,
    ...rest,
    ...(problem === undefined ? {} : { problem: { title: problem.title, detail: problem.detail } }),
  });
  if (problem === undefined) return showPage(c, content, { script: true });
  const { status, code, retryAfterS } = problem;
  logLine({ event: 'refused', request_id: c.get('requestId'), status, code });
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  return c.html(content, status as 400, pageHeaders({ script: true })); // A status of our own tables.
}

async function previewAsPage(c: AppContext, options: AppOptions): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const url = posted.get('url') ?? '';
  const profile = posted.get('profile') ?? '';
  const shown = { url: url.length > MAX_URL_LENGTH ? '' : url, ...(profile === '' ? {} : { profile }) };
  const fail = (problem: ProblemInput) => auditResponse(c, options, { ...shown, problem });
  const read = judgeOrder(c, options, { url: typedUrl(url), ...(profile === '' ? {} : { profile }) });
  if (!read.ok) return fail(read.problem);
  const admitted = await admitPreview(c, read.order);
  if ('problem' in admitted) return fail(admitted.problem);
  const running = runPreview(c, options, admitted, { onStep: () => undefined, signal: c.req.raw.signal });
  c.executionCtx.waitUntil(running); // Who goes away leaves no place taken.
  const made = await running;
  if (made === undefined) return fail({ status: 503, code: 'stopped', title: 'The preview was stopped' });
  return 'problem' in made ? fail(made.problem) : auditResponse(c, options, { ...shown, made });
}

async function previewAsEvents(c: AppContext, options: AppOptions): Promise<Response> {
  const read = await readJsonOrder(c, options);
  if (!read.ok) return failWith(c, read.problem);
  const admitted = await admitPreview(c, read.order);
  if ('problem' in admitted) return failWith(c, admitted.problem);
  const events = liveEvents(c.req.raw);
  events.send('start', startOf(admitted));
  c.executionCtx.waitUntil(tell(c, options, admitted, events));
  return new Response(events.readable, { headers: STREAM_HEADERS });
}

async function tell(c: AppContext, options: AppOptions, admitted: Admitted, events: LiveEvents): Promise<void> {
  const onStep = ({ event, data }: { event: string; data: unknown }): void => events.send(event, data);
  const fail = (problem: ProblemInput): void =>
    events.send('problem', problemBody(c.get('requestId'), c.get('settings').BASE_URL, problem));
  try {
    const made = await runPreview(c, options, admitted, { onStep, signal: events.signal });
    if (made === undefined) return;
    if ('problem' in made) {
      const { status, code } = made.problem;
      logLine({ event: 'refused', request_id: c.get('requestId'), status, code });
      fail(made.problem);
    } else {
      events.send('result', made);
    }
  } catch (error) {
    fail(faultProblem(c, error)); // A kept result that cannot be told again, above all.
  } finally {
    events.end();
  }
}
