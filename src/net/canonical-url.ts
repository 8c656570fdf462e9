import { withoutTrailingDot } from './address.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { FetchFailure } from './fetched.ts';

export type UrlRefusalReason = Extract<
  FetchFailure,
  'invalid_url' | 'scheme_refused' | 'credentials_refused' | 'port_refused' | 'private_target'
>;

/** A URL that may be fetched, in canonical form, or the reason why it may not; `detail` is a sentence for the user. */
export type ParsedUrl = { ok: true; url: URL } | { ok: false; reason: UrlRefusalReason; detail: string };

/** Longest URL that is read, as typed and in canonical form. Longer ones are traps or carry data. */
export const MAX_TARGET_URL_CHARS = 4_096;

/**
 * Parses an absolute URL that a user or a site named and judges it by `policy`, without DNS. Fetch `url.href`, never
 * the text: only the parsed form was judged.
 * @param from the URL whose redirect named `text`; `text` may then be relative to it.
 */
export function parseTargetUrl(text: string, policy: AddressPolicy, from?: URL): ParsedUrl {
  if (text.length > MAX_TARGET_URL_CHARS)
    return refuse('invalid_url', `the URL is longer than ${MAX_TARGET_URL_CHARS} characters`);
  if (!URL.canParse(text, from?.href)) {
    return refuse('invalid_url', 'this is not an absolute URL; write it like https://example.com/');
  }
  const url = canonicaliseUrl(new URL(text, from?.href));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse('scheme_refused', `the scheme ${url.protocol.slice(0, 40)} is not http: or https:`);
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('credentials_refused', 'the URL holds a user name or a password');
  }
  if (url.href.length > MAX_TARGET_URL_CHARS)
    return refuse('invalid_url', `the URL is longer than ${MAX_TARGET_URL_CHARS} characters`);
  return policy.checkUrl(url, from) ?? { ok: true, url };
}

/**
 * The canonical form: no fragment, no empty query, no trailing dot after the host, and what the URL parser does
 * (lower-case scheme and host, no default port, dot segments resolved). Path and query keep their spelling: servers
 * tell `%7E` from `~`.
 */
function canonicaliseUrl(url: URL): URL {
  url.hash = '';
  if (url.search === '') url.search = '';
  if (url.hostname.endsWith('.')) url.hostname = withoutTrailingDot(url.hostname);
  return url;
}

/** The canonical form of an absolute URL; the text itself when it is none. Two spellings of one request have the same. */
export const canonicaliseHref = (text: string): string =>
  URL.canParse(text) ? canonicaliseUrl(new URL(text)).href : text;

function refuse(reason: UrlRefusalReason, detail: string): ParsedUrl {
  return { ok: false, reason, detail };
}
