import type { SearchQuery } from '../order.ts';
import type { Sql } from '../../lib/sqlite.ts';
import type { Bound } from './filter-sql.ts';
import { getSearchTokenizer, WORDS } from './tables.ts';
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
 * An index of at most so many chunks is weighed anew, word by word, and ranked by that: SQLite's weights are almost nothing
 * for words that half of it has. In larger ones both give the same first ones, and SQLite's own cost half.
 */
const SMALL_CHUNKS = 200;
/** At this part of what one occurrence of each word gives in a chunk of average length, the score is one half. */
const HALF = 0.5;

/** A word, with what SQLite's BM25 weighs it by, and what a small index does. */
type Term = { text: string; ranking: number; scoring: number };

/**
 * The chunks that BM25 ranks highest, of those that have all words (`and`), any (`or`), or all first and then any (`auto`).
 * The score is `r / (r + 0.5)`, where `r` is BM25 by what it gives a chunk of average length that has each word of the
 * query once: it does not depend on how rare the words are, and so compares between instances.
 * @param within of which items; undefined: of all
 */
export function searchByKeywords(
  sql: Sql,
  { text, keywordMode }: Pick<SearchQuery, 'text' | 'keywordMode'>,
  within: Bound | undefined,
  limit: number,
): readonly Ranked[] {
  const table = WORDS[getSearchTokenizer(sql)];
  const { terms, chunks } = weighTerms(sql, table, parseQueryTerms(text, getSearchTokenizer(sql)));
  const isSmall = chunks <= SMALL_CHUNKS;
  const most = isSmall ? SMALL_CHUNKS : limit;
  const found = new Map<number, { stage: number; relevance: number }>();
  for (const [stage, match] of listMatchExpressions(terms, keywordMode).entries()) {
    if (found.size >= limit) break;
    for (const { chunk, relevance } of rankMatches(sql, table, match, within, most))
      if (found.size < most && !found.has(chunk)) found.set(chunk, { stage, relevance });
  }
  const possible = terms.reduce((sum, { ranking }) => sum + ranking, 0);
  const ratios = isSmall ? computeMatchRatios(sql, table, terms, [...found.keys()]) : undefined;
  const ranked = [...found].map(([chunk, { stage, relevance }]) => {
    const ratio = ratios === undefined ? relevance / possible : (ratios.get(chunk) ?? 0);
    return { chunk, stage, score: ratio / (ratio + HALF) };
  });
  if (isSmall) ranked.sort((a, b) => a.stage - b.stage || b.score - a.score || a.chunk - b.chunk);
  let lowest = 1;
  // The order stays: what has more of the words stays before what has fewer.
  return ranked.slice(0, limit).map(({ chunk, score }) => ({ chunk, score: (lowest = Math.min(lowest, score)) }));
}

/** What is looked for, one after the other, until there is enough. */
function listMatchExpressions(terms: readonly Term[], mode: SearchQuery['keywordMode']): readonly string[] {
  if (terms.length === 0) return [];
  const all = terms.map(({ text }) => text);
  if (mode === 'and') return [all.join(' AND ')];
  // Words that many chunks have say little and take the longest: chunks that only have those come last.
  const rare = terms.filter(({ ranking }) => ranking > RARE_WEIGHT).map(({ text }) => text);
  const any = rare.length > 0 && rare.length < all.length ? [rare, all] : [all];
  return [...(mode === 'auto' ? [all.join(' AND ')] : []), ...any.map((some) => some.join(' OR '))];
}

/**
 * Words with their weights, where `n` of `N` chunks have one: `ln((N - n + 0.5) / (n + 0.5))` is SQLite's, which is nothing
 * for half of the words of a small index; such an index takes Lucene's `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is always
 * above 0. A word that no chunk has weighs as much as one that one has.
 */
function weighTerms(sql: Sql, table: string, terms: readonly string[]): { terms: readonly Term[]; chunks: number } {
  if (terms.length === 0) return { terms: [], chunks: 0 };
  // One statement for all: each has its price. There are at most 64 words.
  const counts = terms.map((_, at) => `(SELECT count(*) FROM ${table} WHERE ${table} MATCH ?) AS n${at}`);
  const [row = {}] = sql.exec(`SELECT chunks, ${counts.join(', ')} FROM total`, ...terms).toArray();
  const chunks = Number(row['chunks']);
  const weights = terms.map((text, at) => {
    const having = Math.max(Number(row[`n${at}`]), 1);
    const odds = (chunks - having + 0.5) / (having + 0.5);
    return { text, ranking: odds > 1 ? Math.log(odds) : COMMON_WEIGHT, scoring: Math.log1p(odds) };
  });
  return { terms: weights, chunks };
}

/** Chunks with what SQLite's BM25 gives them, the best first. */
function rankMatches(
  sql: Sql,
  table: string,
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

/** What chunks have of what is possible: each word is asked for by itself, and weighed anew. */
function computeMatchRatios(
  sql: Sql,
  table: string,
  terms: readonly Term[],
  chunks: readonly number[],
): ReadonlyMap<number, number> {
  if (chunks.length === 0) return new Map();
  // The plus keeps SQLite from looking up chunk by chunk, and counting a word's chunks each time.
  const query = `SELECT term.key AS term, ${table}.rowid AS chunk, bm25(${table}, ${TITLE_WEIGHT}, 1) AS score
    FROM json_each(?) AS term CROSS JOIN ${table}
    WHERE ${table} MATCH term.value AND +${table}.rowid IN (SELECT value FROM json_each(?))`;
  const texts = JSON.stringify(terms.map(({ text }) => text));
  const possible = terms.reduce((sum, { scoring }) => sum + scoring, 0);
  const ratios = new Map<number, number>();
  for (const row of sql.exec(query, texts, JSON.stringify(chunks))) {
    const { ranking = 1, scoring = 0 } = terms[Number(row['term'])] ?? {};
    const chunk = Number(row['chunk']);
    const gained = (-Number(row['score']) / ranking) * (scoring / possible);
    ratios.set(chunk, (ratios.get(chunk) ?? 0) + gained);
  }
  return ratios;
}
