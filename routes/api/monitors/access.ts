import { insufficientScope } from '@cloudflare/workers-oauth-provider';
import type { Context, MiddlewareHandler } from 'hono';
import { getMonitorsResource, MONITORS_PATH } from '../../../src/authorization/oauth/resources.ts';
import { BASE_SCOPE, CREDIT_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import { readBearerToken } from '../../../src/authorization/oauth/tokens.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { isMonitorToken } from '../../../src/monitors/core/monitor-token.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import {
  buildUnauthenticatedHeaders,
  judgeCredential,
  type TokenJudgement,
} from '../../../src/rate-limits/token-gate.ts';
import type { MonitorApiPorts, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import { createProtectedResource, type ProtectedEnv, type ResourceAuth } from '../authorization/protected.ts';
import { getTokenRouter } from '../bindings/token-router.ts';
import { type AppContext, type AppEnv, fail } from '../context.ts';

/** Who asks, or the refusal. */
export type Admitted = { ok: true; caller: MonitorCaller } | { ok: false; response: Response };

/** What was said of the token of a request, and when it was asked for: what is revoked after that counts as revoked (rule A5). */
const judgements = new WeakMap<Request, Extract<TokenJudgement, { kind: 'valid' }>>();

/** Serves the metadata document, and admits tokens that are good for this resource. */
export const guardMonitorTokens: MiddlewareHandler<AppEnv> = createProtectedResource<AppEnv>({
  resource: (c) => getMonitorsResource(c.get('settings').BASE_URL),
  issuer: (c) => c.get('settings').BASE_URL,
  requiredScopes: [BASE_SCOPE],
  validate: (c) => async () => judgements.get(c.req.raw)?.valid ?? null,
});

/** The caller by its token: one of an account, or the one of a monitor. */
export async function admitMonitorCaller(
  c: AppContext,
  ports: Pick<MonitorApiPorts, 'shards' | 'log'>,
): Promise<Admitted> {
  // Rule F7: an audit of ours that reaches this interface must start no other.
  if (c.req.method !== 'GET' && isOurVia(c.req.header('via') ?? null))
    return { ok: false, response: fail(c, 'loop_detected') };
  const token = readBearerToken(c.req.header('authorization') ?? null);
  return token !== undefined && isMonitorToken(token) ? admitMonitor(c, token, ports) : admitAccount(c);
}

const MONITOR_ID = new RegExp(`^${MONITORS_PATH}/(mon_[0-9a-f]{24})(?:/|$)`);

/** The token of a monitor is good at the addresses of that monitor alone. */
async function admitMonitor(
  c: AppContext,
  token: string,
  { shards, log }: Pick<MonitorApiPorts, 'shards' | 'log'>,
): Promise<Admitted> {
  const [, monitorId = ''] = MONITOR_ID.exec(c.req.path) ?? [];
  try {
    const owner = await shards.ofMonitor(monitorId)?.findByToken(monitorId, await computeSha256Hex(token));
    if (owner !== undefined) return { ok: true, caller: { kind: 'monitor_token', owner, monitorId } };
  } catch (error) {
    log({ event: 'monitors_failed', error: String(error).slice(0, 200) });
    return { ok: false, response: fail(c, 'monitors_unavailable', { retryAfterS: UNREACHABLE_RETRY_S }) };
  }
  return { ok: false, response: refuseToken(c, challengeAgain(c, 'invalid_token')) };
}

const UNREACHABLE_RETRY_S = 5;

const challengeAgain = (c: AppContext, error: string): string => {
  const resource = new URL(getMonitorsResource(c.get('settings').BASE_URL));
  return `Bearer error="${error}", resource_metadata="${resource.origin}/.well-known/oauth-protected-resource${resource.pathname}"`;
};

async function admitAccount(c: AppContext): Promise<Admitted> {
  const mayRecall = c.req.method === 'GET'; // Never for what spends.
  const credential = await judgeCredential(c.req.header('authorization') ?? null, {
    judge: getTokenRouter(c.env),
    url: getMonitorsResource(c.get('settings').BASE_URL),
    caller: getCallerAddress(c.req.raw),
    mayRecall,
  });
  if (credential.kind === 'unreachable')
    return { ok: false, response: fail(c, 'sign_in_unavailable', { retryAfterS: 1 }) };
  if (credential.kind === 'wait') return refuseForNow(c, credential.retryAfterS);
  if ('allowance' in credential && !credential.allowance.isAllowed) {
    c.set('rateHeaders', buildUnauthenticatedHeaders(credential.allowance));
    return refuseForNow(c, credential.allowance.retryAfterS);
  }
  if (credential.kind === 'valid') judgements.set(c.req.raw, credential);
  let isAdmitted = false;
  const refused = await guardMonitorTokens(c, async () => {
    isAdmitted = true;
  });
  return isAdmitted
    ? { ok: true, caller: buildCaller(c) }
    : { ok: false, response: explainRefusal(c, refused ?? new Response(null, { status: 401 })) };
}

const refuseForNow = (c: AppContext, retryAfterS: number): Admitted => ({
  ok: false,
  response: fail(c, 'rate_limited', { retryAfterS }),
});

/** The words of the library as a problem; its challenge stays. */
function explainRefusal(c: AppContext, refused: Response): Response {
  const challenge = refused.headers.get('www-authenticate') ?? challengeAgain(c, 'invalid_token');
  if (refused.status === 403) return fail(c, 'insufficient_scope', { headers: { 'www-authenticate': challenge } });
  return refuseToken(c, challenge, refused.status === 400 ? refused.status : undefined);
}

const refuseToken = (c: AppContext, challenge: string, status?: number): Response =>
  fail(c, 'token_required', { status, headers: { 'www-authenticate': challenge } });

/** What the middleware put beside the request. */
const getAuth = (c: AppContext): ResourceAuth => (c as unknown as Context<ProtectedEnv>).get('auth');

function buildCaller(c: AppContext): MonitorCaller {
  const { userId, clientId, scope, props } = getAuth(c);
  if (userId === undefined || clientId === undefined) throw new Error('a token without subject or client');
  const authorizedAtMs = judgements.get(c.req.raw)?.askedAtMs ?? 0;
  return {
    kind: 'account',
    owner: { account: userId, clientId, authorizedAtMs },
    canSpend: scope.includes(CREDIT_SCOPE),
    isOperator: props.kind === 'operator',
  };
}

/** The challenge of a call whose token may not spend credits; undefined for a caller without scopes. */
export function challengeSpending(c: AppContext, caller: MonitorCaller): string | undefined {
  if (caller.kind === 'monitor_token') return undefined;
  const refused = insufficientScope(getAuth(c), [BASE_SCOPE, CREDIT_SCOPE], 'Spending credits needs another scope');
  return refused.headers.get('www-authenticate') ?? undefined;
}
