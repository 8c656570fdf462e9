import { computeEditDistance } from '../../hybrid/core/edit-distance.ts';

/** Longest word that is compared: longer ones are no slip of the finger. */
const MAX_WORD = 40;

/** The known word that is nearest to a mistyped one; undefined where none is near enough to be meant. */
export function suggestWord(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > MAX_WORD) return undefined;
  const word = typed.toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, distance: computeEditDistance(word, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)),
    )
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? known.find((candidate) => word.length >= 3 && candidate.startsWith(word));
}
