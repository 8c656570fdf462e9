/** What a token says about its holder beside its scopes: nothing that a client could have made up. */
export type TokenProps = {
  kind: 'payer' | 'operator' | 'service';
  /** Lower case; payers only. */
  address?: string;
  /** What this client may spend of the credits in 24 hours, in micro-USDC (rule A5). */
  capMicroUsdc?: number;
  /** The tenant of management interfaces. */
  tenant?: string;
  /** The user that a service account acts for (delegation, rule A2). */
  actsFor?: string;
};

/** A token that is good for one resource, as a resource server sees it. `expiresAt` is in Unix seconds. */
export type ValidToken = {
  props: TokenProps;
  audience: string;
  expiresAt: number;
  scope: string[];
  /** The account: 128 random bits as hex. */
  userId: string;
  clientId: string;
};

/** Life of an access token and of a refresh token, in seconds. */
export const ACCESS_TOKEN_S = 3600;
export const REFRESH_TOKEN_S = 30 * 86_400;

/** Our own tokens of machine clients start with this; all others are the provider library's. */
export const MACHINE_TOKEN_PREFIX = 'slm_';

/** Machine clients' tokens have 43 characters after it; the provider library's are an account, a grant and a secret. */
const FORM = /^(?:slm_[A-Za-z0-9_-]{43}|[0-9a-f]{32}:[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_-]{1,1024})$/;

/** Whether a text has the form of a token of ours. Any other is good for nothing, without asking. */
export const isTokenForm = (text: string): boolean => FORM.test(text);
