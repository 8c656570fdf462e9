import { describe, expect, test } from 'vitest';
import { apis, listServedMethods } from '../../../src/management/core/discovery/apis.ts';
import { handlers, interfaces } from '../../../src/management/core/interfaces.ts';
import { methods } from '../../../src/management/core/table/method-row.ts';
import { getSchemas } from '../../../src/management/core/table/schemas.ts';

const rowsOf = (name: string, version: string) =>
  methods.filter((row) => row.interface === name && row.version === version);

test('every handler is that of a row of its own interface', () => {
  const strangers = interfaces.flatMap((each) => {
    const ids = new Set(rowsOf(each.name, each.version).map(({ id }) => id));
    return Object.keys(each.handlers).filter((id) => !ids.has(id));
  });
  expect(strangers).toEqual([]);
});

describe.each(interfaces.map((each) => [`${each.name} ${each.version}`, each] as const))('%s', (_name, each) => {
  test('every row has a handler', () => {
    const missing = rowsOf(each.name, each.version).filter(({ id }) => !Object.hasOwn(handlers, id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('has rows, schemas and one discovery document that lists its handlers', () => {
    expect(rowsOf(each.name, each.version)).not.toEqual([]);
    if (each.hasNoDocument) return;
    expect(Object.keys(getSchemas(each.name, each.version))).not.toEqual([]);
    const documents = apis.filter(({ interface: { name, version } }) => name === each.name && version === each.version);
    expect(documents.map(listServedMethods)).toEqual([Object.keys(each.handlers)]);
  });
});

test('every row of the table is served: those of the interfaces, and batches by themselves', () => {
  const unserved = methods.filter(({ id }) => !Object.hasOwn(handlers, id));
  expect(unserved.map(({ id }) => id)).toEqual(['conventions.batch']);
});

test('no interface and no discovery document is listed twice', () => {
  const names = interfaces.map(({ name, version }) => `${name} ${version}`);
  expect(new Set(names).size).toBe(names.length);
  const documents = apis.map(({ name, version }) => `${name} ${version}`);
  expect(new Set(documents).size).toBe(documents.length);
});

test('all rows of the seed documents are served: each has a handler, and batches have their route', () => {
  const inSeed = methods.filter((row) => row.inSeed).map(({ id }) => id);
  expect(inSeed.length).toBeGreaterThan(0);
  expect(inSeed.filter((id) => !Object.hasOwn(handlers, id))).toEqual(['conventions.batch']);
});
