import type { SearchQuery } from '../../management/aisearch/order.ts';
import type { Sql } from '../../management/engine/sql.ts';
import type { Bound } from './filter-sql.ts';
import { tokenizerIn, WORDS } from './tables.ts';
import { termsOf } from './words.ts';

/** A chunk by its number, with a score of 0 to 1. Lists have the best first. */
export type Ranked = { chunk: number; score: number };

/** A word of the title counts as this many of the text. */
const TITLE_WEIGHT = 3;
/** SQLite's BM25 weighs words that are in more than half of the rows with this. */
const COMMON_WEIGHT = 1e-6;
/** What a word weighs that a fifth of the chunks have: `ln((1 - 1/5) / (1/5))`. */
const RARE_WEIGHT = Math.log(4);
/** At this part of what one occurrence of each word gives in a chunk of average length, the score is one half. */
const HALF = 0.5;

type Term = { text: string; weight: number };

/**
 * The chunks that BM25 ranks highest, of those that have all words (`and`), any (`or`), or all first and then any (`auto`).
 * The score is `r / (r + 0.5)`, where `r` is BM25 by what it gives a chunk of average length that has each word of the
 * query once: it does not depend on how rare the words are, and so compares between instances.
 * @param within of which items; undefined: of all
 */
export function byKeywords(
  sql: Sql,
  { text, keywordMode }: Pick<SearchQuery, 'text' | 'keywordMode'>,
  within: Bound | undefined,
  limit: number,
): readonly Ranked[] {
  const table = WORDS[tokenizerIn(sql)];
  const terms = weighed(sql, table, termsOf(text, tokenizerIn(sql)));
  const possible = terms.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Map<number, number>();
  let lowest = 1;
  for (const match of matchesOf(terms, keywordMode)) {
    if (found.size >= limit) break;
    const before = lowest;
    for (const { chunk, relevance } of rankedBy(sql, table, match, within, limit)) {
      if (found.has(chunk) || found.size >= limit) continue;
      const ratio = relevance / possible;
      // What has more of the words stays before what has fewer.
      const score = Math.min(before, ratio / (ratio + HALF));
      found.set(chunk, score);
      lowest = Math.min(lowest, score);
    }
  }
  return [...found].map(([chunk, score]) => ({ chunk, score }));
}

/** What is looked for, one after the other, until there is enough. */
function matchesOf(terms: readonly Term[], mode: SearchQuery['keywordMode']): readonly string[] {
  if (terms.length === 0) return [];
  const all = terms.map(({ text }) => text);
  if (mode === 'and') return [all.join(' AND ')];
  // Words that many chunks have say little and take the longest: chunks that only have those come last.
  const rare = terms.filter(({ weight }) => weight > RARE_WEIGHT).map(({ text }) => text);
  const any = rare.length > 0 && rare.length < all.length ? [rare, all] : [all];
  return [...(mode === 'auto' ? [all.join(' AND ')] : []), ...any.map((some) => some.join(' OR '))];
}

/** Words with what SQLite's BM25 weighs them by: `ln((N - n + 0.5) / (n + 0.5))` where `n` of `N` chunks have them. */
function weighed(sql: Sql, table: string, terms: readonly string[]): readonly Term[] {
  if (terms.length === 0) return [];
  // One statement for all: each has its price. There are at most 64 words.
  const counts = terms.map((_, at) => `(SELECT count(*) FROM ${table} WHERE ${table} MATCH ?) AS n${at}`);
  const [row = {}] = sql.exec(`SELECT chunks, ${counts.join(', ')} FROM total`, ...terms).toArray();
  const chunks = Number(row['chunks']);
  return terms.map((text, at) => {
    const having = Number(row[`n${at}`]);
    const weight = Math.log((chunks - having + 0.5) / (having + 0.5));
    return { text, weight: weight > 0 ? weight : COMMON_WEIGHT };
  });
}

function rankedBy(
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
