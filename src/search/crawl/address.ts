import { withoutTrailingDot } from '../../net/address.ts';

/** Longest address of a page: it is the key of its item (rule K9). */
const MAX_URL_BYTES = 1024;

/**
 * An address on the host of `site` in the one form that names a page: no fragment, no empty query. Undefined for all else: other
 * hosts and schemes, user names, what is too long.
 */
export function parsePageUrl(text: string, site: URL): URL | undefined {
  if (text.length > MAX_URL_BYTES || !URL.canParse(text, site.href)) return undefined;
  const url = new URL(text, site.href);
  url.hash = '';
  if (url.search === '') url.search = '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '' || !isSameHost(url, site)) return undefined;
  return new TextEncoder().encode(url.href).byteLength <= MAX_URL_BYTES ? url : undefined;
}

/** Host and port; http and https of the usual ports are one site. */
export const isSameHost = (url: URL, site: URL): boolean =>
  withoutTrailingDot(url.hostname) === withoutTrailingDot(site.hostname) && url.port === site.port;
