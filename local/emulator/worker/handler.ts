import type { Hono } from 'hono';
import { createControlApp } from '../../../routes/control/app.ts';
import type { ControlAppEnv } from '../../../routes/control/call-context.ts';
import { PATHS } from '../../../src/authorization/oauth/resources.ts';
import { MAX_TOKEN_BODY_BYTES } from '../../../src/authorization/oauth/store-protocol.ts';
import { localChats } from '../../../src/models/registry-local.ts';
import { readAtMost } from '../../../src/net/read-body.ts';
import { getEmulatorAccess } from './access.ts';
import { answerAdmin, ADMIN_PATH } from './admin.ts';
import { answerCalls, CALLS_PATH } from './calls.ts';
import { type AccessMode, ANY_TOKEN, judgeBearer, TENANT_HEADER, withTenantToken } from './credentials.ts';
import { type EmulatorEnv, toControlEnv } from './environment.ts';
import { refuse, refuseStranger, toOwnAddress } from './gate.ts';
import { isBatchPath, readBatch } from './batched-calls.ts';
import { answerPage, isPagePath } from './page.ts';
import type { EmulatorParts } from './parts.ts';
import { createReceivedCalls } from './received-calls.ts';
import { recordCall } from './record-call.ts';
import { answerReset, RESET_PATH } from './reset.ts';
import type { AppCall } from './app-call.ts';
import { createTenantStates } from './tenant-states.ts';

/** Controls and documents are no calls of the program under test. */
const UNRECORDED = /^\/(?:health$|v1\/tenants\/|v1\/faults(?:\/|$)|discovery\/|\$discovery\/|\.well-known\/|assets\/)/;
const CONSOLE = /^\/console(?:\/|$)/;
const TOKEN_PATHS: readonly string[] = [PATHS.token, '/token'];

/** Of calls that the emulator makes itself, which belong to no request. */
const UNBOUND = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
  props: {},
} as unknown as ExecutionContext;

/** The emulator's Worker: the control Worker's own app, and before it what only an emulator has. */
export function createEmulatorHandler(mode: AccessMode) {
  let app: Hono<ControlAppEnv> | undefined;
  let parts: EmulatorParts | undefined;
  return {
    fetch: async (request: Request, env: EmulatorEnv, context: ExecutionContext): Promise<Response> => {
      if (env['EMULATOR'] !== 'all') throw new Error('Every tenant of an emulator is a sandbox');
      const stranger = refuseStranger(request, env.CONTROL_URL);
      if (stranger !== undefined) return stranger;
      const asked = withTenantToken(toOwnAddress(request, env.CONTROL_URL), mode);
      if (asked === undefined) return refuse(400, `${TENANT_HEADER} is no id of a tenant, such as C00000002.`);
      app ??= createControlApp({
        chats: localChats,
        judge: (authorization) => judgeBearer(authorization, mode, env),
      });
      const { fetch: answer } = app;
      parts ??= createParts(mode, env, (one) => answer(one, toControlEnv(env), UNBOUND));
      return (
        (await answerOwn(asked, parts)) ??
        answerCall(asked, parts, { answer: async (one) => answer(one, toControlEnv(env), context), context })
      );
    },
  };
}

function createParts(
  mode: AccessMode,
  env: EmulatorEnv,
  answer: (request: Request) => Promise<Response> | Response,
): EmulatorParts {
  const ask: AppCall = async (tenant, path, body) => {
    const secret = mode === 'open' ? ANY_TOKEN : env.EMULATOR_TOKEN;
    const headers = { authorization: `Bearer ${secret}:${tenant}`, 'content-type': 'application/json' };
    const sent = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    return answer(new Request(`${env.CONTROL_URL}${path}`, sent));
  };
  const identify: EmulatorParts['identify'] = async (headers) => {
    const credential = await judgeBearer(headers.get('authorization'), mode, env);
    if (credential.kind !== 'valid') return undefined;
    const { props, clientId } = credential.valid;
    return props.tenant === undefined ? undefined : { tenant: props.tenant, isOperator: clientId === 'emulator' };
  };
  return { env, mode, calls: createReceivedCalls(), states: createTenantStates(env, ask), ask, identify };
}

/** What only the emulator has; undefined: the control Worker answers. */
async function answerOwn(request: Request, parts: EmulatorParts): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(ADMIN_PATH)) return answerAdmin(request, parts);
  if (pathname === CALLS_PATH) return answerCalls(request, parts);
  if (pathname === RESET_PATH) return answerReset(request, parts);
  if (isPagePath(pathname)) return answerPage(request, parts);
  if (TOKEN_PATHS.includes(pathname)) return answerToken(request, parts);
  return CONSOLE.test(pathname) ? refuse(404, 'The emulator has no console.') : undefined;
}

async function answerCall(
  request: Request,
  { env, calls, states, identify }: EmulatorParts,
  { answer, context }: { answer: (request: Request) => Promise<Response>; context: ExecutionContext },
): Promise<Response> {
  /** Others may wait for it: it goes on when the caller leaves. */
  const note = async (tenant: string, path: string): Promise<void> => {
    const noted = states.note(tenant, path);
    context.waitUntil(noted);
    await noted;
  };
  const { pathname } = new URL(request.url);
  const caller = await identify(request.headers);
  if (caller !== undefined) await note(caller.tenant, pathname);
  if (UNRECORDED.test(pathname)) return answer(request);
  const batched = isBatchPath(pathname) ? await readBatch(request, env.CONTROL_URL, identify) : [];
  for (const { tenant, call } of batched) if (tenant !== null && call !== undefined) await note(tenant, call.path);
  return recordCall(request, { tenant: caller?.tenant ?? null, batched }, calls, answer);
}

/** The token endpoint of key files. In open mode each request gets a token, which is as good as any. */
async function answerToken(request: Request, { env, mode }: EmulatorParts): Promise<Response> {
  if (request.method !== 'POST') return refuse(405, 'Tokens are asked for by POST.');
  const bytes = request.body === null ? new Uint8Array() : await readAtMost(request.body, MAX_TOKEN_BODY_BYTES);
  if (bytes === undefined) return refuse(413, `A token request has at most ${MAX_TOKEN_BODY_BYTES} bytes.`);
  const answer = await getEmulatorAccess(env).answerToken({
    contentType: request.headers.get('content-type') ?? '',
    authorization: mode === 'open' ? null : request.headers.get('authorization'),
    body: new TextDecoder().decode(bytes),
  });
  if (mode === 'token' || answer.status === 200)
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  const any = { token_type: 'Bearer', expires_in: 3600, access_token: ANY_TOKEN };
  return Response.json(any, { headers: { 'cache-control': 'no-store' } });
}
