import { describe, expect, test } from 'vitest';
import type { MonitorAlert } from '../../../src/monitors/core/alert.ts';
import type { BrandSummary, SiteSummary } from '../../../src/monitors/core/run.ts';
import { readSiteFacts } from '../../../src/monitors/facts/site-facts.ts';
import { compareRuns } from '../../../src/monitors/history/compare-runs.ts';
import { readMonitorHistory } from '../../../src/monitors/history/history.ts';
import { listHistoryRows } from '../../../src/monitors/history/history-rows.ts';
import { formatCsv } from '../../../src/web/console/tables.tsx';
import { storedRunOf } from '../../support/monitors/made-monitor.ts';
import { measuredOf, runOf } from '../../visibility/trend/made-runs.ts';

const siteOf = (score: number, more: Partial<SiteSummary> = {}): SiteSummary => ({
  kind: 'site',
  rubric: { version: '3.0.0', sha256: 'a' },
  scores: {
    aeo: { score, coverage: 1, gates: score < 30 ? ['aeo.x'] : [], interval: { low: score - 2, high: score + 3 } },
    mcp: null,
  },
  counts: { pass: 1, partial: 0, fail: 0, not_applicable: 0, unknown: 0 },
  competitors: [{ url: 'https://rival.example/', scores: { aeo: { score: 50, coverage: 1, gates: [] } } }],
  ...more,
});
const brandOf = (day: number, named: string, more: object = {}): BrandSummary => ({
  kind: 'brand',
  measured: measuredOf(runOf(`m${day}`, day, named, more)),
  rates: [{ engine: 'openai-compatible', rate: { value: 0.4, low: 0.25, high: 0.58, n: 30 }, simulated: false }],
});
const alert = { id: 'alr_1', runId: 'c', atMs: 3, kind: 'gate_fired', title: 'It fired' } as MonitorAlert;

describe('the history of a site', () => {
  const runs = [
    storedRunOf('d', 4, siteOf(70, { rubric: { version: '3.1.0', sha256: 'b' } })),
    storedRunOf('c', 3, siteOf(20)),
    storedRunOf('b', 2, null),
    storedRunOf('u', 2.5, siteOf(5, { unread: 'status 503' })),
    storedRunOf('a', 1, siteOf(80)),
    storedRunOf('e', 5, null, { state: 'reserved' }),
  ];
  const history = readMonitorHistory(runs, [alert]);

  test('has a series for each score that applies, of the site and of competitors, oldest first, with intervals and gates', () => {
    expect(
      history.series.map(({ name, competitor, points }) => [name, competitor, points.map(({ value }) => value)]),
    ).toEqual([
      ['aeo', undefined, [80, 20, 70]],
      ['aeo', 'https://rival.example/', [50, 50, 50]],
    ]);
    expect(history.series[0]?.points[1]).toMatchObject({
      runId: 'c',
      reportId: 'report-c',
      low: 18,
      high: 23,
      gates: ['aeo.x'],
    });
  });

  test('marks runs without a value, rubrics and alerts in the order of time', () => {
    expect(history.marks).toMatchObject([
      { kind: 'no_value', runId: 'b', reason: 'target_unreachable' },
      { kind: 'no_value', runId: 'u', reason: 'status 503' },
      { kind: 'alert', runId: 'c', alert: 'gate_fired' },
      { kind: 'rubric_changed', runId: 'd', from: '3.0.0', to: '3.1.0' },
    ]);
  });

  test('is rows of a file', () => {
    const lines = formatCsv(listHistoryRows(history)).trim().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('at,run,report,of,series,unit,value,low,high,held_by,simulated,marks');
    expect(lines).toContain('1970-01-01T00:00:00.003Z,c,report-c,,aeo,points,20,18,23,aeo.x,no,alert:gate_fired');
  });
});

test('the history of a brand marks other models and other prompts', () => {
  const other = brandOf(21, '10');
  const history = readMonitorHistory([
    storedRunOf('a', 1, brandOf(7, '10')),
    storedRunOf('b', 2, brandOf(14, '10', { servedModels: ['m-2'] })),
    storedRunOf('c', 3, { ...other, measured: { ...other.measured, promptSet: { id: 'v2', sha256: 'c' } } }),
  ]);
  expect(history.series).toMatchObject([
    { name: 'openai-compatible', unit: 'share', points: [{ value: 0.4, low: 0.25 }, {}, {}] },
  ]);
  expect(history.marks).toMatchObject([
    { kind: 'model_changed', runId: 'b', from: 'm-1', to: 'm-2' },
    { kind: 'model_changed', runId: 'c' },
    { kind: 'prompts_changed', runId: 'c', from: 'v1', to: 'v2' },
  ]);
});

describe('two runs', () => {
  const factsOf = (status: string, value: number) =>
    readSiteFacts(
      JSON.stringify({
        rubric: { version: '3.0.0', sha256: 'a' },
        scores: {
          aeo: {
            score: value * 100,
            checks: [
              {
                id: 'aeo.a',
                status,
                value,
                weight: 2,
                evidence: [{ url: 'https://acme.example/robots.txt', line: 2 }],
              },
              { id: 'aeo.b', status: 'pass', value: 1, weight: 2 },
              { id: 'aeo.c', status: status === 'fail' ? 'unknown' : 'pass', value, weight: 1 },
            ],
          },
        },
      }),
    );
  const [a, b] = [
    { run: storedRunOf('a', 1, siteOf(80)), facts: factsOf('pass', 1) },
    { run: storedRunOf('b', 2, siteOf(20)), facts: factsOf('fail', 0) },
  ];

  test('of a site say what is worse, better, or seen in one alone, whichever is given first', () => {
    const compared = compareRuns(b, a);
    expect(compared).toEqual(compareRuns(a, b));
    expect(compared).toMatchObject({
      ok: true,
      fromRunId: 'a',
      toRunId: 'b',
      changes: {
        rubric: { isSame: true },
        scores: [{ name: 'aeo', before: 100, after: 0 }],
        worse: [{ id: 'aeo.a', before: { status: 'pass' }, after: { status: 'fail', evidence: [{ line: 2 }] } }],
        better: [],
        inOneOnly: [{ id: 'aeo.c' }],
      },
    });
  });

  test('of a brand are tested pair by pair', () => {
    const [many, few] = ['1'.repeat(20) + '0'.repeat(10), '1'.repeat(5) + '0'.repeat(25)];
    const compared = compareRuns(
      { run: storedRunOf('a', 1, brandOf(7, many)) },
      { run: storedRunOf('b', 2, brandOf(14, few)) },
    );
    expect(compared).toMatchObject({
      changes: { history: { ok: true, history: { engines: [{ stretches: [{ changes: [{ verdict: 'fell' }] }] }] } } },
    });
  });

  test.each([
    ['the_same_run', a, a],
    ['no_report', a, { run: storedRunOf('b', 2, siteOf(20)) }],
    ['not_comparable', a, { run: storedRunOf('b', 2, brandOf(14, '10')) }],
  ] as const)('%s', (reason, one, other) => {
    expect(compareRuns(one, other)).toEqual({ ok: false, reason });
  });
});
