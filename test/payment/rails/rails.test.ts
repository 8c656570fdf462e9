import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { railLooks } from '../../../src/payment/rails/looks.ts';
import { RAIL_IDS } from '../../../src/payment/rails/rail-ids.ts';
import { carriers, rails } from '../../../src/payment/rails/rails.ts';

const root = join(import.meta.dirname, '../../..');
const room = join(root, 'src/payment/rails');
const folders = readdirSync(room, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What a rail needs beside its row, by name: each answer says what is missing. */
const parts: Readonly<Record<string, (id: string) => boolean>> = {
  'a folder src/payment/rails/<id> with a README': (id) => existsSync(join(room, id, 'README.md')),
  'a line in src/payment/rails/README.md': (id) =>
    readFileSync(join(room, 'README.md'), 'utf8').includes(`| \`${id}\` |`),
};

const findMissing = (id: string): readonly string[] =>
  Object.entries(parts).flatMap(([part, has]) => (has(id) ? [] : [`${id} has not ${part}`]));

test.each(RAIL_IDS)('%s has all that a rail needs', (id) => {
  expect(findMissing(id)).toEqual([]);
  expect(rails[id].id).toBe(id);
  expect(railLooks[id].seeSale).toBeTypeOf('function');
});

test('a rail that has nothing is missed by name', () => {
  expect(findMissing('smoke-signals')).toHaveLength(Object.keys(parts).length);
});

test('each folder is of a rail', () => {
  expect(folders.toSorted()).toEqual([...RAIL_IDS].toSorted());
});

test('rails that are carried alike are found once', () => {
  expect(carriers.map(({ header }) => header)).toEqual(['PAYMENT-SIGNATURE']);
});
