import type { Hono } from 'hono';
import * as z from 'zod';
import {
  type NotOperated,
  type Operated,
  type OperatorCommand,
  formatOperatorAnswer,
} from '../../../src/authorization/operators/commands.ts';
import { forgetTokens } from '../../../src/authorization/oauth/remembered-tokens.ts';
import { describeUnreached } from '../../../src/authorization/shards/sealed-token.ts';
import { formatJsonPointer } from '../../../src/lib/json.ts';
import { getAuthorizationStore, getPeopleStore } from '../bindings/people-store.ts';
import { readBodyBytes, parseJsonBody, readMediaType } from '../../../src/net/request-body.ts';
import { type AppContext, type AppEnv, type AppOptions, fail, failWith } from '../context.ts';
import { logLine } from '../../shared/telemetry.ts';
import { readBrowserSession, hasFormToken, isSameOrigin } from '../../shared/cookies.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { clientBody, keyBody, operatorBody, serviceAccountBody } from '../../../src/authorization/operators/bodies.ts';
import { requireOperatorSignIn } from '../pages/pages.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { parseIdempotencyKey } from '../../../src/sales/read-order.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

const MAX_BODY_BYTES = 64 * 1024;
const ACCOUNTS = '/operator/service-accounts';
const CLIENTS = '/operator/clients';
const OPERATORS = '/operator/operators';

type Parsed = { ok: true; command: OperatorCommand } | { ok: false; problem: ProblemInput };
type ToCommand = (c: AppContext) => Parsed | Promise<Parsed>;

/**
 * What operators do to clients, service accounts and other operators, as JSON. Needs the cookie of an operator's
 * sign-in and the token of its forms in `x-csrf-token`; never accepts a bearer token (rule A4). Where operators cannot
 * sign in, these routes do not exist.
 */
export function registerOperatorRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/operator/*', guardFreeRoute, requireOperatorSignIn);
  const on = (method: 'GET' | 'POST' | 'DELETE', path: string, toCommand: ToCommand): void => {
    app.on(method, path, (c) => operate(c, options, toCommand));
  };
  on('GET', ACCOUNTS, () => acceptCommand({ do: 'list_service_accounts' }));
  on('POST', ACCOUNTS, readServiceAccountCommand);
  on('DELETE', `${ACCOUNTS}/:id`, (c) => acceptCommand({ do: 'delete_service_account', id: getPathId(c, 'id') }));
  on('POST', `${ACCOUNTS}/:id/keys`, readKeyCommand);
  on('DELETE', `${ACCOUNTS}/:id/keys/:kid`, (c) =>
    acceptCommand({ do: 'revoke_key', id: getPathId(c, 'id'), keyId: getPathId(c, 'kid') }),
  );
  on('GET', CLIENTS, () => acceptCommand({ do: 'list_clients' }));
  on('POST', CLIENTS, readClientCommand);
  on('DELETE', `${CLIENTS}/:id`, (c) => acceptCommand({ do: 'delete_client', id: getPathId(c, 'id') }));
  on('GET', OPERATORS, () => acceptCommand({ do: 'list_operators' }));
  on('POST', OPERATORS, readOperatorCommand);
  on('DELETE', `${OPERATORS}/:id`, (c) => acceptCommand({ do: 'delete_operator', id: getPathId(c, 'id') }));
  on('POST', `${OPERATORS}/:id/restore`, (c) => acceptCommand({ do: 'restore_operator', id: getPathId(c, 'id') }));
}

const acceptCommand = (command: OperatorCommand): Parsed => ({ ok: true, command });

/** An id of a path; ours are letters, digits and `_`, and others find nothing. */
const getPathId = (c: AppContext, name: string): string => (c.req.param(name) ?? '').slice(0, 100);

async function readServiceAccountCommand(c: AppContext): Promise<Parsed> {
  const body = await readJson(c, serviceAccountBody);
  if (!body.ok) return body;
  const { acts_for: actsFor, ...account } = body.value;
  return acceptCommand({ do: 'create_service_account', account: { ...account, actsFor } });
}

async function readKeyCommand(c: AppContext): Promise<Parsed> {
  const body = await readJson(c, keyBody);
  return body.ok ? acceptCommand({ do: 'create_key', id: getPathId(c, 'id'), days: body.value.expires_in_days }) : body;
}

async function readClientCommand(c: AppContext): Promise<Parsed> {
  const body = await readJson(c, clientBody);
  if (!body.ok) return body;
  if (body.value.grant === 'client_credentials') {
    const { jwks, ...client } = body.value;
    return acceptCommand({ do: 'create_client', client: { ...client, jwks: jwks?.keys } });
  }
  const { grant, name, redirect_uris: redirectUris, token_endpoint_auth_method: method } = body.value;
  return acceptCommand({ do: 'create_client', client: { grant, name, redirectUris, method } });
}

async function readOperatorCommand(c: AppContext): Promise<Parsed> {
  const body = await readJson(c, operatorBody);
  if (!body.ok) return body;
  const { name, directory_user_id: directoryUserId } = body.value;
  return acceptCommand({ do: 'create_operator', operator: { name, directoryUserId } });
}

async function operate(c: AppContext, options: AppOptions, toCommand: ToCommand): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  if (!isSameOrigin(c.req.raw, BASE_URL)) return fail(c, 'foreign_origin');
  const session = await readBrowserSession(c, options);
  if (!hasFormToken(session, c.req.header('x-csrf-token'))) return fail(c, 'operator_sign_in_required');
  if (c.req.raw.body !== null) {
    const signedIn = await getPeopleStore(c).session(session.hash); // No sign-in, no body: the store judges the order itself.
    if (signedIn === undefined) return failWith(c, refusals.not_signed_in);
    if (signedIn.kind !== 'operator') return failWith(c, refusals.not_operator);
  }
  const named = parseIdempotencyKey({}, c.req.header('idempotency-key'));
  if (!named.ok) return fail(c, 'idempotency_key_invalid', { detail: named.detail });
  const parsed = await toCommand(c);
  if (!parsed.ok) return failWith(c, parsed.problem);
  return toOperatorResponse(c, await getAuthorizationStore(c.env).operate(session.hash, parsed.command, named.key));
}

/** Whether tokens ended by it. One operator's secret is shown once: its answer waits for no shard. */
const isEnding = (did: Operated['did']): boolean => did.startsWith('deleted') || did === 'revoked_key';

function toOperatorResponse(c: AppContext, answer: Operated | NotOperated): Response {
  if (!answer.ok) {
    const detail = answer.reason === 'already_created' ? { detail: `Its id is ${answer.id}` } : {};
    return failWith(c, { ...refusals[answer.reason], ...detail });
  }
  const { did, by, unreached } = answer;
  if (isEnding(did)) forgetTokens({}, Date.now());
  if (answer.isRepeat !== true)
    logLine({
      event: 'operator_action',
      request_id: c.get('requestId'),
      action: did,
      by,
      ...describeSubject(c, answer),
    });
  if (unreached !== undefined && isEnding(did))
    return failWith(c, buildProblem('revocation_unfinished', { detail: describeUnreached(unreached) }));
  return c.json(formatOperatorAnswer(answer), did.startsWith('created') ? 201 : 200, { 'cache-control': 'no-store' });
}

/** Names and ids of what was done, for the audit log; never a secret or a key. */
function describeSubject(c: AppContext, answer: Operated): Record<string, unknown> {
  const { id: pathId, kid } = c.req.param() as { id?: string; kid?: string };
  const path = { ...(pathId === undefined ? {} : { id: pathId }), ...(kid === undefined ? {} : { key: kid }) };
  if ('account' in answer) return { id: answer.account.id, name: answer.account.name, scopes: answer.account.scopes };
  if ('client' in answer) return { id: answer.client.id, name: answer.client.name };
  if ('operator' in answer) return { id: answer.operator.id, name: answer.operator.name };
  if ('key' in answer) return { ...path, key: answer.key.id };
  return 'name' in answer ? { ...path, name: answer.name } : path;
}

/** Reads a JSON body; none counts as an empty object. */
async function readJson<T>(
  c: AppContext,
  schema: z.ZodType<T>,
): Promise<{ ok: true; value: T } | { ok: false; problem: ProblemInput }> {
  const bytes = await readBodyBytes(c.req.raw, MAX_BODY_BYTES);
  if (bytes === undefined)
    return { ok: false, problem: buildProblem('body_too_large', { detail: describeBodyLimit(MAX_BODY_BYTES) }) };
  const isEmpty = bytes.byteLength === 0;
  if (!isEmpty && readMediaType(c.req.raw) !== 'application/json')
    return {
      ok: false,
      problem: buildProblem('unsupported_media_type', { detail: 'Send the body as application/json' }),
    };
  const json = isEmpty ? ({ ok: true, value: {} } as const) : parseJsonBody(bytes);
  if (!json.ok) return { ok: false, problem: buildProblem('invalid_json') };
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors = parsed.error.issues.map(({ path, message }) => ({ pointer: formatJsonPointer(path), message }));
  return { ok: false, problem: buildProblem('invalid_body', { errors }) };
}

const refusals: Readonly<Record<NotOperated['reason'], ProblemInput>> = {
  not_signed_in: buildProblem('operator_sign_in_required'),
  not_operator: buildProblem('operator_only'),
  sign_in_too_old: buildProblem('sign_in_too_old'),
  not_found: buildProblem('not_found'),
  too_many: buildProblem('limit_reached'),
  last_operator: buildProblem('last_operator'),
  key_reused: buildProblem('idempotency_key_reused'),
  already_created: buildProblem('already_created'),
  operator_enabled: buildProblem('operator_enabled'),
  directory_user_taken: buildProblem('directory_user_taken'),
  unknown_scope: buildProblem('invalid_body', { detail: 'A scope is unknown' }),
  unknown_resource: buildProblem('invalid_body', { detail: 'A resource is not of this service' }),
};
