/** An origin that is safe in a Content-Security-Policy: other characters of a URL's host could end the directive. */
const POLICY_ORIGIN = /^https?:\/\/[a-z0-9.-]{1,255}(?::\d{1,5})?$/;

export type PageOptions = {
  /** The URL that the answer to the page's form redirects to. */
  formLeadsTo?: string;
  /** The page has scripts of ours, which may ask our own origin. */
  script?: boolean;
  /** `no-store` when absent: pages of forms and of people. */
  cacheControl?: string;
};

/**
 * The headers of every page: nothing from elsewhere, no frames, no caches, and no address handed on (rules A13, T9, N7).
 * Chrome applies `form-action` to the redirect that answers a form too, so the origin where a consent leads is named.
 */
export function buildPageHeaders({ formLeadsTo, script = false, cacheControl = 'no-store' }: PageOptions = {}) {
  const targets = formLeadsTo === undefined ? "'self'" : `'self' ${formatPolicySource(new URL(formLeadsTo))}`.trim();
  const scripts = script ? "; script-src 'self'; connect-src 'self'" : '';
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'${scripts}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
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
