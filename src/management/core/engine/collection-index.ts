import { isText } from '../../../lib/json.ts';
import type { Binding, RunStatement } from '../../../lib/sqlite.ts';
import {
  type ListCursor,
  type PlaceQuery,
  readStoredRow,
  requirePageRoom,
  type Resources,
  selectBody,
} from './stored-row.ts';

/**
 * A collection at the top whose rows are also found by flags of their bodies, and by `ref`, both in the order of `s1`.
 * SQLite keeps the values by itself, of the stored bodies: no write can forget them, and an older store gets them when
 * the index is made.
 */
export type CollectionIndex = {
  collection: string;
  /** Members that are true or not. Their values side by side, such as `0100`, are the state of a row. */
  flags: readonly string[];
};

/** Part of the indexes' names: another one makes the indexes anew, in every store, when it is opened. */
const VERSION = 1;
/** Of the version before; a store that has them is brought up to date. Add those that you replace. */
const OLD_INDEXES: readonly string[] = [];

type Names = { collection: string; state: string; byState: string; byRef: string };

/** Names and expressions of an index. @throws Error for a name that cannot stand in a statement: a bug */
function formatIndexNames({ collection, flags }: CollectionIndex): Names {
  if (![collection, ...flags].every((name) => /^[A-Za-z0-9.]+$/.test(name))) throw new Error(`Index of ${collection}`);
  const name = collection.replaceAll('.', '_');
  return {
    collection,
    state: flags.map((flag) => `iif(json_extract(json, '$.${flag}'), '1', '0')`).join(' || '),
    byState: `${name}_state_${VERSION}`,
    byRef: `${name}_ref_${VERSION}`,
  };
}

/** Statements that make the indexes where they are missing. */
export function createIndexSchema(index: CollectionIndex): string[] {
  const { collection, state, byState, byRef } = formatIndexNames(index);
  return [
    ...OLD_INDEXES.map((name) => `DROP INDEX IF EXISTS ${name}`),
    `CREATE INDEX IF NOT EXISTS ${byState} ON resource (parent, (${state}), s1, id) WHERE collection = '${collection}'`,
    `CREATE INDEX IF NOT EXISTS ${byRef} ON resource (parent, ref, s1, id)
       WHERE collection = '${collection}' AND ref IS NOT NULL`,
  ];
}

/** Jumps from one value to the next, however many rows have it. */
const listStates = ({ collection, state, byState }: Names): string => {
  const from = `FROM resource INDEXED BY ${byState} WHERE collection = '${collection}' AND parent = ''`;
  return `WITH RECURSIVE found (state) AS (SELECT min(${state}) ${from} UNION ALL
    SELECT (SELECT min(${state}) ${from} AND (${state}) > found.state) FROM found WHERE found.state IS NOT NULL)
    SELECT state FROM found WHERE state IS NOT NULL`;
};

/** Rows by their ids, and places in the order of `s1`, by these indexes. */
export function createIndexMethods(
  indexes: readonly CollectionIndex[],
  run: RunStatement,
): Pick<Resources, 'states' | 'places' | 'holding' | 'rowsOf'> {
  const named = new Map(indexes.map((index) => [index.collection, formatIndexNames(index)]));
  const requireIndex = (collection: string): Names => {
    const found = named.get(collection);
    if (found === undefined) throw new Error(`${collection} has no index`);
    return found;
  };
  return {
    states: (collection) => run(listStates(requireIndex(collection))).map((row) => String(row['state'])),
    places: (query) => listPlaces(query, requireIndex(query.collection), run),
    holding: (collection, patterns, by, limit) => {
      const holds = patterns.map(() => ' AND json LIKE ?').join('');
      // The row's own key is the order on disk: in any other, reading all rows costs eight times as much.
      const query = `SELECT ${by} AS sort, id FROM resource WHERE collection = ? AND parent = ''${holds} LIMIT ?`;
      return run(query, collection, ...patterns, limit).map(readPlace);
    },
    rowsOf: (collection, ids, members) => {
      const body = selectBody(members, 'r.json');
      // CROSS JOIN: each id is looked up, in this order.
      const query = `SELECT r.id, r.revision, ${body.sql} AS json FROM json_each(?) k
        CROSS JOIN resource r WHERE r.collection = ? AND r.parent = '' AND r.id = k.value`;
      const rows = run(query, ...body.bindings, JSON.stringify(ids), collection);
      requirePageRoom(rows);
      return rows.map((row) => readStoredRow(row, { collection, parent: '' }));
    },
  };
}

function listPlaces({ by, value, sort, descending, after, limit }: PlaceQuery, names: Names, run: RunStatement) {
  const [index, column] = by === 'state' ? [names.byState, `(${names.state})`] : [names.byRef, 'ref'];
  const where = [`collection = '${names.collection}'`, "parent = ''", `${column} = ?`];
  const bindings: Binding[] = [value];
  const direction = descending === true ? 'DESC' : 'ASC';
  if (after !== undefined) {
    where.push(`(s1, id) ${descending === true ? '<' : '>'} (?, ?)`);
    bindings.push(after.sort, after.id);
  }
  const order = `ORDER BY s1 ${direction}, id ${direction}`;
  const query = `SELECT ${sort ?? 's1'} AS sort, id FROM resource INDEXED BY ${index} WHERE ${where.join(' AND ')} ${order} LIMIT ?`;
  return run(query, ...bindings, limit).map(readPlace);
}

const readPlace = ({ sort, id }: Record<string, unknown>): ListCursor => ({
  sort: isText(sort) ? sort : '',
  id: String(id),
});
