import { VENDOR_SCOPE_PREFIX } from '../../../src/authorization/oauth/scopes.ts';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { VENDOR_SCOPES } from '../../../src/authorization/oauth/vendor-scopes-data.ts';

/** The one resource that test tokens are good for. */
export const CONTROL_URL = 'https://control.sightline.test';

/** Every scope that a token of the control Worker can have. */
export const ALL_SCOPES = [...VENDOR_SCOPES.map((name) => `${VENDOR_SCOPE_PREFIX}${name}`), 'emulator', 'ai-search'];

/** What a test token is good for: `all` stands for every scope, bare names for the vendors' full URLs. */
type TestToken = { tenant?: string; scopes?: readonly string[] | 'all'; client?: string };

/** The form of the authorization server's own: account, grant and secret. */
const PREFIX = `${'a'.repeat(32)}:test:`;

/** A token of our form that nothing is good for; another one for each number. */
export const unknownToken = (n = 0): string => `slm_${String(n).padStart(43, 'x')}`;
/** The authorization server cannot be asked about this one. */
export const UNREACHABLE_TOKEN = `${PREFIX}unreachable`;

/** base64url without padding. */
const encoded = (said: object): string =>
  btoa(JSON.stringify(said)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const decoded = (text: string): unknown => JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));

/** A bearer token that the stand-in for the authorization server takes. */
export const tokenFor = (said: TestToken = {}): string =>
  `${PREFIX}${encoded({ tenant: 'C00000001', scopes: 'all', client: 'test-client', ...said })}`;

/** A token whose tenant is none. */
export const tokenWithoutTenant = (): string => `${PREFIX}${encoded({ scopes: 'all' })}`;

/** A token of the operator: for no tenant, with the scope of its own. */
export const operatorToken = (said: TestToken = {}): string => `${PREFIX}${encoded({ scopes: ['operator'], ...said })}`;

/** What a test token says; null for any other text and any other resource. */
export function validTestToken(token: string, resource: string): ValidToken | null {
  if (token === UNREACHABLE_TOKEN) throw new Error('The authorization server is not there');
  if (!token.startsWith(PREFIX) || resource !== CONTROL_URL) return null;
  const { tenant, scopes = 'all', client = 'test-client' } = decoded(token.slice(PREFIX.length)) as TestToken;
  return {
    props: { kind: 'service', ...(tenant === undefined ? {} : { tenant }) },
    audience: resource,
    expiresAt: 4_000_000_000,
    scope: scopes === 'all' ? ALL_SCOPES : scopes.map(fullScope),
    userId: 'a'.repeat(32),
    clientId: client,
  };
}

const fullScope = (name: string): string =>
  ['emulator', 'ai-search', 'operator'].includes(name) ? name : `${VENDOR_SCOPE_PREFIX}${name}`;
