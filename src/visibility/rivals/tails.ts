import { computeRivalKey, type RivalGroup } from './groups.ts';
import { findBusinessFront } from './japanese.ts';
import { isPlaceWord } from './more-words.ts';
import { kindWords, nameConnectors } from './words-data.ts';

/** Shorter tails are initials and numbers. */
const MIN_TAIL_CHARS = 4;

/**
 * Puts a name and its shorter forms together: "Le Fournil Acme" and "Fournil Acme", "Boulangerie Acme" and "Maison Acme", and
 * "Acme" in running text that is the end of one brand alone and heads no option by itself.
 */
export function mergeShortened(groups: readonly RivalGroup[]): readonly RivalGroup[] {
  const byCore = mergeWithKey(groups, (group) => computeRivalKey(removeKinds(group.name)));
  const wholes = new Map<string, string | undefined>();
  for (const group of byCore)
    for (const tail of isHeadOfOption(group) ? listTails(group.name) : []) {
      const key = computeRivalKey(tail);
      wholes.set(key, wholes.has(key) ? undefined : computeRivalKey(group.name));
    }
  const merged = mergeWithKey(byCore, (group) => {
    const key = computeRivalKey(group.name);
    return isHeadOfOption(group) ? key : (wholes.get(key) ?? key);
  });
  return merged.map((group) => {
    const front = findBusinessFront(group.name);
    return front === undefined ? group : { ...group, aliases: [...(group.aliases ?? []), front] };
  });
}

/** One group for each key, under the name of those that head options, then of the most found. */
function mergeWithKey(groups: readonly RivalGroup[], keyOf: (group: RivalGroup) => string): readonly RivalGroup[] {
  const merged = new Map<string, RivalGroup>();
  for (const group of groups) {
    const key = keyOf(group);
    const known = merged.get(key);
    merged.set(key, known === undefined ? group : mergePair(known, group));
  }
  return [...merged.values()];
}

function mergePair(one: RivalGroup, other: RivalGroup): RivalGroup {
  const isLess =
    isHeadOfOption(one) === isHeadOfOption(other) ? one.found.length < other.found.length : isHeadOfOption(other);
  const [main, minor] = isLess ? [other, one] : [one, other];
  const aliases = [...(main.aliases ?? []), minor.name, ...(minor.aliases ?? [])];
  return { ...main, found: [...main.found, ...minor.found], aliases };
}

/** Without what kind of business it is, and its article: "Acme" of "La Boulangerie Acme". */
function removeKinds(name: string): string {
  const words = name.split(' ');
  const front = words.findIndex((word) => !kindWords.has(word.toLowerCase()));
  return front > 0 && nameConnectors.has(words[front] ?? '') ? name : words.slice(Math.max(0, front)).join(' ');
}

const isHeadOfOption = ({ found }: RivalGroup): boolean =>
  found.some(({ place }) => place === 'option' || place === 'bold');

/** Words behind the first, to the end: "Pain Vaillant", "Vaillant" of "Au Pain Vaillant". */
const listTails = (name: string): readonly string[] => {
  const words = name.split(' ');
  // "Acme on Beta" has two names.
  if (words.some((word) => /^(?:on|for|in|to|a)$/u.test(word))) return [];
  return words
    .map((_, from) => (/^[&+]$/u.test(words[from - 1] ?? '') ? '' : words.slice(from).join(' ')))
    .slice(1)
    .filter(
      (tail) =>
        tail.length >= MIN_TAIL_CHARS &&
        /^\p{Lu}/u.test(tail) &&
        !nameConnectors.has(tail) &&
        !isPlaceWord(tail.toLowerCase()),
    );
};
