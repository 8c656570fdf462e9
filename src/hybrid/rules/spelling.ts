import { isMap, isSeq, type Node } from 'yaml';
import { computeEditDistance } from '../core/edit-distance.ts';
import type { Overrides } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { REFERENCE_KEYS, type ReferenceKeys } from '../core/reference-data.ts';
import { listMapEntries, type YamlEntry } from '../core/tree.ts';

/** Reported places. */
const MAX_PLACES = 50;
/** Levels below a key in which the place of a misplaced one is looked for. */
const MAX_DEPTH = 2;
/** Shorter words are near to too many. */
const MIN_CHARS = 4;
/** Longer ones are no word of the reference. */
const MAX_CHARS = 60;
const LETTERS_A_SLIP = 6;

/** Keys below the top level that nothing reads, where the reference has nearly their name or has them further down. */
export const findNestedSpelling = (overrides: Overrides): readonly OverridesProblem[] =>
  [...overrides.entries.values()]
    .flatMap((entry) => {
      const known = getBelow(REFERENCE_KEYS, entry.key);
      return known === undefined ? [] : [...judgeBelow(overrides, entry.value, known, entry.key)];
    })
    .slice(0, MAX_PLACES);

type Below = ReferenceKeys[string];

const getBelow = (keys: ReferenceKeys, key: string): Below | undefined =>
  Object.hasOwn(keys, key) ? keys[key] : undefined;

const isList = (below: Below): below is readonly [ReferenceKeys] => Array.isArray(below);

/** Depth is bounded by the parser's. */
function* judgeBelow(overrides: Overrides, node: Node | null, known: Below, path: string): Generator<OverridesProblem> {
  if (known === true) return;
  if (isList(known)) {
    if (isSeq(node)) for (const item of node.items) yield* judgeBelow(overrides, item as Node, known[0], `${path}[]`);
    return;
  }
  if (!isMap(node)) return;
  const entries = listMapEntries(overrides.source, node);
  const present = new Set(entries.map(({ key }) => key));
  for (const entry of entries) {
    const below = getBelow(known, entry.key);
    if (below === undefined) yield* judgeUnknown(entry, { known, present, path });
    else yield* judgeBelow(overrides, entry.value, below, `${path}.${entry.key}`);
  }
}

type Level = { known: ReferenceKeys; present: ReadonlySet<string>; path: string };

function judgeUnknown({ key, place }: YamlEntry, { known, present, path }: Level): readonly OverridesProblem[] {
  const names = Object.keys(known);
  const meant = names.find((name) => normaliseSpelling(name) === normaliseSpelling(key)) ?? findNearest(key, names);
  // A key that is there already is not meant a second time.
  if (meant !== undefined && present.has(meant)) return [];
  if (meant !== undefined)
    return [
      buildOverridesProblem(
        'nested-key-spelling',
        place,
        `\`${path}.${key}\` is not read; \`${path}.${meant}\` is.`,
        `Write \`${meant}\`, if it is meant.`,
      ),
    ];
  const [deeper, ...others] = listPathsTo(key, known, MAX_DEPTH);
  if (deeper === undefined || others.length > 0) return [];
  return [
    buildOverridesProblem(
      'nested-key-misplaced',
      place,
      `\`${path}.${key}\` is not read; \`${path}.${deeper}\` is.`,
      `Move it to \`${path}.${deeper}\`, if it is meant.`,
    ),
  ];
}

const normaliseSpelling = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

/** Words of the reference are near each other (`host` and `port`): a slip is one letter, two in a long word. */
function findNearest(key: string, names: readonly string[]): string | undefined {
  if (key.length < MIN_CHARS || key.length > MAX_CHARS) return undefined;
  const [nearest] = names
    .map((name) => ({ name, distance: computeEditDistance(key, name) }))
    .toSorted((one, other) => one.distance - other.distance);
  const allowed = Math.max(1, Math.floor(key.length / LETTERS_A_SLIP));
  return nearest !== undefined && nearest.distance <= allowed ? nearest.name : undefined;
}

/** Where a key belongs, further down: `requests.cpu` for `cpu` below `resources`. */
const listPathsTo = (key: string, known: ReferenceKeys, depth: number): readonly string[] =>
  Object.entries(known).flatMap(([name, below]) => {
    if (below === true || isList(below)) return [];
    const here = Object.hasOwn(below, key) ? [`${name}.${key}`] : [];
    return depth <= 1 ? here : [...here, ...listPathsTo(key, below, depth - 1).map((rest) => `${name}.${rest}`)];
  });
