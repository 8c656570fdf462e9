import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { cases } from './reseller-cases.ts';
import { joinControlStack } from './support/control-stack.ts';

const rows = methods.filter((row) => row.interface === 'reseller' && row.inSeed).map(({ id }) => id);

let stack: Awaited<ReturnType<typeof joinControlStack>>;

beforeAll(async () => {
  stack = await joinControlStack();
});
afterAll(async () => stack?.stop());

test('every row of the seed, 17 of them, is called by the official client here', () => {
  expect(rows).toHaveLength(17);
  expect(cases.map(({ method }) => method).toSorted()).toEqual(rows.toSorted());
});

describe.each(cases)('$method', ({ right, wrong }) => {
  test('does what it says, as another method shows', async () => {
    await right(stack.world);
  });

  test('refuses what the vendor refuses, in its words', async () => {
    await wrong(stack.world);
  });
});
