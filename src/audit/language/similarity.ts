/** Words of each text that are compared. */
const MAX_WORDS = 20_000;
const GRAM = 5;

/** Jaccard similarity of the word 5-grams of two texts, 0 to 1; texts shorter than five words count as one gram each. */
export function computeSimilarity(one: string, other: string): number {
  const a = listWordGrams(one);
  const b = listWordGrams(other);
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const gram of a) if (b.has(gram)) common += 1;
  return common / (a.size + b.size - common);
}

function listWordGrams(text: string): ReadonlySet<string> {
  const words = text
    .toLowerCase()
    .split(/\s+/, MAX_WORDS)
    .filter((word) => word !== '');
  if (words.length === 0) return new Set();
  if (words.length < GRAM) return new Set([words.join(' ')]);
  return new Set(words.slice(GRAM - 1).map((_, index) => words.slice(index, index + GRAM).join(' ')));
}
