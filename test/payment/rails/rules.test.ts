import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rails } from '../../../src/payment/rails/rails.ts';
import { cardColumn } from '../cards/rules/column.ts';
import { columns } from './columns.ts';
import { TABLED_RAILS, tabledRails } from './rail-cases.ts';
import { type Column, type RuleId, RULES } from './rules/rule.ts';
import { startClock, stopClock } from './support/world.ts';

/** A reason says more than that there is one. */
const MIN_REASON_CHARS = 30;
const root = join(import.meta.dirname, '../../..');
const ruleIds = Object.keys(RULES) as RuleId[];

/** Rules that a column says nothing of, by name. */
const findMissing = (id: string, column: Partial<Record<RuleId, unknown>> | undefined): readonly string[] =>
  ruleIds.filter((rule) => column?.[rule] === undefined).map((rule) => `${id} has no cell for ${rule}: ${RULES[rule]}`);

describe.each(TABLED_RAILS)('%s', (id) => {
  beforeEach(startClock);
  afterEach(stopClock);

  const rail = tabledRails[id];
  const column: Partial<Column> = columns[id] ?? {}; // A rail that is new has none, and the first test says so.

  test('has a cell for each of the 31 rules, and cases', () => {
    expect(ruleIds).toEqual(Array.from({ length: 31 }, (_, at) => `P${at + 1}`));
    expect(findMissing(id, column)).toEqual([]);
    expect(rail.flow).toBe(rails[rail.id].flow);
  });

  const checks = ruleIds.flatMap((rule) => {
    const cell = column[rule];
    return typeof cell === 'function' ? [{ rule, about: RULES[rule], check: cell }] : [];
  });
  test.each(checks)('$rule: $about', ({ check }) => check(rail));

  const reasons = ruleIds.flatMap((rule) => {
    const cell = column[rule];
    return typeof cell === 'object' ? [{ rule, reason: cell.doesNotApply }] : [];
  });
  test.each(reasons)('$rule does not apply: $reason', ({ reason }) => {
    expect(reason.length).toBeGreaterThan(MIN_REASON_CHARS);
  });
});

/** A card is no rail of the ledger: it buys credits by events, and its column says what each rule is there. */
describe('card', () => {
  test('has a cell for each of the 31 rules', () => {
    expect(findMissing('card', cardColumn)).toEqual([]);
  });

  const cells = ruleIds.map((rule) => ({ rule, cell: cardColumn[rule] }));

  const checks = cells.flatMap(({ rule, cell }) => ('check' in cell ? [{ rule, ...cell }] : []));
  test.each(checks)('$rule: $means', ({ check }) => check());

  const proven = cells.flatMap(({ rule, cell }) => ('provenBy' in cell ? [{ rule, ...cell, ...cell.provenBy }] : []));
  test.each(proven)('$rule: $means, by "$title" of $file', ({ file, title }) => {
    const source = readFileSync(join(root, file), 'utf8');
    expect(listTitles(source)).toContain(title);
    expect(source).not.toMatch(/\b(?:test|describe|it)\.(?:skip|todo|only|fails)\b/);
  });

  const reasons = cells.flatMap(({ rule, cell }) =>
    'doesNotApply' in cell ? [{ rule, reason: cell.doesNotApply }] : [],
  );
  test.each(reasons)('$rule does not apply: $reason', ({ reason }) => {
    expect(reason.length).toBeGreaterThan(MIN_REASON_CHARS);
  });
});

/** Titles of the tests of a file, with the names of its constants filled in. */
function listTitles(source: string): readonly string[] {
  const numbers = new Map(
    [...source.matchAll(/^const (\w+) = (\d+);$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return [...source.matchAll(/\btest\(\s*(['`])(.+?)\1, (?:async )?\(/g)].map(([, , title = '']) =>
    title.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => numbers.get(name) ?? whole),
  );
}

test('a rail without a column is missed by name, rule for rule', () => {
  expect(findMissing('smoke-signals', undefined)).toHaveLength(31);
  expect(findMissing('smoke-signals', { P1: columns.transfer.P1 })).not.toContain(`smoke-signals has no cell for P1`);
});
