import type { WebhookSettings } from '../../src/notifications/core/settings.ts';
import { bearerChallenge } from '../../src/authorization/oauth/bearer.ts';
import { callerOf } from '../../src/rate-limits/caller-counts.ts';
import { credentialOf } from '../../src/rate-limits/token-gate.ts';
import type { WebhookEnv } from './bindings/env.ts';
import { mayOperate, tooManyUnauthenticated } from './limits.ts';
import type { Refusal } from './refusals.ts';

/** Who calls. `tenant`: the only customer of this token; undefined for all customers. */
export type Caller = { tenant: string | undefined; userId: string; clientId: string; scopes: readonly string[] };
export type Identified = { ok: true; caller: Caller } | { ok: false; refusal: Refusal };

/**
 * Whose call this is, by its bearer token: asked of the authorization server each time, so that an ended token ends at
 * once. Without a token nothing is there (rule W7).
 */
export async function identify(request: Request, env: WebhookEnv, settings: WebhookSettings): Promise<Identified> {
  const question = { judge: env.AUTHORIZATION, url: settings.WEBHOOK_URL, caller: callerOf(request) };
  const credential = await credentialOf(request.headers.get('authorization'), question);
  switch (credential.kind) {
    case 'none':
      return { ok: false, refusal: tooManyUnauthenticated(credential.allowance) ?? { code: 'not_found' } };
    case 'malformed': // Other text is no token of ours, and costs nobody anything.
      return {
        ok: false,
        refusal: tooManyUnauthenticated(credential.allowance) ?? challenged('invalid_token', settings),
      };
    case 'wait':
      return { ok: false, refusal: { code: 'rate_limited', retryAfterS: credential.retryAfterS } };
    case 'unreachable':
      return { ok: false, refusal: { code: 'authorization_unavailable' } };
    case 'invalid':
      return { ok: false, refusal: challenged('invalid_token', settings) };
    case 'valid': {
      const { props, userId, clientId, scope: scopes } = credential.valid;
      if (!(await mayOperate(userId, env))) return { ok: false, refusal: { code: 'rate_limited' } };
      return { ok: true, caller: { tenant: props.tenant, userId, clientId, scopes } };
    }
  }
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
