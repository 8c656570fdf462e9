import { ADDRESS_WORDS, readAddressWords } from '../../net/address-words.ts';
import { decodeByteString } from '../byte-string.ts';

/**
 * What a path is of. `page`: what people read. `robots`, `llms` and `markdown` are what agents ask for beside pages;
 * `asset`: what a browser loads for a page; `file`: feeds, sitemaps and other data.
 */
export type PathKind = 'page' | 'markdown' | 'llms' | 'robots' | 'asset' | 'file';

const assets: ReadonlySet<string> = new Set(
  'css js mjs map png jpg jpeg gif webp avif svg ico bmp woff woff2 ttf otf eot mp3 mp4 m4a webm ogg wav mov wasm webmanifest'.split(
    ' ',
  ),
);
const pages: ReadonlySet<string> = new Set('html htm xhtml php asp aspx jsp pdf'.split(' '));
const LONGEST_ENDING = 12;
const SLASH = 47;

/** The kind of a path without its query. */
export function classifyPath(path: string): PathKind {
  if (path.charCodeAt(0) !== SLASH) return 'file'; // No path: a handshake in the clear, or `*`.
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot === -1 || name.length - dot > LONGEST_ENDING) return 'page';
  if (path === '/robots.txt') return 'robots';
  if (name === 'llms.txt' || name === 'llms-full.txt') return 'llms';
  const ending = name.slice(dot + 1).toLowerCase();
  if (ending === 'md' || ending === 'markdown') return 'markdown';
  if (assets.has(ending)) return 'asset';
  if (pages.has(ending)) return 'page';
  return /^[a-z][a-z0-9]*$/.test(ending) ? 'file' : 'page';
}

/** The path of a request: of its address where a proxy was asked by the whole one; without query and fragment. */
export function cutPath(target: string): string {
  const query = target.indexOf('?');
  const whole = query === -1 ? target : target.slice(0, query);
  if (whole.charCodeAt(0) === SLASH) return whole;
  const host = whole.indexOf('://');
  if (host === -1) return whole;
  const slash = whole.indexOf('/', host + 3);
  return slash === -1 ? '/' : whole.slice(slash);
}

/** Longest path that is kept; the rest of a longer one is left out. */
export const MAX_PATH_CHARS = 200;
const CUT = '…';
const ID = '{id}';
const EMAIL = '{email}';

/**
 * A path as a report may keep it: without query, session, e-mail addresses, addresses of the internet and what looks like
 * an id (numbers but for years and small ones, UUIDs, hashes, tokens). Two paths that differ in these only are one page.
 */
export function cleanPath(path: string): string {
  const text = decodeByteString(path.length > MAX_PATH_CHARS * 4 ? path.slice(0, MAX_PATH_CHARS * 4) : path);
  const bare = text.split(/[?#;]|%(?:25)*3f/i, 1)[0] ?? '';
  const clean = /[\d@＠%=+~:]|[A-Za-z_-]{20}/.test(bare) ? bare.split('/').map(cleanSegment).join('/') : bare;
  return clean.length > MAX_PATH_CHARS ? `${clean.slice(0, MAX_PATH_CHARS - 1)}${CUT}` : clean;
}

const DIGITS = /\d{5,}/g;
const UUID = /[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}/gi;
const HEXADECIMAL = /(?<![A-Za-z\d])(?=[A-Fa-f]*\d)[\dA-Fa-f]{8,}(?![A-Za-z\d])/g;
const NUMBER = /^\d+$/;
const YEAR = /^(?:19|20)\d\d$/;
const TOKEN_CHARS = 16;
const SMALL_NUMBER_CHARS = 2;

function cleanSegment(segment: string): string {
  const plain = decodeSegment(segment);
  if (/[^/\s][@＠][^/\s]/.test(plain)) return EMAIL;
  if (NUMBER.test(plain)) return YEAR.test(plain) || plain.length <= SMALL_NUMBER_CHARS ? segment : ID;
  if (/^\+?[\d ().-]{7,}$/.test(plain) && plain.replaceAll(/\D/g, '').length >= PHONE_DIGITS && !DAY.test(plain))
    return ID;
  if (isToken(plain)) return ID;
  const clean = removeAddresses(plain).replaceAll(UUID, ID).replaceAll(HEXADECIMAL, ID).replaceAll(DIGITS, ID);
  return clean === plain ? segment : clean;
}

const PHONE_DIGITS = 7;
const DAY = /^(?:19|20)\d\d-\d\d-\d\d$/;

/** Four numbers, apart as addresses and names of providers have them. */
const IPV4 = /(?<!\d)\d{1,3}(?:[.-]\d{1,3}){3}(?!\d)/g;
const MAYBE_IPV6 = /(?<![\da-f:.])[\da-f:.]+/gi;
const words = new Uint32Array(ADDRESS_WORDS);

function removeAddresses(text: string): string {
  const rest = text.includes(':')
    ? text.replaceAll(MAYBE_IPV6, (found) => (readAddressWords(found.replace(/\.$/, ''), words) === 6 ? ID : found))
    : text;
  return rest.replaceAll(IPV4, ID);
}

/** Links in mails are encoded again by some programs. */
const MAX_ENCODINGS = 3;

/** A segment without its escapes; where they are no UTF-8, without those of ASCII. */
function decodeSegment(segment: string): string {
  let text = segment;
  for (let times = 0; times < MAX_ENCODINGS && text.includes('%'); times += 1) {
    try {
      text = decodeURIComponent(text);
    } catch {
      text = text.replaceAll(/%([0-7][\da-f])/gi, (_whole, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
  }
  return text;
}

/** Letters of both sizes and digits in one word, as keys and encoded ids have them; words of a slug are apart. */
function isToken(text: string): boolean {
  const dot = text.lastIndexOf('.');
  const name = dot > 0 && text.length - dot <= LONGEST_ENDING ? text.slice(0, dot) : text;
  if (name.length < TOKEN_CHARS || !/^[\w+=~-]+$/.test(name)) return false;
  const kinds = [/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(name)).length;
  if (kinds === 3) return measureLongestWord(name) >= MIXED_CHARS;
  return (
    kinds === 2 && /\d/.test(name) && measureLongestWord(name) >= TOKEN_CHARS && name.replaceAll(/\D/g, '').length >= 4
  );
}

const MIXED_CHARS = 10;
const measureLongestWord = (text: string): number => Math.max(...text.split(/[-_~]/).map(({ length }) => length));
