import { isTokenForm } from '../../src/authorization/tokens.ts';
import type { WebhookSettings } from '../../src/notifications/settings.ts';
import { bearerChallenge, bearerToken, hasBearer, judged } from '../bearer.ts';
import type { WebhookEnv } from './env.ts';
import { mayAsk, mayOperate } from './limits.ts';
import type { Refusal } from './refusals.ts';

/** Who calls. `tenant`: the only customer of this token; undefined for all customers. */
export type Caller = { tenant: string | undefined; userId: string; clientId: string; scopes: readonly string[] };
export type Identified = { ok: true; caller: Caller } | { ok: false; refusal: Refusal };

/**
 * Whose call this is, by its bearer token: asked of the authorization server each time, so that an ended token ends at
 * once. Without a token nothing is there (rule W7).
 */
export async function identify(request: Request, env: WebhookEnv, settings: WebhookSettings): Promise<Identified> {
  const authorization = request.headers.get('authorization');
  if (!hasBearer(authorization)) return { ok: false, refusal: { code: 'not_found' } };
  const token = bearerToken(authorization);
  // Other text is no token of ours, and costs nobody anything.
  if (token === undefined || !isTokenForm(token)) return { ok: false, refusal: challenged('invalid_token', settings) };
  if (!(await mayAsk(request, env))) return { ok: false, refusal: { code: 'rate_limited' } };
  const valid = await judged(env.AUTHORIZATION, token, settings.WEBHOOK_URL);
  if (valid === 'unreachable') return { ok: false, refusal: { code: 'authorization_unavailable' } };
  if (valid === null) return { ok: false, refusal: challenged('invalid_token', settings) };
  if (!(await mayOperate(valid.userId, env))) return { ok: false, refusal: { code: 'rate_limited' } };
  const { props, userId, clientId, scope: scopes } = valid;
  return { ok: true, caller: { tenant: props.tenant, userId, clientId, scopes } };
}

/** Why a caller may not use an operation: its token lacks the scope. */
export function scopeMissing({ scopes }: Caller, scope: string, settings: WebhookSettings): Refusal | undefined {
  return scopes.includes(scope) ? undefined : challenged('insufficient_scope', settings, `, scope="${scope}"`);
}

/** With WWW-Authenticate (RFC 6750, section 3). */
function challenged(
  error: 'invalid_token' | 'insufficient_scope',
  { WEBHOOK_URL }: WebhookSettings,
  more = '',
): Refusal {
  return {
    code: error,
    headers: { 'www-authenticate': `${bearerChallenge(WEBHOOK_URL)}, error="${error}"${more}` },
  };
}
