import { isControlScope } from '../../src/authorization/oauth/scopes.ts';
import { requestRefusals } from '../../src/management/core/conventions/errors.ts';
import type { Caller } from '../../src/management/core/engine/tenant.ts';
import { type RefusalData, vendorRefusals } from '../../src/lib/refusal.ts';
import { isTenantId } from '../../src/management/core/tenants.ts';
import { buildBearerChallenge } from '../../src/authorization/oauth/tokens.ts';
import { type CallCredential, judgeCredential, buildUnauthenticatedHeaders } from '../../src/rate-limits/token-gate.ts';
import type { CallContext } from './call-context.ts';
import type { ControlSettings } from '../../src/settings/control-settings.ts';
import type { RateHeaders } from './limits.ts';
import { refuseUnavailable } from '../../src/management/core/call-refusals.ts';

/** Who may not pass: what to tell, with the value of WWW-Authenticate (RFC 6750, section 3). */
export type CallerDenial = { ok: false; refusal: RefusalData; challenge?: string };
export type Identifying = Pick<CallContext, 'env' | 'settings' | 'from' | 'rate' | 'known' | 'judge'>;
export type Identified = { ok: true; caller: Caller } | CallerDenial;

/**
 * Whose call this is, by its bearer token: asked of the authorization server, once a batch, so that an ended token ends at
 * once. Calls without a good token have limits of their own.
 * @param mayRecall a good answer of the last ten seconds will do: for what reads, and what writes entries and spans
 */
export async function identify(
  authorization: string | null,
  world: Identifying,
  mayRecall: boolean,
): Promise<Identified> {
  const { env, settings, from, rate, known, judge } = world;
  const challenge = buildControlChallenge(settings);
  const question = { judge: env.AUTHORIZATION, url: settings.CONTROL_URL, caller: from, mayRecall };
  const credential = await (judge === undefined
    ? judgeCredential(authorization, known === undefined ? question : { ...question, known })
    : judge(authorization, env));
  switch (credential.kind) {
    case 'none':
    case 'malformed':
      return { ok: false, ...refuseUnauthenticated(credential, challenge, rate) };
    case 'wait':
      return { ok: false, refusal: requestRefusals.rateLimited(credential.retryAfterS) };
    case 'unreachable':
      return { ok: false, refusal: refuseUnavailable() };
    case 'invalid':
      return { ok: false, refusal: requestRefusals.invalidCredentials(), challenge: formatInvalidToken(challenge) };
    case 'valid': {
      const { props, userId, clientId, scope: scopes } = credential.valid;
      const { tenant, kind } = props;
      if (tenant === undefined || !isTenantId(tenant)) return { ok: false, refusal: vendorRefusals.forbidden().data };
      return { ok: true, caller: { tenant, kind, userId, clientId, scopes } };
    }
  }
}

/** Refuses a call without a valid token, with the limit of such calls in the headers. */
function refuseUnauthenticated(
  { kind, allowance }: Extract<CallCredential, { allowance: unknown }>,
  challenge: string,
  rate: RateHeaders,
): Omit<CallerDenial, 'ok'> {
  rate.headers = buildUnauthenticatedHeaders(allowance);
  if (!allowance.isAllowed) return { refusal: requestRefusals.rateLimited(allowance.retryAfterS) };
  if (kind === 'none') return { refusal: requestRefusals.loginRequired(), challenge };
  return { refusal: requestRefusals.invalidCredentials(), challenge: formatInvalidToken(challenge) };
}

const formatInvalidToken = (challenge: string): string => `${challenge}, error="invalid_token"`;

/** Why a caller may not use a method: it has none of its scopes. A method without scopes takes any scope of ours. */
export function refuseMissingScope(
  caller: Caller,
  scopes: readonly string[],
  settings: ControlSettings,
): CallerDenial | undefined {
  const has =
    scopes.length === 0 ? caller.scopes.some(isControlScope) : scopes.some((one) => caller.scopes.includes(one));
  if (has) return undefined;
  const asked = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`;
  const challenge = `${buildControlChallenge(settings)}, error="insufficient_scope"${asked}`;
  return { ok: false, refusal: requestRefusals.insufficientPermissions(), challenge };
}

/** WWW-Authenticate of a call that has to come with a token. */
export const buildControlChallenge = ({ CONTROL_URL }: ControlSettings): string => buildBearerChallenge(CONTROL_URL);
