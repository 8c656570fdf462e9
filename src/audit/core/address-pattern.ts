/** Parts of a path that are looked at; what is deeper is one kind with it. */
const MAX_PARTS = 6;
/** Longer words, and words of this many hyphens, are made for one page. */
const MAX_NAME_CHARS = 24;
const SLUG_HYPHENS = 2;
/** Names of query parameters that are looked at. */
const MAX_PARAMETERS = 10;

const LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2})?$/i;

/**
 * The pattern of an address: pages of one pattern are usually made by one template. `/blog/2024/my-post` and
 * `/blog/2025/another` are both `/blog/#/*`; `/about` is its own. Judged by the address alone, so that any two audits
 * agree. Numbers are `#`; what names one page below a section, or is a slug, is `*`; of a query the names count.
 */
export function computeAddressPattern({ pathname, searchParams }: URL): string {
  const parts = pathname
    .split('/')
    .filter((part) => part !== '')
    .slice(0, MAX_PARTS);
  const section = parts.findIndex((part) => !LANGUAGE.test(part));
  const path = parts.map((part, index) => normalisePart(part, index > section, index === parts.length - 1)).join('/');
  const names = [...new Set(searchParams.keys())].slice(0, MAX_PARAMETERS).toSorted();
  const query = names.length === 0 ? '' : `?${names.map((name) => name.slice(0, MAX_NAME_CHARS)).join('&')}`;
  return `/${path}${query}`;
}

function normalisePart(part: string, isBelowSection: boolean, isLast: boolean): string {
  const extension = isLast ? (/\.[a-z]{2,5}$/i.exec(part)?.[0] ?? '') : '';
  const name = part.slice(0, part.length - extension.length);
  if (/^\d+$/.test(name)) return `#${extension}`;
  const isSlug = name.length > MAX_NAME_CHARS || name.split('-').length > SLUG_HYPHENS || /\d/.test(name);
  return isBelowSection || isSlug ? `*${extension}` : `${name}${extension}`;
}

/**
 * Addresses in the order in which they are sampled: one of each pattern, that of the most addresses first, then a second
 * one of each, and so on. Of one pattern they keep their order.
 */
export function sortByPattern(urls: readonly string[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const url of urls) {
    const pattern = computeAddressPattern(new URL(url));
    const group = groups.get(pattern);
    if (group) group.push(url);
    else groups.set(pattern, [url]);
  }
  const largestFirst = [...groups.values()].toSorted((a, b) => b.length - a.length);
  return urls.flatMap((_url, round) => largestFirst.flatMap((group) => group[round] ?? []));
}
