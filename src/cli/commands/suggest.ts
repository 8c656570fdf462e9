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

/** Letters to insert, drop, replace or swap with their neighbour until one word is the other. */
function computeEditDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      now[column] = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, now];
  }
  return last[to.length] ?? 0;
}
