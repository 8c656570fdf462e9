import type { Resources, StoredRow } from './stored-row.ts';
import type { Binding, Run } from './runner.ts';
import { ADDRESS, ROW, storedRow } from './rows.ts';

/** Counters and names of the rows with a `ref`, in one statement each, however many parents they have. */
const FEWER_BY_REF = `UPDATE counter SET n = n - (SELECT count(*) FROM resource r WHERE r.collection = ? AND r.ref = ?
  AND r.parent = counter.parent) WHERE collection = ? AND parent IN (SELECT parent FROM resource WHERE collection = ? AND ref = ?)`;
const UNNAMED_BY_REF = `DELETE FROM name WHERE (collection, parent, id) IN
  (SELECT collection, parent, id FROM resource WHERE collection = ? AND ref = ?)`;

/** By address: SQLite would look through the whole collection to delete by `ref`. */
const DELETE_BY_REF = `DELETE FROM resource WHERE (collection, parent, id) IN
  (SELECT collection, parent, id FROM resource WHERE collection = ? AND ref = ?) RETURNING parent`;

/** The index is named: SQLite would read all rows below a parent instead, because it takes the order from its own key. */
const REFERRING = 'resource INDEXED BY resource_ref';

const WITH_REF = `SELECT ${ROW} FROM resource WHERE ${ADDRESS} UNION ALL SELECT ${ROW} FROM
  (SELECT ${ROW} FROM ${REFERRING} WHERE collection = ? AND ref = ? AND parent = '' ORDER BY id LIMIT ?)`;

/** What finds rows by the row that they refer to. */
export function referencesIn(run: Run): Pick<Resources, 'byRef' | 'withRef' | 'removeByRef' | 'isWithin'> {
  const rows = (query: string, ...bindings: Binding[]): StoredRow[] => run(query, ...bindings).map(storedRow);
  return {
    byRef: (collection, ref, limit, after = { parent: '', id: '' }) =>
      rows(
        `SELECT ${ROW} FROM ${REFERRING} WHERE collection = ? AND ref = ? AND (parent, id) > (?, ?) ORDER BY parent, id LIMIT ?`,
        collection,
        ref,
        after.parent,
        after.id,
        limit,
      ),
    withRef: ({ collection: own, parent, id }, collection, ref, limit) => {
      const found = rows(WITH_REF, own, parent, id, collection, ref, limit);
      const row = found.find((each) => each.collection === own);
      return { ...(row && { row }), refs: found.filter((each) => each !== row) };
    },
    removeByRef: (collection, ref) => {
      run(FEWER_BY_REF, collection, ref, collection, collection, ref);
      run(UNNAMED_BY_REF, collection, ref);
      const gone = run(DELETE_BY_REF, collection, ref);
      return gone.map(({ parent }) => String(parent));
    },
    // CROSS JOIN keeps the order: from what is known upwards. Else SQLite reads the whole collection at each step.
    isWithin: (collection, from, to) =>
      run(
        `WITH RECURSIVE up (id) AS
           (SELECT ? UNION SELECT r.parent FROM up CROSS JOIN resource r WHERE r.collection = ? AND r.ref = up.id)
         SELECT 1 FROM up WHERE id = ? LIMIT 1`,
        from,
        collection,
        to,
      ).length > 0,
  };
}
