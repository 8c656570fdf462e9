import {
  type Address,
  type ListedRow,
  type NewName,
  type NewRow,
  type Resources,
  type ResourceRow,
  formatRowAddress,
} from '../core/engine/stored-row.ts';

/** A store that keeps new rows and names back, and what it read, until `flush`. */
export type Buffered = { store: Resources; flush: () => void };

type NameLookup = ReturnType<Resources['named']>;

/** What is kept back, and what was read. */
type Buffer = {
  store: Resources;
  rows: Map<string, NewRow>;
  /** Collections of these rows. */
  newIn: Set<string>;
  names: Map<string, NewName>;
  namesByOwner: Map<string, NewName[]>;
  seenRows: Map<string, ResourceRow | undefined>;
  seenNames: Map<string, NameLookup>;
  seenLists: Map<string, readonly ListedRow[]>;
  counts: Map<string, number>;
};

/**
 * A face of the store for making many rows: inserts and names are collected and written in a few statements, and what is
 * read twice is read once. Whatever else writes or ranges over rows writes what was collected first. Revisions of new rows
 * are not known before `flush`: they read 0. `flush` throws where an address or a name is taken.
 */
export function createWriteBuffer(store: Resources): Buffered {
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
    ...createFlushingStore(store, flush),
    ...createBufferedRows(buffer),
    ...createBufferedNames(buffer, flush),
    list: listIn(buffer, flush),
    byRef: createBufferedReferences(buffer, flush),
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

function createBufferedRows({
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
      const key = formatBufferKey({ collection, parent, id });
      const made = rows.get(key);
      return made === undefined
        ? getCachedValue(seenRows, key, () => store.get(collection, parent, id))
        : buildResourceRow(made);
    },
    insert: (row) => {
      const key = formatBufferKey(row);
      if (rows.has(key) || seenRows.get(key) !== undefined) return undefined;
      const known = counts.get(countKey(row.collection, row.parent));
      if (known !== undefined) counts.set(countKey(row.collection, row.parent), known + 1);
      newIn.add(row.collection);
      rows.set(key, row);
      return buildResourceRow(row);
    },
    put: (row) => {
      const key = formatBufferKey(row);
      if (rows.has(key)) {
        rows.set(key, row);
        return buildResourceRow(row);
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
      return getCachedValue(counts, countKey(collection, parent), () => store.count(collection, parent) + made());
    },
  };
}

/** A list of rows of which none is kept back needs no flush, and is read once. */
function listIn({ store, newIn, seenLists }: Buffer, flush: () => void): Resources['list'] {
  return (query) => {
    if (newIn.has(query.collection)) flush();
    return getCachedValue(seenLists, JSON.stringify(query), () => store.list(query));
  };
}

/** The same for rows by what they refer to: each user that is made asks so for memberships of the address. */
function createBufferedReferences({ store, newIn }: Buffer, flush: () => void): Resources['byRef'] {
  return (collection, ...rest) => {
    if (newIn.has(collection)) flush();
    return store.byRef(collection, ...rest);
  };
}

function createBufferedNames(buffer: Buffer, flush: () => void): Pick<Resources, 'named' | 'name' | 'namesOf'> {
  const { store, rows, names, namesByOwner, seenRows, seenNames } = buffer;
  const rowOf = ({ collection, parent, id }: Address): ResourceRow | undefined => {
    const key = formatBufferKey({ collection, parent, id });
    const made = rows.get(key);
    return made === undefined
      ? getCachedValue(seenRows, key, () => store.get(collection, parent, id))
      : buildResourceRow(made);
  };
  const named: Resources['named'] = (namespace, name) => {
    const key = JSON.stringify([namespace, name]);
    const made = names.get(key);
    if (made === undefined) return getCachedValue(seenNames, key, () => store.named(namespace, name));
    const row = rowOf(made.owner);
    return row && { row, primary: made.primary };
  };
  return {
    named,
    name: (namespace, text, owner, primary = true) => {
      if (named(namespace, text) !== undefined) return false;
      const made = { namespace, name: text, owner: formatRowAddress(owner), primary };
      names.set(JSON.stringify([namespace, text]), made);
      namesByOwner.set(formatBufferKey(owner), [...(namesByOwner.get(formatBufferKey(owner)) ?? []), made]);
      return true;
    },
    namesOf: (owner, namespace) => {
      if (!rows.has(formatBufferKey(owner))) {
        flush();
        return store.namesOf(owner, namespace);
      }
      const own = (namesByOwner.get(formatBufferKey(owner)) ?? []).filter((each) => each.namespace === namespace);
      return own.map(({ name, primary }) => ({ name, primary })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

/** Every method of the store, each after what was collected is written; but those that touch no row. */
function createFlushingStore(store: Resources, flush: () => void): Resources {
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

const formatBufferKey = ({ collection, parent, id }: Address): string => JSON.stringify([collection, parent, id]);

const buildResourceRow = (row: NewRow): ResourceRow => ({ ...formatRowAddress(row), body: row.body, revision: 0 });

function getCachedValue<T>(known: Map<string, T>, key: string, read: () => T): T {
  if (known.has(key)) return known.get(key) as T; // It is there, undefined or not.
  const value = read();
  known.set(key, value);
  return value;
}
