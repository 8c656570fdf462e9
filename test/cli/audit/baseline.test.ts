import { describe, expect, test } from 'vitest';
import type { OutcomeStatus } from '../../../src/audit/core/check.ts';
import { type Baseline, loadBaseline, parseStoredReport, type ScoredReport } from '../../../src/cli/audit/baseline.ts';
import { listRegressions } from '../../../src/cli/audit/regressions.ts';

const PRESENT = { version: '3.0.0', sha256: 'a'.repeat(64) };
const OTHER = { version: '2.0.0', sha256: 'b'.repeat(64) };

type Row = [id: string, status: OutcomeStatus, value: number, weight?: number];
type Gate = { id: string; cap: number };

const buildReport = (score: number, rows: readonly Row[], gates: readonly Gate[] = []) => ({
  url: 'https://acme.example/',
  rubric: PRESENT,
  scores: {
    aeo: {
      score,
      gates,
      checks: rows.map(([id, status, value, weight = 2]) => ({ id, title: `Title of ${id}`, status, value, weight })),
    },
  },
});

const baselineOf = (report: ScoredReport): Baseline => ({ report });

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
    expect(listRegressions(buildReport(80, [now]), baselineOf(buildReport(80, [before])))).toHaveLength(expected);
  });

  test('a score that fell is a regression', () => {
    expect(listRegressions(buildReport(79, []), baselineOf(buildReport(80, [])))).toEqual(['aeo 80 before, 79 now']);
    expect(listRegressions(buildReport(80, []), baselineOf(buildReport(80, [])))).toEqual([]);
  });

  test('a score that does not apply, before or now, is no regression', () => {
    const without = { scores: { aeo: { ...buildReport(0, []).scores.aeo, applies: false } } } as const;
    expect(listRegressions(without, baselineOf(buildReport(80, [])))).toEqual([]);
    expect(listRegressions(buildReport(10, []), baselineOf(without))).toEqual([]);
  });

  test.each(['', '[]', '[{"scores":{}}]', '{}', '{"scores":{}}', '{"scores":{"aeo":1}}'])(
    '%j is refused',
    async (text) => {
      expect((await loadBaseline(text, PRESENT)).ok).toBe(false);
    },
  );
});

describe('a baseline and ignored checks', () => {
  const ignored = new Set(['known']);
  const list = (now: ScoredReport, before: ScoredReport): readonly string[] =>
    listRegressions(now, baselineOf(before), ignored);
  const known: Row = ['known', 'fail', 0, 6];

  test('a score that fell by other checks is a regression, whatever became of the ignored one', () => {
    const before = buildReport(50, [known, ['a', 'pass', 1, 4], ['b', 'fail', 0, 2]]);
    // The passing check cannot be judged any more: of the rest, none passes.
    const now = buildReport(0, [known, ['a', 'not_applicable', 0, 4], ['b', 'fail', 0, 2]]);
    expect(list(now, before)).toEqual(['aeo 67 before, 0 now (without ignored checks)']);
    const better = buildReport(75, [
      ['known', 'pass', 1, 6],
      ['a', 'not_applicable', 0, 4],
      ['b', 'fail', 0, 2],
    ]);
    expect(list(better, before)).toEqual(['aeo 67 before, 0 now (without ignored checks)']);
    expect(
      list(
        buildReport(0, [
          ['a', 'not_applicable', 0, 4],
          ['b', 'fail', 0, 2],
        ]),
        before,
      ),
    ).toHaveLength(1);
  });

  test('a cap of another check is one with and without ignored checks; that of an ignored one is none', () => {
    const rows: readonly Row[] = [known, ['a', 'pass', 1, 4], ['b', 'fail', 0, 1]];
    const before = buildReport(36, rows);
    expect(list(buildReport(30, rows, [{ id: 'b', cap: 30 }]), before)).toEqual([
      'aeo 80 before, 30 now (without ignored checks)',
    ]);
    expect(list(buildReport(20, rows, [{ id: 'known', cap: 20 }]), before)).toEqual([]);
  });

  test('what fell by the ignored check alone is no regression', () => {
    const before = buildReport(100, [
      ['known', 'pass', 1, 6],
      ['a', 'pass', 1, 4],
    ]);
    expect(list(buildReport(40, [known, ['a', 'pass', 1, 4]]), before)).toEqual([]);
  });

  test('a report without its checks is compared whole', () => {
    expect(list(buildReport(79, [known]), buildReport(80, []))).toEqual(['aeo 80 before, 79 now']);
    expect(list(buildReport(80, [known]), buildReport(80, []))).toEqual([]);
  });
});

describe('a baseline of another rubric', () => {
  const load = (rubric: object | undefined) =>
    loadBaseline(JSON.stringify({ ...buildReport(80, [['a', 'pass', 1]]), rubric }), PRESENT);

  test('is compared only under the same version and hash', async () => {
    const same = await load(PRESENT);
    expect(same).toMatchObject({ ok: true, baseline: { report: { scores: { aeo: { score: 80 } } } } });
    expect(same).not.toHaveProperty('baseline.judgedAgain');
  });

  test.each([
    ['of another version', OTHER, /judged by rubric 2\.0\.0, and this build judges by 3\.0\.0/],
    [
      'of the same version with another hash',
      { ...PRESENT, sha256: 'c'.repeat(64) },
      /3\.0\.0 \(hash c{12}\).*\(hash a{12}\)/,
    ],
    ['of the same hash with another version', { ...PRESENT, version: '2.9.0' }, /judged by rubric 2\.9\.0/],
    ['that names none', undefined, /does not say its rubric/],
  ])('%s is refused with the reason and what to do', async (_name, rubric, words) => {
    const refused = await load(rubric);
    if (refused.ok) expect.fail('it was taken');
    expect(refused.detail).toMatch(words);
    expect(refused.detail).toMatch(/snapshot .* or audit again to make a new one/);
  });

  test('that is a snapshot which cannot be read is refused', async () => {
    const refused = await loadBaseline(JSON.stringify({ version: 1, snapshots: [] }), PRESENT);
    expect(refused).toMatchObject({ ok: false, detail: expect.stringContaining('cannot be read') as string });
  });

  test('that was judged again is compared over the checks that both could judge, with their caps', () => {
    const before = buildReport(80, [
      ['a', 'pass', 1, 4],
      ['b', 'fail', 0, 1],
      ['added', 'unknown', 0, 5],
    ]);
    const judgedAgain: Baseline = { report: before, judgedAgain: OTHER };
    const now = (a: number, gates: readonly Gate[] = []) =>
      buildReport(
        10,
        [
          ['a', a === 1 ? 'pass' : 'partial', a, 4],
          ['b', 'fail', 0, 1],
          ['added', 'fail', 0, 5],
        ],
        gates,
      );
    expect(listRegressions(now(1), judgedAgain)).toEqual([]);
    expect(listRegressions(now(1, [{ id: 'added', cap: 10 }]), judgedAgain)).toEqual([]);
    expect(listRegressions(now(0.5), judgedAgain)).toEqual([
      'aeo 80 before, 40 now (of the 2 checks that both could judge)',
      'a: pass before, partial now (Title of a)',
    ]);
    expect(listRegressions(now(1, [{ id: 'b', cap: 30 }]), judgedAgain)).toEqual([
      'aeo 80 before, 30 now (of the 2 checks that both could judge)',
    ]);
  });
});

test('a stored report is read as far as gates need it, and nothing else is one', () => {
  expect(parseStoredReport(buildReport(80, [['a', 'pass', 1]]))).toMatchObject({ rubric: PRESENT });
  for (const other of [
    null,
    1,
    [],
    {},
    { scores: {} },
    { scores: { other: { score: 1 } } },
    { scores: { aeo: { score: '1' } } },
  ])
    expect(parseStoredReport(other)).toBeUndefined();
});
