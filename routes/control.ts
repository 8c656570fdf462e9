import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { isTokenForm } from '../src/authorization/tokens.ts';
import type { MethodRow } from '../src/management/table/method-row.ts';
import type { RefusalData } from '../src/management/refusal.ts';
import { type BodyRoom, bodyRoom } from '../src/net/held-bytes.ts';
import { hexOf } from '../src/net/digest.ts';
import { dropAtMost } from '../src/net/read-body.ts';
import { productionChats } from '../src/search/engines/registry.ts';
import { bearerToken, hasBearer, METADATA_PATH } from './bearer.ts';
import { BodyBrokenOff } from './body.ts';
import { answerBatch, batchOf } from './control/batch.ts';
import { type Answered, answeredRefusal, type AnsweredPieces, type AnsweredStream } from './control/answered.ts';
import { answerCall, type Asked, type World } from './control/call.ts';
import { consoleRoutes } from './control/console/routes.ts';
import { contentOf } from './control/content.ts';
import { discoveryRoutes } from './control/discovery.ts';
import { answerEmulator } from './control/emulator.ts';
import { type ControlEnv, readControlSettings } from './control/env.ts';
import { answerHybrid } from './control/hybrid.ts';
import { type RateTold, untold } from './control/limits.ts';
import { resourceMetadata } from './control/metadata.ts';
import { ownTelemetry } from './control/own-telemetry.ts';
import { bodyBrokenOff, bug, invalidHost, wrongHost } from './control/refusals.ts';
import { toResponse } from './control/respond.ts';
import { answerSearch, isSearchPath } from './control/search/call.ts';
import { callerOf } from './limits.ts';
import { logLine } from './log.ts';
import { hostVerdict } from './own-host.ts';
import { observed, templateOf } from './telemetry.ts';
import { ASSETS_PATH, webAsset } from './web-assets.ts';

type Row = Pick<MethodRow, 'id' | 'path'>;
export type ControlAppEnv = { Bindings: ControlEnv; Variables: { requestId: string; rate: RateTold; row?: Row } };
/** What an entry decides, and no variable; a deployment's own when it says nothing. `local`: this is the local stack. */
export type ControlOptions = Pick<World, 'chats'> & { local?: boolean };

const REQUEST_ID_BYTES = 16;
/** Of a body that nobody asked for: more than that breaks off. */
const MAX_UNREAD_BYTES = 1_048_576;
const BATCH_ROW: Row = { id: 'conventions.batch', path: '/batch/{api}/{version}' };
/** A deployment changes the documents, nothing else does. */
const DOCUMENT_HEADERS = { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };

/**
 * The control Worker's HTTP surface: the management interfaces at the root of its origin, batches, their metadata and, in
 * an emulator, its controls. There a caller is known by its bearer token only: no cookie counts (rule K10). The console is
 * the other way round.
 */
export function createControlApp(options: ControlOptions = { chats: productionChats }): Hono<ControlAppEnv> {
  const { chats, local = false } = options;
  const app = new Hono<ControlAppEnv>();
  app.use('*', tellLimit);
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.use('*', ownHost);
  app.get(ASSETS_PATH, webAsset);
  app.use('*', observe);
  app.get(METADATA_PATH, (c) => c.json(resourceMetadata(readControlSettings(c.env)), 200, DOCUMENT_HEADERS));
  app.route('/', discoveryRoutes);
  consoleRoutes(app, { local });
  app.all('*', async (c) => {
    const world = worldOf(c, chats, (row) => c.set('row', row));
    const room = bodyRoom(hasBearer(c.req.header('authorization') ?? null) ? 'body' : 'stranger');
    try {
      const answer = await answerAny(askedBy(c.req.raw, room), world);
      if (isVouchedFor(c.req.raw)) await readToItsEnd(c.req.raw);
      return toResponse(answer, c.req.raw, world.requestId);
    } finally {
      room.release();
    }
  });
  app.onError((error, c) => {
    const requestId = c.get('requestId');
    if (error instanceof BodyBrokenOff) return answeredByRefusal(c, bodyBrokenOff());
    logLine({ event: 'management_failed', request_id: requestId, method: '', error: error.name });
    return answeredByRefusal(c, bug());
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
  const token = bearerToken(headers.get('authorization'));
  return token !== undefined && isTokenForm(token);
}

const answeredByRefusal = (c: Context<ControlAppEnv>, refusal: RefusalData): Response =>
  toResponse(answeredRefusal(refusal, 'legacy', { prettyPrint: true }), c.req.raw, c.get('requestId'));

/** Refuses what came to another host (rule A10). The console does so by a page of its own. */
const ownHost: MiddlewareHandler<ControlAppEnv> = async (c, next) => {
  const verdict = hostVerdict(c.req.raw, readControlSettings(c.env).CONTROL_URL);
  if (verdict === 'broken') return answeredByRefusal(c, invalidHost());
  if (verdict === 'foreign' && !c.req.path.startsWith('/console/')) return answeredByRefusal(c, wrongHost());
  await next();
  return undefined;
};

async function answerAny(asked: Asked, world: World): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const api = asked.method === 'POST' ? batchOf(asked.path) : undefined;
  if (api !== undefined) {
    const { seen, ...inBatch } = world; // Its parts are many.
    seen?.(BATCH_ROW);
    return answerBatch(asked, api, inBatch);
  }
  if (isSearchPath(asked.path)) return answerSearch(asked, world);
  return (await answerEmulator(asked, world)) ?? (await answerHybrid(asked, world)) ?? answerCall(asked, world);
}

const worldOf = (c: Context<ControlAppEnv>, chats: World['chats'], seen: (row: Row) => void): World => ({
  env: c.env,
  settings: readControlSettings(c.env),
  requestId: c.get('requestId'),
  from: callerOf(c.req.raw),
  signal: c.req.raw.signal,
  log: logLine,
  chats,
  seen,
  rate: c.get('rate'),
});

/** Gives a request its id. Every answer says what our limit is (contract: limits). */
const tellLimit: MiddlewareHandler<ControlAppEnv> = async (c, next) => {
  c.set('requestId', newRequestId());
  const rate = untold(c.env);
  c.set('rate', rate);
  await next();
  for (const [name, value] of Object.entries(rate.headers)) c.res.headers.set(name, value);
};

/** Tells the service's own log of a request and its answer. */
const observe: MiddlewareHandler<ControlAppEnv> = async (c, next) => {
  const requestId = c.get('requestId');
  const { CONTROL_URL } = readControlSettings(c.env);
  const waitUntil = (promise: Promise<unknown>): void => c.executionCtx.waitUntil(promise);
  const observing = observed(c.req.raw, requestId, CONTROL_URL, { ...ownTelemetry(c.env), waitUntil });
  await next();
  observing?.answered(() => ({ status: c.res.status, ...routeOf(c) }));
};

/** What is told of the route: the template of its row, or of a document. */
function routeOf(c: Context<ControlAppEnv>): { route: string; rpcMethod?: string } {
  const row = c.get('row');
  if (row === undefined) return { route: templateOf(c) };
  return { route: row.path, ...(row.id === '' ? {} : { rpcMethod: row.id }) };
}

function askedBy(request: Request, room: BodyRoom): Asked {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = (maxBytes: number) => contentOf(request, maxBytes, room);
  return { method, path: pathname, query: search.slice(1), headers, body };
}

/** 128 random bits; ours, never the caller's, so that a log line cannot be forged. */
const newRequestId = (): string => hexOf(crypto.getRandomValues(new Uint8Array(REQUEST_ID_BYTES)));
