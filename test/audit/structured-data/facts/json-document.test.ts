import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  MAX_ISSUES,
  MAX_JUDGED_MEMBERS,
  listSchemaIssues,
} from '../../../../src/audit/structured-data/facts/json-document.ts';

let judged = 0;
const counted = z.unknown().refine(() => {
  judged += 1;
  return false;
}, 'is wrong');

test.each([
  ['one array', { items: Array.from({ length: 300_000 }, () => 1) }],
  ['arrays in an array', { lists: Array.from({ length: 3_000 }, () => Array.from({ length: 100 }, () => 1)) }],
])('a file of foreign JSON costs what its first members cost: %s', (_what, value) => {
  judged = 0;
  const schema = z.looseObject({
    items: z.array(counted).optional(),
    lists: z.array(z.array(counted)).optional(),
  });
  const issues = listSchemaIssues(schema, value);
  expect(issues).toHaveLength(MAX_ISSUES);
  expect(judged).toBeGreaterThan(0);
  expect(judged).toBeLessThanOrEqual(MAX_JUDGED_MEMBERS);
});

test('a file that lies deeper than any of ours is judged as it is', () => {
  const deep = JSON.parse(`${'{"a":['.repeat(5_000)}${']}'.repeat(5_000)}`) as unknown;
  expect(listSchemaIssues(z.looseObject({ a: z.array(z.looseObject({})) }), deep)).toEqual([]);
  expect(listSchemaIssues(z.looseObject({ a: z.string('must be a string') }), deep)).toEqual([
    { pointer: '/a', message: 'must be a string' },
  ]);
});
