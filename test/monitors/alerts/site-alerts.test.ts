import { describe, expect, test } from 'vitest';
import { formatAlertTitle } from '../../../src/monitors/alerts/alert-words.ts';
import { compareRubrics } from '../../../src/monitors/alerts/rubric-alerts.ts';
import { findSiteAlerts, MAX_CHANGES_OF_ALERT } from '../../../src/monitors/alerts/site-alerts.ts';
import { readReportFacts, type SiteFacts } from '../../../src/monitors/facts/site-facts.ts';
import { summariseSite } from '../../../src/monitors/facts/summary.ts';
import { monitorOf, storedRunOf } from '../../support/monitors/made-monitor.ts';

const RUBRIC = { version: '3.0.0', sha256: 'a' };
type Row = [id: string, status: string, value: number, weight?: number];

/** A report with one score of these checks, worked out as the engine does. */
function factsOf(
  rows: readonly Row[],
  more: { gates?: object[]; rubric?: object; requests?: object[] } = {},
): SiteFacts {
  const checks = rows.map(([id, status, value, weight = 2]) => ({
    id,
    title: `Title of ${id}`,
    status,
    value,
    weight,
    evidence: [{ url: 'https://acme.example/', excerpt: `${id} ${status}` }],
  }));
  const judged = checks.filter(({ status }) => ['pass', 'partial', 'fail'].includes(status));
  const weight = judged.reduce((all, one) => all + one.weight, 0);
  const earned = judged.reduce((all, one) => all + one.weight * one.value, 0);
  const facts = readReportFacts({
    url: 'https://acme.example/',
    rubric: more.rubric ?? RUBRIC,
    scores: { aeo: { score: Math.round((100 * earned) / weight), gates: more.gates ?? [], checks } },
    requests: more.requests ?? [{ role: 'page', url: 'https://acme.example/', status: 200 }],
  });
  if (facts === undefined) throw new Error('no report');
  return facts;
}

const rowsOf = (count: number, row: (at: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => row(at));
const calm = rowsOf(20, (at) => [`aeo.calm.${at}`, 'pass', 1]);

type Rest = Partial<Parameters<typeof findSiteAlerts>[0]>;
const ring = (before: SiteFacts, after: SiteFacts, rest: Rest = {}) =>
  findSiteAlerts({
    monitor: monitorOf(),
    before,
    after,
    beforeRun: storedRunOf('run-1', 7, summariseSite(before)),
    reportId: 'report-2',
    ...rest,
  });

describe('rules', () => {
  const [before, worse] = [factsOf([...calm, ['aeo.a', 'pass', 1, 1]]), factsOf([...calm, ['aeo.a', 'fail', 0, 1]])];

  test('leave out lighter checks, unless the owner asks for them', () => {
    expect(ring(before, worse)).toEqual([]);
    expect(ring(before, worse, { monitor: monitorOf({ min_weight: 1 }) })).toMatchObject([
      { kind: 'verdict_changed', severity: 'warning', changes: [{ id: 'aeo.a', isWorse: true }] },
    ]);
  });

  test('a score that lighter checks moved rings with their names, beyond the points that the owner gave', () => {
    const lights = (status: string, value: number): readonly Row[] =>
      rowsOf(4, (at) => [`aeo.b.${at}`, status, value, 1]);
    const [was, is] = [factsOf([...calm, ...lights('pass', 1)]), factsOf([...calm, ...lights('fail', 0)])];
    expect(ring(was, is)).toMatchObject([
      {
        kind: 'score_moved',
        changes: [
          {
            id: 'aeo',
            before: { value: 100 },
            after: { value: 91 },
            because: ['aeo.b.0', 'aeo.b.1', 'aeo.b.2', 'aeo.b.3'],
          },
        ],
      },
    ]);
    expect(ring(was, is, { monitor: monitorOf({ score_points: 9 }) })).toEqual([]);
  });

  test('what got better rings as information, or not at all', () => {
    const [was, is] = [factsOf([...calm, ['aeo.a', 'fail', 0, 3]]), factsOf([...calm, ['aeo.a', 'pass', 1, 3]])];
    expect(ring(was, is)).toMatchObject([{ severity: 'info', changes: [{ isWorse: false }, { id: 'aeo' }] }]);
    expect(ring(was, is, { monitor: monitorOf({ improvements: false }) })).toEqual([]);
  });
});

describe('nothing rings', () => {
  test.each<[string, readonly Row[], readonly Row[]]>([
    ['for a check that could not be looked at', [['aeo.a', 'pass', 1, 5]], [['aeo.a', 'unknown', 0, 5]]],
    ['for one that does not apply any more', [['aeo.a', 'pass', 1, 5]], [['aeo.a', 'not_applicable', 0, 5]]],
    [
      'for one that applies since the site has such a thing',
      [['aeo.a', 'not_applicable', 0, 5]],
      [['aeo.a', 'fail', 0, 5]],
    ],
    ['for a score that coverage alone moved', [['aeo.a', 'fail', 0, 5]], [['aeo.a', 'unknown', 0, 5]]],
  ])('%s', (_what, before, after) => {
    expect(ring(factsOf([...calm, ...before]), factsOf([...calm, ...after]))).toEqual([]);
  });

  test('where there is nothing to compare with, or the start page answers 503', () => {
    const facts = factsOf([...calm, ['aeo.a', 'fail', 0]]);
    expect(findSiteAlerts({ monitor: monitorOf(), before: undefined, after: facts })).toEqual([]);
    const busy = factsOf([...calm, ['aeo.a', 'fail', 0]], {
      requests: [{ role: 'page', url: 'https://acme.example/', status: 503 }],
    });
    expect(ring(factsOf([...calm, ['aeo.a', 'pass', 1]]), busy)).toEqual([]);
  });
});

test('what was last seen weeks ago is compared with that, and names the run', () => {
  const seen = [factsOf([...calm, ['aeo.a', 'pass', 1]]), factsOf([...calm, ['aeo.a', 'unknown', 0]])] as const;
  const [old, before] = [
    storedRunOf('run-0', 1, summariseSite(seen[0])),
    storedRunOf('run-1', 2, summariseSite(seen[1])),
  ];
  const after = factsOf([...calm, ['aeo.a', 'fail', 0]]);
  expect(ring(seen[1], after, { beforeRun: before, history: [before, old] })).toMatchObject([
    {
      since: { runId: 'run-1' },
      changes: [
        { id: 'aeo.a', since: { runId: 'run-0', atMs: 1 }, before: { status: 'pass' }, after: { status: 'fail' } },
        { id: 'aeo', because: ['aeo.a'] },
      ],
    },
  ]);
});

test('a verdict that waited for a second run moves its score with it, from what had settled before', () => {
  const passed: readonly Row[] = [...calm, ['aeo.a', 'pass', 1]];
  const failed: readonly Row[] = [...calm, ['aeo.a', 'fail', 0]];
  const url = 'https://acme.example/';
  // A request to the address of its evidence failed in passing.
  const requests = [
    { role: 'page', url, status: 200 },
    { role: 'copy', url, status: 503 },
  ];
  const seen = [factsOf(passed), factsOf(failed, { requests })] as const;
  const [old, before] = [
    storedRunOf('run-0', 1, summariseSite(seen[0])),
    storedRunOf('run-1', 2, summariseSite(seen[1])),
  ];
  expect(ring(seen[0], seen[1], { beforeRun: old, history: [old] })).toEqual([]);
  expect(ring(seen[1], factsOf(failed), { beforeRun: before, history: [before, old] })).toMatchObject([
    {
      changes: [
        { id: 'aeo.a', before: { status: 'pass' }, after: { status: 'fail' } },
        { id: 'aeo', because: ['aeo.a'] },
      ],
    },
  ]);
});

test('many changes are one alert, the gravest first, and it says how many more there are', () => {
  const rows = (status: string, value: number): readonly Row[] =>
    rowsOf(50, (at) => [`aeo.c.${at}`, status, value, at === 30 ? 5 : 2]);
  const gates = [{ id: 'aeo.c.40', cap: 20 }];
  const [alert, ...others] = ring(factsOf(rows('pass', 1)), factsOf(rows('fail', 0), { gates }));
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ kind: 'gate_fired', severity: 'critical', reportId: 'report-2', more: 11 });
  expect(alert?.changes).toHaveLength(MAX_CHANGES_OF_ALERT);
  expect(alert?.changes.slice(0, 2).map(({ id }) => id)).toEqual(['aeo.c.40', 'aeo.c.30']);
  expect(alert?.changes[0]?.after?.text).toBe('fail, holds aeo at 20');
  expect(alert?.title).toContain('and 50 more changes');
});

test('the same pair of runs has the same key, and another pair another', () => {
  const [was, is] = [factsOf([...calm, ['aeo.a', 'pass', 1]]), factsOf([...calm, ['aeo.a', 'fail', 0]])];
  const [one, again] = [ring(was, is)[0]?.key, ring(was, is)[0]?.key];
  const other = ring(was, is, { beforeRun: storedRunOf('run-9', 7, summariseSite(was)) })[0]?.key;
  expect(one).toBe(again);
  expect(other).not.toBe(one);
});

describe('competitors', () => {
  const [was, is] = [factsOf([...calm, ['aeo.a', 'pass', 1]]), factsOf([...calm, ['aeo.a', 'fail', 0]])];
  const competitors = [{ url: 'https://rival.example/', before: was, after: is }];

  test('ring where the owner asks for it, each by name', () => {
    expect(ring(was, was, { competitors })).toEqual([]);
    expect(ring(was, was, { competitors, monitor: monitorOf({ competitors: true }) })).toMatchObject([
      { competitor: 'https://rival.example/', title: expect.stringMatching(/^rival\.example: /) },
    ]);
  });
});

describe('a new rubric', () => {
  const OLD = { version: '2.0.0', sha256: 'b' };
  const rows = (a: Row): readonly Row[] => [...calm, a, ['aeo.new', 'unknown', 0, 5]];
  const reported = factsOf([...calm, ['aeo.a', 'pass', 1]], { rubric: OLD });
  const again = factsOf(rows(['aeo.a', 'fail', 0]));
  const rubricChanged = compareRubrics(reported, again);
  const beforeRun = storedRunOf('run-1', 7, summariseSite(reported));

  test('is said apart with what it alone moved, and the site that did not change does not ring', () => {
    const after = factsOf([...calm, ['aeo.a', 'fail', 0], ['aeo.new', 'fail', 0, 5]]);
    const alerts = ring(again, after, { beforeRun, history: [beforeRun], rubricChanged });
    expect(alerts).toMatchObject([
      {
        kind: 'rubric_changed',
        severity: 'info',
        changes: [
          { before: { text: '2.0.0' }, after: { text: '3.0.0' } },
          { id: 'aeo', before: { value: 100 }, after: { value: 95 } },
          { id: 'aeo.a', before: { status: 'pass' }, after: { status: 'fail' } },
        ],
      },
    ]);
  });

  test('that is taken back is compared with the run before alone, judged again', () => {
    const old = storedRunOf('run-0', 1, summariseSite(factsOf([...calm, ['aeo.a', 'fail', 0]])));
    const before = factsOf([...calm, ['aeo.a', 'pass', 1]]);
    const after = factsOf([...calm, ['aeo.a', 'fail', 0]]);
    // By run-0 the verdict would have flipped twice, and waited for another run.
    expect(ring(before, after, { beforeRun, history: [beforeRun, old] })).toMatchObject([
      { kind: 'verdict_changed', changes: [{ id: 'aeo.a', isWorse: true }, { id: 'aeo' }] },
    ]);
  });

  test('does not hide what the site changed in the same week', () => {
    const after = factsOf(rows(['aeo.a', 'pass', 1]));
    const kinds = ring(again, after, { beforeRun, history: [beforeRun], rubricChanged }).map(({ kind, changes }) => [
      kind,
      changes[0]?.isWorse,
    ]);
    expect(kinds).toEqual([
      ['rubric_changed', undefined],
      ['verdict_changed', false],
    ]);
  });
});

test('titles are sentences in both languages, and name what could not be looked at as that', () => {
  const [alert] = ring(factsOf([...calm, ['aeo.a', 'pass', 1]]), factsOf([...calm, ['aeo.a', 'fail', 0]]));
  if (alert === undefined) throw new Error('it rings');
  expect(alert.title).toBe(
    'A check got worse, passed before and failed now: Title of aeo.a (aeo.a), and 1 more change',
  );
  expect(formatAlertTitle(alert, 'de', { titleOf: () => 'Titel' })).toBe(
    'Eine Prüfung wurde schlechter, vorher bestanden, jetzt nicht bestanden: Titel (aeo.a), und 1 weitere Änderung',
  );
  const unseen = {
    ...alert,
    changes: [{ ...alert.changes[0], after: { text: '500', status: 'unknown' } }],
  } as typeof alert;
  expect(formatAlertTitle(unseen)).toBe(
    'A check could not be made twice in a row (500), passed before: Title of aeo.a (aeo.a)',
  );
});
