import type { SearchQuery } from '../../management/aisearch/order.ts';
import type { Sql, SqlRow } from '../../management/engine/sql.ts';
import type { Ranked } from './keyword.ts';
import { metadataIn, pathOfKey } from './rows.ts';
import { CHUNK_NUMBERS } from './tables.ts';

type Boost = SearchQuery['boosts'][number];
type Value = string | number | boolean | undefined;

/** Of one search. */
export const MAX_BOOSTS = 10;
const ITEMS = 'SELECT n, key, modified_ms, metadata FROM item WHERE n IN (SELECT value FROM json_each(?))';

/** The rank of a chunk by each boost, from 1, among those that were found; chunks of equal value share theirs. */
export function boostsOf(
  sql: Sql,
  boosts: readonly Boost[],
  found: readonly Ranked[],
): readonly ((chunk: number) => number | undefined)[] {
  if (boosts.length === 0) return [];
  const numbers = [...new Set(found.map(({ chunk }) => itemOf(chunk)))];
  const items = sql.exec(ITEMS, JSON.stringify(numbers)).toArray();
  return boosts.slice(0, MAX_BOOSTS).map((boost) => {
    const ranks = ranksBy(boost, items);
    return (chunk) => ranks.get(itemOf(chunk));
  });
}

const itemOf = (chunk: number): number => Math.floor(chunk / CHUNK_NUMBERS);

function ranksBy({ field, direction }: Boost, items: readonly SqlRow[]): ReadonlyMap<number, number> {
  const values = items.map((row): [number, Value] => [Number(row['n']), valueOf(row, field)]);
  if (direction === 'exists' || direction === 'not_exists') {
    const isThere = direction === 'exists';
    return new Map(values.filter(([, value]) => (value !== undefined) === isThere).map(([n]) => [n, 1]));
  }
  const numbers = values.flatMap(([n, value]): [number, number][] => (typeof value === 'number' ? [[n, value]] : []));
  const sign = direction === 'asc' ? 1 : -1;
  const order = [...new Set(numbers.map(([, value]) => value))].toSorted((a, b) => sign * (a - b));
  const rankOf = new Map(order.map((value, at) => [value, at + 1]));
  return new Map(numbers.map(([n, value]) => [n, rankOf.get(value) ?? order.length]));
}

function valueOf(row: SqlRow, field: string): Value {
  if (field === 'timestamp') return Number(row['modified_ms']);
  if (field === 'filename' || field === 'folder') return pathOfKey(String(row['key']))[field];
  const metadata = metadataIn(row['metadata']);
  return Object.hasOwn(metadata, field) ? metadata[field] : undefined;
}
