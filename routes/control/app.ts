import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bearerToken, hasBearer, METADATA_PATH } from '../../src/authorization/oauth/bearer.ts';
import { isTokenForm } from '../../src/authorization/oauth/tokens.ts';
import { hexOf } from '../../src/lib/digest.ts';
import type { RefusalData } from '../../src/lib/refusal.ts';
import { bodyBrokenOff, bug, invalidHost, wrongHost } from '../../src/management/core/call-refusals.ts';
import {
  type Answered,
  type AnsweredPieces,
  answeredRefusal,
  type AnsweredStream,
} from '../../src/management/core/conventions/response-data.ts';
import { productionChats } from '../../src/models/chat/registry.ts';
import { type BodyRoom, bodyRoom } from '../../src/net/held-bytes.ts';
import { dropAtMost } from '../../src/net/read-body.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import { callerOf } from '../../src/rate-limits/caller-counts.ts';
import { logLine } from '../shared/log.ts';
import { hostVerdict } from '../shared/own-host.ts';
import { observed, templateOf } from '../shared/telemetry.ts';
import { ASSETS_PATH, webAsset } from '../shared/web-assets.ts';
import { answerBatch, batchOf } from './batch.ts';
import { readControlSettings } from './bindings/env.ts';
import { ownTelemetry } from './bindings/own-telemetry.ts';
import type { Asked, World } from './call-context.ts';
import { answerCall } from './call.ts';
import { consoleRoutes } from './console/routes.ts';
import { contentOf } from './content.ts';
import type { ControlAppEnv, Row } from './context.ts';
import { discoveryRoutes } from './discovery.ts';
import { answerEmulator } from './emulator.ts';
import { answerHybrid } from './hybrid.ts';
import { untold } from './limits.ts';
import { resourceMetadata } from './metadata.ts';
import { toResponse } from './respond.ts';
import { answerSearch, isSearchPath } from './search/call.ts';

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
