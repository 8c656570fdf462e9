import { expect, test } from 'vitest';
import { COLLECTIONS } from '../../../../src/management/interfaces/directory/rows.ts';
import { DRIVE } from '../../../../src/management/interfaces/drive/rows.ts';
import { RESELLER } from '../../../../src/management/interfaces/reseller/rows.ts';
import { interfaces } from '../../../../src/management/core/interfaces.ts';
import { getSchemas } from '../../../../src/management/core/table/schemas.ts';

/** Rows beside devices: what more they can be ordered by. */
const ORDERS = ['directory.chromeosdevices.order1', 'directory.mobiledevices.order1', 'directory.mobiledevices.order2'];
const { domainNames: _namespace, ...resold } = RESELLER;

test.each([
  ['directory', [...Object.values(COLLECTIONS), ...ORDERS]],
  ['reseller', Object.values(resold)],
  ['drive', Object.values(DRIVE)],
])('K3: every collection of %s says by which schema its rows are judged', (name, collections) => {
  const found = interfaces.find((each) => each.name === name);
  expect(Object.keys(found?.collections ?? {}).toSorted()).toEqual(collections.toSorted());
});

test.each(
  interfaces.flatMap((each) =>
    Object.entries(each.collections ?? {}).map(([name, schema]) => ({ each, name, schema })),
  ),
)('$name has the schema "$schema"', ({ each, name, schema }) => {
  expect(name.startsWith(`${each.name}.`)).toBe(true);
  if (schema !== '') expect(Object.keys(getSchemas(each.name, each.version)[schema] ?? {})).not.toEqual([]);
});
