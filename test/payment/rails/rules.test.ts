import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rails } from '../../../src/payment/rails/rails.ts';
import { columns } from './columns.ts';
import { TABLED_RAILS, tabledRails } from './rail-cases.ts';
import { type Column, type RuleId, RULES } from './rules/rule.ts';
import { startClock, stopClock } from './support/world.ts';

/** A reason says more than that there is one. */
const MIN_REASON_CHARS = 30;
const ruleIds = Object.keys(RULES) as RuleId[];

beforeEach(startClock);
afterEach(stopClock);

/** Rules that a column says nothing of, by name. */
const findMissing = (id: string, column: Partial<Column> | undefined): readonly string[] =>
  ruleIds.filter((rule) => column?.[rule] === undefined).map((rule) => `${id} has no cell for ${rule}: ${RULES[rule]}`);

describe.each(TABLED_RAILS)('%s', (id) => {
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

test('a rail without a column is missed by name, rule for rule', () => {
  expect(findMissing('smoke-signals', undefined)).toHaveLength(31);
  expect(findMissing('smoke-signals', { P1: columns.transfer.P1 })).not.toContain(`smoke-signals has no cell for P1`);
});
