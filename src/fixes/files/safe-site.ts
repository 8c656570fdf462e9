import { encodePercent } from '../../lib/percent.ts';
import { findInstructions } from '../../audit/hidden-text/facts/instruction-patterns.ts';
import { isSameOwner } from '../../audit/reach/facts/urls.ts';
import { formatPlainLine } from '../../lib/safe-text.ts';
import { withoutSlots } from '../../lib/slots.ts';
import { isModelOrder } from './model-orders.ts';

/** Characters of an address that a generated file names: no honest page has a longer one. */
export const MAX_FILE_URL_CHARS = 500;

/** Characters of a text that is searched for instructions, whatever its bound in the file. */
const MAX_SEARCHED_CHARS = 5000;

/**
 * Text of the audited site for a generated file: one line, nothing unseen, at most `maxChars`. '' when it speaks to a
 * model instead of a reader ("ignore previous instructions"): agents act on these files, so such text is left out, and
 * its place is treated as one that the site says nothing for.
 */
export function cleanSiteText(text: string, maxChars: number): string {
  const line = withoutSlots(formatPlainLine(text, MAX_SEARCHED_CHARS));
  return findInstructions(line).length > 0 || isModelOrder(line) ? '' : formatPlainLine(line, maxChars);
}

/** The first of several texts that says something, as `cleanSiteText`; '' when none does. */
export function cleanFirstText(texts: Iterable<string | undefined>, maxChars: number): string {
  for (const text of texts) {
    const safe = text === undefined ? '' : cleanSiteText(text, maxChars);
    if (/[\p{L}\p{N}]/u.test(safe)) return safe;
  }
  return '';
}

/**
 * An absolute http(s) address as a generated file writes it: no user name, no fragment, and nothing outside the
 * characters of a URL that Markdown, shells and HTML all read as themselves. Undefined for any other address.
 */
export function normaliseSafeUrl(href: string, base?: string): string | undefined {
  const url = href.length > 2 * MAX_FILE_URL_CHARS ? null : URL.parse(href.toWellFormed(), base);
  if (!url || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  // What the URL parser allows in a host is checked too: a quote or a dollar sign is legal there.
  if (!/^[A-Za-z0-9.:[\]-]{1,300}$/u.test(url.host)) return undefined;
  const rest = (url.pathname + url.search)
    .replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~/?=&%:@,;+-]/gu, encodePercent)
    // Markdown and HTML would read `&copy;` as the character it names.
    .replaceAll(/(&[A-Za-z0-9]{1,40});/gu, '$1%3B');
  const safe = `${url.protocol}//${url.host}${rest}`;
  return safe.length <= MAX_FILE_URL_CHARS ? safe : undefined;
}

/** `normaliseSafeUrl` for an address of the audited site itself, its subdomains included. */
export function normaliseOwnUrl(href: string, start: URL): string | undefined {
  const safe = normaliseSafeUrl(href, start.href);
  return safe !== undefined && isSameOwner(new URL(safe), start) ? safe : undefined;
}

/** `opening-hours` for `Opening Hours!`: lower-case words of ASCII joined by single hyphens; '' when nothing is left. */
export const formatAsciiSlug = (text: string, maxChars: number): string =>
  text
    .slice(0, 8 * maxChars)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .slice(0, 4 * maxChars)
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, maxChars + 1)
    .replace(/^-/u, '')
    .slice(0, maxChars)
    .replace(/-$/u, '');

/** Where the Markdown copy of a page lies: `/docs/` and `/docs` alike are copied at an address that ends in `.md`. */
export function formatMarkdownAddress(pageUrl: string): string {
  const url = new URL(pageUrl);
  url.search = '';
  return url.pathname.endsWith('/') ? `${url.href}index.md` : `${url.href.replace(/\.html?$/, '')}.md`;
}
