import type { Hono, MiddlewareHandler } from 'hono';
import type { PreviewStep, SitePreview } from '../../../src/audit/core/preview.ts';
import { listBareTargets, MAX_URL_LENGTH, urlBody } from '../../../src/capabilities/bodies.ts';
import { formatJsonPointer } from '../../../src/lib/json.ts';
import { parseTargetUrl } from '../../../src/net/canonical-url.ts';
import { readTypedAddress } from '../../../src/net/typed-address.ts';
import { readBodyBytes, parseJsonBody, readMediaType } from '../../../src/net/request-body.ts';
import { buildProblemBody, type ProblemInput } from '../../../src/problems/problem.ts';
import { formatServerSentEvent, STREAM_HEADERS } from '../../../src/sales/event-stream.ts';
import { describeAuditOrder } from '../../../src/web/buying/panel.tsx';
import { translateResult } from '../../../src/web/language/check-titles.ts';
import { describeAuditFailure } from '../../../src/web/audit/failure-words.ts';
import { auditPage } from '../../../src/web/audit/page.tsx';
import { renderShownPreview } from '../../../src/web/audit/preview-event.tsx';
import { LIVE_FIELD } from '../../../src/web/design/start-fields.tsx';
import { isSameOrigin } from '../../shared/cookies.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { PreviewOrder } from '../bindings/target-places.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from '../context.ts';
import { countFreeRequest, buildTooManyFreeProblem } from '../free-guard.ts';
import { buildBuyPanel } from './buy-panel.ts';
import { readPosted, refuseRequest, showPage } from './pages.ts';
import {
  admitPreview,
  type PreviewAdmission,
  type PreviewProblem,
  buildFaultProblem,
  findLoopProblem,
  runPreview,
  buildPreviewStart,
} from './preview.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { type ApiProblemCode, buildProblem, type ProblemDetails } from '../../../src/problems/codes.ts';

/** A connection whose client is gone is found out by writing to it: a comment every so often, in milliseconds. */
const HEARTBEAT_MS = 1_000;

/** The events of one answer, and whether a client still reads them. */
type LiveEvents = {
  readable: ReadableStream<Uint8Array>;
  /** Sends one event; its data is one line of JSON (rule X6). Nothing once the reader is gone. */
  send: (event: string, data: unknown) => void;
  end: () => void;
  /** Aborts when the reader goes away. */
  signal: AbortSignal;
};

/**
 * A stream of server-sent events whose reader decides how long the work goes on: without a reader the work stops.
 * @param request whose client may go away before the stream is read
 */
function createLiveEvents(request: Pick<Request, 'signal'>): LiveEvents {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string): void => controller?.enqueue(encoder.encode(text));
  const timer = setInterval(() => write(': still working\n\n'), HEARTBEAT_MS);
  const stop = (): void => {
    clearInterval(timer);
    controller = undefined;
  };
  const left = (): void => {
    stop();
    leaving.abort();
  };
  request.signal.addEventListener('abort', left, { once: true });
  const readable = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: left,
  });
  return {
    readable,
    signal: leaving.signal,
    send: (event, data) => write(formatServerSentEvent(event, JSON.stringify(data))),
    end: () => {
      request.signal.removeEventListener('abort', left);
      const open = controller;
      stop();
      open?.close();
    },
  };
}

/** Longest body of a preview: its URL has at most 2,048 characters. */
const MAX_BODY_BYTES = 16_384;

/** What a preview may be asked for: the body of `full_audit` without the pages to read. */
const previewBody = urlBody.pick({ url: true, profile: true });

type PreviewOrderResult = { ok: true; order: PreviewOrder } | { ok: false; problem: ProblemInput };

/** The order in a JSON body. */
async function readJsonOrder(c: AppContext, options: AppOptions): Promise<PreviewOrderResult> {
  if (readMediaType(c.req.raw) !== 'application/json')
    return refuseOrder('unsupported_media_type', { detail: 'Send the body as application/json' });
  const bytes = await readBodyBytes(c.req.raw, MAX_BODY_BYTES);
  if (bytes === undefined) return refuseOrder('body_too_large', { detail: describeBodyLimit(MAX_BODY_BYTES) });
  const json = parseJsonBody(bytes);
  return json.ok ? judgeOrder(c, options, json.value) : refuseOrder('invalid_json');
}

/** Judges what was asked for: its shape, and whether the address may be fetched at all. */
function judgeOrder(c: AppContext, options: AppOptions, given: unknown): PreviewOrderResult {
  const parsed = previewBody.safeParse(given);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ pointer: formatJsonPointer(path), message }));
    const detail = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
    return refuseOrder('invalid_body', { detail, errors });
  }
  const { url, profile } = parsed.data;
  const target = parseTargetUrl(url, options.policy(c.env));
  if (!target.ok) {
    const { detail } = target;
    return refuseOrder('target_refused', { detail });
  }
  const isBare = listBareTargets(given).length > 0;
  return { ok: true, order: { url: target.url.href, isBare, ...(profile === undefined ? {} : { profile }) } };
}

const refuseOrder = (code: ApiProblemCode, details?: ProblemDetails): PreviewOrderResult => ({
  ok: false,
  problem: buildProblem(code, details),
});

/**
 * `GET /audit`: the form, and nothing more, whatever its address says: an image on a busy page must not make its
 * visitors audit a site (rule F6). `POST /audit/stream`: a free preview as server-sent events. Both POSTs accept requests
 * of our own pages only, which browsers vouch for (`Sec-Fetch-Site: same-origin`).
 *
 * `POST /audit` takes a form of any of our pages: `url` as a person types it, `profile` or none, and `live` (see
 * `StartFields`, which every such form contains). With `live=yes`, which a form says where scripts run, the answer comes
 * at once and its script begins the audit by itself: one press of a button is enough. Otherwise, the answer is the
 * finished preview. An address that cannot be audited is refused in the same page, either way. What is started that way
 * asks `/audit/stream` like any other, so that limits count it once. A page that is loaded again or comes out of the
 * history is the form with the address.
 */
export function registerLiveAuditRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/audit/*', guardFreePage, requireOwnPage);
  app.get('/audit', (c) => showForm(c, options));
  app.post('/audit', (c) => showPreviewPage(c, options));
  app.post('/audit/stream', (c) => streamPreview(c, options));
}

const guardFreePage: MiddlewareHandler<AppEnv> = async (c, next) => {
  const verdict = await countFreeRequest(c);
  if (!verdict.isAllowed) return refuseRequest(c, buildTooManyFreeProblem(verdict));
  await next();
  return undefined;
};

/** Who does not say where a request comes from, as programs and old browsers do not, starts nothing either. */
const requireOwnPage: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method !== 'POST') return next();
  const isOurs =
    c.req.header('sec-fetch-site') === 'same-origin' && isSameOrigin(c.req.raw, c.get('settings').BASE_URL);
  if (!isOurs) return refuseRequest(c, buildProblem('foreign_origin'));
  const loop = findLoopProblem(c);
  if (loop) return refuseRequest(c, loop);
  await next();
  return undefined;
};

async function showForm(c: AppContext, options: AppOptions): Promise<Response> {
  const given = c.req.query('url') ?? '';
  // A longer one could not be sent either.
  const url = given.length > MAX_URL_LENGTH ? '' : given;
  return auditResponse(c, options, { url, profile: c.req.query('profile') });
}

type AuditPageState = {
  url: string;
  profile?: string | undefined;
  isStarting?: boolean;
  made?: SitePreview;
  problem?: PreviewProblem;
};

async function auditResponse(c: AppContext, options: AppOptions, shown: AuditPageState): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  const { url } = readTypedAddress(shown.url);
  const target = URL.canParse(url) ? url : undefined;
  const language = c.get('language');
  const goods = describeAuditOrder(target, language);
  const buy = await buildBuyPanel(c, options, { capability: 'full_audit', goods });
  const content = auditPage({ baseUrl: BASE_URL, language, buy, ...shown });
  const { problem } = shown;
  if (problem === undefined) return showPage(c, content, { script: true });
  const { status, code, retryAfterS } = problem;
  logLine({ event: 'refused', request_id: c.get('requestId'), status, code });
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  return showPage(c, content, { script: true }, status);
}

async function showPreviewPage(c: AppContext, options: AppOptions): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const url = posted.get('url') ?? '';
  const profile = posted.get('profile') ?? '';
  const shown = { url: url.length > MAX_URL_LENGTH ? '' : url, ...(profile === '' ? {} : { profile }) };
  const fail = (problem: PreviewProblem) => auditResponse(c, options, { ...shown, problem });
  const read = judgeOrder(c, options, { url, ...(profile === '' ? {} : { profile }) });
  if (!read.ok) return fail(read.problem);
  if (posted.get(LIVE_FIELD) === 'yes') return auditResponse(c, options, { ...shown, isStarting: true });
  const admitted = await admitPreview(c, read.order);
  if ('problem' in admitted) return fail(admitted.problem);
  const running = runPreview(c, options, admitted, { onStep: () => undefined, signal: c.req.raw.signal });
  c.executionCtx.waitUntil(running); // Who goes away leaves no place taken.
  const made = await running;
  if (made === undefined) return fail(buildProblem('stopped'));
  return 'problem' in made ? fail(made.problem) : auditResponse(c, options, { ...shown, made });
}

async function streamPreview(c: AppContext, options: AppOptions): Promise<Response> {
  const read = await readJsonOrder(c, options);
  if (!read.ok) return refuseStream(c, read.problem);
  const admitted = await admitPreview(c, read.order);
  if ('problem' in admitted) return refuseStream(c, admitted.problem);
  const events = createLiveEvents(c.req.raw);
  events.send('start', buildPreviewStart(admitted));
  c.executionCtx.waitUntil(sendPreviewEvents(c, options, admitted, events));
  return new Response(events.readable, { headers: STREAM_HEADERS });
}

/** A problem that says in `said` what the page shows of it, in the language of the page. */
async function refuseStream(c: AppContext, problem: PreviewProblem): Promise<Response> {
  const refusal = failWith(c, problem);
  const body = (await refusal.json()) as Record<string, unknown>;
  return new Response(JSON.stringify({ ...body, said: describeAuditFailure(problem, c.get('language')) }), refusal);
}

async function sendPreviewEvents(
  c: AppContext,
  options: AppOptions,
  admitted: PreviewAdmission,
  events: LiveEvents,
): Promise<void> {
  const language = c.get('language');
  const onStep = ({ event, data }: PreviewStep): void => events.send(event, translateResult(data, language));
  const fail = (problem: PreviewProblem): void =>
    events.send('problem', {
      ...buildProblemBody(c.get('requestId'), c.get('settings').BASE_URL, problem),
      said: describeAuditFailure(problem, language),
    });
  try {
    const made = await runPreview(c, options, admitted, { onStep, signal: events.signal });
    if (made === undefined) return;
    if ('problem' in made) {
      const { status, code } = made.problem;
      logLine({ event: 'refused', request_id: c.get('requestId'), status, code });
      fail(made.problem);
    } else {
      events.send('result', await renderShownPreview(made, language));
    }
  } catch (error) {
    fail(buildFaultProblem(c, error)); // Most likely a cached result that cannot be replayed.
  } finally {
    events.end();
  }
}
