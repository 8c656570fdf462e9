import type { Hono } from 'hono';
import { buildServerMetadata, getIssuer, listResources } from '../../../src/authorization/oauth/resources.ts';
import { registerClient, MAX_REGISTRATION_BYTES } from '../../../src/authorization/clients/registration.ts';
import {
  MAX_TOKEN_BODY_BYTES,
  buildOAuthError,
  type TokenOutcome,
  type TokenRequest,
  type WireAnswer,
} from '../../../src/authorization/oauth/store-protocol.ts';
import { parseNamedGrant } from '../../../src/authorization/oauth/kv-facade.ts';
import { StoreUnreachable } from '../../../src/authorization/oauth/store-wait.ts';
import { forgetTokens } from '../../../src/authorization/oauth/remembered-tokens.ts';
import type { TokenRouter } from '../../../src/authorization/shards/router.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { getErrorName } from '../../../src/lib/errors.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import { releaseReserves } from '../../../src/sales/credit-accounts.ts';
import { pauseMonitorsOfClient } from '../../../src/sales/monitors/end-client.ts';
import { createMonitorShards } from '../bindings/monitor-shards.ts';
import { getSealingKeys } from '../bindings/people-store.ts';
import { getTokenRouter } from '../bindings/token-router.ts';
import { readBodyBytes } from '../../../src/net/request-body.ts';
import { type ClientReadiness, prepareClientKeys, renewDocument } from './client-documents.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { countFreeRequest } from '../free-guard.ts';
import { getCallerAddress, createRegistrationCounts } from '../../../src/rate-limits/caller-counts.ts';
import { serveStaticDocument } from '../../shared/static-document.ts';

/** Asked once, and again after the client's document and after its keys were fetched. */
const MAX_TURNS = 3;

/** 128 bits as hex. */
const ACCOUNT_ID_CHARS = 32;

const registrations = createRegistrationCounts();

/** The endpoints of the authorization server that clients call themselves. Open to every origin: no cookie counts here. */
export function registerTokenRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  const { token, register, serverMetadata } = protocolOperations;
  app.on(token.method, token.route, (c) => answerInTime(c, answerTokenRequest(c, options)));
  app.on(register.method, register.route, (c) => answerInTime(c, answerRegistration(c)));
  for (const { route } of [token, register]) app.all(route, (c) => toResponse(c, methodNotAllowed));
  app.on(serverMetadata.method, serverMetadata.route, (c) =>
    serveStaticDocument(c, serverMetadata.route, () => buildMetadataDocument(c)),
  );
}

/** What is asked of the store beside the token itself (keys, clients) ends like that: a store that does not answer is 503. */
async function answerInTime(c: AppContext, answering: Promise<WireAnswer>): Promise<Response> {
  try {
    return toResponse(c, await answering);
  } catch (error) {
    if (!(error instanceof StoreUnreachable)) throw error;
    logUnreachable(c, error);
    return toResponse(c, unreachable);
  }
}

async function answerTokenRequest(c: AppContext, options: AppOptions): Promise<WireAnswer> {
  const free = await countFreeRequest(c);
  if (!free.isAllowed) return refuseTooMany(free.retryAfterS);
  const body = await readBodyText(c.req.raw, MAX_TOKEN_BODY_BYTES);
  if (body === undefined) return tooLarge;
  const contentType = c.req.header('content-type') ?? '';
  const authorization = c.req.header('authorization') ?? null;
  const router = getTokenRouter(c.env);
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const outcome = await askRouter(c, router, { contentType, authorization, body });
    if (outcome === undefined) return unreachable;
    if (outcome.kind === 'answer') {
      const { ended } = outcome;
      await forgetEndedTokens(new URLSearchParams(body), outcome.status);
      if (ended !== undefined) {
        const { accountId: account, clientId } = ended;
        await releaseReserves(createCreditAccounts(c.env, logLine), account, clientId);
        await pauseMonitorsOfClient(createMonitorShards(c.env), { account, clientId }, logLine);
      }
      return outcome;
    }
    const ready = await prepareNeededClient(c, options, outcome);
    if (!ready.ok) return 'retryAfterS' in ready ? refuseTooMany(ready.retryAfterS) : refuseClient(ready.detail);
  }
  return refuseClient('The client document changed meanwhile');
}

/** @returns undefined where an object did not answer: it is down or being deployed, and the reason is in its own log */
async function askRouter(c: AppContext, router: TokenRouter, request: TokenRequest): Promise<TokenOutcome | undefined> {
  try {
    return await router.token(request);
  } catch (error) {
    logUnreachable(c, error);
    return undefined;
  }
}

const logUnreachable = (c: AppContext, error: unknown): void =>
  logLine({ event: 'token_store_unreachable', request_id: c.get('requestId'), name: getErrorName(error) });

/** What a request may have ended is at once good for nothing in this isolate; others remember it for ten seconds at most. */
async function forgetEndedTokens(form: URLSearchParams, status: number): Promise<void> {
  const isGrant = form.has('grant_type');
  if (isGrant && status === 200) return;
  const { accountId } = parseNamedGrant(form);
  if (accountId.length === ACCOUNT_ID_CHARS) forgetTokens({ userId: accountId }, Date.now());
  const token = form.get('token');
  if (token !== null && !isGrant) forgetTokens({ hash: await computeSha256Hex(token) }, Date.now());
}

function prepareNeededClient(
  c: AppContext,
  options: AppOptions,
  need: Exclude<TokenOutcome, { kind: 'answer' }>,
): Promise<ClientReadiness> {
  if (need.kind === 'client_document_needed') return renewDocument(c, options, need.clientId);
  return prepareClientKeys(c, options, need.clientId, need.jwksUri);
}

async function answerRegistration(c: AppContext): Promise<WireAnswer> {
  const free = await countFreeRequest(c);
  if (!free.isAllowed) return refuseTooMany(free.retryAfterS);
  const body = await readBodyText(c.req.raw, MAX_REGISTRATION_BYTES);
  if (body === undefined) return tooLarge;
  const nowMs = Date.now();
  const caller = getCallerAddress(c.req.raw);
  const { answer, clientId } = await registerClient(body, await getSealingKeys(c.env), nowMs);
  const waitS = clientId === undefined ? 0 : registrations.waitS(caller, clientId, nowMs);
  return waitS > 0 ? refuseTooMany(waitS) : answer;
}

/** The body as text; undefined when it is too large. */
async function readBodyText(request: Request, maxBytes: number): Promise<string | undefined> {
  const bytes = await readBodyBytes(request, maxBytes);
  return bytes && new TextDecoder().decode(bytes);
}

function buildMetadataDocument(c: AppContext) {
  const { BASE_URL, WEBHOOK_URL, CONTROL_URL } = c.get('settings');
  const resources = listResources({ baseUrl: BASE_URL, webhookUrl: WEBHOOK_URL, controlUrl: CONTROL_URL });
  return { type: 'application/json', body: JSON.stringify(buildServerMetadata(getIssuer(BASE_URL), resources)) };
}

function toResponse(c: AppContext, { status, headers, body }: WireAnswer): Response {
  if (status >= 400) logLine({ event: 'refused', request_id: c.get('requestId'), status, code: 'oauth' });
  return new Response(body === '' ? null : body, { status, headers });
}

const refuseClient = (detail: string): WireAnswer => buildOAuthError(401, 'invalid_client', detail);
const tooLarge = buildOAuthError(413, 'invalid_request', 'The body is too large');
const unreachable = buildOAuthError(
  503,
  'temporarily_unavailable',
  'A store of accounts or tokens does not answer: try again',
  {
    'retry-after': '1',
  },
);
const methodNotAllowed = buildOAuthError(405, 'invalid_request', 'Use POST', { allow: 'POST, OPTIONS' });
const refuseTooMany = (retryAfterS: number): WireAnswer =>
  buildOAuthError(429, 'temporarily_unavailable', 'Too many requests from this address', {
    'retry-after': String(retryAfterS),
  });
