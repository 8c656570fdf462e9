import { describe, expect, test } from 'vitest';
import { type Baseline, parseBaseline, listRegressions } from '../../../src/cli/audit/audit-command.ts';
import type { Reportable } from '../../../src/report/reportable.ts';

type Row = [id: string, status: string, value: number, weight?: number];

function report(score: number, rows: readonly Row[], sha256 = 'a'): Reportable {
  const checks = rows.map(([id, status, value, weight = 2]) => ({
    id,
    title: `Title of ${id}`,
    status,
    value,
    weight,
  }));
  return {
    url: 'https://acme.example/',
    rubric: { version: '1', sha256 },
    scores: { aeo: { score, checks } },
  } as unknown as Reportable; // Only what a baseline is compared by.
}

function baselineOf(value: Reportable): Baseline {
  const read = parseBaseline(JSON.stringify(value));
  if (!read.ok) throw new Error(read.detail);
  return read.baseline;
}

describe('a baseline', () => {
  test.each<[string, Row, Row, number]>([
    ['a pass that fails now', ['a', 'pass', 1], ['a', 'fail', 0], 1],
    ['a pass that is partial now', ['a', 'pass', 1], ['a', 'partial', 0.5], 1],
    ['a partial that is worth less now', ['a', 'partial', 0.7], ['a', 'partial', 0.5], 1],
    ['what failed before and fails still', ['a', 'fail', 0], ['a', 'fail', 0], 0],
    ['what got better', ['a', 'fail', 0], ['a', 'pass', 1], 0],
    ['what could not be looked at now', ['a', 'pass', 1], ['a', 'unknown', 0], 0],
    ['what does not apply any more', ['a', 'pass', 1], ['a', 'not_applicable', 0], 0],
    ['what could not be looked at before', ['a', 'unknown', 0], ['a', 'fail', 0], 0],
    ['a check without weight', ['a', 'pass', 1, 0], ['a', 'fail', 0, 0], 0],
    ['a check that is new', ['b', 'pass', 1], ['a', 'fail', 0], 0],
  ])('%s', (_name, before, now, expected) => {
    expect(listRegressions(report(80, [now]), baselineOf(report(80, [before])))).toHaveLength(expected);
  });

  test('a score that fell under the same rubric is a regression, under another it is not', () => {
    expect(listRegressions(report(79, []), baselineOf(report(80, [])))).toEqual(['aeo 80 before, 79 now']);
    expect(listRegressions(report(79, [], 'b'), baselineOf(report(80, [])))).toEqual([]);
  });

  test('a score that does not apply, before or now, is no regression', () => {
    const without = report(0, []);
    Object.assign(without.scores?.aeo ?? {}, { applies: false });
    expect(listRegressions(without, baselineOf(report(80, [])))).toEqual([]);
    expect(listRegressions(report(10, []), baselineOf(without))).toEqual([]);
  });

  test.each(['', '[]', '{}', '{"scores":{}}', '{"scores":{"aeo":1}}'])('%j is refused', (text) => {
    expect(parseBaseline(text).ok).toBe(false);
  });
});
