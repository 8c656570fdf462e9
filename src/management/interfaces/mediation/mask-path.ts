import { truncateSentText } from '../../core/conventions/invalid.ts';
import {
  isWithinBytes,
  MAX_ID_BYTES,
  MAX_LONG_TEXT_CHARS,
  MAX_MASK_DEPTH,
  MAX_MASK_PATHS,
} from '../../core/conventions/names.ts';
import { refuseMediationField } from './rows.ts';

/** A member of a message, or with a key a value of a map: `cpmMicros`, `mediationGroupLines["-1"]`. */
export type MaskSegment = { name: string; key?: string };
export type MediationMaskPath = readonly MaskSegment[];

const NAME = /[A-Za-z_]\w*/y;
/** A key without quotes: an id, a whole ad unit id, or what was percent-encoded. Every other key with a slash needs quotes. */
const BARE_KEY = /(?:ca-app-pub-\d+\/\d+|(?:[\w-]|%[\dA-Fa-f]{2})+)(?=\])/y;
const DOUBLE_QUOTED = /"((?:[^"\\]|\\["'\\/])*)"(?=\])/y;
const SINGLE_QUOTED = /'((?:[^'\\]|\\["'\\/])*)'(?=\])/y;
/** Quotes as the source text of a program has them. */
const ESCAPED_DOUBLE = /\\"([^"\\]*)\\"(?=\])/y;
const ESCAPED_SINGLE = /\\'([^'\\]*)\\'(?=\])/y;
/** By what the brackets begin with. */
const QUOTED: readonly (readonly [string, RegExp])[] = [
  ['"', DOUBLE_QUOTED],
  ["'", SINGLE_QUOTED],
  [String.raw`\"`, ESCAPED_DOUBLE],
  [String.raw`\'`, ESCAPED_SINGLE],
];
/** Quotes around a key that were percent-encoded with it. */
const OWN_QUOTES = /^(["'])(.*)["']$/s;
const SPACES = / */y;
const ESCAPE = /\\(["'\\/])/g;

/**
 * The paths of an update mask of mediation: separated by commas, names by dots, as they were sent; the key of a map's
 * value is in brackets, in quotes of either kind or bare: `mediationGroupLines["-1"].state,targeting.ad_unit_ids`. In
 * quotes any character is literal except the quote and the backslash, which need a backslash before them. The quotes
 * may have a backslash before them too, and the list may end with a comma (Google's sample code sends one). At most 100
 * paths, 10 deep (rule K9). Reads each character once.
 * @throws Refusal 400 for a text that is not such a list, or is empty
 */
export function readMask(sent: string): readonly MediationMaskPath[] {
  if (sent.trim() === '') throw refuseMediationField('update_mask', 'it must name at least one field');
  const text = withoutLastComma(sent);
  if (text.length > MAX_LONG_TEXT_CHARS)
    throw refuseMediationField('update_mask', `it has more than ${MAX_LONG_TEXT_CHARS} characters`);
  const paths: MediationMaskPath[] = [];
  let at = 0;
  do {
    if (paths.length === MAX_MASK_PATHS)
      throw refuseMediationField('update_mask', `it has more than ${MAX_MASK_PATHS} paths`);
    at = matchAt(SPACES, text, at).end;
    const path = parsePath(text, at);
    paths.push(path.segments);
    at = matchAt(SPACES, text, path.end).end;
  } while (text[at++] === ',');
  if (at <= text.length) throw refuseUnreadable(text, at - 1);
  return paths;
}

function withoutLastComma(mask: string): string {
  const end = mask.trimEnd();
  return end.endsWith(',') ? end.slice(0, -1) : mask;
}

/** A mask that was encoded twice, as it was meant: it has brackets as `%5B` only. Any other is as it was. */
export function decodeMaskOnce(mask: string): string {
  if (mask.length > MAX_LONG_TEXT_CHARS || mask.includes('[') || !/%5b/i.test(mask)) return mask;
  return decodePercent(mask) ?? mask;
}

/** A text without percent-encoding; undefined where that is none. It is refused as it was sent, then. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parsePath(text: string, start: number): { segments: MediationMaskPath; end: number } {
  const segments: MaskSegment[] = [];
  let at = start;
  do {
    if (segments.length === MAX_MASK_DEPTH)
      throw refuseMediationField('update_mask', `a path is deeper than ${MAX_MASK_DEPTH}`);
    const { match: name, end } = matchAt(NAME, text, at);
    if (name === undefined) throw refuseUnreadable(text, at);
    at = end;
    const key = text[at] === '[' ? parseKey(text, at) : undefined;
    segments.push({ name: name[0], ...(key !== undefined && { key: key.text }) });
    at = key?.end ?? at;
  } while (text[at++] === '.');
  return { segments, end: at - 1 };
}

/** The key in the brackets that open at `start`, and the place after them. */
function parseKey(text: string, start: number): { text: string; end: number } {
  const [, quoted] = QUOTED.find(([quote]) => text.startsWith(quote, start + 1)) ?? [];
  const { match, end } = matchAt(quoted ?? BARE_KEY, text, start + 1);
  const key = quoted === undefined ? parseBareKey(match?.[0] ?? '') : match?.[1]?.replaceAll(ESCAPE, '$1');
  if (key === undefined || key === '' || !isWithinBytes(key, MAX_ID_BYTES)) throw refuseUnreadable(text, start);
  return { text: key, end: end + 1 };
}

/** What was percent-encoded may have quotes of its own: `%22-1%22`. */
function parseBareKey(sent: string): string | undefined {
  if (!sent.includes('%')) return sent;
  const key = decodePercent(sent) ?? '';
  const [, quote, inner] = OWN_QUOTES.exec(key) ?? [];
  return quote !== undefined && key.endsWith(quote) ? inner : key;
}

function matchAt(form: RegExp, text: string, at: number): { match: RegExpExecArray | undefined; end: number } {
  form.lastIndex = at;
  const match = form.exec(text) ?? undefined;
  return { match, end: at + (match?.[0].length ?? 0) };
}

const refuseUnreadable = (text: string, at: number) =>
  refuseMediationField(
    'update_mask',
    `${JSON.stringify(truncateSentText(text.slice(at)))} at character ${at + 1} is no field path`,
  );
