import { describe, expect, test } from 'vitest';
import { type RowEnd, runTable } from './run-table.ts';
import { type Bounds, isFull, type Seen, USUAL } from './shape.ts';
import { loadRows, tables } from './tables.ts';

const loaded = await Promise.all(Object.keys(tables).map(async (name) => ({ name, rows: await loadRows(name) })));
/** For all rows of a table, which share their processes. */
const TABLE_MS = isFull ? 3_600_000 : 600_000;

describe.each(loaded)('hostile $name', ({ name, rows }) => {
  let ends: Promise<readonly RowEnd[]> | undefined;

  test.each(rows.map(({ name: row, bounds }, index) => [row, bounds, index] as const))(
    '%s',
    { timeout: TABLE_MS },
    async (_row, bounds, index) => {
      ends ??= runTable(name, rows.length);
      const end = (await ends)[index];
      if (end === undefined || 'died' in end) throw new Error(end?.died ?? 'it did not run');
      expect(beyond(end.seen, bounds)).toEqual([]);
    },
  );
});

/** What is seen beyond its bounds, one line each. */
function beyond(seen: Seen, { outcomes, ...bounds }: Bounds): readonly string[] {
  const limits: Readonly<Record<string, number>> = { ...USUAL, ...bounds };
  const over = Object.entries(seen).flatMap(([what, value]) => {
    const limit = limits[what];
    return typeof value === 'number' && limit !== undefined && value > limit ? [`${what} ${value} > ${limit}`] : [];
  });
  if (outcomes !== undefined && !outcomes.includes(seen.outcome))
    over.push(`ended as ${seen.outcome}, not ${outcomes.join(' or ')}`);
  return over;
}
