import { toCamelCase } from '../../core/conventions/names.ts';
import { truncateSentText } from '../../core/conventions/invalid.ts';
import { isText } from '../../../lib/json.ts';
import { decodePercent, type MediationMaskPath, decodeMaskOnce, readMask } from './mask-path.ts';
import { isLineKey, isPlaceholder, describeKeyFault } from './groups/lines.ts';
import { parseAdUnitFragment, refuseMediationField } from './rows.ts';

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
