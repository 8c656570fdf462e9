import { countUtf8Bytes } from '../../lib/utf8.ts';
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
  return countUtf8Bytes(url.href) <= MAX_URL_BYTES ? url : undefined;
}

/** Host and port; http and https of the usual ports are one site. */
export const isSameHost = (url: URL, site: URL): boolean =>
  withoutTrailingDot(url.hostname) === withoutTrailingDot(site.hostname) && url.port === site.port;

/** Patterns of one list, and characters of one, that count. */
const MAX_PATTERNS = 10;
const MAX_PATTERN_CHARS = 256;
const WORD_BITS = 32;

export type Globs = { include: readonly string[]; exclude: readonly string[] };
type Matcher = (text: string) => boolean;

/** Why the rules of an instance leave a page out: a pattern of `exclude`, or none of `include` matches. */
export type Skip = { kind: 'excluded'; pattern: string } | { kind: 'not_included' };

/**
 * Judges pages by the globs of an instance: undefined for one that is wanted. A pattern that begins with `/` is one
 * over the whole path, any other over the whole address: `*` is any run within a segment, `**` any run at all, every
 * other character, `?` included, matches itself. Whatever the query of a page is, a pattern without `?` matches it by
 * what is before; one with `?`, `=` or `&` is compared with the query as well. Patterns are compiled once.
 * @see https://developers.cloudflare.com/ai-search/configuration/indexing/path-filtering/
 */
export function createSkipRule({ include, exclude }: Globs): (url: URL) => Skip | undefined {
  const included = include.slice(0, MAX_PATTERNS).map(createUrlMatcher);
  const excluded = exclude.slice(0, MAX_PATTERNS).map((pattern) => ({ pattern, matches: createUrlMatcher(pattern) }));
  return (url) => {
    const by = excluded.find(({ matches }) => matches(url));
    if (by) return { kind: 'excluded', pattern: by.pattern };
    return included.length === 0 || included.some((matches) => matches(url)) ? undefined : { kind: 'not_included' };
  };
}

/** Whether a page is wanted; see `createSkipRule`. */
export function createGlobFilter(globs: Globs): (url: URL) => boolean {
  const skip = createSkipRule(globs);
  return (url) => skip(url) === undefined;
}

function createUrlMatcher(pattern: string): (url: URL) => boolean {
  const matches = createGlobMatcher(pattern);
  const isOfPath = pattern.startsWith('/');
  const isOfQuery = /[?=&]/.test(pattern);
  return ({ origin, pathname, search }) => {
    const text = isOfPath ? pathname : origin + pathname;
    return matches(text) || (isOfQuery && search !== '' && matches(text + search));
  };
}

/** A pattern without its stars: the characters, and the runs that may precede each and at the end. */
type Parsed = { chars: readonly string[]; runs: ReadonlyMap<number, 'segment' | 'any'> };

/**
 * Matches whole texts. All ways of reading a text are followed at once, one bit for each place in the pattern: the time is
 * the length of the text times a 32nd of that of the pattern, whatever they are.
 */
export function createGlobMatcher(pattern: string): Matcher {
  const { chars, runs } = parseGlob(pattern.slice(0, MAX_PATTERN_CHARS));
  const words = Math.floor(chars.length / WORD_BITS) + 1;
  const nowhere = new Uint32Array(words);
  const steps = new Map<string, Uint32Array>();
  for (const [place, char] of chars.entries()) {
    const places = steps.get(char) ?? new Uint32Array(words);
    steps.set(char, mark(places, place));
  }
  const [stays, staysAtSlash] = [new Uint32Array(words), new Uint32Array(words)];
  for (const [place, kind] of runs) {
    mark(stays, place);
    if (kind === 'any') mark(staysAtSlash, place);
  }
  return (text) => {
    const places = mark(new Uint32Array(words), 0);
    for (const char of text) {
      if (!advance(places, steps.get(char) ?? nowhere, char === '/' ? staysAtSlash : stays)) return false;
    }
    return isMarked(places, chars.length);
  };
}

/** One character further. @returns whether any way is left */
function advance(places: Uint32Array, steps: Uint32Array, stays: Uint32Array): boolean {
  let carry = 0;
  let left = 0;
  for (let word = 0; word < places.length; word += 1) {
    const before = places[word] ?? 0;
    const stepping = before & (steps[word] ?? 0);
    const next = (stepping << 1) | carry | (before & (stays[word] ?? 0));
    carry = stepping >>> (WORD_BITS - 1);
    places[word] = next;
    left |= next;
  }
  return left !== 0;
}

function mark(places: Uint32Array, place: number): Uint32Array {
  const word = Math.floor(place / WORD_BITS);
  places[word] = (places[word] ?? 0) | (1 << (place % WORD_BITS));
  return places;
}

const isMarked = (places: Uint32Array, place: number): boolean =>
  ((places[Math.floor(place / WORD_BITS)] ?? 0) & (1 << (place % WORD_BITS))) !== 0;

function parseGlob(pattern: string): Parsed {
  const chars: string[] = [];
  const runs = new Map<number, 'segment' | 'any'>();
  for (const [run] of pattern.matchAll(/\*{1,256}|[^*]/gu)) {
    if (run.startsWith('*')) runs.set(chars.length, run.length === 1 ? 'segment' : 'any');
    else chars.push(run);
  }
  return { chars, runs };
}
