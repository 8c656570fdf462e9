import { createHash } from 'node:crypto';

/** Paths asked of every file. */
const FIXED = ['/', '/index.html', '/about/', '/blog/2024/05/a-post.html', '/search?q=a&page=2', '/images/a.png?w=1'];
/** Not asked: allowed whatever the file says (RFC 9309, 2.2.2), which Google's parser leaves to its caller. */
const ITSELF = '/robots.txt';
const MAX_PATHS = 30;
const MAX_PATH_CHARS = 300;
/** A rule, also one whose key is misspelt as files often have it. */
const RULE = /\b(?:allow|dis{1,2}al{1,2}[oa]w)\b[\t\v\f: ]{1,99}([^\t\v\f ]{1,2000})/i;
/** What follows the part of an address that a rule names. */
const TAILS = ['', 'a', '/a.html', '?a=b'];

/**
 * The paths that are asked about a file: some that every file is asked about, and others after its own rules, at even
 * distances, with the bytes as they are written. Our parser has no part in it: a change of it changes no question.
 */
export function listAskedPaths(bytes: Uint8Array): readonly string[] {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/[\r\n]/);
  const values = lines.flatMap((line) => {
    const value = RULE.exec(line.split('#')[0] ?? '')?.[1];
    if (value === undefined || value.length > MAX_PATH_CHARS) return [];
    const ascii = /^[!-~]*/.exec(value)?.[0] ?? '';
    return ascii === value ? [value] : [value, ascii];
  });
  const unique = [...new Set(values)];
  const wanted = Math.min(unique.length, MAX_PATHS - FIXED.length);
  const taken = Array.from({ length: wanted }, (_, at) => unique[Math.floor((at * unique.length) / wanted)] ?? '');
  const paths = [...FIXED, ...taken.map((value, at) => toPath(value, TAILS[at % TAILS.length] ?? ''))];
  return [...new Set(paths)].filter((path) => path !== ITSELF);
}

/** A path that a rule may match: `*` is a letter, a final `$` the end; what no address has is escaped. */
function toPath(value: string, tail: string): string {
  const anchored = value.endsWith('$');
  const path = (anchored ? value.slice(0, -1) : value).replaceAll('*', 'a') + (anchored ? '' : tail);
  const escaped = path.replace(/[^!-~]|["<>`]/g, escapeByte);
  return escaped.startsWith('/') ? escaped : `/${escaped}`;
}

const escapeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** A digest of the paths: shows that the questions of a file are those that were answered. */
export const digestPaths = (paths: readonly string[]): string =>
  createHash('sha256').update(paths.join('\n')).digest('base64url').slice(0, 6);
