import { describe, expect, test } from 'vitest';
import { buildStandard } from '../../src/results/standard.ts';
import { buildSummary } from '../../src/results/summary.ts';
import { boughtResult, PLACE } from './stored-results.ts';

describe('the summary of an audit', () => {
  test('names the scores that apply, and why others do not', async () => {
    const summary = buildSummary(await boughtResult('full_report'), PLACE);
    expect(Object.keys(summary.scores ?? {})).toEqual(['aeo', 'geo', 'agent']);
    expect(summary.not_applicable).toEqual([
      { score: 'mcp', reason: expect.stringContaining('No MCP surface') as string },
    ]);
    expect(summary.headline).toMatch(/^AEO \d+ of 100 \([A-F]\), GEO .* checks fail/);
  });

  test('counts each check once, and the same as the section of checks', async () => {
    const summary = buildSummary(await boughtResult('full_audit'), PLACE);
    const total = Object.values(summary.counts ?? {}).reduce((sum, one) => sum + one, 0);
    expect(summary.sections.find(({ name }) => name === 'checks')?.count).toBe(total);
  });

  test('what to do first is what the full result names first, with effort and state', async () => {
    const bought = await boughtResult('fix_pack');
    const { do_first: first } = buildSummary(bought, PLACE);
    expect(first.map(({ id }) => id)).toEqual(bought.summary?.fixes?.map(({ check_id }) => check_id));
    for (const one of first)
      expect(one).toMatchObject({ effort: expect.any(String) as string, state: expect.any(String) as string });
  });

  test('a comparison says who is ahead, and what to copy first', async () => {
    const bought = await boughtResult('compare');
    const summary = buildSummary(bought, PLACE);
    expect(summary.competitor_scores?.aeo?.score).toBe(bought.sites?.competitor.scores?.aeo?.score);
    expect(summary.do_first.map(({ id }) => id)).toEqual(bought.copy_first?.map(({ check_id }) => check_id));
    expect(summary.headline).toContain('Competitor: ');
  });

  test('a score that could not be assessed is not said to be 0', async () => {
    const bought = await boughtResult('score_geo');
    const geo = bought.scores?.geo;
    if (geo === undefined) throw new Error('no score');
    const unknown = { ...bought, scores: { geo: { ...geo, score: 0, coverage: 0 } } };
    expect(buildSummary(unknown, PLACE).headline).toMatch(/^GEO could not be assessed\./);
  });
});

describe('the summary of a measurement', () => {
  test('X4: names of rivals are evidence and in no sentence of ours', async () => {
    const summary = buildSummary(await boughtResult('visibility_check'), PLACE);
    const { evidence, ...ours } = summary;
    const names = evidence.rivals?.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of [...names, 'Example Desk']) expect(JSON.stringify(ours)).not.toContain(name);
    expect(summary.headline).toMatch(/^Mentioned in .* % of 28 answers/);
  });

  test('of two brands it has both rates and the verdict', async () => {
    const { measurement } = buildSummary(await boughtResult('visibility_vs_competitor'), PLACE);
    expect(measurement).toMatchObject({ verdict: 'too_close_to_call', total: 30, valid: 28 });
    expect(measurement?.competitor_mention_rate?.n).toBe(28);
  });

  test('texts to publish are things to do first, by topic', async () => {
    const { do_first: first } = buildSummary(await boughtResult('visibility_fix_pack'), PLACE);
    expect(first.map(({ id, state }) => [id, state])).toEqual([
      ['topic-1', 'draft'],
      ['topic-2', 'draft'],
      ['topic-3', 'draft'],
    ]);
  });
});

test('hostile lengths do not push a summary over its size', async () => {
  const bought = await boughtResult('visibility_check');
  const long = 'ä'.repeat(5_000);
  const hostile = {
    ...bought,
    warnings: Array.from({ length: 100 }, () => long),
    rivals: Array.from({ length: 500 }, () => ({ name: long, mentioned: 1 })),
    weak_spots: Array.from({ length: 3 }, () => ({ topic: long, who_wins: long, evidence: long })),
    files: Array.from({ length: 500 }, (_, at) => ({ path: `f/${at}.md`, media_type: 'text/markdown', content: long })),
  };
  const text = JSON.stringify(buildSummary(hostile, PLACE));
  expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(8 * 1024);
});

describe('the standard view', () => {
  test('has every failed and partial check once, with evidence and what to do', async () => {
    const bought = await boughtResult('full_audit');
    const standard = buildStandard(bought, PLACE);
    const open = (standard.counts?.fail ?? 0) + (standard.counts?.partial ?? 0);
    expect(standard.checks).toHaveLength(open);
    expect(new Set(standard.checks?.map(({ id }) => id)).size).toBe(open);
    for (const { fix } of standard.checks ?? []) expect(fix?.instructions).not.toBe('');
  });

  test('of a fix pack it says which fixes have ready contents, without them', async () => {
    const standard = buildStandard(await boughtResult('fix_pack'), PLACE);
    const withContent = standard.checks?.filter(({ fix }) => fix?.has_content === true) ?? [];
    expect(withContent.length).toBeGreaterThan(0);
    for (const { fix } of withContent) expect(fix).not.toHaveProperty('content');
  });

  test('says how many checks did not fit', async () => {
    const bought = await boughtResult('check_health');
    const [failed] = bought.checks?.filter(({ status }) => status === 'fail') ?? [];
    if (failed === undefined) throw new Error('nothing failed');
    const many = Array.from({ length: 900 }, (_, at) => ({ ...failed, id: `aeo.made.up-${at}` }));
    const standard = buildStandard({ ...bought, checks: many }, PLACE);
    expect((standard.checks?.length ?? 0) + (standard.checks_left_out ?? 0)).toBe(900);
    expect(standard.checks_left_out).toBeGreaterThan(0);
    expect(JSON.stringify(standard).length).toBeLessThan(60 * 1024);
  });
});
