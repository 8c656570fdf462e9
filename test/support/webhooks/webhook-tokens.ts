import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';

/** The one resource that test tokens are good for. */
export const WEBHOOK_URL = 'https://webhook.sightline.test';

/** What a test token is good for: all scopes and every customer, unless told otherwise. */
type TestToken = { tenant?: string; scopes?: readonly string[] };

/** The form of the authorization server's own: account, grant and secret. */
const PREFIX = `${'a'.repeat(32)}:test:`;
const ALL_SCOPES = ['channels:read', 'channels:write', 'operator'];

/** A bearer token that the stand-in for the authorization server takes. */
export const tokenFor = (said: TestToken = {}): string => `${PREFIX}${btoa(JSON.stringify(said)).replaceAll('=', '')}`;

/** Tokens that nothing is good for, and that the authorization server cannot be asked about. */
export const UNKNOWN_TOKEN = `slm_${'x'.repeat(43)}`;
export const UNREACHABLE_TOKEN = `${PREFIX}unreachable`;

/** What a test token says; null for any other text and any other resource. @throws Error for UNREACHABLE_TOKEN */
export function validTestToken(token: string, resource: string): ValidToken | null {
  if (token === UNREACHABLE_TOKEN) throw new Error('The authorization server is not there');
  if (!token.startsWith(PREFIX) || resource !== WEBHOOK_URL) return null;
  const text = token.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+$/.test(text) || text.length % 4 === 1) return null; // No base64.
  const { tenant, scopes = ALL_SCOPES } = JSON.parse(atob(text)) as TestToken;
  return {
    props: { kind: 'service', ...(tenant === undefined ? {} : { tenant }) },
    audience: resource,
    expiresAt: 4_000_000_000,
    scope: [...scopes],
    userId: 'a'.repeat(32),
    clientId: 'test-client',
  };
}
