import * as z from 'zod';
import { hasBearer } from '../../src/authorization/oauth/bearer.ts';
import { bytesOf, jsonOf, mediaTypeOf } from '../../src/net/request-body.ts';
import { callerOf } from '../../src/rate-limits/caller-counts.ts';
import { countUnauthenticated } from '../../src/rate-limits/token-gate.ts';
import type { FieldError } from '../../src/problems/problem.ts';
import { type Caller, identify, scopeMissing } from './caller.ts';
import type { WebhookEnv } from './bindings/env.ts';
import { readWebhookSettings } from '../../src/notifications/core/settings.ts';
import { type Call, handlers, type Outcome } from './handlers.ts';
import { tooManyUnauthenticated } from './limits.ts';
import { WRITE_SCOPE } from '../../src/notifications/operator-api/metadata.ts';
import {
  type Matched,
  type Operation,
  type OperationId,
  operations,
  operationsAt,
} from '../../src/notifications/operator-api/operations.ts';
import { isPassing, type Refusal, refused } from './refusals.ts';

const MAX_BODY_BYTES = 16 * 1024;
/** Problems of a body or query that are told; further ones are the same mistake, mostly. */
const MAX_ERRORS = 10;

export type Operating = { requestId: string; log: (line: Record<string, unknown>) => void };

const NOT_KEPT = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'Authorization' };
const NOT_FOUND: Refusal = { code: 'not_found' };

/**
 * Answers a request for the operator's interface, or for nothing that there is. Without a token the two look alike
 * (rule W7). HEAD counts as GET.
 */
export async function operate(request: Request, env: WebhookEnv, { requestId, log }: Operating): Promise<Response> {
  const outcome = await answer(request, env, { requestId, log });
  if (!outcome.ok) return refused(outcome.refusal, requestId, env);
  const { status, body, location } = outcome;
  const headers = { ...NOT_KEPT, ...(location === undefined ? {} : { location }) };
  return new Response(JSON.stringify(body), { status, headers });
}

type Answered = (Outcome & { ok: true; status: number }) | (Outcome & { ok: false });

async function answer(request: Request, env: WebhookEnv, { requestId, log }: Operating): Promise<Answered> {
  const settings = readWebhookSettings(env);
  const found = operationsAt(new URL(request.url).pathname);
  if (found.length === 0) return { ok: false, refusal: strangerRefusal(request) ?? NOT_FOUND };
  const identified = await identify(request, env, settings);
  if (!identified.ok) return identified;
  const { caller } = identified;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matched = found.find((one) => one.method === method);
  if (matched === undefined) return { ok: false, refusal: notThisMethod(found) };
  const row: Operation = operations[matched.operation];
  const missing = scopeMissing(caller, row.scope, settings);
  if (missing !== undefined) return { ok: false, refusal: missing };
  const input = row.method === 'GET' ? queryOf(request, row.input) : await bodyOf(request, row.input);
  if (!input.ok) return input;
  const outcome = await run(matched, input.value, { env, caller, id: matched.id });
  if (row.scope === WRITE_SCOPE) log(lineOf(matched, caller, requestId, outcome));
  return outcome.ok ? { ...outcome, status: row.answer.status } : outcome;
}

/** An object that cannot be asked now is no fault of ours. */
async function run({ operation }: Matched, input: unknown, call: Call): Promise<Outcome> {
  try {
    return await handlerOf(operation)(input, call);
  } catch (error) {
    if (!isPassing(error)) throw error;
    return { ok: false, refusal: { code: 'unavailable' } };
  }
}

/** The handler of a row takes what the schema of the same row gives: the types of both say so, one by one. */
const handlerOf = (operation: OperationId) => handlers[operation] as (input: unknown, call: Call) => Promise<Outcome>;

/** Who changed what. */
const lineOf = (
  { operation, id }: Matched,
  { clientId, userId, tenant }: Caller,
  requestId: string,
  { ok }: Outcome,
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

function notThisMethod(found: readonly Matched[]): Refusal {
  const methods = found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { code: 'method_not_allowed', headers: { allow: methods.join(', ') } };
}

/** Without a token, what is there and what is not have one limit too. */
const strangerRefusal = (request: Request): Refusal | undefined =>
  hasBearer(request.headers.get('authorization'))
    ? undefined
    : tooManyUnauthenticated(countUnauthenticated(callerOf(request)));

type Input = { ok: true; value: unknown } | { ok: false; refusal: Refusal };

function queryOf(request: Request, schema: z.ZodType): Input {
  const pairs = [...new URL(request.url).searchParams];
  const query = Object.fromEntries(pairs);
  if (Object.keys(query).length < pairs.length)
    return { ok: false, refusal: { code: 'invalid_query', detail: 'A parameter is given more than once' } };
  return parsed(query, schema, 'invalid_query');
}

/** No body counts as one without members. */
async function bodyOf(request: Request, schema: z.ZodType): Promise<Input> {
  const bytes = await bytesOf(request, MAX_BODY_BYTES);
  if (bytes === undefined) return { ok: false, refusal: { code: 'body_too_large' } };
  if (bytes.length === 0) return parsed({}, schema, 'invalid_body');
  if (mediaTypeOf(request) !== 'application/json') return { ok: false, refusal: { code: 'unsupported_media_type' } };
  const json = jsonOf(bytes);
  return json.ok ? parsed(json.value, schema, 'invalid_body') : { ok: false, refusal: { code: 'invalid_json' } };
}

function parsed(given: unknown, schema: z.ZodType, code: 'invalid_query' | 'invalid_body'): Input {
  const outcome = schema.safeParse(given);
  if (outcome.success) return { ok: true, value: outcome.data };
  return { ok: false, refusal: { code, errors: outcome.error.issues.slice(0, MAX_ERRORS).map(fieldError) } };
}

const fieldError = ({ path, message }: z.core.$ZodIssue): FieldError => ({
  pointer: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  message,
});
