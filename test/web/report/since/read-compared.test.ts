import { describe, expect, test } from 'vitest';
import { storedExamples } from '../../../support/management/stored-examples.ts';
import { type ComparedPair, pairReports, parseReportId } from '../../../../src/web/report/since/read-compared.ts';
import { renderSincePage } from '../../../../src/web/report/since/page.tsx';
import type { BrandHistory } from '../../../../src/visibility/trend/history.ts';
import { readStoredHistory } from '../../../../src/web/report/since/read-history.ts';
import { readStored } from '../../../../src/web/report/stored.ts';
import { textOf } from '../../../support/pages/view-page.ts';
import { measureOn, storedRunsOf } from '../../../support/pages/view-results.ts';

const examples = new Map(await storedExamples());
const example = (capability: string) => readStored(examples.get(capability as never) ?? '');
type Scored = { scores: Record<string, { score: number; checks: { id: string; status: string }[] }>; rubric: object };

/** The same report some time later: one check fails that passed, and a score is lower. */
function laterThan(capability: string, change: (json: Scored) => void = () => {}) {
  const json = structuredClone(example(capability).json) as Scored;
  const aeo = json.scores['aeo'];
  const passed = aeo?.checks.find(({ status }) => status === 'pass');
  if (!aeo || !passed) throw new Error('the example passes something');
  for (const { checks } of Object.values(json.scores))
    for (const check of checks) if (check.id === passed.id) check.status = 'fail';
  aeo.score -= 7;
  change(json);
  return { report: readStored(JSON.stringify(json)), failed: passed.id };
}

const ID = { from: '0'.repeat(32), to: 'f'.repeat(32) };
function pageOf(pair: ComparedPair, language: 'en' | 'de' = 'en', history?: BrandHistory): string {
  const times = { from: { id: ID.from, atMs: 0 }, to: { id: ID.to, atMs: Date.UTC(2026, 10, 27) } };
  const page = renderSincePage({ language, pair, history, ...times });
  if (page instanceof Promise) throw new Error('a page of changes waits for nothing');
  return page.toString();
}

function pairOf(...both: Parameters<typeof pairReports>): ComparedPair {
  const pair = pairReports(...both);
  if (typeof pair === 'string') throw new Error(pair);
  return pair;
}

describe('two reports of one site', () => {
  test('differ by what failed since, and by the points of each score', () => {
    const { report } = laterThan('full_audit');
    const text = textOf(pageOf(pairOf(example('full_audit'), report)));
    expect(text).toMatch(/AEO \d+ \d+ −7/);
    expect(text).toContain('New failures (1)');
    expect(text).toContain('New passes (0) No check passes that did not before.');
    expect(text).toContain('The earlier report');
  });

  test('of two rubrics have no points, and say so', () => {
    const { report } = laterThan('full_audit', (json) => Object.assign(json.rubric, { version: '1.0.0' }));
    const text = textOf(pageOf(pairOf(report, example('full_audit'))));
    expect(text).toContain('was judged by rubric 1.0.0');
    expect(text).toMatch(/AEO \d+ \d+ –/);
  });

  test('of two capabilities are compared by the checks that both have', () => {
    const pair = pairOf(example('check_health'), example('full_audit'));
    if (pair.kind !== 'site') throw new Error('both are about a site');
    expect(Object.keys(pair.from.statuses).toSorted()).toEqual(Object.keys(pair.to.statuses).toSorted());
    expect(textOf(pageOf(pair))).toContain('New failures (0)');
  });

  test('are shown in German too', () => {
    const text = textOf(pageOf(pairOf(example('full_audit'), laterThan('full_audit').report), 'de'));
    expect(text).toContain('Neu durchgefallen (1)');
    expect(text).not.toContain('New failures');
  });
});

test('two measurements of one brand are compared by their intervals', () => {
  const text = textOf(pageOf(pairOf(example('visibility_check'), example('visibility_check'))));
  expect(text).toContain('Mention rate');
  expect(text).toContain('may be chance');
});

describe('two measurements', () => {
  type Measured = {
    engine: { model: string; served_models: string[]; simulated: boolean };
    prompts: { sha256: string };
  };
  const changed = (change: (json: Measured) => void): string => {
    const json = structuredClone(example('visibility_check').json) as Measured;
    change(json);
    return textOf(pageOf(pairOf(example('visibility_check'), readStored(JSON.stringify(json)))));
  };
  const same = changed(() => {});

  test('of two models say that a difference may be theirs', () => {
    const text = changed(({ engine }) => Object.assign(engine, { model: 'other-1', served_models: ['other-1-mini'] }));
    expect(text).toMatch(/Another model answered: .+ before, other-1 \(other-1-mini\) after\./);
    expect(same).not.toContain('Another model');
  });

  test('of two sets of questions say so', () => {
    expect(changed(({ prompts }) => Object.assign(prompts, { sha256: '0'.repeat(64) }))).toContain(
      'asked different questions',
    );
    expect(same).not.toContain('different questions');
  });

  test('of which one is of a simulated engine are marked like its report', () => {
    const text = changed(({ engine }) => Object.assign(engine, { kind: 'simulated', simulated: true }));
    expect(text).toContain('Simulated engine: these answers are invented.');
  });
});

describe('the answers of two measurements', () => {
  const answersOf = async (id: string, day: number, servedModel?: string) => {
    const run = await measureOn();
    const answers = run.answers.map((one) =>
      one.status === 'answered' && servedModel !== undefined ? { ...one, servedModel } : one,
    );
    return storedRunsOf({ ...run, runId: id.repeat(32), startedAtMs: Date.UTC(2026, 10, day), answers });
  };
  const json = { brand: 'Example Desk', niche: 'help desk software' };
  const historyOf = async (...runs: readonly (ReturnType<typeof storedRunsOf> | undefined)[]) =>
    readStoredHistory(runs.map((one) => ({ json, runs: one })));
  const pair = pairOf(example('visibility_check'), example('visibility_check'));

  test('are paired per engine, in German too, and the interval of each rate is not compared beside it', async () => {
    const history = await historyOf(await answersOf('a', 1), await answersOf('b', 20));
    const text = textOf(pageOf(pair, 'en', history));
    expect(text).toContain('Change of the mention rate');
    expect(text).toMatch(/±0 points \(−\d+ to \+\d+\); 28 questions, 0 more often, 0 less often, 2 left out/);
    expect(text.match(/Mention rate/g)).toHaveLength(2); // Caption and column of the history: no row of figures.
    expect(textOf(pageOf(pair, 'de', history))).toMatch(/28 Fragen, 0 häufiger, 0 seltener, 2 ausgelassen/);
  });

  test('of another model are marked, and nothing is said of the brand', async () => {
    const history = await historyOf(await answersOf('a', 1), await answersOf('b', 20, 'newer-model'));
    const text = textOf(pageOf(pair, 'en', history));
    expect(text).toContain('some-model (even-model, odd-model) → some-model (newer-model)');
    expect(text).toContain('it is no change of the brand');
    expect(text).not.toMatch(/ (?:rose|fell)\b/);
  });

  test('of which one is gone have no history, and panels then say why', async () => {
    expect(await historyOf(await answersOf('a', 1), undefined)).toBeUndefined();
    const text = textOf(pageOf({ kind: 'panel', subject: 'Example Desk' }));
    expect(text).toContain('compared by their answers, engine by engine');
  });
});

describe('not compared are', () => {
  test.each([
    ['without_figures', 'generate_skill', 'full_audit'],
    ['without_figures', 'compare', 'compare'],
    ['another_subject', 'visibility_check', 'full_audit'],
    ['no_common_check', 'check_schema', 'check_llms_txt'],
  ])('%s: %s and %s', (why, one, other) => {
    expect(pairReports(example(one), example(other))).toBe(why);
  });

  test('two sites, and one brand in two markets', () => {
    const site = example('full_audit');
    expect(pairReports(site, { ...site, url: 'https://other.example/' })).toBe('another_subject');
    const brand = example('visibility_check');
    expect(pairReports(brand, { ...brand, json: { ...(brand.json as object), niche: 'another' } })).toBe(
      'another_subject',
    );
  });
});

test.each([
  ['0123456789abcdef0123456789abcdef', true],
  ['  https://sightline.test/reports/0123456789abcdef0123456789abcdef#publish ', true],
  ['/reports/0123456789abcdef0123456789abcdef.html?print=full', true],
  ['https://sightline.test/reports/0123456789abcdef0123456789abcdef/snapshot', true],
  ['https://sightline.test/reports/0123456789abcdef', false],
  ['0123456789ABCDEF0123456789ABCDEF', false],
  ['0123456789abcdef0123456789abcdef0', false],
  ['', false],
  ['<script>', false],
])('%j names a report: %j', (text, known) => {
  expect(parseReportId(text)).toBe(known ? '0123456789abcdef0123456789abcdef' : undefined);
});
