import type { SearchQuery } from '../order.ts';
import type { Sql } from '../../lib/sqlite.ts';
import type { Bound } from './filter-sql.ts';
import { CHUNK_NUMBERS } from './tables.ts';
import { getSearchTable } from './word-tables.ts';
import { parseQueryTerms } from './words.ts';

/** A chunk by its number, with a score of 0 to 1. Lists have the best first. */
export type Ranked = { chunk: number; score: number };

/** A word of the title counts as this many of the text. */
const TITLE_WEIGHT = 3;
/** SQLite's BM25 weighs words that are in more than half of the rows with this. */
const COMMON_WEIGHT = 1e-6;
/** What a word weighs in SQLite's BM25 that a fifth of the chunks have: `ln((1 - 1/5) / (1/5))`. */
const RARE_WEIGHT = Math.log(4);
/**
 * An index of at most so many chunks is ranked here, word by word: SQLite's weights are almost nothing for words that half
 * of it has. In larger ones both give the same first ones, and SQLite's own cost half.
 */
const SMALL_CHUNKS = 200;
/** At this part of what one occurrence of each word gives in a chunk of average length, the score is one half. */
const HALF = 0.5;
/** BM25 gives a word that is there without end so much more than one in a chunk of average length: `k1 + 1`. */
const MOST_GAINED = 2.2;
/** A weight of columns at which SQLite's BM25 gives a word all that it can. */
const ENDLESS = 1e18;

/** What is searched, and up to how many chunks it counts as small. */
export type KeywordTools = { sql: Sql; smallChunks?: number };
type Query = Pick<SearchQuery, 'text' | 'keywordMode'>;

/**
 * The chunks that BM25 ranks highest, of those that have all words (`and`), any (`or`), or all first and then any (`auto`).
 * The score is `r / (r + 0.5)`, where `r` is BM25 by what it gives a chunk of average length that has each word of the
 * query once: it does not depend on how rare the words are, and so compares between instances.
 * @param within of which items; undefined: of all
 */
export function searchByKeywords(
  { sql, smallChunks = SMALL_CHUNKS }: KeywordTools,
  query: Query,
  within: Bound | undefined,
  limit: number,
): readonly Ranked[] {
  const { name, tokenizer } = getSearchTable(sql);
  const terms = parseQueryTerms(query.text, tokenizer);
  if (terms.length === 0) return [];
  const chunks = Number(sql.exec('SELECT chunks FROM total').toArray()[0]?.['chunks']);
  const index: Index = { sql, table: name, terms, chunks };
  const rank = chunks <= smallChunks ? rankSmallIndex : rankLargeIndex;
  let lowest = 1;
  // The order stays: what has more of the words stays before what has fewer.
  return rank(index, query.keywordMode, within, limit).map(({ chunk, ratio }) => ({
    chunk,
    score: (lowest = Math.min(lowest, ratio / (ratio + HALF))),
  }));
}

/** A table of words with the words that are looked for in it, and how many chunks it has. */
type Index = { sql: Sql; table: string; terms: readonly string[]; chunks: number };
/** A chunk, with what it has of what one occurrence of each word gives in a chunk of average length. */
type Rated = { chunk: number; ratio: number };
/** What a chunk must have: words by their numbers, all of them or any. */
type Stage = { terms: readonly number[]; needs: 'all' | 'any' };

/**
 * What is looked for, one after the other, until there is enough.
 * @param weights of the words, as SQLite weighs them
 */
function listStages(weights: readonly number[], mode: SearchQuery['keywordMode']): readonly Stage[] {
  const terms = weights.map((_, term) => term);
  const all: Stage = { terms, needs: 'all' };
  if (mode === 'and') return [all];
  // Words that many chunks have say little and take the longest: chunks that only have those come last.
  const rare = terms.filter((term) => (weights[term] ?? 0) > RARE_WEIGHT);
  const isSplit = rare.length > 0 && rare.length < terms.length;
  return [
    ...(mode === 'auto' ? [all] : []),
    ...(isSplit ? [{ terms: rare, needs: 'any' } as const] : []),
    { terms, needs: 'any' },
  ];
}

/** How much more often a word is missing than there, of `n` of `N` chunks: `(N - n + 0.5) / (n + 0.5)`. */
const computeOdds = (chunks: number, having: number): number => (chunks - having + 0.5) / (having + 0.5);

/** What SQLite weighs a word by: nothing for one that half of the chunks have. */
const weighAsSqlite = (odds: number): number => (odds > 1 ? Math.log(odds) : COMMON_WEIGHT);

/**
 * BM25 of each chunk that has a word, with Lucene's weight `ln(1 + odds)`, which is always above 0. A word that no chunk has
 * weighs as much as one that one has. Of SQLite's own BM25 only the share that is gained of a word's most is taken, in which
 * its weight of the word is no more.
 */
function rankSmallIndex(
  index: Index,
  mode: SearchQuery['keywordMode'],
  within: Bound | undefined,
  limit: number,
): readonly Rated[] {
  const { sql, chunks } = index;
  const gained = readGains(index);
  const odds = gained.map(({ size }) => computeOdds(chunks, Math.max(size, 1)));
  const weights = odds.map((each) => Math.log1p(each));
  const possible = weights.reduce((sum, weight) => sum + weight, 0);
  const stages = listStages(odds.map(weighAsSqlite), mode);
  const inside =
    within &&
    new Set(
      sql
        .exec(within.text, ...within.bindings)
        .toArray()
        .map(({ n }) => Number(n)),
    );
  const found: (Rated & { stage: number })[] = [];
  for (const chunk of new Set(gained.flatMap((gains) => [...gains.keys()]))) {
    if (inside && !inside.has(Math.floor(chunk / CHUNK_NUMBERS))) continue;
    const has = (term: number): boolean => gained[term]?.has(chunk) ?? false;
    const stage = stages.findIndex(({ terms, needs }) => (needs === 'all' ? terms.every(has) : terms.some(has)));
    if (stage === -1) continue;
    const sum = gained.reduce((all, gains, term) => all + (gains.get(chunk) ?? 0) * (weights[term] ?? 0), 0);
    found.push({ chunk, stage, ratio: sum / possible });
  }
  return found.toSorted((a, b) => a.stage - b.stage || b.ratio - a.ratio || a.chunk - b.chunk).slice(0, limit);
}

/** What each word gives each chunk that has it, one occurrence in a chunk of average length being 1. */
function readGains({ sql, table, terms }: Index): readonly ReadonlyMap<number, number>[] {
  const query = `SELECT term.key AS term, ${table}.rowid AS chunk,
      bm25(${table}, ${TITLE_WEIGHT}, 1) / bm25(${table}, ${ENDLESS}, ${ENDLESS}) AS share
    FROM json_each(?) AS term CROSS JOIN ${table} WHERE ${table} MATCH term.value`;
  const gained = terms.map(() => new Map<number, number>());
  for (const { term, chunk, share } of sql.exec(query, JSON.stringify(terms)))
    gained[Number(term)]?.set(Number(chunk), MOST_GAINED * Number(share));
  return gained;
}

/** BM25 as SQLite has it, by what it gives for one occurrence of each word in a chunk of average length. */
function rankLargeIndex(
  index: Index,
  mode: SearchQuery['keywordMode'],
  within: Bound | undefined,
  limit: number,
): readonly Rated[] {
  const { sql, table, terms, chunks } = index;
  // One statement for all: each has its price. There are at most 64 words.
  const counts = terms.map((_, at) => `(SELECT count(*) FROM ${table} WHERE ${table} MATCH ?) AS n${at}`);
  const [row = {}] = sql.exec(`SELECT ${counts.join(', ')}`, ...terms).toArray();
  const weights = terms.map((_, at) => weighAsSqlite(computeOdds(chunks, Math.max(Number(row[`n${at}`]), 1))));
  const possible = weights.reduce((sum, weight) => sum + weight, 0);
  const found = new Map<number, number>();
  for (const stage of listStages(weights, mode)) {
    if (found.size >= limit) break;
    const match = stage.terms.map((term) => terms[term]).join(stage.needs === 'all' ? ' AND ' : ' OR ');
    for (const { chunk, relevance } of rankMatches(index, match, within, limit))
      if (found.size < limit && !found.has(chunk)) found.set(chunk, relevance / possible);
  }
  return [...found].map(([chunk, ratio]) => ({ chunk, ratio }));
}

/** Chunks with what SQLite's BM25 gives them, the best first. */
function rankMatches(
  { sql, table }: Index,
  match: string,
  within: Bound | undefined,
  limit: number,
): readonly { chunk: number; relevance: number }[] {
  const inside = within === undefined ? '' : `AND rowid / 1000000 IN (${within.text})`;
  const query = `SELECT rowid AS chunk, bm25(${table}, ${TITLE_WEIGHT}, 1) AS score FROM ${table}
    WHERE ${table} MATCH ? ${inside} ORDER BY score, rowid LIMIT ?`;
  const rows = sql.exec(query, match, ...(within?.bindings ?? []), limit).toArray();
  return rows.map(({ chunk, score }) => ({ chunk: Number(chunk), relevance: -Number(score) }));
}
