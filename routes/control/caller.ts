import { isControlScope } from '../../src/authorization/oauth/scopes.ts';
import { requestRefusals } from '../../src/management/core/conventions/errors.ts';
import type { Caller } from '../../src/management/core/engine/tenant.ts';
import { type RefusalData, refuse } from '../../src/lib/refusal.ts';
import { isTenantId } from '../../src/management/core/tenants.ts';
import { bearerChallenge } from '../../src/authorization/oauth/bearer.ts';
import { type Credential, credentialOf, unauthenticatedHeaders } from '../../src/rate-limits/token-gate.ts';
import type { World } from './call-context.ts';
import type { ControlSettings } from './bindings/env.ts';
import type { RateTold } from './limits.ts';
import { unavailable } from '../../src/management/core/call-refusals.ts';

/** Who may not pass: what to tell, with the value of WWW-Authenticate (RFC 6750, section 3). */
export type Denied = { ok: false; refusal: RefusalData; challenge?: string };
export type Identifying = Pick<World, 'env' | 'settings' | 'from' | 'rate' | 'known'>;
export type Identified = { ok: true; caller: Caller } | Denied;

/**
 * Whose call this is, by its bearer token: asked of the authorization server each time, so that an ended token ends at once;
 * once a batch. Calls without a good token have limits of their own.
 */
export async function identify(authorization: string | null, world: Identifying): Promise<Identified> {
  const { env, settings, from, rate, known } = world;
  const challenge = challengeOf(settings);
  const question = { judge: env.AUTHORIZATION, url: settings.CONTROL_URL, caller: from };
  const credential = await credentialOf(authorization, known === undefined ? question : { ...question, known });
  switch (credential.kind) {
    case 'none':
    case 'malformed':
      return { ok: false, ...unauthenticated(credential, challenge, rate) };
    case 'wait':
      return { ok: false, refusal: requestRefusals.rateLimited(credential.retryAfterS) };
    case 'unreachable':
      return { ok: false, refusal: unavailable() };
    case 'invalid':
      return { ok: false, refusal: requestRefusals.invalidCredentials(), challenge: invalidToken(challenge) };
    case 'valid': {
      const { props, userId, clientId, scope: scopes } = credential.valid;
      const { tenant, kind } = props;
      if (tenant === undefined || !isTenantId(tenant)) return { ok: false, refusal: refuse.forbidden().data };
      return { ok: true, caller: { tenant, kind, userId, clientId, scopes } };
    }
  }
}

/** A call that nobody vouches for is refused, and told of the limit of such calls. */
function unauthenticated(
  { kind, allowance }: Extract<Credential, { allowance: unknown }>,
  challenge: string,
  rate: RateTold,
): Omit<Denied, 'ok'> {
  rate.headers = unauthenticatedHeaders(allowance);
  if (!allowance.isAllowed) return { refusal: requestRefusals.rateLimited(allowance.retryAfterS) };
  if (kind === 'none') return { refusal: requestRefusals.loginRequired(), challenge };
  return { refusal: requestRefusals.invalidCredentials(), challenge: invalidToken(challenge) };
}

const invalidToken = (challenge: string): string => `${challenge}, error="invalid_token"`;

/** Why a caller may not use a method: it has none of its scopes. A method without scopes takes any scope of ours. */
export function scopeMissing(caller: Caller, scopes: readonly string[], settings: ControlSettings): Denied | undefined {
  const has =
    scopes.length === 0 ? caller.scopes.some(isControlScope) : scopes.some((one) => caller.scopes.includes(one));
  if (has) return undefined;
  const asked = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`;
  const challenge = `${challengeOf(settings)}, error="insufficient_scope"${asked}`;
  return { ok: false, refusal: requestRefusals.insufficientPermissions(), challenge };
}

/** WWW-Authenticate of a call that has to come with a token. */
export const challengeOf = ({ CONTROL_URL }: ControlSettings): string => bearerChallenge(CONTROL_URL);
