import { type Embedder, MAX_EMBEDDED_CHARS, MAX_EMBEDDING_BATCH } from '../../port.ts';

const MODEL = 'simulated-ngrams-256';
const DIMENSIONS = 256;
/** Lengths of the character sequences that are counted. */
const SHORTEST = 3;
const LONGEST = 5;
/** FNV-1a, 32 bits. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * An embedder that is no model, for the local stack and tests: texts are near each other when they share sequences of
 * characters, so that spellings and endings matter little. It knows no meanings.
 */
export const createSimulatedEmbedder = (model = MODEL): Embedder => ({
  kind: 'simulated',
  model,
  embed: async (texts) => {
    if (texts.length > MAX_EMBEDDING_BATCH) throw new RangeError(`at most ${MAX_EMBEDDING_BATCH} texts`);
    return { ok: true, vectors: texts.map(computeSimulatedVector) };
  },
});

function computeSimulatedVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const words =
    text
      .slice(0, MAX_EMBEDDED_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{1,64}/gu) ?? [];
  for (const word of words) addWord(vector, ` ${word} `);
  if (words.length === 0) vector[0] = 1; // A vector of nothing has no direction.
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function addWord(vector: Float32Array, word: string): void {
  for (let size = SHORTEST; size <= LONGEST; size += 1) {
    for (let at = 0; at + size <= word.length; at += 1) {
      const hash = computeHash(word.slice(at, at + size));
      const place = hash % DIMENSIONS;
      // Half of what falls together by chance cancels out.
      vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -1 : 1);
    }
  }
}

function computeHash(text: string): number {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME) >>> 0;
  return hash;
}
