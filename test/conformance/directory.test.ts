import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { cases as channels } from './directory/channels.ts';
import { cases as equipment } from './directory/equipment.ts';
import { cases as organisation } from './directory/organisation.ts';
import { cases as people } from './directory/people.ts';
import { joinControlStack } from './support/control-stack.ts';

const cases = [...people, ...organisation, ...equipment, ...channels];
const rows = methods.filter((row) => row.interface === 'directory' && row.inSeed).map(({ id }) => id);

let stack: Awaited<ReturnType<typeof joinControlStack>>;

beforeAll(async () => {
  stack = await joinControlStack();
});
afterAll(async () => stack?.stop());

test('every row of the seed is called by the official client here', () => {
  expect(rows.length).toBeGreaterThan(0);
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
