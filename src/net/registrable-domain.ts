import { getDomain } from 'tldts';
import { isIpLiteral, withoutTrailingDot } from './address.ts';

/**
 * The domain that one owner registered, by the public suffix list with its private section: `shop.example.co.uk` ->
 * `example.co.uk`, `a.github.io` -> `a.github.io`. An IP literal, a single label or a bare suffix is returned as it is.
 * @param hostname of a parsed URL.
 * @see https://publicsuffix.org/list/
 */
export function registrableDomain(hostname: string): string {
  const host = withoutTrailingDot(hostname).toLowerCase();
  if (isIpLiteral(host)) return host;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
