import { Hono } from 'hono';
import { hexOf } from '../src/net/digest.ts';
import { METADATA_PATH } from './bearer.ts';
import { answerBatch, batchOf } from './control/batch.ts';
import { type Answered, answeredRefusal, type AnsweredPieces, type AnsweredStream } from './control/answered.ts';
import { answerCall, type Asked, type World } from './control/call.ts';
import { contentOf } from './control/content.ts';
import { discoveryRoutes } from './control/discovery.ts';
import { answerEmulator } from './control/emulator.ts';
import { type ControlEnv, readControlSettings } from './control/env.ts';
import { resourceMetadata } from './control/metadata.ts';
import { bug } from './control/refusals.ts';
import { toResponse } from './control/respond.ts';
import { logLine } from './log.ts';

export type ControlAppEnv = { Bindings: ControlEnv };

const REQUEST_ID_BYTES = 16;
/** A deployment changes the documents, nothing else does. */
const DOCUMENT_HEADERS = { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };

/**
 * The control Worker's HTTP surface: the management interfaces at the root of its origin, batches, their metadata and, in
 * an emulator, its controls. A caller is known by its bearer token only: no cookie counts (rule K10).
 */
export function createControlApp(): Hono<ControlAppEnv> {
  const app = new Hono<ControlAppEnv>();
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get(METADATA_PATH, (c) => c.json(resourceMetadata(readControlSettings(c.env)), 200, DOCUMENT_HEADERS));
  app.route('/', discoveryRoutes);
  app.all('*', async (c) => {
    const world = worldOf(c.env);
    const asked = askedBy(c.req.raw);
    return toResponse(await answerAny(asked, world), c.req.raw, world.requestId);
  });
  app.onError((error, c) => {
    const requestId = newRequestId();
    logLine({ event: 'management_failed', request_id: requestId, method: '', error: error.name });
    return toResponse(answeredRefusal(bug(), 'legacy', { prettyPrint: true }), c.req.raw, requestId);
  });
  return app;
}

async function answerAny(asked: Asked, world: World): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const api = asked.method === 'POST' ? batchOf(asked.path) : undefined;
  if (api !== undefined) return answerBatch(asked, api, world);
  return (await answerEmulator(asked, world)) ?? answerCall(asked, world);
}

const worldOf = (env: ControlEnv): World => ({
  env,
  settings: readControlSettings(env),
  requestId: newRequestId(),
  log: logLine,
});

function askedBy(request: Request): Asked {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  return { method, path: pathname, query: search.slice(1), headers, body: (maxBytes) => contentOf(request, maxBytes) };
}

/** 128 random bits; ours, never the caller's, so that a log line cannot be forged. */
const newRequestId = (): string => hexOf(crypto.getRandomValues(new Uint8Array(REQUEST_ID_BYTES)));
