import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { railLooks } from '../../../src/payment/rails/looks.ts';
import { RAIL_IDS } from '../../../src/payment/rails/rail-ids.ts';
import { carriers, rails } from '../../../src/payment/rails/rails.ts';
import { columns } from './columns.ts';
import { railCases, stubbedRails } from './rail-cases.ts';

const root = join(import.meta.dirname, '../../..');
const room = join(root, 'src/payment/rails');
/** Read as text: it needs a local stack. */
const buyers = join(root, 'test/support/stack/rail-buyers.ts');
const folders = readdirSync(room, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What a rail needs beside its row, by name: each answer says what is missing. */
const parts: Readonly<Record<string, (id: string) => boolean>> = {
  'a folder src/payment/rails/<id> with a README': (id) => existsSync(join(room, id, 'README.md')),
  'a line in src/payment/rails/README.md': (id) =>
    readFileSync(join(room, 'README.md'), 'utf8').includes(`| \`${id}\` |`),
  'a row in src/payment/rails/rails.ts': (id) => Object.hasOwn(rails, id),
  'looks in src/payment/rails/looks.ts': (id) => Object.hasOwn(railLooks, id),
  'cases in test/payment/rails/rail-cases.ts': (id) => Object.hasOwn(railCases, id),
  'a column in test/payment/rails/columns.ts': (id) => Object.hasOwn(columns, id),
  'a buyer in test/support/stack/rail-buyers.ts': (id) =>
    [`'${id}': `, `  ${id}: `].some((entry) => readFileSync(buyers, 'utf8').includes(entry)),
};

/** The part that needs a chain of the rail's own kind. */
const NEEDS_CHAIN = /rail-buyers/;
/** A reason says more than that there is one. */
const MIN_REASON_CHARS = 30;

const findMissing = (id: string): readonly string[] =>
  Object.entries(parts)
    .filter(([part]) => !(Object.hasOwn(stubbedRails, id) && NEEDS_CHAIN.test(part)))
    .flatMap(([part, has]) => (has(id) ? [] : [`${id} has not ${part}`]));

test.each(Object.entries(stubbedRails))('%s has no buyer on the local chain: %s', (_id, reason) => {
  expect(reason.length).toBeGreaterThan(MIN_REASON_CHARS);
});

test.each(RAIL_IDS)('%s has all that a rail needs', (id) => {
  expect(findMissing(id)).toEqual([]);
  expect(rails[id].id).toBe(id);
});

test('a rail that has nothing is missed by name', () => {
  expect(findMissing('smoke-signals')).toHaveLength(Object.keys(parts).length);
});

test('each folder is of a rail', () => {
  expect(folders.toSorted()).toEqual([...RAIL_IDS].toSorted());
});

test('rails that are carried alike are found once', () => {
  expect(carriers.map(({ header }) => header)).toEqual(['PAYMENT-SIGNATURE', 'Authorization']);
});
