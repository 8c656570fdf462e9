import { refuse } from '../../../lib/refusal.ts';
import type { Cursor, Listed, ListQuery } from './stored-row.ts';
import type { Binding, Run } from './runner.ts';
import { ROW, storedRow } from './rows.ts';

/** Column names come from here only (rule K9). */
const SORT_COLUMNS = { id: 'id', s1: 's1', s2: 's2', s3: 's3' } as const;
/** Nothing that begins with a prefix comes after the prefix and this. */
const LAST = '\u{10FFFF}';
/** Characters of all rows of one page (rule K9): what fits into an answer between Worker and object. */
const MAX_PAGE_CHARS = 8_000_000;

type Part = { where: string; bindings: Binding[] };

/**
 * One page in one statement, by an index: only rows that are shown are read, however many have the same sort value.
 * @throws Refusal where so many rows are larger than an answer may be
 */
export function listed(query: ListQuery, run: Run): Listed[] {
  const column = SORT_COLUMNS[query.order?.by ?? 'id'];
  const direction = query.order?.descending === true ? 'DESC' : 'ASC';
  const by = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
  const parts = continued(query, column);
  // Left to itself SQLite may walk the primary key, and read every row of the parent.
  const index = column === 'id' ? '' : ` INDEXED BY resource_${column}`;
  const selects = parts.map(
    ({ where }) =>
      `SELECT * FROM (SELECT ${ROW}, ${column} AS sort FROM resource${index} WHERE ${where} ORDER BY ${by} LIMIT ?)`,
  );
  const bindings = parts.flatMap((part) => [...part.bindings, query.limit]);
  const rows = run(`${selects.join(' UNION ALL ')} LIMIT ?`, ...bindings, query.limit);
  const chars = rows.reduce((sum, row) => sum + String(row['json']).length, 0);
  if (chars > MAX_PAGE_CHARS && rows.length > 1) throw refuse.limitExceeded('The page is too large: ask for fewer');
  return rows.map((row, place) => ({ row: storedRow(row), cursor: cursorOf(row, rows[place + 1]) }));
}

function cursorOf(row: Record<string, unknown>, next: Record<string, unknown> | undefined): Cursor {
  const cursor = { sort: String(row['sort']), id: String(row['id']) };
  return next !== undefined && next['sort'] !== row['sort'] ? { ...cursor, isLast: true } : cursor;
}

/**
 * Where the page is. After a cursor two parts follow each other: the rest of those with the same sort value, and what has
 * a later one. As one condition SQLite would read all with the same value from the beginning.
 */
function continued(query: ListQuery, column: (typeof SORT_COLUMNS)[keyof typeof SORT_COLUMNS]): Part[] {
  const { collection, parent, order, after, prefix } = query;
  const compare = order?.descending === true ? '<' : '>';
  const where = ['collection = ? AND parent = ?'];
  const bindings: Binding[] = [collection, parent];
  if (column !== 'id') where.push(`${column} IS NOT NULL`);
  if (prefix !== undefined) {
    where.push(`${column} >= ? AND ${column} < ?`);
    bindings.push(prefix, `${prefix}${LAST}`);
  }
  const and = (condition: string, ...more: Binding[]): Part => ({
    where: [...where, condition].join(' AND '),
    bindings: [...bindings, ...more],
  });
  if (after === undefined) return [{ where: where.join(' AND '), bindings }];
  if (column === 'id') return [and(`id ${compare} ?`, after.id)];
  const later = and(`${column} ${compare} ?`, after.sort);
  if (after.isLast === true) return [later];
  return [and(`${column} = ? AND id ${compare} ?`, after.sort, after.id), later];
}
