import { decodePercentOrKeep } from '../../../lib/percent.ts';
import { getRegistrableDomain } from '../../../net/registrable-domain.ts';

/** Why an address is hard to read. */
export type UrlFault = 'long' | 'upper_case' | 'separator' | 'session' | 'query_id' | 'opaque';

/** Characters of path and query that a reader takes in. */
export const MAX_READABLE_CHARS = 100;

const SESSION_NAMES = /^(?:sid|session|session_?id|phpsessid|jsessionid|aspsessionid\w{0,20}|s_?id|token)$/i;
const ID_NAMES = /^(?:id|p|page_id|post|item|product_?id|article_?id|cat|nid|node|pid|aid)$/i;
/** A segment of hexadecimal digits, or a UUID. */
const OPAQUE = /^(?:[\da-f]{16,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** A segment without a hyphen that mixes letters and digits over this length is no word either. */
const MIXED = /^[a-z\d]{20,80}$/i;

/** The first fault of an address, by its path and query; undefined when it reads well. Letters of any script are words. */
export function findUrlFault(url: URL): UrlFault | undefined {
  // Escapes of letters beyond ASCII are one letter each to a reader.
  const path = decodePercentOrKeep(url.pathname);
  if (/;jsessionid=/i.test(path)) return 'session';
  for (const [name, value] of url.searchParams) {
    if (SESSION_NAMES.test(name)) return 'session';
    if (ID_NAMES.test(name) && /\d/.test(value)) return 'query_id';
  }
  if (path.length + url.search.length > MAX_READABLE_CHARS) return 'long';
  if (path.split('/').some(isOpaque)) return 'opaque';
  if (/\p{Lu}/u.test(path)) return 'upper_case';
  return /[_\s]/.test(path) ? 'separator' : undefined;
}

const isOpaque = (segment: string): boolean =>
  OPAQUE.test(segment) || (MIXED.test(segment) && /\d/.test(segment) && /[a-z]/i.test(segment));

/** What forums keep a visit under; a search has `s` too, with words. */
const SESSION_HASH = /^[\da-f]{32}$/i;

/** Parameters that campaigns add and that change nothing of a page. */
const CAMPAIGN = /^(?:utm_\w{1,40}|gclid|fbclid|msclkid)$/i;

/** An address without what does not change the page: fragment, campaign parameters, a last slash. As it is when it is no URL. */
export function normaliseComparableUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  for (const name of Array.from(url.searchParams.keys())) if (CAMPAIGN.test(name)) url.searchParams.delete(name);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`;
}

/** Whether two addresses name one page whatever the scheme, `www.`, letter case, campaign and session parameters. */
export function isSameAddress(one: string, other: string): boolean {
  const nameOf = (text: string): string => {
    const url = new URL(text);
    for (const [name, value] of Array.from(url.searchParams))
      if (SESSION_NAMES.test(name) || (name === 's' && SESSION_HASH.test(value))) url.searchParams.delete(name);
    return normaliseComparableUrl(url.href)
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .toLowerCase();
  };
  return nameOf(one) === nameOf(other);
}

/** The web addresses by which a page may be known: its own and the canonical one it names. */
export function listPageAddresses(page: { url: string; canonicals: readonly { href: string }[] }): readonly string[] {
  const canonical = page.canonicals[0]?.href ?? '';
  const names = /^https?:/.test(canonical) ? [page.url, canonical] : [page.url];
  return [...new Set(names.map(normaliseComparableUrl))];
}

/** Whether two URLs belong to one owner, as far as names show: one host, or hosts below one registrable domain. */
export const isSameOwner = (one: URL, other: URL): boolean =>
  one.host === other.host || getRegistrableDomain(one.hostname) === getRegistrableDomain(other.hostname);

/** Tests addresses for belonging to the owner of a page, each host looked up once. */
export function createOwnerTest(pageUrl: string): (href: string) => boolean {
  const page = new URL(pageUrl);
  const known = new Map<string, boolean>();
  return (href) => {
    const url = new URL(href);
    const own = known.get(url.hostname) ?? isSameOwner(url, page);
    known.set(url.hostname, own);
    return own;
  };
}

/** Words in path or query by which a link does something instead of leading somewhere. */
const ACTS =
  /(?:^|[/_.?&=-])(?:log[-_]?out|sign[-_]?out|log[-_]?off|delete|remove|unsubscribe|add[-_]?to[-_]?(?:cart|basket|bag|wishlist)|buy[-_]?now|vote|cancel|confirm|destroy|purge)(?:$|[/_.?&=-])/i;

/** Whether a link by its words does something instead of leading somewhere: nothing should follow it to read. */
export const hasEffect = ({ pathname, search }: URL): boolean => ACTS.test(pathname + search);
