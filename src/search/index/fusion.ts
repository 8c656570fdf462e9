import type { Ranked } from './keyword.ts';

/** A chunk with what each part of a search says of it. Ranks are counted from 1. */
export type Fused = Ranked & {
  keyword?: { score: number; rank: number };
  vector?: { score: number; rank: number };
};

/** Of reciprocal rank fusion: how little the first ranks differ (Cormack, Clarke, Buettcher 2009). */
const K = 60;
/** A boost counts half of what the search itself does; several share it. */
const BOOST_WEIGHT = 0.5;

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
 * A list with boosts: reciprocal rank fusion of its ranks with those that the boosts give, so that the first of all is 1.
 * @param boosts the rank of a chunk by each, from 1; undefined where it says nothing of it
 */
export function boosted(
  list: readonly Fused[],
  boosts: readonly ((chunk: number) => number | undefined)[],
): readonly Fused[] {
  if (boosts.length === 0) return list;
  const each = BOOST_WEIGHT / boosts.length;
  const most = (1 + BOOST_WEIGHT) * reciprocal(1);
  let rank = 0;
  const scored = list.map((one, at) => {
    if (one.score !== list[at - 1]?.score) rank = at + 1; // What is alike for the search is for the boosts to tell apart.
    const given = boosts.reduce((sum, rankOf) => sum + each * reciprocal(rankOf(one.chunk)), reciprocal(rank));
    return { ...one, score: given / most };
  });
  return scored.toSorted(bestFirst);
}

const byRanks = ({ keyword, vector }: Omit<Fused, 'score' | 'chunk'>): number =>
  (reciprocal(keyword?.rank) + reciprocal(vector?.rank)) / (2 * reciprocal(1));

const byScores = ({ keyword, vector }: Omit<Fused, 'score' | 'chunk'>): number =>
  Math.max(keyword?.score ?? 0, vector?.score ?? 0);

const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (K + rank));

const bestFirst = (a: Ranked, b: Ranked): number => b.score - a.score || a.chunk - b.chunk;
