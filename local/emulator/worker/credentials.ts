import { isSameText } from '../../../src/lib/digest.ts';
import { VENDOR_SCOPE_PREFIX } from '../../../src/authorization/oauth/scopes.ts';
import { MACHINE_TOKEN_PREFIX, readBearerToken, type ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { VENDOR_SCOPES } from '../../../src/authorization/oauth/vendor-scopes-data.ts';
import { isTenantId } from '../../../src/management/core/tenants.ts';
import { type CallCredential, MAX_UNAUTHENTICATED } from '../../../src/rate-limits/token-gate.ts';
import { getEmulatorAccess } from './access.ts';
import { DEFAULT_TENANT, type EmulatorEnv } from './environment.ts';

/** `open`: any token or none is the operator; `token`: the token of this run, or one got by a key file. */
export type AccessMode = 'open' | 'token';

/** Names the tenant of a call, beside any token. */
export const TENANT_HEADER = 'x-emulator-tenant';
/** What a call without a token is given in open mode: batches ask for one by themselves. */
export const ANY_TOKEN = 'any';

/** Every scope that a token of the control Worker can have. */
export const ALL_SCOPES: readonly string[] = [
  ...VENDOR_SCOPES.map((name) => `${VENDOR_SCOPE_PREFIX}${name}`),
  'emulator',
  'ai-search',
];
const OPERATOR_ID = 'e'.repeat(32);
/** Tokens of this emulator end with it. */
const FAR_S = 4_102_444_800;
/** A token may end with the tenant that it is for: `<token>:C00000002`. */
const WITH_TENANT = /^(?:(.{0,4000}):)?(C[0-9a-z]{1,31})$/;
const FREE = { isAllowed: true, left: MAX_UNAUTHENTICATED, retryAfterS: 0 } as const;

/** Judges the value of Authorization. */
export async function judgeBearer(
  authorization: string | null,
  mode: AccessMode,
  env: EmulatorEnv,
): Promise<CallCredential> {
  const token = readBearerToken(authorization);
  if (token?.startsWith(MACHINE_TOKEN_PREFIX)) {
    const valid = await getEmulatorAccess(env).validate(token);
    return valid === null ? { kind: 'invalid' } : toValid(valid);
  }
  const [, secret = '', tenant = DEFAULT_TENANT] = WITH_TENANT.exec(token ?? '') ?? ['', token ?? ''];
  if (mode === 'open') return toValid(buildOperator(tenant, env));
  if (token === undefined) return { kind: authorization === null ? 'none' : 'malformed', allowance: FREE };
  return isSameText(secret, env.EMULATOR_TOKEN) ? toValid(buildOperator(tenant, env)) : { kind: 'invalid' };
}

/**
 * The request with what the judge reads: a token for the tenant that `X-Emulator-Tenant` names. Undefined where that is no
 * tenant's id. Tokens of service accounts are for their own tenant.
 */
export function withTenantToken(request: Request, mode: AccessMode): Request | undefined {
  const tenant = request.headers.get(TENANT_HEADER);
  const authorization = request.headers.get('authorization');
  const token = readBearerToken(authorization) ?? (mode === 'open' ? ANY_TOKEN : undefined);
  if (tenant !== null && !isTenantId(tenant)) return undefined;
  if (token === undefined || token.startsWith(MACHINE_TOKEN_PREFIX)) return request;
  const wanted = tenant === null ? token : `${token}:${tenant}`;
  if (wanted === readBearerToken(authorization)) return request;
  const asked = new Request(request);
  asked.headers.set('authorization', `Bearer ${wanted}`);
  return asked;
}

const toValid = (valid: ValidToken): CallCredential => ({ kind: 'valid', valid, askedAtMs: Date.now() });

const buildOperator = (tenant: string, { CONTROL_URL }: EmulatorEnv): ValidToken => ({
  props: { kind: 'service', tenant },
  audience: CONTROL_URL,
  expiresAt: FAR_S,
  scope: [...ALL_SCOPES],
  userId: OPERATOR_ID,
  clientId: 'emulator',
});
