import { FilterProblem } from './ast.ts';

/** `word` is a value or a path: `path` has its parts, `text` the whole; quoted parts are unescaped. */
export type Token =
  | { kind: 'word'; at: number; end: number; text: string; path: readonly string[]; isQuoted: boolean }
  | { kind: 'operator' | 'open' | 'close' | 'comma' | 'end'; at: number; end: number; text: string };

/** Longer ones first. */
const OPERATORS = ['=~', '!~', '!=', '<=', '>=', '=', '<', '>', ':'];
const SIGNS: Readonly<Record<string, 'open' | 'close' | 'comma'>> = { '(': 'open', ')': 'close', ',': 'comma' };
const SPACE = /\s/;
/** What a filter may have without quotes though it has colons (AIP-160). */
const BARE_INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})(?=[\s(),]|$)/iy;
const BARE = /[^\s()",=<>:!~.]{1,20000}/y;
/** Control characters. */
const HIDDEN = /\p{Cc}/u;
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '?': '?',
};
const CODED = /(?:([0-3][0-7]{2})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const MAX_CODE_POINT = 0x10ffff;

/** The tokens of a filter, `end` last. Comments (`-- ...`) are left out. @throws FilterProblem */
export function splitFilterTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skip(text, token.end);
  }
  return [...tokens, { kind: 'end', at, end: at, text: '' }];
}

/** The vendor's words for a syntax error. */
export function createSyntaxError(text: string, at: number, token: string): FilterProblem {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return new FilterProblem(
    `syntax error at line ${String(before.length)}, column ${String(column)}, token '${token}'`,
    at,
  );
}

function readToken(text: string, at: number): Token {
  const char = text[at] ?? '';
  const operator = OPERATORS.find((each) => text.startsWith(each, at));
  if (operator !== undefined) return { kind: 'operator', at, end: at + operator.length, text: operator };
  const sign = SIGNS[char];
  if (sign !== undefined) return { kind: sign, at, end: at + 1, text: char };
  if (char === '!' || char === '~' || HIDDEN.test(char)) throw createSyntaxError(text, at, char);
  // A single quote is a character within a word, but not after a minus that means NOT.
  if (text.startsWith("-'", at)) return { kind: 'word', at, end: at + 1, text: '-', path: ['-'], isQuoted: false };
  return readInstant(text, at) ?? readWord(text, at);
}

function readInstant(text: string, at: number): Token | undefined {
  BARE_INSTANT.lastIndex = at;
  const found = BARE_INSTANT.exec(text)?.[0];
  if (found === undefined) return undefined;
  return { kind: 'word', at, end: at + found.length, text: found, path: [found], isQuoted: false };
}

function readWord(text: string, start: number): Token {
  const path: string[] = [];
  let isQuoted = false;
  let at = start;
  for (;;) {
    const char = text[at];
    isQuoted = char === '"' || char === "'";
    const piece = isQuoted ? readQuoted(text, at) : readBare(text, at);
    path.push(piece.text);
    at = piece.end;
    if (text[at] !== '.') break;
    at += 1;
  }
  const isOne = isQuoted && path.length === 1;
  return {
    kind: 'word',
    at: start,
    end: at,
    text: isOne ? (path[0] ?? '') : text.slice(start, at),
    path,
    isQuoted: isOne,
  };
}

function readBare(text: string, start: number): { text: string; end: number } {
  BARE.lastIndex = start;
  const found = BARE.exec(text)?.[0] ?? '';
  const hidden = HIDDEN.exec(found);
  if (hidden !== null) throw createSyntaxError(text, start + hidden.index, hidden[0]);
  return { text: found, end: start + found.length };
}

function readQuoted(text: string, start: number): { text: string; end: number } {
  const quote = text[start];
  const parts: string[] = [];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    const piece = text[at] === '\\' ? readEscape(text, at) : { text: text[at] ?? '', end: at + 1 };
    parts.push(piece.text);
    at = piece.end;
  }
  if (at >= text.length)
    throw new FilterProblem(`unterminated string that starts at character ${String(start + 1)}`, start);
  return { text: parts.join(''), end: at + 1 };
}

/** An escape that is none stays as it is written, backslash and all: patterns are full of them. */
function readEscape(text: string, at: number): { text: string; end: number } {
  const simple = ESCAPES[text[at + 1] ?? ''];
  if (simple !== undefined) return { text: simple, end: at + 2 };
  CODED.lastIndex = at + 1;
  const found = CODED.exec(text);
  if (found === null) return { text: '\\', end: at + 1 };
  const [whole, octal, ...hex] = found;
  const code = octal === undefined ? Number.parseInt(hex.join(''), 16) : Number.parseInt(octal, 8);
  if (code > MAX_CODE_POINT) throw createSyntaxError(text, at, `\\${whole}`);
  return { text: String.fromCodePoint(code), end: at + 1 + whole.length };
}

/** Over white space and comments. */
function skip(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && SPACE.test(text[at] ?? '')) at += 1;
    if (!text.startsWith('--', at)) return at;
    const lineEnd = text.indexOf('\n', at);
    at = lineEnd === -1 ? text.length : lineEnd;
  }
}
