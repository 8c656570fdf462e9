import type { Address, Listed, NewName, NewRow, Resources, StoredRow } from '../core/engine/stored-row.ts';
import { addressOf } from '../core/engine/rows.ts';

/** A store that keeps new rows and names back, and what it read, until `flush`. */
export type Buffered = { store: Resources; flush: () => void };

type Named = ReturnType<Resources['named']>;

/** What is kept back, and what was read. */
type Buffer = {
  store: Resources;
  rows: Map<string, NewRow>;
  /** Collections of these rows. */
  newIn: Set<string>;
  names: Map<string, NewName>;
  namesByOwner: Map<string, NewName[]>;
  seenRows: Map<string, StoredRow | undefined>;
  seenNames: Map<string, Named>;
  seenLists: Map<string, readonly Listed[]>;
  counts: Map<string, number>;
};

/**
 * A face of the store for making many rows: inserts and names are collected and written in a few statements, and what is
 * read twice is read once. Whatever else writes or ranges over rows writes what was collected first. Revisions of new rows
 * are not known before `flush`: they read 0. `flush` throws where an address or a name is taken.
 */
export function buffered(store: Resources): Buffered {
  const buffer: Buffer = {
    store,
    rows: new Map(),
    newIn: new Set(),
    names: new Map(),
    namesByOwner: new Map(),
    seenRows: new Map(),
    seenNames: new Map(),
    seenLists: new Map(),
    counts: new Map(),
  };
  const flush = (): void => {
    const { rows, newIn, names, namesByOwner, seenRows, seenNames, seenLists, counts } = buffer;
    store.insertMany([...rows.values()], [...names.values()]);
    for (const each of [rows, newIn, names, namesByOwner, seenRows, seenNames, seenLists, counts]) each.clear();
  };
  const face = {
    ...afterFlush(store, flush),
    ...rowsIn(buffer),
    ...namesOfBuffer(buffer, flush),
    list: listIn(buffer, flush),
    byRef: byRefIn(buffer, flush),
  };
  return { flush, store: { ...face, withRef: withRefIn(face) } };
}

/** Without a flush where the collection is empty: each user that is made asks so for aliases of the domain. */
function withRefIn(face: Resources): Resources['withRef'] {
  return (address, collection, ref, limit) => {
    if (face.count(collection, '') > 0) return face.withRef(address, collection, ref, limit);
    const row = face.get(address.collection, address.parent, address.id);
    return { ...(row && { row }), refs: [] };
  };
}

function rowsIn({
  store,
  rows,
  newIn,
  seenRows,
  seenNames,
  seenLists,
  counts,
}: Buffer): Pick<Resources, 'get' | 'insert' | 'put' | 'count'> {
  const countKey = (collection: string, parent: string): string => JSON.stringify([collection, parent]);
  return {
    get: (collection, parent, id) => {
      const key = keyOf({ collection, parent, id });
      const made = rows.get(key);
      return made === undefined ? cached(seenRows, key, () => store.get(collection, parent, id)) : storedOf(made);
    },
    insert: (row) => {
      const key = keyOf(row);
      if (rows.has(key) || seenRows.get(key) !== undefined) return undefined;
      const known = counts.get(countKey(row.collection, row.parent));
      if (known !== undefined) counts.set(countKey(row.collection, row.parent), known + 1);
      newIn.add(row.collection);
      rows.set(key, row);
      return storedOf(row);
    },
    put: (row) => {
      const key = keyOf(row);
      if (rows.has(key)) {
        rows.set(key, row);
        return storedOf(row);
      }
      const stored = store.put(row);
      seenRows.set(key, stored);
      seenNames.clear();
      seenLists.clear();
      return stored;
    },
    count: (collection, parent) => {
      const made = (): number =>
        [...rows.values()].filter((row) => row.collection === collection && row.parent === parent).length;
      return cached(counts, countKey(collection, parent), () => store.count(collection, parent) + made());
    },
  };
}

/** A list of rows of which none is kept back needs no flush, and is read once. */
function listIn({ store, newIn, seenLists }: Buffer, flush: () => void): Resources['list'] {
  return (query) => {
    if (newIn.has(query.collection)) flush();
    return cached(seenLists, JSON.stringify(query), () => store.list(query));
  };
}

/** The same for rows by what they refer to: each user that is made asks so for memberships of the address. */
function byRefIn({ store, newIn }: Buffer, flush: () => void): Resources['byRef'] {
  return (collection, ...rest) => {
    if (newIn.has(collection)) flush();
    return store.byRef(collection, ...rest);
  };
}

function namesOfBuffer(buffer: Buffer, flush: () => void): Pick<Resources, 'named' | 'name' | 'namesOf'> {
  const { store, rows, names, namesByOwner, seenRows, seenNames } = buffer;
  const rowOf = ({ collection, parent, id }: Address): StoredRow | undefined => {
    const key = keyOf({ collection, parent, id });
    const made = rows.get(key);
    return made === undefined ? cached(seenRows, key, () => store.get(collection, parent, id)) : storedOf(made);
  };
  const named: Resources['named'] = (namespace, name) => {
    const key = JSON.stringify([namespace, name]);
    const made = names.get(key);
    if (made === undefined) return cached(seenNames, key, () => store.named(namespace, name));
    const row = rowOf(made.owner);
    return row && { row, primary: made.primary };
  };
  return {
    named,
    name: (namespace, text, owner, primary = true) => {
      if (named(namespace, text) !== undefined) return false;
      const made = { namespace, name: text, owner: addressOf(owner), primary };
      names.set(JSON.stringify([namespace, text]), made);
      namesByOwner.set(keyOf(owner), [...(namesByOwner.get(keyOf(owner)) ?? []), made]);
      return true;
    },
    namesOf: (owner, namespace) => {
      if (!rows.has(keyOf(owner))) {
        flush();
        return store.namesOf(owner, namespace);
      }
      const own = (namesByOwner.get(keyOf(owner)) ?? []).filter((each) => each.namespace === namespace);
      return own.map(({ name, primary }) => ({ name, primary })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

/** Every method of the store, each after what was collected is written; but those that touch no row. */
function afterFlush(store: Resources, flush: () => void): Resources {
  const later =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      flush();
      return work(...args);
    };
  const methods = Object.entries(store).map(([name, work]) => [name, later(work as (...args: unknown[]) => unknown)]);
  const flushing = Object.fromEntries(methods) as unknown as Resources; // The same members, each after a flush.
  const { statements, statementsLeft, bounded } = store;
  return { ...flushing, statements, statementsLeft, bounded };
}

const keyOf = ({ collection, parent, id }: Address): string => JSON.stringify([collection, parent, id]);

const storedOf = (row: NewRow): StoredRow => ({ ...addressOf(row), body: row.body, revision: 0 });

function cached<T>(known: Map<string, T>, key: string, read: () => T): T {
  if (known.has(key)) return known.get(key) as T; // It is there, undefined or not.
  const value = read();
  known.set(key, value);
  return value;
}
