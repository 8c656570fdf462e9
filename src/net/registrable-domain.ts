import { getDomain } from 'tldts';
import { isIpLiteral, withoutTrailingDot } from './address.ts';

/**
 * The domain that one owner registered, by the public suffix list with its private section: `shop.example.co.uk` ->
 * `example.co.uk`, `a.github.io` -> `a.github.io`. An IP literal, a single label or a bare suffix is returned as it is.
 * @param hostname of a parsed URL.
 * @see https://publicsuffix.org/list/
 */
export function getRegistrableDomain(hostname: string): string {
  const known = domains.get(hostname);
  if (known !== undefined) return known;
  const domain = lookUp(hostname);
  if (domains.size >= MAX_KNOWN) domains.clear();
  domains.set(hostname, domain);
  return domain;
}

/** Names that are remembered: a page has thousands of links to a few hosts. */
const MAX_KNOWN = 1000;
const domains = new Map<string, string>();

function lookUp(hostname: string): string {
  const host = withoutTrailingDot(hostname).toLowerCase();
  if (isIpLiteral(host)) return host;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
