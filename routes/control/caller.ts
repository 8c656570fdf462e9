import { isControlScope } from '../../src/authorization/scopes.ts';
import type { ValidToken } from '../../src/authorization/tokens.ts';
import { requestRefusals } from '../../src/management/conventions/errors.ts';
import type { Caller } from '../../src/management/engine/operation.ts';
import { type RefusalData, refuse } from '../../src/management/refusal.ts';
import { isTenantId } from '../../src/management/tenants.ts';
import { bearerChallenge, bearerToken, hasBearer, judged } from '../bearer.ts';
import type { ControlEnv, ControlSettings } from './env.ts';
import { unavailable } from './refusals.ts';

/** Who may not pass: what to tell, with the value of WWW-Authenticate (RFC 6750, section 3). */
export type Denied = { ok: false; refusal: RefusalData; challenge?: string };
export type Identified = { ok: true; caller: Caller } | Denied;

/** Whose call this is, by its bearer token: asked of the authorization server each time, so that an ended token ends at once; once a batch. */
export async function identify(
  authorization: string | null,
  env: ControlEnv,
  settings: ControlSettings,
): Promise<Identified> {
  const challenge = challengeOf(settings);
  if (!hasBearer(authorization)) return { ok: false, refusal: requestRefusals.loginRequired(), challenge };
  const token = bearerToken(authorization);
  const valid = token === undefined ? null : await judged(env.AUTHORIZATION, token, settings.CONTROL_URL);
  if (valid === 'unreachable') return { ok: false, refusal: unavailable() };
  const invalid = `${challenge}, error="invalid_token"`;
  if (valid === null) return { ok: false, refusal: requestRefusals.invalidCredentials(), challenge: invalid };
  const { props, userId, clientId, scope: scopes } = valid;
  const { tenant, kind } = props;
  if (tenant === undefined || !isTenantId(tenant)) return { ok: false, refusal: refuse.forbidden().data };
  return { ok: true, caller: { tenant, kind, userId, clientId, scopes } };
}

/** Asks about each token once, a refused one too: for the calls of one batch (rule K4). */
export function askedOnce(authorization: ControlEnv['AUTHORIZATION']): ControlEnv['AUTHORIZATION'] {
  const asked = new Map<string, Promise<ValidToken | null>>();
  return {
    validate: (token, resource) => {
      const key = `${resource} ${token}`;
      const answer = asked.get(key) ?? authorization.validate(token, resource);
      asked.set(key, answer);
      return answer;
    },
  };
}

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
