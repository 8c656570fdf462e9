/** An origin that is safe in a Content-Security-Policy: other characters of a URL's host could end the directive. */
const POLICY_ORIGIN = /^https?:\/\/[a-z0-9.-]{1,255}(?::\d{1,5})?$/;

export type PageOptions = {
  /** The URL that the answer to the page's form redirects to. */
  formLeadsTo?: string;
  /** The page has scripts of ours, which may ask our own origin. */
  script?: boolean;
  /** Style sheets of the page hold pictures of their own, as `data:` addresses. */
  drawn?: boolean;
  /** `no-store` when absent: pages of forms and of people. */
  cacheControl?: string;
};

/**
 * The headers of every page: nothing from elsewhere, no frames, no caches, and no address handed on (rules A13, T9, N7).
 * Chrome applies `form-action` to the redirect that answers a form too, so the origin where a consent leads is named.
 */
export function buildPageHeaders({
  formLeadsTo,
  script = false,
  drawn = false,
  cacheControl = 'no-store',
}: PageOptions = {}) {
  const targets = formLeadsTo === undefined ? "'self'" : `'self' ${formatPolicySource(new URL(formLeadsTo))}`.trim();
  const scripts = script ? "; script-src 'self'; connect-src 'self'" : '';
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'${drawn ? ' data:' : ''}${scripts}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': cacheControl,
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** Policies cannot express IPv6 addresses: for them only the scheme is given. */
function formatPolicySource({ origin, protocol, hostname }: URL): string {
  if (hostname.startsWith('[')) return protocol;
  return POLICY_ORIGIN.test(origin) ? origin : '';
}

/** A year (RFC 6797); other hosts of the domain are not ours to decide for. */
const HTTPS_ONLY = 'max-age=31536000';

/** Keeps browsers on https where the service is served by it. */
export const buildTransportHeaders = (baseUrl: string): Readonly<Record<string, string>> =>
  baseUrl.startsWith('https:') ? { 'strict-transport-security': HTTPS_ONLY } : {};
