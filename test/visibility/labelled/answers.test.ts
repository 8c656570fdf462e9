import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { intents } from '../../../src/visibility/run/intents.ts';

/*
 * Proves the file of labelled answers itself, never the code that is measured on it. How the definitions of README.md
 * were read where they leave a choice:
 * - An operating system, language, framework, database engine or other platform that things only run on is no brand.
 *   A named service or shop that something connects with (Gmail, Slack, Shopify) is one: mentioned, not recommended.
 * - A parent company, a publisher and a compound ("DATEV-Export") name the brand. A former name is a spelling of it.
 * - A column of a table of options is an offer when the text also says whom the option suits.
 */

const ANSWERS = 60;
const RUNS_PER_HALF = 5;
const MIN_CHARS = 900;
const MAX_CHARS = 3500;

const text = z.string().min(1);
const brand = z.strictObject({
  name: text,
  as: z.array(text).min(1),
  recommended: z.boolean(),
  negative: z.boolean(),
});
const row = z.strictObject({
  id: text,
  run: text,
  half: z.enum(['dev', 'frozen']),
  niche: text,
  intent: z.enum(intents),
  prompt: text,
  text: z.string().min(MIN_CHARS).max(MAX_CHARS),
  brands: z.array(brand),
  not_brands: z.array(text).min(1),
});

const rows = readFileSync(join(import.meta.dirname, 'answers.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => row.parse(JSON.parse(line)));

const runs = Object.entries(Object.groupBy(rows, ({ run }) => run)).map(([run, answers = []]) => ({ run, answers }));

/** The answer without fenced code and web addresses, where a name is no mention. */
const withoutCodeAndUrls = (answer: string): string =>
  answer.replaceAll(/```[^`]{0,2000}```/gu, ' ').replaceAll(/https?:\/\/[^\s)]{0,300}/gu, ' ');

/** Tells whether `name` stands in `answer` with no letter or digit touching it. */
const standsIn = (answer: string, name: string): boolean =>
  answer.split(name).some((before, at, parts) => {
    const after = parts[at + 1];
    return after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
  });

const spellings = rows.flatMap(({ id, text: answer, brands }) =>
  brands.flatMap(({ name, as }) => as.map((spelling) => ({ id, name, spelling, answer: withoutCodeAndUrls(answer) }))),
);

test('there are sixty answers, numbered in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(
    Array.from({ length: ANSWERS }, (_, at) => `a${String(at + 1).padStart(2, '0')}`),
  );
});

test.each(['dev', 'frozen'] as const)('the %s half has five whole runs', (half) => {
  expect(runs.filter(({ answers }) => answers.every((answer) => answer.half === half))).toHaveLength(RUNS_PER_HALF);
});

test('no answer is there twice', () => {
  expect(new Set(rows.map((answer) => answer.text)).size).toBe(ANSWERS);
});

test.each(runs)('the run $run asks one question of each intent about one niche', ({ answers }) => {
  expect(answers.map(({ intent }) => intent).toSorted()).toEqual([...intents].toSorted());
  expect(new Set(answers.map(({ niche }) => niche)).size).toBe(1);
  expect(new Set(answers.map(({ prompt }) => prompt)).size).toBe(intents.length);
});

test.each(runs)('the run $run spells the name of a brand in one way', ({ answers }) => {
  const names = new Set(answers.flatMap(({ brands }) => brands.map(({ name }) => name)));
  expect(new Set([...names].map((name) => name.toLowerCase().replaceAll(/\s/gu, ''))).size).toBe(names.size);
});

describe('a labelled brand', () => {
  test('stands in its answer in every spelling, in text that a reader sees', () => {
    expect(spellings.filter(({ spelling, answer }) => !standsIn(answer, spelling))).toEqual([]);
  });

  test('is labelled once in an answer, and each spelling belongs to it once', () => {
    const twice = rows.filter(({ brands }) => {
      const keys = brands.flatMap(({ name, as }) => [name, ...as.map((spelling) => `${name}: ${spelling}`)]);
      return new Set(keys).size < keys.length;
    });
    expect(twice).toEqual([]);
  });

  test('is never both recommended and advised against', () => {
    expect(rows.filter(({ brands }) => brands.some((one) => one.recommended && one.negative))).toEqual([]);
  });
});

describe('a tempting string', () => {
  test('stands in its answer', () => {
    expect(rows.filter((answer) => answer.not_brands.some((words) => !answer.text.includes(words)))).toEqual([]);
  });

  test('is no spelling of a labelled brand', () => {
    const both = rows.filter(({ brands, not_brands: tempting }) =>
      brands.some(({ as }) => as.some((spelling) => tempting.includes(spelling))),
    );
    expect(both).toEqual([]);
  });
});

describe.each(['dev', 'frozen'] as const)('the %s half can tell good code from bad', (half) => {
  const answers = rows.filter((answer) => answer.half === half);
  const brands = answers.flatMap((answer) => answer.brands);

  test('it has an answer that names no brand', () => {
    expect(answers.filter((answer) => answer.brands.length === 0)).not.toEqual([]);
  });

  test('it has brands that are recommended, only mentioned, and advised against', () => {
    expect(brands.filter(({ recommended }) => recommended).length).toBeGreaterThanOrEqual(100);
    expect(brands.filter(({ recommended, negative }) => !recommended && !negative).length).toBeGreaterThanOrEqual(30);
    expect(brands.filter(({ negative }) => negative).length).toBeGreaterThanOrEqual(10);
  });

  test('each of its runs has a brand that only some of the answers name', () => {
    const partial = runs.filter((one) => {
      const named = Object.groupBy(
        one.answers.flatMap((answer) => answer.brands),
        ({ name }) => name,
      );
      const some = Object.values(named).some((found = []) => found.length > 1 && found.length < intents.length);
      return some && one.answers.every((answer) => answer.half === half);
    });
    expect(partial).toHaveLength(RUNS_PER_HALF);
  });
});
