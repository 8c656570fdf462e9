import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { readBearerToken, hasBearer, METADATA_PATH, isTokenForm } from '../../src/authorization/oauth/tokens.ts';
import type { RefusalData } from '../../src/lib/refusal.ts';
import {
  refuseBrokenBody,
  refuseInternalError,
  refuseUnavailable,
  refuseInvalidHost,
  refuseForeignHost,
} from '../../src/management/core/call-refusals.ts';
import {
  type Answered,
  type AnsweredPieces,
  answeredRefusal,
  type AnsweredStream,
} from '../../src/management/core/conventions/response-data.ts';
import { productionChats } from '../../src/models/registry.ts';
import { type BodyRoom, createBodyRoom } from '../../src/net/held-bytes.ts';
import { dropAtMost } from '../../src/net/read-body.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import { getCallerAddress } from '../../src/rate-limits/caller-counts.ts';
import { ownRequestId } from '../shared/request-id.ts';
import { logLine, observeRequest, formatRouteTemplate } from '../shared/telemetry.ts';
import { judgeHost } from '../shared/own-host.ts';
import { ASSETS_PATH, serveWebAsset } from '../shared/web-assets.ts';
import { answerBatch, findBatchInterface } from './batch.ts';
import { readControlSettings } from './bindings/env.ts';
import { getControlTelemetry } from './bindings/telemetry-writer.ts';
import type { IncomingCall, CallContext, ControlAppEnv, MethodRoute } from './call-context.ts';
import { answerCall } from './call.ts';
import { answerCheckup } from './checkup.ts';
import { registerConsoleRoutes } from './console/routes.ts';
import { readContent, toResponse } from './respond.ts';
import { buildControlMetadata, controlDiscoveryRoutes } from './discovery.ts';
import { answerEmulator } from './emulator.ts';
import { answerHybrid } from './hybrid.ts';
import { getUncountedRate } from './limits.ts';
import { answerOtlp } from './otlp.ts';
import { answerSearchCall, isSearchPath } from './search.ts';

/** What an entry decides, and no variable; a deployment's own when it says nothing. `local`: this is the local stack. */
export type ControlOptions = Pick<CallContext, 'chats' | 'judge'> & { local?: boolean };

/** Limit for a body that no route reads: a longer one is cut off. */
const MAX_UNREAD_BYTES = 1_048_576;
const BATCH_ROW: MethodRoute = { id: 'conventions.batch', path: '/batch/{api}/{version}' };
/** A deployment changes the documents, nothing else does. */
const DOCUMENT_HEADERS = { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };

/**
 * The control Worker's HTTP surface: the management interfaces at the root of its origin, batches, their metadata and, in
 * an emulator, its controls. There a caller is known by its bearer token only: no cookie counts (rule K10). The console is
 * the other way round.
 */
export function createControlApp(options: ControlOptions = { chats: productionChats }): Hono<ControlAppEnv> {
  const { local = false } = options;
  const app = new Hono<ControlAppEnv>();
  app.use('*', ownRequestId, sendLimit);
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.use('*', requireOwnHost);
  app.get(ASSETS_PATH, serveWebAsset);
  app.use('*', createObserver(local));
  app.get(METADATA_PATH, (c) => c.json(buildControlMetadata(readControlSettings(c.env)), 200, DOCUMENT_HEADERS));
  app.route('/', controlDiscoveryRoutes);
  registerConsoleRoutes(app, { local });
  if (options.judge === undefined)
    app.get('/checkup', (c, next) => answerCheckup(c, next, () => answerWithRefusal(c, refuseUnavailable())));
  app.all('*', async (c) => {
    const world = buildCallContext(c, options, (row) => c.set('row', row));
    const room = createBodyRoom(hasBearer(c.req.header('authorization') ?? null) ? 'body' : 'stranger');
    try {
      const answer = await answerAny(toIncomingCall(c.req.raw, room), world);
      if (isVouchedFor(c.req.raw)) await readToItsEnd(c.req.raw);
      return toResponse(answer, c.req.raw, world.requestId);
    } finally {
      room.release();
    }
  });
  app.onError((error, c) => {
    const requestId = c.get('requestId');
    if (error instanceof BodyBrokenOff) return answerWithRefusal(c, refuseBrokenBody());
    logLine({ event: 'management_failed', request_id: requestId, method: '', error: error.name });
    return answerWithRefusal(c, refuseInternalError());
  });
  return app;
}

/** A caller that is still sending would see its connection break, and not why it was refused. */
async function readToItsEnd({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return;
  await dropAtMost(body, MAX_UNREAD_BYTES).catch(() => undefined); // A caller that is gone needs no answer.
}

/** Whether a request has a token, or had one before it expired. No token, no body. */
function isVouchedFor({ headers }: Request): boolean {
  const token = readBearerToken(headers.get('authorization'));
  return token !== undefined && isTokenForm(token);
}

const answerWithRefusal = (c: Context<ControlAppEnv>, refusal: RefusalData): Response =>
  toResponse(answeredRefusal(refusal, 'legacy', { prettyPrint: true }), c.req.raw, c.get('requestId'));

/** Refuses what came to another host (rule A10). The console does so by a page of its own. */
const requireOwnHost: MiddlewareHandler<ControlAppEnv> = async (c, next) => {
  const verdict = judgeHost(c.req.raw, readControlSettings(c.env).CONTROL_URL);
  if (verdict === 'broken') return answerWithRefusal(c, refuseInvalidHost());
  if (verdict === 'foreign' && !c.req.path.startsWith('/console/')) return answerWithRefusal(c, refuseForeignHost());
  await next();
  return undefined;
};

async function answerAny(asked: IncomingCall, world: CallContext): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const api = asked.method === 'POST' ? findBatchInterface(asked.path) : undefined;
  if (api !== undefined) {
    const { seen, ...inBatch } = world; // Its parts are many.
    seen?.(BATCH_ROW);
    return answerBatch(asked, api, inBatch);
  }
  if (isSearchPath(asked.path)) return answerSearchCall(asked, world);
  const exported = await answerOtlp(asked, world);
  if (exported !== undefined) return exported;
  return (await answerEmulator(asked, world)) ?? (await answerHybrid(asked, world)) ?? answerCall(asked, world);
}

const buildCallContext = (
  c: Context<ControlAppEnv>,
  { chats, judge }: ControlOptions,
  seen: (row: MethodRoute) => void,
): CallContext => ({
  env: c.env,
  settings: readControlSettings(c.env),
  requestId: c.get('requestId'),
  from: getCallerAddress(c.req.raw),
  signal: c.req.raw.signal,
  log: logLine,
  chats,
  judge,
  seen,
  rate: c.get('rate'),
});

/** Every answer states our limit (draft-ietf-httpapi-ratelimit-headers). */
const sendLimit: MiddlewareHandler<ControlAppEnv> = async (c, next) => {
  const rate = getUncountedRate(c.env);
  c.set('rate', rate);
  await next();
  for (const [name, value] of Object.entries(rate.headers)) c.res.headers.set(name, value);
};

/** Records a request and its answer in the service's own log. */
const createObserver =
  (local: boolean): MiddlewareHandler<ControlAppEnv> =>
  async (c, next) => {
    const requestId = c.get('requestId');
    const { CONTROL_URL } = readControlSettings(c.env);
    const waitUntil = (promise: Promise<unknown>): void => c.executionCtx.waitUntil(promise);
    const telling = getControlTelemetry(c.env, { waitUntil, allowsPlainLoopback: local });
    const observing = observeRequest(c.req.raw, requestId, CONTROL_URL, { ...telling, waitUntil });
    await next();
    observing?.answered(() => ({ status: c.res.status, ...describeRoute(c) }));
  };

/** The route for logs and spans: the template of its row, or of a document. */
function describeRoute(c: Context<ControlAppEnv>): { route: string; rpcMethod?: string } {
  const row = c.get('row');
  if (row === undefined) return { route: formatRouteTemplate(c) };
  return { route: row.path, ...(row.id === '' ? {} : { rpcMethod: row.id }) };
}

function toIncomingCall(request: Request, room: BodyRoom): IncomingCall {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = (maxBytes: number) => readContent(request, maxBytes, room);
  return { method, path: pathname, query: search.slice(1), headers, body };
}
