import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import { type SearchQuery, parseTimeMs } from '../order.ts';
import { castValue } from '../metadata.ts';
import type { FoundChunk } from '../search-object.ts';
import { type Bound, buildItemFilter } from './filter-sql.ts';
import type { NewChunk } from './item.ts';
import { type KeywordTools, searchByKeywords, type Ranked } from './keyword.ts';
import { readMetadata, CHUNK_NUMBERS } from './tables.ts';
import { searchByVector } from './vectors.ts';

type Boost = SearchQuery['boosts'][number];
type Value = string | number | boolean | undefined;

/** Of one search. */
const MAX_BOOSTS = 3;
const ITEMS = 'SELECT n, modified_ms, metadata FROM item WHERE n IN (SELECT value FROM json_each(?))';

/**
 * What each boost gives a chunk, 0 to 1. `exists` and `not_exists` give 1 or nothing; of numbers and times, among those of
 * what was found, the first in order gives 1, the last of `n` 1/n, and none nothing.
 */
function computeBoosts(
  sql: Sql,
  boosts: readonly Boost[],
  found: readonly Ranked[],
): readonly ((chunk: number) => number)[] {
  if (boosts.length === 0) return [];
  const numbers = [...new Set(found.map(({ chunk }) => getItemNumber(chunk)))];
  const items = sql.exec(ITEMS, JSON.stringify(numbers)).toArray();
  return boosts.slice(0, MAX_BOOSTS).map((boost) => {
    const given = computeBoostByItem(boost, items);
    return (chunk) => given.get(getItemNumber(chunk)) ?? 0;
  });
}

const getItemNumber = (chunk: number): number => Math.floor(chunk / CHUNK_NUMBERS);

function computeBoostByItem(boost: Boost, items: readonly SqlRow[]): ReadonlyMap<number, number> {
  const { direction } = boost;
  const values = items.map((row): [number, Value] => [Number(row['n']), readBoostValue(row, boost)]);
  if (direction === 'exists' || direction === 'not_exists') {
    const isThere = direction === 'exists';
    return new Map(values.map(([n, value]) => [n, (value !== undefined) === isThere ? 1 : 0]));
  }
  const numbers = values.flatMap(([n, value]): [number, number][] => (typeof value === 'number' ? [[n, value]] : []));
  const sign = direction === 'asc' ? 1 : -1;
  const order = [...new Set(numbers.map(([, value]) => value))].toSorted((a, b) => sign * (a - b));
  const shareOf = new Map(order.map((value, at) => [value, (order.length - at) / order.length]));
  return new Map(numbers.map(([n, value]) => [n, shareOf.get(value) ?? 0]));
}

/** A value as one of the type that its field has now, which may be another than when it was stored; times in milliseconds. */
function readBoostValue(row: SqlRow, { field, type }: Boost): Value {
  if (field === 'timestamp') return Number(row['modified_ms']);
  const metadata = readMetadata(row['metadata']);
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
  if (value === undefined) return undefined;
  return type === 'datetime' ? parseTimeMs(value) : castValue(value, type);
}

/** A chunk with what each part of a search says of it. Ranks are counted from 1. */
type Fused = Ranked & {
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
export function fuseRankings(
  keyword: readonly Ranked[],
  vector: readonly Ranked[],
  method: 'rrf' | 'max',
): readonly Fused[] {
  const found = new Map<number, Omit<Fused, 'score' | 'chunk'>>();
  for (const [at, { chunk, score }] of keyword.entries()) found.set(chunk, { keyword: { score, rank: at + 1 } });
  for (const [at, { chunk, score }] of vector.entries())
    found.set(chunk, { ...found.get(chunk), vector: { score, rank: at + 1 } });
  const scoreOf = method === 'rrf' ? fuseByRank : fuseByScore;
  return [...found].map(([chunk, parts]) => ({ chunk, score: scoreOf(parts), ...parts })).toSorted(compareByScore);
}

/** One list as it is. */
export const scoreSingleList = (list: readonly Ranked[], part: 'keyword' | 'vector'): readonly Fused[] =>
  list.map((each, at) => ({ ...each, [part]: { score: each.score, rank: at + 1 } }));

/**
 * A list with boosts: what they give is added to the scores, and both brought back to 0 to 1. Chunks whose scores differ by
 * less than what boosts give change places.
 * @param boosts what each gives a chunk, 0 to 1
 */
export function applyBoosts(list: readonly Fused[], boosts: readonly ((chunk: number) => number)[]): readonly Fused[] {
  if (boosts.length === 0) return list;
  const given = (chunk: number): number => boosts.reduce((sum, boost) => sum + boost(chunk), 0) / boosts.length;
  return list
    .map((one) => ({ ...one, score: (one.score + BOOST_WEIGHT * given(one.chunk)) / (1 + BOOST_WEIGHT) }))
    .toSorted(compareByScore);
}

const fuseByRank = ({ keyword, vector }: Omit<Fused, 'score' | 'chunk'>): number =>
  (computeReciprocalRank(keyword?.rank) + computeReciprocalRank(vector?.rank)) / (2 * computeReciprocalRank(1));

const fuseByScore = ({ keyword, vector }: Omit<Fused, 'score' | 'chunk'>): number =>
  Math.max(keyword?.score ?? 0, vector?.score ?? 0);

const computeReciprocalRank = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (K + rank));

const compareByScore = (a: Ranked, b: Ranked): number => b.score - a.score || a.chunk - b.chunk;

type Piece = Pick<NewChunk, 'text' | 'startByte' | 'endByte'>;

const AROUND = 'SELECT start_byte, end_byte, text FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id';

/** The text of a chunk with that of so many before and behind it in its item; what they share is there once. */
function expandChunkText(sql: Sql, chunk: number, expansion: number): string {
  const position = chunk % CHUNK_NUMBERS;
  const first = chunk - Math.min(position, expansion);
  const last = chunk + Math.min(CHUNK_NUMBERS - 1 - position, expansion);
  const rows = sql.exec(AROUND, first, last).toArray();
  return joinPieces(
    rows.map((row) => ({
      text: String(row['text']),
      startByte: Number(row['start_byte']),
      endByte: Number(row['end_byte']),
    })),
  );
}

/** Texts in their order as one; a line break marks where something between them is missing. */
export function joinPieces(pieces: readonly Piece[]): string {
  let end: number | undefined;
  const texts: string[] = [];
  for (const { text, startByte, endByte } of pieces) {
    if (end === undefined) texts.push(text);
    else if (startByte > end) texts.push('\n', text);
    else if (endByte > end) texts.push(dropLeadingBytes(text, end - startByte));
    end = Math.max(end ?? 0, endByte);
  }
  return texts.join('');
}

const dropLeadingBytes = (text: string, bytes: number): string =>
  bytes === 0
    ? text
    : new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(
        new TextEncoder().encode(text).subarray(bytes),
      );

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
export function search(tools: KeywordTools, query: SearchQuery, queryVector?: Float32Array): FoundChunk[] {
  const { sql } = tools;
  if (query.type === 'vector' && queryVector === undefined)
    throw new Error('A search by vector needs one of the query');
  const within = query.filter && buildItemFilter(query.filter);
  const candidates = selectCandidates(tools, query, within, queryVector);
  const ranked = applyBoosts(candidates, computeBoosts(sql, query.boosts, candidates));
  const isFused = query.type === 'hybrid' && queryVector !== undefined;
  return ranked
    .slice(0, Math.min(query.maxResults, MAX_RESULTS))
    .flatMap((one) => buildFoundChunk(sql, one, query, isFused));
}

function selectCandidates(
  tools: KeywordTools,
  query: SearchQuery,
  within: Bound | undefined,
  queryVector: Float32Array | undefined,
): readonly Fused[] {
  const { type, threshold, fusion } = query;
  const isFused = type === 'hybrid' && queryVector !== undefined;
  const limit = isFused || query.boosts.length > 0 ? CANDIDATES : Math.min(query.maxResults, MAX_RESULTS);
  const vector =
    queryVector === undefined || type === 'keyword'
      ? []
      : searchByVector(tools.sql, queryVector, within, threshold, limit);
  if (type === 'vector') return scoreSingleList(vector, 'vector');
  const keyword = searchByKeywords(tools, query, within, limit);
  return isFused ? fuseRankings(keyword, vector, fusion) : scoreSingleList(keyword, 'keyword');
}

function buildFoundChunk(
  sql: Sql,
  { chunk, score, keyword, vector }: Fused,
  { fusion, expansion, showsText }: SearchQuery,
  isFused: boolean,
): FoundChunk[] {
  const [row] = sql.exec(FOUND, chunk).toArray();
  if (row === undefined) return [];
  const around = Math.min(expansion, MAX_EXPANSION);
  const text = (): string => (around > 0 ? expandChunkText(sql, chunk, around) : String(row['text']));
  return [
    {
      id: `${String(row['id'])}-${chunk % CHUNK_NUMBERS}`,
      type: 'text',
      score,
      text: showsText ? text() : '',
      item: {
        key: String(row['key']),
        timestamp: Number(row['modified_ms']),
        metadata: readMetadata(row['metadata']),
      },
      scoring: {
        ...(keyword && { keyword_score: keyword.score, keyword_rank: keyword.rank }),
        ...(vector && { vector_score: vector.score, vector_rank: vector.rank }),
        ...(isFused && { fusion_method: fusion }),
      },
    },
  ];
}
