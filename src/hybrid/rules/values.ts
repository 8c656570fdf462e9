import { isAlias, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { REMOVED_COMPONENTS } from '../core/keys-data.ts';
import type { Overrides } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import type { OverridesSource } from '../core/source.ts';
import { listMapEntries, type YamlEntry, isEmpty, getScalarText } from '../core/tree.ts';

/** Reported places per kind of problem. */
const MAX_PLACES = 50;
/** The key that the vendor's samples have, and every installation that never chose one. */
const DEFAULT_KEY = 'aWxvdmVhcGlzMTIzNDU2Nw==';
const BEFORE_1_3 = /^(?:release-)?v?1\.[0-2](?:[._-]|$)/i;
const URL_BEFORE_1_3 = /:(?:release-)?v?1\.[0-2](?:[._-][A-Za-z0-9._-]*)?(?:@[a-z0-9:]*)?$/i;
/** Parts whose images are other makers', in versions of their own. */
const OTHERS = /^(?:logger|metrics|kubeRBACProxy)\.|\.fluentd\./;
const OF_THE_RUNTIME = /apigee/i;
const ENVIRONMENT_KEY = /^(?:kms|kvm)Encryption/;

/** An entry anywhere in the file, with its keys from the top. */
type EntryWithPath = { entry: YamlEntry; path: readonly string[] };

/** Values that need a review wherever they occur: images and encryption keys. */
export function findValueProblems(overrides: Overrides): readonly OverridesProblem[] {
  const found = [...walk(overrides, [...overrides.entries.values()], [])];
  const anchors = collectAnchors(overrides.source);
  return [
    ...found.flatMap((each) => findImageProblems(overrides, each, anchors)),
    ...findDefaultKeys(overrides, found),
    ...findEnvironmentKeys(overrides),
  ];
}

function* walk(
  overrides: Overrides,
  entries: readonly YamlEntry[],
  above: readonly string[],
): Generator<EntryWithPath> {
  for (const entry of entries) {
    const path = [...above, entry.key];
    yield { entry, path };
    yield* walkNode(overrides, entry.value, path);
  }
}

/** Depth is bounded by the parser's. */
function* walkNode(overrides: Overrides, node: Node | null, path: readonly string[]): Generator<EntryWithPath> {
  if (isMap(node)) yield* walk(overrides, listMapEntries(overrides.source, node), path);
  if (!isSeq(node)) return;
  for (const item of node.items) yield* walkNode(overrides, item as Node, path);
}

function findImageProblems(
  { source }: Overrides,
  { entry, path }: EntryWithPath,
  anchors: Anchors,
): readonly OverridesProblem[] {
  if (entry.key !== 'image' || path.length < 2) return [];
  const name = path.join('.');
  if (REMOVED_COMPONENTS.some((component) => component === path[0]))
    return [
      buildOverridesProblem(
        'image-override-lost',
        entry.place,
        `\`${name}\` is of a component that 1.3 does not install.`,
      ),
    ];
  const image = resolveAlias(anchors, entry.value);
  const parts = isMap(image) ? listMapEntries(source, image) : [entry];
  const texts = parts.map((part) => ({ part, text: getTrimmedText(resolveAlias(anchors, part.value)) }));
  const url = texts.find(({ part }) => part.key === 'url')?.text ?? '';
  const isOthers = OTHERS.test(`${name}.`) && url !== '' && !OF_THE_RUNTIME.test(url);
  const pinned = isOthers ? undefined : texts.find(({ part, text }) => isBefore13(part.key, text));
  if (pinned)
    return [buildOverridesProblem('image-pinned', pinned.part.place, `\`${name}\` is pinned to a version before 1.3.`)];
  return isEmpty(entry)
    ? []
    : [buildOverridesProblem('image-override', entry.place, `\`${name}\` names an image of its own.`)];
}

type Anchors = ReadonlyMap<string, Node>;

/** Of two anchors of one name the later one counts, for aliases between them too. */
function collectAnchors({ root }: OverridesSource): Anchors {
  const anchors = new Map<string, Node>();
  visit(root, (_key, node) => {
    if ((isScalar(node) || isMap(node)) && node.anchor !== undefined) anchors.set(node.anchor, node);
  });
  return anchors;
}

/** Resolves an alias by one step. */
const resolveAlias = (anchors: Anchors, node: Node | null): Node | null =>
  isAlias(node) ? (anchors.get(node.source) ?? null) : node;

const getTrimmedText = (node: Node | null): string => (isScalar(node) ? getScalarText(node).trim() : '');

const isBefore13 = (key: string, text: string): boolean =>
  key === 'tag' ? BEFORE_1_3.test(text) : URL_BEFORE_1_3.test(text);

const findDefaultKeys = ({ source }: Overrides, found: readonly EntryWithPath[]): readonly OverridesProblem[] =>
  found
    .filter(({ entry: { value } }) => isScalar(value) && getScalarText(value).trim() === DEFAULT_KEY)
    .slice(0, MAX_PLACES)
    .map(({ entry: { value, place }, path }) =>
      buildOverridesProblem(
        'default-key',
        value?.range ? source.placeOf(value.range[0]) : place,
        `\`${path.join('.')}\` is the published default.`,
      ),
    );

const findEnvironmentKeys = ({ source, environments }: Overrides): readonly OverridesProblem[] =>
  environments
    .flatMap(({ map }) => listMapEntries(source, map).filter(({ key }) => ENVIRONMENT_KEY.test(key)))
    .slice(0, MAX_PLACES)
    .map(({ key, place }) => buildOverridesProblem('environment-key', place, `This environment has \`${key}\`.`));
