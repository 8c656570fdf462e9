import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutcomeStatus } from '../../../src/audit/core/check.ts';
import { computeCurrentRubric } from '../../../src/audit/core/report.ts';
import { RUBRIC_VERSION } from '../../../src/audit/core/rubric-version.ts';
import { explainRuleChange } from '../../../src/audit/rubric/changes.ts';
import { writeRecordingJson } from '../../../src/capabilities/recording.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import { SITE } from '../../support/audit/site-fetch.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import { bareSite } from '../../sites/poor.ts';

/** A check whose rule changed from rubric 2 to rubric 3, and one whose rule did not. */
const MOVED = 'agent.ui.form-labels';
const KEPT = 'aeo.index.meta-robots';

let folder = '';
const run = (...args: string[]): Promise<Ended> => runCli(['compare', ...args], { cwd: folder });

function write(
  file: string,
  version: string,
  { status = 'pass', sha256 = version, more = {} }: { status?: OutcomeStatus; sha256?: string; more?: object } = {},
): void {
  const checks = [MOVED, KEPT].map((id) => ({ id, title: id, status, value: status === 'pass' ? 1 : 0, weight: 2 }));
  const report = {
    scores: { aeo: { score: status === 'pass' ? 80 : 60, gates: [], checks } },
    profile: { name: 'docs' },
    rubric: { version, sha256 },
    ...more,
  };
  writeFileSync(join(folder, file), JSON.stringify(report));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-compare-'));
  write('two.json', '2.0.0');
  write('three.json', '3.0.0');
  write('three-worse.json', '3.0.0', { status: 'fail' });
  write('three-other.json', '3.0.0', { status: 'fail', sha256: 'other' });
  write('kind.json', '3.0.0', { more: { profile: { name: 'api' } } });
  writeFileSync(join(folder, 'none.json'), '{}');
  writeFileSync(join(folder, 'broken.json'), '{');
  const snapshots = [await snapshotOf(bareSite)];
  const input = { url: `${SITE}/` };
  const recording = {
    version: 1,
    capability: 'full_audit',
    input,
    rubric: { version: '2.0.0', sha256: 'x' },
    snapshots,
  } as const;
  writeFileSync(join(folder, 'kept.json'), [...writeRecordingJson(recording)].join(''));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('two reports of a site', () => {
  test('of one rubric: points, and what changed', async () => {
    const { status, out } = await run('three.json', 'three-worse.json');
    expect(status).toBe(0);
    expect(out).toContain('From three.json (rubric 3.0.0) to three-worse.json (rubric 3.0.0)\nPoints: aeo -20\n');
    expect(out).toContain('New failures (2)');
    expect(out).toContain(`[${KEPT}]: pass before, fail now`);
    expect(out).not.toContain('By the rubric');
  });

  test('of two rubrics: both versions, no points, and checks whose rule changed by themselves', async () => {
    const { out } = await run('two.json', 'three-worse.json');
    expect(out).toContain('From two.json (rubric 2.0.0) to three-worse.json (rubric 3.0.0)');
    expect(out).not.toContain('Points');
    expect(out).toContain('New failures (1)');
    const [, byRubric = ''] = out.split('By the rubric, not called a change of the site (1)');
    expect(byRubric).toContain(`[${MOVED}]: pass before, fail now\n    ${explainRuleChange(MOVED, '2.0.0', '3.0.0')}`);
  });

  test('the same as JSON', async () => {
    const { out } = await run('two.json', 'three-worse.json', '--json');
    expect(JSON.parse(out)).toMatchObject({
      from: 'two.json',
      to: 'three-worse.json',
      points: {},
      same_rubric: false,
      rubrics: { from: '2.0.0', to: '3.0.0' },
      new_failures: [{ id: KEPT, from: 'pass', to: 'fail' }],
      changed_by_rubric: [{ id: MOVED, from: 'pass', to: 'fail' }],
    });
  });

  test('of one version with two hashes are of two rubrics, of which all may differ', async () => {
    const { out } = await run('three.json', 'three-other.json', '--json');
    expect(JSON.parse(out)).toMatchObject({ same_rubric: false, points: {}, new_failures: [] });
    expect((await run('three.json', 'three-other.json')).out).toContain('3.0.0 (hash other)');
  });

  test('what had no verdict before is newly checked, and did not get worse', async () => {
    const unasked = (id: string, status: OutcomeStatus): object => ({ id, title: id, status, value: 0, weight: 2 });
    const of = (...checks: object[]): object => ({ scores: { aeo: { score: 60, gates: [], checks } } });
    write('narrow.json', '3.0.0', { more: of(unasked(KEPT, 'pass'), unasked('x.unknown', 'unknown')) });
    const wide = [unasked(KEPT, 'fail'), unasked('x.unknown', 'partial'), unasked('x.new', 'fail')];
    write('wide.json', '3.0.0', { more: of(...wide, unasked('x.good', 'pass')) });
    const { out } = await run('narrow.json', 'wide.json');
    const [worse = '', newly = ''] = out.split('Newly checked, not passed (2)');
    expect(worse).toMatch(/New passes \(1\)\n.*\[x\.good\]/);
    expect(worse).toMatch(/Partial now \(0\)\n\nNew failures \(1\)\n.*pass before, fail now\n\n$/);
    expect(newly).toMatch(/\[x\.new\]: not asked before, fail now\n.*\[x\.unknown\]: unknown before, partial now/);
    expect(JSON.parse((await run('narrow.json', 'wide.json', '--json')).out)).toMatchObject({
      new_failures: [{ id: KEPT }],
      new_partials: [],
      newly_checked: [
        { id: 'x.new', to: 'fail' },
        { id: 'x.unknown', from: 'unknown', to: 'partial' },
      ],
    });
  });

  test('of two kinds of site say so', async () => {
    expect((await run('three.json', 'kind.json')).out).toContain('judged as another kind');
    expect((await run('three.json', 'three-worse.json')).out).not.toContain('judged as another kind');
  });

  test('a snapshot is judged by the rubric of this build', async () => {
    const { status, out } = await run('two.json', 'kept.json', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rubrics: { from: '2.0.0', to: RUBRIC_VERSION } });
    expect((await computeCurrentRubric()).version).toBe(RUBRIC_VERSION);
    const same = await run('kept.json', 'kept.json', '--json');
    expect(JSON.parse(same.out)).toMatchObject({
      same_rubric: true,
      new_passes: [],
      new_failures: [],
      points: { aeo: 0 },
    });
  });

  test.each([
    ['three.json', 'none.json', /none\.json: no report with scores/],
    ['broken.json', 'three.json', /broken\.json: not JSON/],
    ['three.json', 'missing.json', /two addresses, or two files/],
    ['https://acme.example/', 'three.json', /two addresses, or two files/],
  ])('%s and %s are refused', async (one, other, words) => {
    const { status, err } = await run(one, other);
    expect(status).toBe(2);
    expect(err).toMatch(words);
  });

  test('are printed as text or JSON only', async () => {
    expect((await run('three.json', 'three.json', '--format', 'sarif')).status).toBe(2);
  });
});
