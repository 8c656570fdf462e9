import * as z from 'zod';
import { buildBearerChallenge, hasBearer } from '../../src/authorization/oauth/tokens.ts';
import { readBodyBytes, parseJsonBody, readMediaType } from '../../src/net/request-body.ts';
import { type OperationOutcome, runOperation } from '../../src/notifications/operator-api/handlers.ts';
import { readWebhookSettings, type WebhookSettings } from '../../src/notifications/core/settings.ts';
import {
  type Matched,
  type Operation,
  operations,
  findOperations,
} from '../../src/notifications/operator-api/operations.ts';
import type { FieldError } from '../../src/problems/problem.ts';
import { getCallerAddress } from '../../src/rate-limits/caller-counts.ts';
import { countUnauthenticated, judgeCredential } from '../../src/rate-limits/token-gate.ts';
import { getNotificationInbox, getChannelRegistry, type WebhookEnv } from './bindings/env.ts';
import { refuseTooManyCalls, type WebhookRefusal, respondRefusal, refuseTooManyUnauthenticated } from './refusals.ts';
import { describeBodyLimit } from '../../src/problems/common.ts';

/** Who calls. `tenant`: the only customer of this token; undefined for all customers. */
type Caller = { tenant: string | undefined; userId: string; clientId: string; scopes: readonly string[] };
type Identified = { ok: true; caller: Caller } | { ok: false; refusal: WebhookRefusal };

/**
 * Whose call this is, by its bearer token: asked of the authorization server each time, so that an ended token ends at
 * once. Without a token nothing is there (rule W7).
 */
async function identify(request: Request, env: WebhookEnv, settings: WebhookSettings): Promise<Identified> {
  const question = { judge: env.AUTHORIZATION, url: settings.WEBHOOK_URL, caller: getCallerAddress(request) };
  const credential = await judgeCredential(request.headers.get('authorization'), question);
  switch (credential.kind) {
    case 'none':
      return { ok: false, refusal: refuseTooManyUnauthenticated(credential.allowance) ?? { code: 'not_found' } };
    case 'malformed': // Other text is not a token of ours, and costs nothing.
      return {
        ok: false,
        refusal: refuseTooManyUnauthenticated(credential.allowance) ?? refuseWithChallenge('invalid_token', settings),
      };
    case 'wait':
      return { ok: false, refusal: { code: 'rate_limited', retryAfterS: credential.retryAfterS } };
    case 'unreachable':
      return { ok: false, refusal: { code: 'authorization_unavailable' } };
    case 'invalid':
      return { ok: false, refusal: refuseWithChallenge('invalid_token', settings) };
    case 'valid': {
      const { props, userId, clientId, scope: scopes } = credential.valid;
      const refusal = await refuseTooManyCalls(userId, env);
      if (refusal !== undefined) return { ok: false, refusal };
      return { ok: true, caller: { tenant: props.tenant, userId, clientId, scopes } };
    }
  }
}

/** Why a caller may not use an operation: its token lacks the scope. */
function refuseMissingScope({ scopes }: Caller, scope: string, settings: WebhookSettings): WebhookRefusal | undefined {
  return scopes.includes(scope) ? undefined : refuseWithChallenge('insufficient_scope', settings, `, scope="${scope}"`);
}

/** With WWW-Authenticate (RFC 6750, section 3). */
function refuseWithChallenge(
  error: 'invalid_token' | 'insufficient_scope',
  { WEBHOOK_URL }: WebhookSettings,
  more = '',
): WebhookRefusal {
  return {
    code: error,
    headers: { 'www-authenticate': `${buildBearerChallenge(WEBHOOK_URL)}, error="${error}"${more}` },
  };
}

const MAX_BODY_BYTES = 16 * 1024;
/** Most problems of a body or query that are reported; further ones are mostly the same mistake. */
const MAX_ERRORS = 10;

export type Operating = { requestId: string; log: (line: Record<string, unknown>) => void };

const NOT_KEPT = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'Authorization' };
const NOT_FOUND: WebhookRefusal = { code: 'not_found' };

/**
 * Answers a request for the operator's interface, or for nothing that there is. Without a token the two look alike
 * (rule W7). HEAD counts as GET.
 */
export async function operate(request: Request, env: WebhookEnv, { requestId, log }: Operating): Promise<Response> {
  const outcome = await answerCall(request, env, { requestId, log });
  if (!outcome.ok) return respondRefusal(outcome.refusal, requestId, env);
  const { status, body, location } = outcome;
  const headers = { ...NOT_KEPT, ...(location === undefined ? {} : { location }) };
  return new Response(JSON.stringify(body), { status, headers });
}

type Answered = (Extract<OperationOutcome, { ok: true }> & { status: number }) | { ok: false; refusal: WebhookRefusal };

async function answerCall(request: Request, env: WebhookEnv, { requestId, log }: Operating): Promise<Answered> {
  const settings = readWebhookSettings(env);
  const found = findOperations(new URL(request.url).pathname);
  if (found.length === 0) return { ok: false, refusal: refuseStranger(request) ?? NOT_FOUND };
  const identified = await identify(request, env, settings);
  if (!identified.ok) return identified;
  const { caller } = identified;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matched = found.find((one) => one.method === method);
  if (matched === undefined) return { ok: false, refusal: refuseMethod(found) };
  const row: Operation = operations[matched.operation];
  const missing = refuseMissingScope(caller, row.scope, settings);
  if (missing !== undefined) return { ok: false, refusal: missing };
  const input =
    row.method === 'GET' ? parseOperationQuery(request, row.input) : await readOperationBody(request, row.input);
  if (!input.ok) return input;
  const registry = () => getChannelRegistry(env);
  const inbox = (customer: string) => getNotificationInbox(env, customer);
  const call = { registry, inbox, settings, now: Date.now, tenant: caller.tenant, id: matched.id };
  const outcome = await runOperation(matched.operation, input.value, call);
  if (row.method !== 'GET') log(buildOperationLine(matched, caller, requestId, outcome));
  return outcome.ok ? { ...outcome, status: row.answer.status } : outcome;
}

/** Who changed what. */
const buildOperationLine = (
  { operation, id }: Matched,
  { clientId, userId, tenant }: Caller,
  requestId: string,
  { ok }: OperationOutcome,
) => ({
  event: 'channels_operated',
  request_id: requestId,
  operation,
  ok,
  client: clientId,
  user: userId,
  ...(id === '' ? {} : { id }),
  ...(tenant === undefined ? {} : { customer: tenant }),
});

function refuseMethod(found: readonly Matched[]): WebhookRefusal {
  const methods = found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { code: 'method_not_allowed', headers: { allow: methods.join(', ') } };
}

/** Without a token, what is there and what is not have one limit too. */
const refuseStranger = (request: Request): WebhookRefusal | undefined =>
  hasBearer(request.headers.get('authorization'))
    ? undefined
    : refuseTooManyUnauthenticated(countUnauthenticated(getCallerAddress(request)));

type Input = { ok: true; value: unknown } | { ok: false; refusal: WebhookRefusal };

function parseOperationQuery(request: Request, schema: z.ZodType): Input {
  const pairs = [...new URL(request.url).searchParams];
  const query = Object.fromEntries(pairs);
  if (Object.keys(query).length < pairs.length)
    return { ok: false, refusal: { code: 'invalid_query', detail: 'A parameter is given more than once' } };
  return parseOperationInput(query, schema, 'invalid_query');
}

/** No body counts as one without members. */
async function readOperationBody(request: Request, schema: z.ZodType): Promise<Input> {
  const bytes = await readBodyBytes(request, MAX_BODY_BYTES);
  if (bytes === undefined)
    return { ok: false, refusal: { code: 'body_too_large', detail: describeBodyLimit(MAX_BODY_BYTES) } };
  if (bytes.length === 0) return parseOperationInput({}, schema, 'invalid_body');
  if (readMediaType(request) !== 'application/json')
    return {
      ok: false,
      refusal: { code: 'unsupported_media_type', detail: 'Send the body as application/json' },
    };
  const json = parseJsonBody(bytes);
  return json.ok
    ? parseOperationInput(json.value, schema, 'invalid_body')
    : { ok: false, refusal: { code: 'invalid_json' } };
}

function parseOperationInput(given: unknown, schema: z.ZodType, code: 'invalid_query' | 'invalid_body'): Input {
  const outcome = schema.safeParse(given);
  if (outcome.success) return { ok: true, value: outcome.data };
  return { ok: false, refusal: { code, errors: outcome.error.issues.slice(0, MAX_ERRORS).map(buildFieldError) } };
}

const buildFieldError = ({ path, message }: z.core.$ZodIssue): FieldError => ({
  pointer: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  message,
});
