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
  const path = decodePath(url.pathname);
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

/** Escapes of letters beyond ASCII are one letter each to a reader. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A stray percent sign: the path is judged as it is.
  }
}
