import { canonicalResource } from '../../src/authorization/resources.ts';
import { isTokenForm } from '../../src/authorization/tokens.ts';
import type { WebhookSettings } from '../../src/notifications/settings.ts';
import type { WebhookEnv } from './env.ts';
import { mayAsk, mayOperate } from './limits.ts';
import { METADATA_PATH } from './metadata.ts';
import type { Refusal } from './refusals.ts';

const BEARER = /^bearer(?:[\t ]|$)/i;
const ONE_BEARER = /^bearer[\t ]{1,9}([^\s,]+)$/i;

/** Who calls. `tenant`: the only customer of this token; undefined for all customers. */
export type Caller = { tenant: string | undefined; userId: string; clientId: string; scopes: readonly string[] };
export type Identified = { ok: true; caller: Caller } | { ok: false; refusal: Refusal };

/**
 * Whose call this is, by its bearer token: asked of the authorization server each time, so that an ended token ends at
 * once. Without a token nothing is there (rule W7).
 */
export async function identify(request: Request, env: WebhookEnv, settings: WebhookSettings): Promise<Identified> {
  const authorization = request.headers.get('authorization');
  if (authorization === null || !BEARER.test(authorization)) return { ok: false, refusal: { code: 'not_found' } };
  const [, token = ''] = ONE_BEARER.exec(authorization) ?? [];
  // Other text is no token of ours, and costs nobody anything.
  if (!isTokenForm(token)) return { ok: false, refusal: challenged('invalid_token', settings) };
  if (!(await mayAsk(request, env))) return { ok: false, refusal: { code: 'rate_limited' } };
  const valid = await validated(token, env, settings);
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
  const metadata = `resource_metadata="${new URL(WEBHOOK_URL).origin}${METADATA_PATH}"`;
  return {
    code: error,
    headers: { 'www-authenticate': `Bearer realm="sightline", ${metadata}, error="${error}"${more}` },
  };
}

type Validated = Awaited<ReturnType<WebhookEnv['AUTHORIZATION']['validate']>> | 'unreachable';

async function validated(token: string, env: WebhookEnv, { WEBHOOK_URL }: WebhookSettings): Promise<Validated> {
  try {
    return await env.AUTHORIZATION.validate(token, canonicalResource(WEBHOOK_URL));
  } catch {
    return 'unreachable'; // The other Worker is down or being deployed; the reason is in its own log.
  }
}
