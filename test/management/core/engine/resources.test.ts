import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResourceStore } from '../../../../src/management/core/engine/resources.ts';
import type { NewRow, RowSortOrder, Resources } from '../../../../src/management/core/engine/stored-row.ts';
import { Refusal } from '../../../../src/lib/refusal.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

/** What comes to mind of somebody who tries to get at the SQL; nothing of it means anything there. */
const INJECTIONS = [
  "'; DROP TABLE resource; --",
  "' OR '1'='1",
  '" OR ""="',
  '1; DELETE FROM name',
  "x' UNION SELECT json FROM resource --",
  '%',
  '_',
  '*',
  '?',
  '?1',
  ':id',
  '$id',
  '@id',
  '\\',
  '\u0000',
  '__proto__',
  'constructor',
  '[]',
  'null',
  '../..',
] as const;

const text = fc.oneof(fc.constantFrom(...INJECTIONS), fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 8 }));
/** Names in bodies. After one with a backslash V8 reads escapes of others wrong: https://github.com/nodejs/node/issues/63785 */
const member = text.filter((name) => !name.includes('\\'));
const collection = fc.constantFrom('c.one', 'c.two', "c'three");
const parent = fc.constantFrom('', 'p', "p'--");
const address = fc.record({ collection, parent, id: text });
const newRow = fc
  .record(
    { collection, parent, id: text, s1: text, s2: text, ref: text, body: fc.dictionary(member, text, { maxKeys: 3 }) },
    { requiredKeys: ['collection', 'parent', 'id', 'body'] },
  )
  .map((row): NewRow => row);
const order = fc.record({ by: fc.constantFrom('id', 's1', 's2'), descending: fc.boolean() });

type Model = Map<string, NewRow>;
type Step = (store: Resources, model: Model) => void;

const keyOf = ({ collection: in_, parent: below, id }: Pick<NewRow, 'collection' | 'parent' | 'id'>): string =>
  JSON.stringify([in_, below, id]);
const plain = (rows: readonly { id: string; body: object }[]) => rows.map(({ id, body }) => [id, body]);
/** SQLite compares UTF-8 bytes; that is the order of code points. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const sortOf = (row: NewRow, by: RowSortOrder['by']): string | undefined => (by === 'id' ? row.id : row[by]);

function expected(model: Model, of: Pick<NewRow, 'collection' | 'parent'>, { by, descending }: RowSortOrder): NewRow[] {
  const rows = [...model.values()].filter(
    (row) => row.collection === of.collection && row.parent === of.parent && sortOf(row, by) !== undefined,
  );
  const sorted = rows.toSorted((a, b) => compare(sortOf(a, by) ?? '', sortOf(b, by) ?? '') || compare(a.id, b.id));
  return descending === true ? sorted.toReversed() : sorted;
}

/** All pages of a list, two rows each. */
function paged(store: Resources, of: Pick<NewRow, 'collection' | 'parent'>, by: RowSortOrder) {
  const rows = [];
  let after;
  for (;;) {
    const page = store.list({ collection: of.collection, parent: of.parent, order: by, after, limit: 2 });
    rows.push(...page.map(({ row }) => row));
    after = page.at(-1)?.cursor;
    if (page.length < 2) return rows;
  }
}

/* oxlint-disable vitest/no-standalone-expect -- The steps run inside the test below. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  newRow.map((row): Step => (store, model) => {
    const isNew = !model.has(keyOf(row));
    expect(store.insert(row) !== undefined).toBe(isNew);
    if (isNew) model.set(keyOf(row), row);
  }),
  newRow.map((row): Step => (store, model) => {
    if (!model.has(keyOf(row))) return expect(() => store.put(row)).toThrow('No row to replace');
    store.put(row);
    model.set(keyOf(row), row);
  }),
  address.map((at): Step => (store, model) => {
    expect(store.remove(at)).toBe(model.delete(keyOf(at)));
  }),
  address.map((at): Step => (store, model) => {
    expect(store.get(at.collection, at.parent, at.id)?.body).toEqual(model.get(keyOf(at))?.body);
  }),
  fc.tuple(address, order).map(([at, by]): Step => (store, model) => {
    expect(plain(paged(store, at, by))).toEqual(plain(expected(model, at, by)));
  }),
  address.map((at): Step => (store, model) => {
    const own = [...model.values()].filter((row) => row.collection === at.collection && row.parent === at.parent);
    expect(store.count(at.collection, at.parent)).toBe(own.length);
  }),
  fc.tuple(collection, text).map(([of, ref]): Step => (store, model) => {
    const own = [...model.values()].filter((row) => row.collection === of && row.ref === ref);
    const sorted = own.toSorted((a, b) => compare(a.parent, b.parent) || compare(a.id, b.id));
    expect(plain(store.byRef(of, ref, 100))).toEqual(plain(sorted));
  }),
  fc.tuple(collection, text).map(([of, ref]): Step => (store, model) => {
    const own = [...model.values()].filter((row) => row.collection === of && row.ref === ref);
    expect(store.removeByRef(of, ref).toSorted()).toEqual(own.map((row) => row.parent).toSorted());
    for (const row of own) model.delete(keyOf(row));
  }),
  fc.tuple(collection, parent).map(([of, below]): Step => (store, model) => {
    const own = [...model.values()].filter((row) => row.collection === of && row.parent === below);
    expect(store.removeAll(of, below)).toBe(own.length);
    for (const row of own) model.delete(keyOf(row));
  }),
);

/* oxlint-enable vitest/no-standalone-expect */

describe('the store does what a map would', () => {
  test('K9: with every method, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (work) => {
        const store = createResourceStore(memorySqlite().sql);
        const model: Model = new Map();
        for (const step of work) step(store, model);
        for (const row of model.values()) expect(store.get(row.collection, row.parent, row.id)?.body).toEqual(row.body);
      }),
      { numRuns: budgetFor(30, 150) },
    );
  });

  test('K9: names are unique in a namespace and go with their row, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (pairs) => {
        const store = createResourceStore(memorySqlite().sql);
        const owners = new Map<string, string>();
        for (const [name, id] of pairs) {
          const owner = { collection: 'c', parent: '', id };
          store.insert({ ...owner, body: { id } });
          expect(store.name('n', name, owner)).toBe(!owners.has(name));
          if (!owners.has(name)) owners.set(name, id);
        }
        for (const [name, id] of owners) expect(store.named('n', name)?.row.id).toBe(id);
        const [gone] = owners.values();
        if (gone === undefined) return;
        store.remove({ collection: 'c', parent: '', id: gone });
        for (const [name, id] of owners) expect(store.named('n', name)?.row.id).toBe(id === gone ? undefined : id);
      }),
      { numRuns: budgetFor(20, 100) },
    );
  });

  test('a bulk insert leaves what single inserts leave', () => {
    const rows = fc.uniqueArray(newRow, { maxLength: 20, selector: keyOf });
    fc.assert(
      fc.property(rows, (many) => {
        const [bulk, single] = [createResourceStore(memorySqlite().sql), createResourceStore(memorySqlite().sql)];
        bulk.insertMany(many, []);
        for (const row of many) single.insert(row);
        for (const row of many) {
          const [a, b] = [bulk, single].map((store) => store.get(row.collection, row.parent, row.id));
          expect(a?.body).toEqual(b?.body);
          expect(bulk.count(row.collection, row.parent)).toBe(single.count(row.collection, row.parent));
        }
        expect(new Set(many.map((row) => bulk.get(row.collection, row.parent, row.id)?.revision)).size).toBe(
          many.length,
        );
      }),
      { numRuns: budgetFor(20, 100) },
    );
  });
});

describe('limits of keys and bodies', () => {
  const row = (over: Partial<NewRow>): NewRow => ({ collection: 'c', parent: '', id: 'i', body: {}, ...over });

  test.each([
    ['an id', { id: 'x'.repeat(1_025) }],
    ['an id of 513 two-byte letters', { id: 'é'.repeat(513) }],
    ['a parent', { parent: 'x'.repeat(1_025) }],
    ['a sort value', { s2: 'x'.repeat(1_025) }],
    ['a reference', { ref: 'x'.repeat(1_025) }],
    ['half a character', { id: '\ud800' }],
  ])('K9: %s over 1,024 bytes, or none at all, is refused and leaves nothing', (_, over) => {
    const store = createResourceStore(memorySqlite().sql);
    expect(() => store.insert(row(over))).toThrow(Refusal);
    expect(store.count('c', row(over).parent)).toBe(0);
  });

  test.each([{ id: 'x'.repeat(1_024) }, { id: 'é'.repeat(512) }, { id: '\u{1F600}'.repeat(256) }])(
    'K9: an id of exactly 1,024 bytes is kept',
    (over) => {
      const store = createResourceStore(memorySqlite().sql);
      store.insert(row(over));
      expect(store.get('c', '', over.id)?.id).toBe(over.id);
    },
  );

  test('K9: a name over 1,024 bytes is refused', () => {
    const store = createResourceStore(memorySqlite().sql);
    store.insert(row({}));
    expect(() => store.name('n', 'x'.repeat(1_025), row({}))).toThrow('Invalid Input: n');
  });

  test('K9: a body over what a row can hold is refused', () => {
    const store = createResourceStore(memorySqlite().sql);
    expect(() => store.insert(row({ body: { text: 'x'.repeat(1_900_000) } }))).toThrow('The resource is too large');
    expect(store.insert(row({ body: { text: 'x'.repeat(1_890_000) } }))).toBeDefined();
  });

  test('K9: a page that is larger than an answer may be is refused with what to do', () => {
    const store = createResourceStore(memorySqlite().sql);
    for (const id of 'abcde') store.insert(row({ id, body: { text: 'x'.repeat(1_800_000) } }));
    expect(() => store.list({ collection: 'c', parent: '', limit: 5 })).toThrow('ask for fewer');
    expect(store.list({ collection: 'c', parent: '', limit: 3 })).toHaveLength(3);
  });
});

describe('the bounds of a piece of work', () => {
  test('K9: the statement beyond the last that is allowed is refused, and the next work starts anew', () => {
    const store = createResourceStore(memorySqlite().sql);
    const read = (times: number) => () => {
      for (let time = 0; time < times; time += 1) store.count('c', '');
    };
    store.bounded({ statements: 10, writes: false }, read(10));
    expect(() => store.bounded({ statements: 10, writes: false }, read(11))).toThrow('The request is too large');
    store.bounded({ statements: 10, writes: false }, read(10));
    read(20)();
  });

  test('a method that only reads cannot write', () => {
    const store = createResourceStore(memorySqlite().sql);
    const write = () => store.insert({ collection: 'c', parent: '', id: 'i', body: {} });
    expect(() => store.bounded({ statements: 10, writes: false }, write)).toThrow('must not write');
    expect(store.count('c', '')).toBe(0);
  });
});

test('what refers to a row over many parents goes in three statements, with counters and names', () => {
  const store = createResourceStore(memorySqlite().sql);
  for (let group = 0; group < 200; group += 1) {
    store.insert({ collection: 'm', parent: `g${group}`, id: 'u', ref: 'u', body: {} });
    store.insert({ collection: 'm', parent: `g${group}`, id: 'v', ref: 'v', body: {} });
    store.name('n', `u in g${group}`, { collection: 'm', parent: `g${group}`, id: 'u' });
  }
  const before = store.statements();
  expect(store.removeByRef('m', 'u')).toHaveLength(200);
  expect(store.statements() - before).toBe(3);
  expect([store.count('m', 'g0'), store.count('m', 'g199')]).toEqual([1, 1]);
  expect(store.named('n', 'u in g7')).toBeUndefined();
  expect(store.get('m', 'g7', 'v')).toBeDefined();
});

describe('a list that needs only some members of its bodies', () => {
  const body = {
    b: 1e21,
    a: '"\\\u0000\u{1F600}',
    list: [{ a: null }],
    nothing: null,
    'x"y': 1,
    zero: -0.1,
    big: 9_007_199_254_740_991,
  };
  const read = (members: readonly string[] | undefined): unknown => {
    const store = createResourceStore(memorySqlite().sql);
    store.insert({ collection: 'c', parent: '', id: 'i', s1: 's', body });
    const [byId, bySort] = (['id', 's1'] as const).map((by) =>
      store.list({ collection: 'c', parent: '', order: { by }, members, limit: 1 }).map(({ row }) => row.body),
    );
    expect(byId).toEqual(bySort);
    expect(store.rowsOf('c', ['i', 'j'], members).map((row) => row.body)).toEqual(byId);
    return byId?.[0];
  };

  test.each(['b', 'a', 'list', 'nothing', 'zero', 'big'] as const)(
    'has %s as it was stored, and nothing else',
    (name) => {
      expect(read([name])).toEqual({ [name]: body[name] });
    },
  );

  test.each([
    [undefined, body],
    [['a', 'b'], body],
    [['x"y'], body],
    [[], {}],
    [['missing'], {}],
  ])('of %j has %j', (members, found) => {
    expect(read(members)).toEqual(found);
  });
});
