import { decodeBase64url } from '../../lib/base64url.ts';
import { decodePercentOrKeep } from '../../lib/percent.ts';
import { classifyHost, isIpLiteral } from '../../net/address.ts';
import { canonicaliseHref } from '../../net/canonical-url.ts';
import { getRegistrableDomain } from '../../net/registrable-domain.ts';
import { trackingParameters } from './tracking-parameters-data.ts';
import { type VendorRedirect, vendorRedirects } from './vendor-redirects-data.ts';

/** Longest address of a source that is read, in characters, before and after it is normalised. */
export const MAX_CITED_URL_CHARS = 2_048;

/**
 * The address of a source. `page`: `key` is the same for http and https, `url` has the scheme as given. `redirect`: the
 * vendor's server has to be asked. `private`: leads inside a machine or a network, and is never fetched. `unreadable`: no web address.
 */
export type CitedUrl =
  | { kind: 'page'; url: string; key: string; host: string; domain: string }
  | { kind: 'redirect'; url: string; titleIsHost: boolean }
  | { kind: 'private' }
  | { kind: 'unreadable' };

/**
 * Reads the address of a source: hostile text. The page behind a vendor's redirect is taken from the address where it is in
 * there. Of a page the fragment, parameters that only track, a default port, empty parts of the query and the dot after the host are dropped,
 * and escapes are written in one way (RFC 3986, 6.2.2). Hosts of other forms of a page (`m.`, `amp.`, `www.`) stay: whether they show the
 * same is not known. Idempotent.
 */
export function readCitedUrl(text: string): CitedUrl {
  const outer = readWebUrl(text);
  if (outer.kind !== 'page') return outer;
  const redirect = findVendorRedirect(new URL(outer.url));
  if (redirect === undefined) return outer;
  if (redirect.target === undefined)
    return { kind: 'redirect', url: outer.url, titleIsHost: redirect.row.titleIsHost === true };
  const inner = readWebUrl(redirect.target);
  // A redirect inside a redirect hides something: no one has said that it is a page.
  if (inner.kind !== 'page' || findVendorRedirect(new URL(inner.url)) === undefined) return inner;
  return { kind: 'unreadable' };
}

/** The normalised address of a page; undefined for anything else. */
export function normaliseCitedUrl(text: string): string | undefined {
  const read = readCitedUrl(text);
  return read.kind === 'page' ? read.url : undefined;
}

/** The domain that a host belongs to, where the text is the bare name of a public host. */
export function readHostDomain(text: string): string | undefined {
  const host = text.trim().toLowerCase();
  if (!HOST.test(host) || !URL.canParse(`https://${host}/`)) return undefined;
  const { hostname } = new URL(`https://${host}/`);
  return isIpLiteral(hostname) || classifyHost(hostname).kind !== 'public' ? undefined : getRegistrableDomain(hostname);
}

const HOST = /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}$/u;

function readWebUrl(text: string): CitedUrl {
  const typed = text.slice(0, MAX_CITED_URL_CHARS * 2).trim();
  if (typed.length > MAX_CITED_URL_CHARS || !WEB.test(typed) || !URL.canParse(typed)) return { kind: 'unreadable' };
  const url = new URL(canonicaliseHref(typed));
  if (url.username !== '' || url.password !== '') return { kind: 'unreadable' };
  const { kind } = classifyHost(url.hostname);
  if (kind === 'malformed') return { kind: 'unreadable' };
  if (kind !== 'public') return { kind: 'private' };
  const domain = getRegistrableDomain(url.hostname);
  const path = normaliseEscapes(url.pathname);
  const query = removeTracking(url.search.slice(1), domain);
  const rest = `${url.host}${path}${query === '' ? '' : `?${query}`}`;
  const href = `${url.protocol}//${rest}`;
  if (href.length > MAX_CITED_URL_CHARS) return { kind: 'unreadable' };
  return { kind: 'page', url: href, key: rest, host: url.hostname, domain };
}

/** Without a scheme of the web a text may be anything; `https:example` and `https:\` are read by no one as they were meant. */
const WEB = /^https?:\/\/[^\s/\\]/i;

const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/** Escapes in capitals, and none of what needs none. */
const normaliseEscapes = (text: string): string =>
  text.replaceAll(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });

function removeTracking(query: string, domain: string): string {
  if (query === '') return '';
  return query
    .split('&')
    .filter((part) => part !== '' && !isTracking(part, domain))
    .map(normaliseEscapes)
    .join('&');
}

const exactNames = new Map(
  trackingParameters.flatMap((row) =>
    row.names.filter((name) => !name.endsWith('*')).map((name) => [name, row.except ?? []] as const),
  ),
);
const namePrefixes = trackingParameters.flatMap(({ names }) =>
  names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
);

function isTracking(part: string, domain: string): boolean {
  const [raw = ''] = part.split('=', 1);
  const name = decodePercentOrKeep(raw).toLowerCase();
  if (namePrefixes.some((prefix) => name.startsWith(prefix))) return true;
  const except = exactNames.get(name);
  return except !== undefined && !except.includes(domain);
}

/** The row of a vendor's redirect, and the page where the address has it. */
function findVendorRedirect(url: URL): { row: VendorRedirect; target?: string } | undefined {
  const rows = vendorRedirects.filter(({ host, path }) => url.hostname === host && url.pathname.startsWith(path));
  for (const row of rows) {
    if (row.inside === undefined) return { row };
    const value = url.searchParams.get(row.inside.parameter);
    const target = value === null ? undefined : decodeTarget(value, row.inside.coding);
    if (target !== undefined) return { row, target };
  }
  return undefined;
}

function decodeTarget(value: string, coding: 'plain' | 'a1-base64url'): string | undefined {
  if (coding === 'plain') return WEB.test(value) ? value : undefined;
  if (!value.startsWith('a1')) return undefined;
  const bytes = decodeBase64url(value.slice(2).replaceAll('=', ''));
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes);
  return WEB.test(text) ? text : undefined;
}
