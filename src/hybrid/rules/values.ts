import { isAlias, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { REMOVED_COMPONENTS } from '../core/keys-data.ts';
import type { Overrides } from '../core/overrides.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { Source } from '../core/source.ts';
import { entriesOf, type Entry, isEmpty, textOf } from '../core/tree.ts';

/** Places of one kind that are told. */
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
type Found = { entry: Entry; path: readonly string[] };

/** What must not go unseen wherever it stands: images, and keys that encrypt. */
export function valueProblems(overrides: Overrides): readonly Problem[] {
  const found = [...walk(overrides, [...overrides.entries.values()], [])];
  const anchors = anchorsOf(overrides.source);
  return [
    ...found.flatMap((each) => imageProblems(overrides, each, anchors)),
    ...defaultKeys(overrides, found),
    ...environmentKeys(overrides),
  ];
}

function* walk(overrides: Overrides, entries: readonly Entry[], above: readonly string[]): Generator<Found> {
  for (const entry of entries) {
    const path = [...above, entry.key];
    yield { entry, path };
    yield* below(overrides, entry.value, path);
  }
}

/** Depth is bounded by the parser's. */
function* below(overrides: Overrides, node: Node | null, path: readonly string[]): Generator<Found> {
  if (isMap(node)) yield* walk(overrides, entriesOf(overrides.source, node), path);
  if (!isSeq(node)) return;
  for (const item of node.items) yield* below(overrides, item as Node, path);
}

function imageProblems({ source }: Overrides, { entry, path }: Found, anchors: Anchors): readonly Problem[] {
  if (entry.key !== 'image' || path.length < 2) return [];
  const name = path.join('.');
  if (REMOVED_COMPONENTS.some((component) => component === path[0]))
    return [problem('image-override-lost', entry.place, `\`${name}\` is of a component that 1.3 does not install.`)];
  const image = resolved(anchors, entry.value);
  const parts = isMap(image) ? entriesOf(source, image) : [entry];
  const texts = parts.map((part) => ({ part, text: scalarTextOf(resolved(anchors, part.value)) }));
  const url = texts.find(({ part }) => part.key === 'url')?.text ?? '';
  const isOthers = OTHERS.test(`${name}.`) && url !== '' && !OF_THE_RUNTIME.test(url);
  const pinned = isOthers ? undefined : texts.find(({ part, text }) => isBefore13(part.key, text));
  if (pinned) return [problem('image-pinned', pinned.part.place, `\`${name}\` is pinned to a version before 1.3.`)];
  return isEmpty(entry) ? [] : [problem('image-override', entry.place, `\`${name}\` names an image of its own.`)];
}

type Anchors = ReadonlyMap<string, Node>;

/** Of two anchors of one name the later one counts, for aliases between them too. */
function anchorsOf({ root }: Source): Anchors {
  const anchors = new Map<string, Node>();
  visit(root, (_key, node) => {
    if ((isScalar(node) || isMap(node)) && node.anchor !== undefined) anchors.set(node.anchor, node);
  });
  return anchors;
}

/** What an alias stands for, in one step. */
const resolved = (anchors: Anchors, node: Node | null): Node | null =>
  isAlias(node) ? (anchors.get(node.source) ?? null) : node;

const scalarTextOf = (node: Node | null): string => (isScalar(node) ? textOf(node).trim() : '');

const isBefore13 = (key: string, text: string): boolean =>
  key === 'tag' ? BEFORE_1_3.test(text) : URL_BEFORE_1_3.test(text);

const defaultKeys = ({ source }: Overrides, found: readonly Found[]): readonly Problem[] =>
  found
    .filter(({ entry: { value } }) => isScalar(value) && textOf(value).trim() === DEFAULT_KEY)
    .slice(0, MAX_PLACES)
    .map(({ entry: { value, place }, path }) =>
      problem(
        'default-key',
        value?.range ? source.placeOf(value.range[0]) : place,
        `\`${path.join('.')}\` is the published default.`,
      ),
    );

const environmentKeys = ({ source, environments }: Overrides): readonly Problem[] =>
  environments
    .flatMap(({ map }) => entriesOf(source, map).filter(({ key }) => ENVIRONMENT_KEY.test(key)))
    .slice(0, MAX_PLACES)
    .map(({ key, place }) => problem('environment-key', place, `This environment has \`${key}\`.`));
