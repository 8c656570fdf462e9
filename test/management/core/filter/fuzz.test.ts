import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createFilterMatcher,
  parseFilter,
  computePushdown,
  findViewFilterProblem,
} from '../../../../src/management/core/filter/index.ts';
import type { Json, JsonObject } from '../../../../src/lib/json.ts';

/** Counted, not timed. */
const RUNS = 3_000;
const PIECES = [
  'AND',
  'OR',
  'NOT',
  '-',
  '--',
  '(',
  ')',
  ',',
  '=',
  '!=',
  '=~',
  '!~',
  '<',
  '<=',
  '>',
  '>=',
  ':',
  '*',
  '.',
  '"',
  "'",
  '\\',
  '\n',
  'severity',
  'timestamp',
  'logName',
  'jsonPayload.a',
  'labels."x/y"',
  'httpRequest.latency',
  'ERROR',
  '2026-01-01',
  '3.2s',
  '-5',
  'NULL_VALUE',
  '"text"',
  'log_id(',
  'sample(insertId,',
  'ip_in_net(',
  'SEARCH(',
  'source(',
  'cast(',
  '"["',
  '"(a+)+$"',
  '\ud800',
  '\0',
];

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ')), { maxLength: 30 })
    .map((parts) => parts.flat().join('')),
);
const subjects = fc
  .dictionary(
    fc.constantFrom(
      'severity',
      'timestamp',
      'logName',
      'jsonPayload',
      'labels',
      'httpRequest',
      'insertId',
      '__proto__',
    ),
    fc.jsonValue({ maxDepth: 4 }),
  )
  .map((subject) => structuredClone(subject) as JsonObject);

test('no text makes the module throw, and no entry makes a filter throw', () => {
  let accepted = 0;
  fc.assert(
    fc.property(texts, fc.constantFrom('logging' as const, 'aip' as const), subjects, (text, profile, subject) => {
      const parsed = parseFilter(text, { profile });
      if (!parsed.ok) {
        expect(parsed.message).toMatch(/^Unparseable filter: ./s);
        expect(parsed.at).toBeGreaterThanOrEqual(0);
        expect(parsed.at).toBeLessThanOrEqual(text.length);
        return;
      }
      accepted += 1;
      expect(createFilterMatcher(parsed.filter)(subject)).toBeTypeOf('boolean');
      expect(computePushdown(parsed.filter).isExact).toBeTypeOf('boolean');
      findViewFilterProblem(parsed.filter);
    }),
    { numRuns: RUNS, seed: 8 },
  );
  expect(accepted).toBeGreaterThan(RUNS / 10);
});

/** Filters of a small part of the language, as this test knows it. */
type Tree =
  | { kind: 'all' | 'some'; terms: readonly Tree[] }
  | { kind: 'no'; term: Tree }
  | { kind: 'word'; text: string }
  | { kind: 'test'; field: string; operator: string; value: string };

const KEYS = ['a', 'b', 'c'];
const VALUES = ['1', '2', '10', 'x', 'xy', 'Y', 'true', ''];
const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .tuple(
        fc.constantFrom(...KEYS),
        fc.constantFrom('=', '!=', '<', '<=', '>', '>=', ':'),
        fc.constantFrom(...VALUES),
      )
      .map(([field, operator, value]): Tree => ({ kind: 'test', field, operator, value })),
    fc.constantFrom('x', 'y', 'xy', '1').map((text): Tree => ({ kind: 'word', text })),
    fc
      .tuple(fc.constantFrom('all' as const, 'some' as const), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([kind, terms]): Tree => ({ kind, terms })),
    tie('tree').map((term): Tree => ({ kind: 'no', term })),
  ),
})).tree;
const payloads = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.oneof(
    fc.constantFrom<Json[]>(1, 2, 10, 'x', 'XY', 'y', '1', true, false, null),
    fc.array(fc.constantFrom<Json[]>(1, 10, 'x', 'Y'), { maxLength: 3 }),
  ),
);

/** Everything in parentheses and quotes. */
function plain(tree: Tree): string {
  switch (tree.kind) {
    case 'all':
      return `(${tree.terms.map(plain).join(' AND ')})`;
    case 'some':
      return `(${tree.terms.map(plain).join(' OR ')})`;
    case 'no':
      return `(NOT ${plain(tree.term)})`;
    case 'word':
      return `"${tree.text}"`;
    case 'test':
      return `jsonPayload.${tree.field} ${tree.operator} "${tree.value}"`;
  }
}

/** As few parentheses and words as the grammar allows: OR binds more than AND. */
function terse(tree: Tree, place: 'all' | 'some' | 'no' = 'all'): string {
  switch (tree.kind) {
    case 'all': {
      const text = tree.terms.map((term) => terse(term, 'all')).join('\n-- and\n');
      return place === 'all' ? text : `(${text})`;
    }
    case 'some': {
      const text = tree.terms.map((term) => terse(term, 'some')).join(' OR ');
      return place === 'no' ? `(${text})` : text;
    }
    case 'no':
      // Two minuses would begin a comment.
      return `${tree.term.kind === 'no' ? 'NOT ' : '-'}${terse(tree.term, 'no')}`;
    case 'word':
      return `'${tree.text}'`;
    case 'test':
      return `json_payload.${tree.field}${tree.operator}("${tree.value}")`;
  }
}

function naive(tree: Tree, payload: JsonObject): boolean {
  switch (tree.kind) {
    case 'all':
      return tree.terms.every((term) => naive(term, payload));
    case 'some':
      return tree.terms.some((term) => naive(term, payload));
    case 'no':
      return !naive(tree.term, payload);
    case 'word':
      return Object.values(payload)
        .flat()
        .some((value) => naiveTest(value, ':', tree.text));
    case 'test': {
      const value = payload[tree.field];
      if (value === undefined) return false;
      return [value].flat().some((each) => naiveTest(each, tree.operator, tree.value));
    }
  }
}

function naiveTest(value: Json, operator: string, text: string): boolean {
  if (typeof value === 'string') return compare(value.toLowerCase(), operator, text.toLowerCase());
  if (typeof value === 'number')
    return text !== '' && !Number.isNaN(Number(text)) && compare(value, operator, Number(text));
  if (typeof value === 'boolean') return text === 'true' && compare(Number(value), operator, 1);
  return operator === '!=';
}

function compare<T extends string | number>(left: T, operator: string, right: T): boolean {
  const isPart = typeof left === 'string' && left.includes(String(right));
  const order = left === right ? 0 : left < right ? -1 : 1;
  const results: Record<string, boolean> = {
    '=': order === 0,
    '!=': order !== 0,
    '<': order < 0,
    '<=': order <= 0,
    '>': order > 0,
    '>=': order >= 0,
    ':': order === 0 || isPart,
  };
  return results[operator] ?? false;
}

test('a filter means the same however it is written, and what a simpler evaluator says', () => {
  let matched = 0;
  fc.assert(
    fc.property(trees, fc.array(payloads, { minLength: 1, maxLength: 8 }), (tree, entries) => {
      const [long, short] = [plain(tree), terse(tree)].map((text) => {
        const parsed = parseFilter(text);
        if (!parsed.ok) throw new Error(`${parsed.message}: ${text}`);
        return createFilterMatcher(parsed.filter);
      });
      for (const jsonPayload of entries) {
        const expected = naive(tree, jsonPayload);
        matched += expected ? 1 : 0;
        expect([long?.({ jsonPayload }), short?.({ jsonPayload })]).toEqual([expected, expected]);
      }
    }),
    { numRuns: RUNS, seed: 8 },
  );
  expect(matched).toBeGreaterThan(RUNS);
});
