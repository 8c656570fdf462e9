import { expect, test } from 'vitest';
import { COLLECTIONS } from '../../../src/management/directory/collections.ts';
import { interfaces } from '../../../src/management/interfaces.ts';
import { schemasOf } from '../../../src/management/table/schemas.ts';

test('K3: every collection of the directory says by which schema its rows are judged', () => {
  const [directory] = interfaces;
  expect(Object.keys(directory?.collections ?? {}).toSorted()).toEqual(Object.values(COLLECTIONS).toSorted());
});

test.each(
  interfaces.flatMap((each) =>
    Object.entries(each.collections ?? {}).map(([name, schema]) => ({ each, name, schema })),
  ),
)('$name has the schema "$schema"', ({ each, name, schema }) => {
  expect(name.startsWith(`${each.name}.`)).toBe(true);
  if (schema !== '') expect(Object.keys(schemasOf(each.name, each.version)[schema] ?? {})).not.toEqual([]);
});
