import { insufficientScope } from '@cloudflare/workers-oauth-provider';
import type { Context } from 'hono';
import { getMonitorsResource } from '../../../src/authorization/oauth/resources.ts';
import { BASE_SCOPE, CREDIT_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import { readBearerToken } from '../../../src/authorization/oauth/tokens.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { isMonitorToken } from '../../../src/monitors/core/monitor-token.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import type { MonitorApiPorts, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import { createAccountGate } from '../authorization/account-gate.ts';
import type { ProtectedEnv, ResourceAuth } from '../authorization/protected.ts';
import { type AppContext, fail } from '../context.ts';

/** Who asks, or the refusal. */
export type Admitted = { ok: true; caller: MonitorCaller } | { ok: false; response: Response };

const gate = createAccountGate(getMonitorsResource);

/** Serves the metadata document of the resource. */
export const serveMonitorsMetadata = gate.serveMetadata;

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

const MONITOR_ID = /^\/api\/monitors\/(mon_[0-9a-f]{24})(?:\/|$)/;

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
  const headers = { 'www-authenticate': challengeAgain(c, 'invalid_token') };
  return { ok: false, response: fail(c, 'token_required', { headers }) };
}

const UNREACHABLE_RETRY_S = 5;

const challengeAgain = (c: AppContext, error: string): string => {
  const resource = new URL(getMonitorsResource(c.get('settings').BASE_URL));
  return `Bearer error="${error}", resource_metadata="${resource.origin}/.well-known/oauth-protected-resource${resource.pathname}"`;
};

async function admitAccount(c: AppContext): Promise<Admitted> {
  const admitted = await gate.admit(c);
  if (!admitted.ok) return admitted;
  const { accountId: account, auth, askedAtMs: authorizedAtMs } = admitted;
  if (auth.clientId === undefined) throw new Error('a token without a client');
  return {
    ok: true,
    caller: {
      kind: 'account',
      owner: { account, clientId: auth.clientId, authorizedAtMs },
      canSpend: auth.scope.includes(CREDIT_SCOPE),
      isOperator: auth.props.kind === 'operator',
    },
  };
}

/** What the middleware put beside the request. */
const getAuth = (c: AppContext): ResourceAuth => (c as unknown as Context<ProtectedEnv>).get('auth');

/** The challenge of a call whose token may not spend credits; undefined for a caller without scopes. */
export function challengeSpending(c: AppContext, caller: MonitorCaller): string | undefined {
  if (caller.kind === 'monitor_token') return undefined;
  const refused = insufficientScope(getAuth(c), [BASE_SCOPE, CREDIT_SCOPE], 'Spending credits needs another scope');
  return refused.headers.get('www-authenticate') ?? undefined;
}
