import type { SearchQuery } from '../order.ts';
import type { Sql } from '../../lib/sqlite.ts';
import type { FoundChunk } from '../search-object.ts';
import { boostsOf } from './boosts.ts';
import { expandedText } from './expansion.ts';
import { type Bound, itemsThatFit } from './filter-sql.ts';
import { alone, boosted, type Fused, fused } from './fusion.ts';
import { byKeywords } from './keyword.ts';
import { metadataIn } from './rows.ts';
import { CHUNK_NUMBERS } from './tables.ts';
import { byVector } from './vectors.ts';

/** Chunks that each part of a search hands to the other, and to boosts. One that has neither ranks what it shows. */
const CANDIDATES = 200;
export const MAX_RESULTS = 50;
export const MAX_EXPANSION = 3;

const FOUND = `SELECT item.id, item.key, item.modified_ms, item.metadata, chunk.text FROM chunk
  JOIN item ON item.n = chunk.id / 1000000 WHERE chunk.id = ?`;

/**
 * The chunks that answer a query best, those first. `hybrid` without a vector of the query goes by words alone. The
 * threshold is one of vectors: it leaves out nothing that is found by words.
 * @param queryVector of the query's text, by the model that the chunks have theirs of
 * @throws Error for `vector` without one
 */
export function search(sql: Sql, query: SearchQuery, queryVector?: Float32Array): FoundChunk[] {
  if (query.type === 'vector' && queryVector === undefined)
    throw new Error('A search by vector needs one of the query');
  const within = query.filter && itemsThatFit(query.filter);
  const candidates = candidatesOf(sql, query, within, queryVector);
  const ranked = boosted(candidates, boostsOf(sql, query.boosts, candidates));
  const isFused = query.type === 'hybrid' && queryVector !== undefined;
  return ranked.slice(0, Math.min(query.maxResults, MAX_RESULTS)).flatMap((one) => shown(sql, one, query, isFused));
}

function candidatesOf(
  sql: Sql,
  query: SearchQuery,
  within: Bound | undefined,
  queryVector: Float32Array | undefined,
): readonly Fused[] {
  const { type, threshold, fusion } = query;
  const isFused = type === 'hybrid' && queryVector !== undefined;
  const limit = isFused || query.boosts.length > 0 ? CANDIDATES : Math.min(query.maxResults, MAX_RESULTS);
  const vector =
    queryVector === undefined || type === 'keyword' ? [] : byVector(sql, queryVector, within, threshold, limit);
  if (type === 'vector') return alone(vector, 'vector');
  const keyword = byKeywords(sql, query, within, limit);
  return isFused ? fused(keyword, vector, fusion) : alone(keyword, 'keyword');
}

function shown(
  sql: Sql,
  { chunk, score, keyword, vector }: Fused,
  { fusion, expansion, showsText }: SearchQuery,
  isFused: boolean,
): FoundChunk[] {
  const [row] = sql.exec(FOUND, chunk).toArray();
  if (row === undefined) return [];
  const around = Math.min(expansion, MAX_EXPANSION);
  const text = (): string => (around > 0 ? expandedText(sql, chunk, around) : String(row['text']));
  return [
    {
      id: `${String(row['id'])}-${chunk % CHUNK_NUMBERS}`,
      type: 'text',
      score,
      text: showsText ? text() : '',
      item: {
        key: String(row['key']),
        timestamp: Number(row['modified_ms']),
        metadata: metadataIn(row['metadata']),
      },
      scoring: {
        ...(keyword && { keyword_score: keyword.score, keyword_rank: keyword.rank }),
        ...(vector && { vector_score: vector.score, vector_rank: vector.rank }),
        ...(isFused && { fusion_method: fusion }),
      },
    },
  ];
}
