import { requireKey } from './keys.ts';
import type { Address, Resources } from './stored-row.ts';
import type { Run } from './runner.ts';
import { ADDRESS, storedRow } from './rows.ts';

const JOINED = `SELECT r.collection, r.parent, r.id, r.revision, r.json, n.is_primary FROM name n JOIN resource r
  ON r.collection = n.collection AND r.parent = n.parent AND r.id = n.id WHERE n.namespace = ? AND n.name = ?`;
const INSERT = 'INSERT INTO name VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING name';

/** Names that are unique in a namespace of the tenant, and the rows that have them. */
export function namesIn(run: Run): Pick<Resources, 'named' | 'name' | 'unname' | 'namesOf' | 'hasNameEnding'> {
  return {
    named: (namespace, name) => {
      const [found] = run(JOINED, namespace, name);
      return found && { row: storedRow(found), primary: found['is_primary'] === 1 };
    },
    name: (namespace, name, { collection, parent, id }: Address, primary = true) => {
      requireKey(name, namespace);
      return run(INSERT, namespace, name, collection, parent, id, primary ? 1 : 0).length > 0;
    },
    unname: (namespace, name) =>
      run('DELETE FROM name WHERE namespace = ? AND name = ? RETURNING name', namespace, name).length > 0,
    hasNameEnding: (namespace, end) =>
      run('SELECT 1 FROM name WHERE namespace = ? AND substr(name, -length(?)) = ? LIMIT 1', namespace, end, end)
        .length > 0,
    namesOf: ({ collection, parent, id }, namespace) =>
      run(
        `SELECT name, is_primary FROM name WHERE ${ADDRESS} AND namespace = ? ORDER BY name`,
        collection,
        parent,
        id,
        namespace,
      ).map((row) => ({ name: String(row['name']), primary: row['is_primary'] === 1 })),
  };
}
