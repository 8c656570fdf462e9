import { timeOf } from '../filter-values.ts';
import { typedValue } from '../metadata.ts';
import type { SearchQuery } from '../order.ts';
import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import type { Ranked } from './keyword.ts';
import { metadataIn } from './rows.ts';
import { CHUNK_NUMBERS } from './tables.ts';

type Boost = SearchQuery['boosts'][number];
type Value = string | number | boolean | undefined;

/** Of one search. */
export const MAX_BOOSTS = 3;
const ITEMS = 'SELECT n, modified_ms, metadata FROM item WHERE n IN (SELECT value FROM json_each(?))';

/**
 * What each boost gives a chunk, 0 to 1. `exists` and `not_exists` give 1 or nothing; of numbers and times, among those of
 * what was found, the first in order gives 1, the last of `n` 1/n, and none nothing.
 */
export function boostsOf(
  sql: Sql,
  boosts: readonly Boost[],
  found: readonly Ranked[],
): readonly ((chunk: number) => number)[] {
  if (boosts.length === 0) return [];
  const numbers = [...new Set(found.map(({ chunk }) => itemOf(chunk)))];
  const items = sql.exec(ITEMS, JSON.stringify(numbers)).toArray();
  return boosts.slice(0, MAX_BOOSTS).map((boost) => {
    const given = givenBy(boost, items);
    return (chunk) => given.get(itemOf(chunk)) ?? 0;
  });
}

const itemOf = (chunk: number): number => Math.floor(chunk / CHUNK_NUMBERS);

function givenBy(boost: Boost, items: readonly SqlRow[]): ReadonlyMap<number, number> {
  const { direction } = boost;
  const values = items.map((row): [number, Value] => [Number(row['n']), valueOf(row, boost)]);
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
function valueOf(row: SqlRow, { field, type }: Boost): Value {
  if (field === 'timestamp') return Number(row['modified_ms']);
  const metadata = metadataIn(row['metadata']);
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
  if (value === undefined) return undefined;
  return type === 'datetime' ? timeOf(value) : typedValue(value, type);
}
