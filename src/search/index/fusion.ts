import type { Ranked } from './keyword.ts';

/** A chunk with what each part of a search says of it. Ranks are counted from 1. */
export type Fused = Ranked & {
  keyword?: { score: number; rank: number };
  vector?: { score: number; rank: number };
};

/** Of reciprocal rank fusion: how little the first ranks differ (Cormack, Clarke, Buettcher 2009). */
const K = 60;
/** What boosts add to a score at most; several share it. The search itself counts for more. */
const BOOST_WEIGHT = 0.3;

/**
 * Two lists as one. `rrf`: a chunk has the sum of `1 / (60 + rank)` by what it would be as the first of both, so that this
 * is 1 and the first of one list alone 0.5. `max`: the higher one of its scores.
 */
export function fused(keyword: readonly Ranked[], vector: readonly Ranked[], method: 'rrf' | 'max'): readonly Fused[] {
  const found = new Map<number, Omit<Fused, 'score' | 'chunk'>>();
  for (const [at, { chunk, score }] of keyword.entries()) found.set(chunk, { keyword: { score, rank: at + 1 } });
  for (const [at, { chunk, score }] of vector.entries())
    found.set(chunk, { ...found.get(chunk), vector: { score, rank: at + 1 } });
  const scoreOf = method === 'rrf' ? byRanks : byScores;
  return [...found].map(([chunk, parts]) => ({ chunk, score: scoreOf(parts), ...parts })).toSorted(bestFirst);
}

/** One list as it is. */
export const alone = (list: readonly Ranked[], part: 'keyword' | 'vector'): readonly Fused[] =>
  list.map((each, at) => ({ ...each, [part]: { score: each.score, rank: at + 1 } }));

/**
 * A list with boosts: what they give is added to the scores, and both brought back to 0 to 1. Chunks whose scores differ by
 * less than what boosts give change places.
 * @param boosts what each gives a chunk, 0 to 1
 */
export function boosted(list: readonly Fused[], boosts: readonly ((chunk: number) => number)[]): readonly Fused[] {
  if (boosts.length === 0) return list;
  const given = (chunk: number): number => boosts.reduce((sum, boost) => sum + boost(chunk), 0) / boosts.length;
  return list
    .map((one) => ({ ...one, score: (one.score + BOOST_WEIGHT * given(one.chunk)) / (1 + BOOST_WEIGHT) }))
    .toSorted(bestFirst);
}

const byRanks = ({ keyword, vector }: Omit<Fused, 'score' | 'chunk'>): number =>
  (reciprocal(keyword?.rank) + reciprocal(vector?.rank)) / (2 * reciprocal(1));

const byScores = ({ keyword, vector }: Omit<Fused, 'score' | 'chunk'>): number =>
  Math.max(keyword?.score ?? 0, vector?.score ?? 0);

const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (K + rank));

const bestFirst = (a: Ranked, b: Ranked): number => b.score - a.score || a.chunk - b.chunk;
