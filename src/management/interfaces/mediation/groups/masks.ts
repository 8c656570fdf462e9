import { decodePercent } from '../../../../lib/percent.ts';
import { isText } from '../../../../lib/json.ts';
import { MAX_MASK_DEPTH, MAX_MASK_PATHS } from '../../../../lib/member-mask.ts';
import { isWithinBytes } from '../../../../lib/utf8.ts';
import { truncateSentText } from '../../../core/conventions/invalid.ts';
import { MAX_ID_BYTES, MAX_LONG_TEXT_CHARS, toCamelCase } from '../../../core/conventions/names.ts';
import { refuseMediationField, refuseUnreadableMask } from '../refusals.ts';
import { parseAdUnitFragment } from '../rows.ts';
import { describeKeyFault, isLineKey, isPlaceholder } from './schemas.ts';

/** Fields of a line that a mask may name by themselves. */
const LINE_FIELDS = ['adUnitMappings', 'cpmMicros', 'cpmMode', 'displayName', 'state'] as const;
/** Fields of a new line: those that a mask names make it. Its id says nothing beside its key. */
const NEW_LINE_FIELDS = [...LINE_FIELDS, 'adSourceId', 'id'] as const;
/** Fields of a group, and of its targeting. The vendor lets only ad units be changed; people can do the others in its UI. */
const GROUP_FIELDS = ['displayName', 'state'] as const;
const TARGETING_FIELDS = ['adUnitIds', 'excludedRegionCodes', 'idfaTargeting', 'targetedRegionCodes'] as const;

/** Something that an update changes. `line` is a key: an id, or a negative integer for a line to be made. */
export type MaskLeaf =
  | { kind: 'line'; line: string }
  | { kind: 'lineField'; line: string; field: (typeof NEW_LINE_FIELDS)[number] }
  /** One value of a line's mappings, by the fragment of its ad unit. */
  | { kind: 'mapping'; line: string; fragment: string }
  | { kind: 'group'; field: (typeof GROUP_FIELDS)[number] }
  | { kind: 'targeting'; field: (typeof TARGETING_FIELDS)[number] };

export type LineLeaf = Extract<MaskLeaf, { line: string }>;

/**
 * What an update's mask names, in order; a leaf that is named twice is there once.
 * @param digits of the publisher, whose own all ad units must be
 * @throws Refusal 400 for no mask, one that cannot be read or names what cannot be changed, and for a new line that is named
 *   as a whole twice
 */
export function parseMaskLeaves(mask: unknown, digits: string): readonly MaskLeaf[] {
  const leaves = readMask(decodeMaskOnce(isText(mask) ? mask : '')).map((path) => parseLeaf(path, digits));
  const wholeNew = new Set<string>();
  for (const leaf of leaves) {
    if (leaf.kind !== 'line' || !isPlaceholder(leaf.line)) continue;
    if (wholeNew.has(leaf.line))
      throw refuseMediationField('update_mask', `the new line "${leaf.line}" is named twice`);
    wholeNew.add(leaf.line);
  }
  return [...new Map(leaves.map((leaf) => [JSON.stringify(leaf), leaf])).values()];
}

export const isLineLeaf = (leaf: MaskLeaf): leaf is LineLeaf => 'line' in leaf;

function parseLeaf(path: MediationMaskPath, digits: string): MaskLeaf {
  const [first, second, ...rest] = path;
  const leaf =
    first === undefined || rest.length > 0
      ? undefined
      : toCamelCase(first.name) === 'mediationGroupLines'
        ? parseLineLeaf(first.key, second, digits)
        : groupLeaf(first, second);
  if (leaf === undefined)
    throw refuseMediationField(
      'update_mask',
      `"${truncateSentText(formatMaskPath(path))}" is nothing that can be updated`,
    );
  return leaf;
}

function parseLineLeaf(
  key: string | undefined,
  member: MediationMaskPath[number] | undefined,
  digits: string,
): MaskLeaf | undefined {
  if (key === undefined) return undefined;
  const line = findSpelling(key, isLineKey);
  if (line === undefined)
    throw refuseMediationField('update_mask', `"${truncateSentText(key)}" ${describeKeyFault(key)}`);
  if (member === undefined) return { kind: 'line', line };
  const field = findFieldName(isPlaceholder(line) ? NEW_LINE_FIELDS : LINE_FIELDS, member.name);
  if (field === undefined) return undefined;
  if (member.key === undefined) return { kind: 'lineField', line, field };
  if (field !== 'adUnitMappings') return undefined;
  const fragment = parseAdUnitFragment(
    findSpelling(member.key, (unit) => parseAdUnitFragment(unit, digits) !== undefined) ?? '',
    digits,
  );
  if (fragment === undefined)
    throw refuseMediationField('update_mask', `"${truncateSentText(member.key)}" is no ad unit id of this publisher`);
  return { kind: 'mapping', line, fragment };
}

function groupLeaf(
  first: MediationMaskPath[number],
  second: MediationMaskPath[number] | undefined,
): MaskLeaf | undefined {
  if (first.key !== undefined || second?.key !== undefined) return undefined;
  if (second === undefined) {
    const field = findFieldName(GROUP_FIELDS, first.name);
    return field && { kind: 'group', field };
  }
  const field = first.name === 'targeting' ? findFieldName(TARGETING_FIELDS, second.name) : undefined;
  return field && { kind: 'targeting', field };
}

/** A key as it was sent, or percent-decoded once more, whichever is right; undefined where neither is. */
const findSpelling = (key: string, isRight: (key: string) => boolean): string | undefined =>
  [key, decodePercent(key) ?? key].find(isRight);

/** The field of this name, in either spelling. */
const findFieldName = <T extends string>(fields: readonly T[], name: string): T | undefined =>
  fields.find((field) => field === toCamelCase(name));

const formatMaskPath = (path: MediationMaskPath): string =>
  path.map(({ name, key }) => (key === undefined ? name : `${name}[${JSON.stringify(key)}]`)).join('.');

/** A member of a message, or with a key a value of a map: `cpmMicros`, `mediationGroupLines["-1"]`. */
type MaskSegment = { name: string; key?: string };
type MediationMaskPath = readonly MaskSegment[];

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
  if (at <= text.length) throw refuseUnreadableMask(text, at - 1);
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

function parsePath(text: string, start: number): { segments: MediationMaskPath; end: number } {
  const segments: MaskSegment[] = [];
  let at = start;
  do {
    if (segments.length === MAX_MASK_DEPTH)
      throw refuseMediationField('update_mask', `a path is deeper than ${MAX_MASK_DEPTH}`);
    const { match: name, end } = matchAt(NAME, text, at);
    if (name === undefined) throw refuseUnreadableMask(text, at);
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
  if (key === undefined || key === '' || !isWithinBytes(key, MAX_ID_BYTES)) throw refuseUnreadableMask(text, start);
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
