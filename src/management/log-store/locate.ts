import type { Sql } from '../../lib/sqlite.ts';
import type { Open, Way } from './stream-merge.ts';

/** By index and direction, and whether the first place itself is left out. Texts have no values in them (rule K9). */
const locates = (index: string, where: string) => {
  const text = (compare: string, end: string, direction: string): string =>
    `SELECT lane.key AS lane, entry.ts AS ts, entry.insert_id AS insert_id FROM json_each(?) AS lane
     CROSS JOIN entry ON entry.seq = (SELECT next.seq FROM entry AS next INDEXED BY ${index}
       WHERE ${where}next.stream = lane.value ->> 0 AND (next.ts, next.insert_id) ${compare} (lane.value ->> 1, ?)
       AND next.ts ${end} lane.value ->> 2 ORDER BY next.ts ${direction}, next.insert_id ${direction} LIMIT 1)`;
  return {
    ascending: { from: text('>=', '<', 'ASC'), after: text('>', '<', 'ASC') },
    descending: { from: text('<=', '>=', 'DESC'), after: text('<', '>=', 'DESC') },
  };
};
const ofStream = locates('entry_place', '');
const ofTrace = locates('entry_trace', 'next.trace = lane.value ->> 3 AND ');

/**
 * Finds the places of the next rows of many lanes by few statements: one look into the index for each lane, and no entry.
 * @returns lanes that have a row, each at it
 */
export function located(opens: readonly Open[], way: Way, sql: Sql): readonly Open[] {
  const groups = new Map<string, Open[]>();
  for (const open of opens) {
    const key = JSON.stringify([open.lane.trace === undefined, open.isAfter, open.at.insertId]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [open]);
    else group.push(open);
  }
  return [...groups.values()].flatMap((group) => locatedAlike(group, way, sql));
}

/** Of lanes that differ in stream, trace and times only. */
function locatedAlike(opens: readonly Open[], { isDescending, spent }: Way, sql: Sql): Open[] {
  const [first] = opens;
  if (first === undefined) return [];
  const texts = (first.lane.trace === undefined ? ofStream : ofTrace)[isDescending ? 'descending' : 'ascending'];
  const lanes = opens.map(({ lane: { stream, from, until, trace }, at }) => [
    stream.id,
    at.ts,
    isDescending ? from : until,
    ...(trace === undefined ? [] : [trace]),
  ]);
  spent.statements += 1;
  const found: Open[] = [];
  const rows = sql.exec(first.isAfter ? texts.after : texts.from, JSON.stringify(lanes), first.at.insertId);
  for (const row of rows) {
    const open = opens[Number(row['lane'])];
    if (open === undefined) continue;
    const { container } = open.lane.stream;
    open.at = { ts: String(row['ts']), insertId: String(row['insert_id']), container };
    open.isAfter = false;
    found.push(open);
  }
  return found;
}
