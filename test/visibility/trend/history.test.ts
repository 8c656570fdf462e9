import { describe, expect, test } from 'vitest';
import type { MeasuredBrand } from '../../../src/visibility/trend/measured-run.ts';
import { type BrandHistory, computeHistory, MAX_COMPARED_MEASUREMENTS } from '../../../src/visibility/trend/history.ts';
import { hasComparableEngine } from '../../../src/visibility/trend/series.ts';
import { measuredOf, runOf, simulatePanels, simulateRuns } from './made-runs.ts';

function historyOf(...measured: readonly MeasuredBrand[]): BrandHistory {
  const computed = computeHistory(measured);
  if (!computed.ok) throw new Error(computed.reason);
  return computed.history;
}
const many = '1'.repeat(20) + '0'.repeat(10);
const few = '1'.repeat(5) + '0'.repeat(25);

describe('two runs of one engine', () => {
  const history = historyOf(measuredOf(runOf('b', 30, few)), measuredOf(runOf('a', 0, many)));
  const [change] = history.engines[0]?.stretches[0]?.changes ?? [];

  test('are paired prompt by prompt, in the order of time whichever is given first', () => {
    expect(change).toMatchObject({
      prompts: 30,
      left_out: 0,
      more: 0,
      less: 15,
      verdict: 'fell',
      difference: { value: -0.5 },
    });
    expect(change?.p_value).toBeCloseTo(2 ** -15, 6); // Mid-p of 0 of 15: 2 * 0 + 2^-15.
    expect(change?.difference.low).toBeLessThan(-0.5);
    expect(change?.difference.high).toBeLessThan(0);
    expect(history).toEqual(historyOf(measuredOf(runOf('a', 0, many)), measuredOf(runOf('b', 30, few))));
  });

  test('without a difference say no change, with an interval that is not nothing', () => {
    const same = historyOf(measuredOf(runOf('a', 0, many)), measuredOf(runOf('b', 30, many)));
    const [calm] = same.engines[0]?.stretches[0]?.changes ?? [];
    expect(calm).toMatchObject({ p_value: 1, verdict: 'no_change_seen', difference: { value: 0 } });
    expect(calm?.difference.high).toBeGreaterThan(0.05);
    expect(same.engines[0]?.stretches[0]?.trend).toBeNull();
  });

  test('leave out prompts without a real answer in one of them, and say how many', () => {
    const gaps = historyOf(
      measuredOf(runOf('a', 0, `--${many.slice(2)}`)),
      measuredOf(runOf('b', 30, `${few.slice(0, 29)}-`)),
    );
    expect(gaps.engines[0]?.stretches[0]?.changes[0]).toMatchObject({ prompts: 27, left_out: 3, less: 15 });
    expect(gaps.engines[0]?.stretches[0]?.points.map((point) => point.without_answer)).toEqual([2, 1]);
  });

  test('that share no answered prompt have no change', () => {
    const apart = historyOf(measuredOf(runOf('a', 0, '11-----')), measuredOf(runOf('b', 30, '--11111')));
    expect(apart.engines[0]?.stretches[0]?.changes).toEqual([]);
  });
});

describe('another model', () => {
  test('is not a run that says nothing of web search, as those of before, beside one that says it did not search', () => {
    const engine = { kind: 'openai-compatible', model: 'm', webSearch: false } as const;
    const history = historyOf(measuredOf(runOf('a', 0, many)), measuredOf(runOf('b', 30, few, { engine })));
    expect(history.engines[0]).toMatchObject({ model_changed: [], stretches: [{ changes: [{ verdict: 'fell' }] }] });
  });

  test.each([
    ['that answered', { servedModels: ['m-2'] }],
    ['that was asked', { engine: { kind: 'openai-compatible', model: 'm2' } as const }],
    ['with web search', { engine: { kind: 'openai-compatible', model: 'm', webSearch: true } as const }],
    ['asked from another country', { engine: { kind: 'openai-compatible', model: 'm', country: 'de' } as const }],
  ])('%s is marked, and gives no verdict about the brand', (_what, more) => {
    const [engine] = historyOf(measuredOf(runOf('a', 0, many)), measuredOf(runOf('b', 30, few, more))).engines;
    expect(engine?.model_changed).toMatchObject([
      { difference: -0.5, before: { value: 0.6667 }, after: { value: 0.1667 } },
    ]);
    expect(engine?.stretches.map(({ changes, trend }) => [changes, trend])).toEqual([
      [[], null],
      [[], null],
    ]);
    expect(JSON.stringify(engine)).not.toContain('verdict');
  });

  test('parts a trend: what its own runs show is said of it alone', () => {
    const later = { servedModels: ['m-2'] };
    const runs = [many, many, many, few, few, few].map((named, at) =>
      measuredOf(runOf(`${at}`, at * 30, named, at < 3 ? {} : later)),
    );
    const [engine] = historyOf(...runs).engines;
    expect(engine?.stretches.map(({ trend }) => trend?.verdict)).toEqual(['no_trend_seen', 'no_trend_seen']);
    expect(engine?.model_changed).toHaveLength(1);
  });
});

describe('several engines', () => {
  const named = (name: string) => ({ engine: { kind: 'openai-compatible', model: name, name } as const });
  const panel = (day: number, one: string, other: string) =>
    measuredOf(runOf(`a${day}`, day, one, named('one')), runOf(`b${day}`, day, other, named('two')));

  test('are compared each with itself, and Holm corrects over all of them', () => {
    const weak = `${'1'.repeat(14)}${'0'.repeat(16)}`;
    const history = historyOf(panel(0, many, many), panel(30, weak, few));
    expect(history.comparisons).toBe(2);
    const [one, two] = history.engines.map(({ stretches }) => stretches[0]?.changes[0]);
    expect(one).toMatchObject({ less: 6, verdict: 'fell' });
    expect(one?.p_holm).toBe(one?.p_value); // The largest p of all is not multiplied.
    expect(two?.p_holm).toBeCloseTo((two?.p_value ?? 0) * 2, 8);
  });

  test('an engine of one measurement alone is named as not compared, and none in common is refused', () => {
    const history = historyOf(panel(0, many, few), measuredOf(runOf('c', 30, many, named('one'))));
    expect(history.engines.map(({ engine }) => engine)).toEqual(['one']);
    expect(history.without_partner).toEqual([{ engine: 'two', run_id: 'b0', at_ms: 0 }]);
    expect(
      computeHistory([measuredOf(runOf('a', 0, many, named('one'))), measuredOf(runOf('b', 9, many, named('two')))]),
    ).toEqual({ ok: false, reason: 'no_common_engine' });
  });

  test('a run of before, without a name, belongs to the engine of today', () => {
    const history = historyOf(measuredOf(runOf('a', 0, many)), measuredOf(runOf('b', 30, many, named('one'))));
    expect(history.engines.map(({ engine }) => engine)).toEqual(['one']);
    expect(history.engines[0]?.model_changed).toHaveLength(1);
  });
});

describe('single runs without a name', () => {
  const kind = (one: 'recorded' | 'openai-compatible') => ({ engine: { kind: one, model: 'm' } });
  const runs = [
    measuredOf(runOf('a', 0, many, kind('openai-compatible'))),
    measuredOf(runOf('b', 30, many, kind('openai-compatible'))),
    measuredOf(runOf('c', 60, few, kind('recorded'))),
  ];

  test('are one series whatever their kinds, in which another kind is another model', () => {
    const history = historyOf(...runs);
    expect(history.engines.map(({ engine, stretches }) => [engine, stretches.length])).toEqual([['recorded', 2]]);
    expect(history.engines[0]?.model_changed).toMatchObject([{ from: { kind: 'openai-compatible' } }]);
    expect(history.engines[0]?.stretches.flatMap(({ points }) => points)).toHaveLength(3);
    expect(history.without_partner).toEqual([]);
  });

  test('are known to compare before any engine is asked', () => {
    const [one] = runs;
    if (one === undefined) throw new Error('there are three');
    const before = measuredOf(runOf('p', 0, many, { engine: { kind: 'openai', model: 'm', name: 'big' } }));
    const [named, other] = ['big', 'small'].map((name) => ({ kind: 'google' as const, model: 'g', name }));
    expect(hasComparableEngine(one, [{ kind: 'recorded', model: 'r' }])).toBe(true);
    expect(hasComparableEngine(before, [{ kind: 'recorded', model: 'r' }])).toBe(true);
    expect([named, other].map((engine) => engine && hasComparableEngine(before, [engine]))).toEqual([true, false]);
  });
});

describe('repeats within a day', () => {
  test('are compared where they are the only two', () => {
    const history = historyOf(measuredOf(runOf('a', 0, many)), measuredOf(runOf('b', 0.1, few)));
    expect(history.engines[0]?.stretches[0]?.changes).toMatchObject([{ verdict: 'fell' }]);
  });

  test('are one point, whose interval is wider than that of as many new prompts', () => {
    const history = historyOf(
      ...[0, 0.2, 0.4].map((day) => measuredOf(runOf(`${day}`, day, many))),
      measuredOf(runOf('late', 30, few)),
    );
    const [stretch] = history.engines[0]?.stretches ?? [];
    expect(stretch?.points.map(({ run_ids }) => run_ids.length)).toEqual([3, 1]);
    expect(stretch?.points[0]).toMatchObject({ answers: 90, mention_rate: { n: 30 } });
    expect(stretch?.changes[0]).toMatchObject({ verdict: 'fell', less: 15 });
  });

  test('that differ from each other more than answers do by chance widen the interval', () => {
    const of = (...runs: readonly string[]) =>
      historyOf(
        ...runs.map((named, at) => measuredOf(runOf(`${at}`, at / 10, named))),
        measuredOf(runOf('late', 30, many)),
      ).engines[0]?.stretches[0]?.points[0]?.mention_rate;
    const [calm, wild] = [
      of('1'.repeat(15) + '0'.repeat(15), '0'.repeat(15) + '1'.repeat(15)),
      of('1'.repeat(30), '0'.repeat(30)),
    ];
    expect(calm?.value).toBe(wild?.value);
    expect((wild?.high ?? 0) - (wild?.low ?? 0)).toBeGreaterThan((calm?.high ?? 1) - (calm?.low ?? 0) + 0.2);
  });
});

describe('refused are', () => {
  const one = measuredOf(runOf('a', 0, many));
  const other = measuredOf(runOf('b', 30, many));
  test.each([
    ['too_few', [one]],
    ['another_brand', [one, { ...other, brand: 'Beta' }]],
    ['another_niche', [one, { ...other, niche: 'coffee' }]],
    ['other_prompts', [one, { ...other, promptSet: { id: 'v1', sha256: 'b'.repeat(64) } }]],
    ['the_same_run', [one, other, one]],
    [
      'too_many',
      Array.from({ length: MAX_COMPARED_MEASUREMENTS + 1 }, (_, at) => measuredOf(runOf(`${at}`, at, many))),
    ],
  ] as const)('%s', (reason, measured) => {
    expect(computeHistory(measured)).toEqual({ ok: false, reason });
  });
});

describe('simulated markets', () => {
  const RUNS = 400;
  const verdictsOf = (name: string, more: Omit<Parameters<typeof simulateRuns>[0], 'seed'>) =>
    Array.from({ length: RUNS }, (_, at) => {
      const [stretch] = historyOf(...simulateRuns({ seed: `${name} ${at}`, ...more })).engines[0]?.stretches ?? [];
      return { change: stretch?.changes.map(({ verdict }) => verdict) ?? [], trend: stretch?.trend };
    });
  const shareOf = (found: ReturnType<typeof verdictsOf>, wanted: (one: (typeof found)[number]) => boolean): number =>
    found.filter(wanted).length / RUNS;

  test('that do not change ring in at most 5 % of pairs and trends', () => {
    const calm = verdictsOf('calm', { runs: 5, gapDays: 30 });
    expect(shareOf(calm, ({ change }) => change.some((one) => one !== 'no_change_seen'))).toBeLessThanOrEqual(0.05);
    expect(shareOf(calm, ({ trend }) => trend?.verdict !== 'no_trend_seen')).toBeLessThanOrEqual(0.05);
  });

  test('that do not change show a trend of any of four engines in at most 5 % of histories', () => {
    const histories = Array.from({ length: RUNS }, (_, at) =>
      historyOf(...simulatePanels({ seed: `panel ${at}`, runs: 6, gapDays: 14 }, 4)),
    );
    const trends = histories.map(({ engines }) => engines.flatMap(({ stretches }) => stretches[0]?.trend ?? []));
    expect(trends.every(({ length }) => length === 4)).toBe(true);
    const calledAlone = trends.filter((all) => all.some((one) => one.p_value < 0.05)).length / RUNS;
    const called = trends.filter((all) => all.some(({ verdict }) => verdict !== 'no_trend_seen')).length / RUNS;
    expect(calledAlone).toBeGreaterThan(0.06);
    expect(called).toBeLessThanOrEqual(0.05);
  });

  test('that lose 40 points ring as a fall in most pairs, and never as a rise', () => {
    const lost = verdictsOf('lost', { runs: 2, gapDays: 30, driftOf: (at) => -0.4 * at });
    expect(shareOf(lost, ({ change }) => change[0] === 'fell')).toBeGreaterThan(0.6);
    expect(shareOf(lost, ({ change }) => change[0] === 'rose')).toBe(0);
  });

  test('that rise by 5 points in 30 days have it inside the interval of the trend', () => {
    const risen = verdictsOf('risen', { runs: 5, gapDays: 30, driftOf: (at) => 0.05 * at });
    const covered = shareOf(risen, ({ trend }) => {
      const { low = 1, high = -1 } = trend?.per_30_days ?? {};
      return low <= 0.05 && 0.05 <= high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
    expect(shareOf(risen, ({ trend }) => trend?.verdict === 'rising')).toBeGreaterThan(0.3);
  });
});
