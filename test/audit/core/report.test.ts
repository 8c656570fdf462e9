import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { ScoreName } from '../../../src/audit/core/check.ts';
import {
  type AuditOptions,
  type AuditReport,
  auditSite,
  computeRubricSha256,
  gatherAudit,
  reportOn,
} from '../../../src/audit/core/report.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { formatReproduceCommand, type WireCheck } from '../../../src/audit/core/wire.ts';
import { CLOCK_MS, snapshotOf } from '../../support/audit/audit.ts';
import { SITE, type SiteMap, byAgent, failure, html, siteFetch } from '../../support/audit/site-fetch.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite, closedSite, shellAnswer } from '../../sites/poor.ts';

type Scope = Omit<AuditOptions, 'fetch' | 'clockMs'>;

async function reportFor(map: SiteMap, scope: Scope = {}, catchAll?: typeof shellAnswer): Promise<AuditReport> {
  const fetch = siteFetch(map, catchAll === undefined ? {} : { catchAll });
  const report = await auditSite(`${SITE}/`, { ...scope, fetch, clockMs: CLOCK_MS });
  if (!report.ok) throw new Error(`unreachable: ${report.detail}`);
  return report;
}

function scoreIn(report: AuditReport, name: ScoreName) {
  const score = 'scores' in report ? report.scores[name] : undefined;
  if (!score) throw new Error(`no score ${name}`);
  return score;
}

const withoutTimes = (report: AuditReport): string =>
  JSON.stringify(report, (key, value: unknown) => (key === 'ms' ? undefined : value));

describe('scores', () => {
  test('a good site has an AEO score of 90 or more, nearly all of it assessed', async () => {
    const { score, grade, coverage, gates } = scoreIn(await reportFor(goodSite, { scores: ['aeo'] }), 'aeo');
    expect(score).toBeGreaterThanOrEqual(90);
    expect(coverage).toBeGreaterThanOrEqual(0.8);
    expect({ grade, gates }).toEqual({ grade: 'A', gates: [] });
  });

  test('an empty application shell scores at most 30 in AEO and GEO, and none of its files exist', async () => {
    const report = await reportFor({}, { scores: ['aeo', 'geo'] }, shellAnswer);
    expect(scoreIn(report, 'aeo').score).toBeLessThanOrEqual(30);
    expect(scoreIn(report, 'geo').score).toBeLessThanOrEqual(30);
    const found = scoreIn(report, 'aeo').checks.filter(({ id, status }) => id.endsWith('.exists') && status === 'pass');
    expect(found).toEqual([]);
  });

  test('a site that is closed to all crawlers is held down by its gates', async () => {
    const { score, gates } = scoreIn(await reportFor(closedSite, { scores: ['aeo'] }), 'aeo');
    expect(score).toBeLessThanOrEqual(20);
    expect(gates.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['aeo.robots.ai-search-bots', 'aeo.index.meta-robots']),
    );
  });

  test('a start page that answers 404 scores 0 in the three scores that read pages', async () => {
    const report = await reportFor({ '/robots.txt': { status: 200, headers: {}, body: '' } });
    expect((['aeo', 'geo', 'agent'] as const).map((name) => scoreIn(report, name).score)).toEqual([0, 0, 0]);
  });

  test('a site that refuses us as every reader gets a report with that one verdict; a check capability still says what it saw', async () => {
    const closed = { status: 403, headers: { 'content-type': 'text/html' }, body: 'Forbidden' };
    const report = await reportFor({}, {}, closed);
    if (!('scores' in report)) throw new Error('no scores');
    const rows = Object.values(report.scores).flatMap(({ checks: judged }) => judged);
    const seen = rows.filter(({ status }) => status !== 'unknown' && status !== 'not_applicable');
    expect(new Set(seen.map(({ id, status }) => `${id} ${status}`))).toEqual(new Set(['aeo.reach.edge-policy fail']));
    expect(report.scores.aeo).toMatchObject({ score: 0, gates: [{ id: 'aeo.reach.edge-policy', cap: 25 }] });
    expect(report.warnings.join(' ')).toContain('aeo.reach.edge-policy');
    const health = await reportFor({}, { capability: 'check_health' }, closed);
    const status = 'checks' in health && health.checks.find(({ id }) => id === 'aeo.reach.http-200')?.status;
    expect(status).toBe('unknown');
  });

  test.each<readonly [string, Parameters<typeof reportOn>[1]]>([
    ['a score that no refusal counts in', { scores: ['geo'] }],
    ['what is built from the page', { needsPage: true }],
  ])('a site that refuses us as every reader is an error for %s', async (_name, options) => {
    const closed = { status: 403, headers: { 'content-type': 'text/html' }, body: 'Forbidden' };
    const fetch = siteFetch({}, { catchAll: closed });
    const snapshot = await gatherAudit(`${SITE}/`, { fetch, clockMs: CLOCK_MS });
    const outcome = await reportOn(snapshot, options);
    expect(outcome).toMatchObject({ ok: false, reason: 'target_unreachable', failure: 'refused' });
  });

  test('a site that lets browsers in and refuses us is judged', async () => {
    const forbidden = { status: 403, headers: { 'content-type': 'text/html' }, body: 'Forbidden' };
    const report = await reportFor({ ...goodSite, '/': byAgent({ Mozilla: html('<h1>x</h1>') }, forbidden) });
    expect(scoreIn(report, 'aeo').checks.find(({ id }) => id === 'aeo.reach.http-200')?.status).toBe('unknown');
  });

  test('a full audit has the four scores in order', async () => {
    const report = await reportFor(bareSite);
    expect('scores' in report && Object.keys(report.scores)).toEqual(['aeo', 'geo', 'agent', 'mcp']);
  });

  test('the score of one rubric is the same alone and in a full audit', async () => {
    const alone = scoreIn(await reportFor(goodSite, { scores: ['aeo'] }), 'aeo');
    const together = scoreIn(await reportFor(goodSite), 'aeo');
    expect(alone.score).toBe(together.score);
  });

  test('a score can be recomputed by hand from its checks and gates', async () => {
    const { score, gates, checks: rows } = scoreIn(await reportFor(bareSite, { scores: ['aeo'] }), 'aeo');
    const judged = rows.filter(({ status }) => status === 'pass' || status === 'partial' || status === 'fail');
    const weight = judged.reduce((sum, row) => sum + row.weight, 0);
    const earned = judged.reduce((sum, row) => sum + row.weight * row.value, 0);
    expect(score).toBe(Math.min(Math.round((100 * earned) / weight), ...gates.map(({ cap }) => cap)));
  });
});

describe('requests', () => {
  test.each([
    ['a good site', goodSite],
    ['a bare site', bareSite],
  ])('a full audit of %s makes at most 60 requests, each role once', async (_name, map) => {
    const { requests } = await reportFor(map);
    expect(requests.length).toBeLessThanOrEqual(60);
    expect(new Set(requests.map(({ role }) => role)).size).toBe(requests.length);
  });

  test('an AEO score makes at most 24 requests, and one for each agent that it asks as', async () => {
    const { requests } = await reportFor(goodSite, { scores: ['aeo'] });
    const asAgents = requests.filter(({ role }) => role.startsWith('edge:'));
    expect(requests.length - asAgents.length).toBeLessThanOrEqual(24);
    expect(asAgents.length).toBeGreaterThan(15);
    expect(requests.length).toBeLessThanOrEqual(60);
  });

  test('check_health asks as a browser and the three fetchers that it names, and as nobody else', async () => {
    const { requests } = await reportFor(goodSite, { capability: 'check_health' });
    expect(requests.filter(({ role }) => /^(?:user-agent|edge)/.test(role)).map(({ role }) => role)).toEqual([
      'user-agent:0',
      'user-agent:1',
      'user-agent:2',
      'user-agent:3',
    ]);
  });

  test('check_schema asks for nothing that its checks do not need', async () => {
    const { requests } = await reportFor(goodSite, { capability: 'check_schema' });
    expect(
      requests.map(({ role }) => role).filter((role) => /^(robots|control|user-agent|sitemap|mcp)/.test(role)),
    ).toEqual([]);
  });

  test('progress counts the requests as they are made', async () => {
    const steps: number[] = [];
    const { requests } = await reportFor(bareSite, { scores: ['aeo'], onProgress: ({ done }) => steps.push(done) });
    expect(steps).toEqual(requests.map((_, index) => index + 1));
  });
});

describe('a start page without an answer', () => {
  test.each(['timeout', 'connection_failed', 'private_target', 'redirect_loop'] as const)(
    '%s is an error, not a score',
    async (reason) => {
      const fetch = siteFetch({ '/': failure(reason) });
      const report = await auditSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS });
      expect(report).toMatchObject({ ok: false, reason: 'target_unreachable', failure: reason });
      expect(fetch.requests).toHaveLength(1);
    },
  );

  test('text that is no URL is an error', async () => {
    expect(await auditSite('no url', { fetch: siteFetch({}), clockMs: CLOCK_MS })).toMatchObject({
      ok: false,
      failure: 'invalid_url',
    });
  });
});

describe('determinism', () => {
  test.each([
    ['a good site', goodSite],
    ['a bare site', bareSite],
    ['a closed site', closedSite],
  ])('two audits of %s give the same bytes but for the times', async (_name, map) => {
    expect(withoutTimes(await reportFor(map))).toBe(withoutTimes(await reportFor(map)));
  });

  test('a snapshot that went through JSON is judged to the same bytes', async () => {
    const snapshot = await snapshotOf(goodSite);
    const replayed = await reportOn(JSON.parse(JSON.stringify(snapshot)) as typeof snapshot);
    expect(JSON.stringify(replayed)).toBe(JSON.stringify(await reportOn(snapshot)));
  });

  test('the order of answers leaves no trace', async () => {
    const plain = siteFetch(goodSite);
    let turn = 0;
    const shuffled = Object.assign(async (target: Parameters<typeof plain>[0]) => {
      turn += 1;
      const ticks = (turn * 7) % 5;
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      return plain(target);
    });
    const report = await auditSite(`${SITE}/`, { fetch: shuffled, clockMs: CLOCK_MS });
    expect(report.ok && withoutTimes(report)).toBe(withoutTimes(await reportFor(goodSite)));
  });
});

describe('the frame', () => {
  test('rubric, profile and checks have the shapes of the contract', async () => {
    const report = await reportFor(goodSite, { scores: ['aeo'], profile: 'commerce' });
    expect(report.rubric).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      sha256: await computeRubricSha256(checks),
    });
    expect(report.profile).toEqual({ name: 'commerce', rests_on: ['named by the caller'], given: true });
    const first = scoreIn(report, 'aeo').checks[0];
    expect(Object.keys(first ?? {})).toEqual([
      'id',
      'title',
      'status',
      'value',
      'weight',
      'evidence_grade',
      'note',
      'evidence',
      'reproduce',
      'why',
      'source',
      'fix_id',
    ]);
  });

  test('the rubric hash changes with a weight and not with the order of the table', async () => {
    const [first, ...rest] = checks;
    if (!first) throw new Error('no checks');
    expect(await computeRubricSha256([...rest, first])).toBe(await computeRubricSha256(checks));
    expect(await computeRubricSha256([{ ...first, weight: first.weight + 1 }, ...rest])).not.toBe(
      await computeRubricSha256(checks),
    );
  });

  test('the facts of check_health name availability, robots.txt, six crawlers and the sitemap', async () => {
    const report = await reportFor(
      {
        ...goodSite,
        '/robots.txt': {
          status: 200,
          headers: { 'content-type': 'text/plain' },
          body: 'User-agent: GPTBot\nDisallow: /\n',
        },
      },
      { capability: 'check_health' },
    );
    expect('facts' in report && report.facts).toMatchObject({
      available: true,
      status: 200,
      robots_txt: { state: 'file', status: 200, groups: 1 },
      ai_crawlers: {
        GPTBot: { access: 'blocked', named: true, line: 2 },
        ClaudeBot: { access: 'allowed', named: false },
        PerplexityBot: { access: 'allowed', named: false },
      },
      sitemap: { state: 'found', named_in_robots: false, urls: 5 },
    });
  });

  test('an unreadable robots.txt is unknown to check_health, not open', async () => {
    const report = await reportFor(
      { ...goodSite, '/robots.txt': failure('connection_failed') },
      { capability: 'check_health' },
    );
    expect('facts' in report && report.facts).toMatchObject({
      robots_txt: { state: 'unknown' },
      ai_crawlers: { GPTBot: { access: 'unknown' } },
    });
  });
});

describe('the summary', () => {
  test('names at most five fixes, and making them adds the points it gives', async () => {
    const report = await reportFor(bareSite, { scores: ['aeo'] });
    const { fixes, text } = report.summary;
    expect(fixes.length).toBeGreaterThan(0);
    expect(fixes.length).toBeLessThanOrEqual(5);
    expect(text).toContain('AI search visibility (AEO)');
    const { score, checks: rows } = scoreIn(report, 'aeo');
    const fixed = new Set(fixes.map(({ check_id }) => check_id));
    const judged = rows.filter(({ status }) => status !== 'unknown' && status !== 'not_applicable');
    const earned = judged.reduce((sum, row) => sum + row.weight * (fixed.has(row.id) ? 1 : row.value), 0);
    const weight = judged.reduce((sum, row) => sum + row.weight, 0);
    const points = fixes.reduce((sum, fix) => sum + fix.points, 0);
    const gated = rows.filter(
      ({ id, status }) => status === 'fail' && !fixed.has(id) && checks.some((check) => check.id === id && check.gate),
    );
    expect(gated).toEqual([]);
    expect(score + points).toBe(Math.round((100 * earned) / weight));
  });

  test('lifts the gates first', async () => {
    const { fixes } = (await reportFor(closedSite, { scores: ['aeo'] })).summary;
    expect(fixes.slice(0, 3).map(({ check_id }) => check_id)).toContain('aeo.index.meta-robots');
  });

  test('a score that rests on little says so', async () => {
    expect((await reportFor(bareSite, { scores: ['mcp'], profile: 'mcp' })).summary.text).toMatch(
      /MCP readiness \d+ of 100 \([A-F], from \d+ % of its checks by weight\)/,
    );
  });

  test('says so when nothing needs a fix', async () => {
    const { summary } = await reportFor(goodSite, { scores: ['aeo'] });
    expect(summary).toEqual({
      text: expect.stringContaining('Nothing that was checked needs a fix.'),
      fixes: [],
    });
  });
});

describe('X1: a reproduce line', () => {
  const safe = /^curl -sSiL (?:-A '[A-Za-z0-9 ()/.;:+@_,-]+' )?'https?:\/\/[A-Za-z0-9.:[\]%-]+\/[A-Za-z0-9._~/%-]*'$/;

  test.each([
    [`${SITE}/a'b;rm -rf ~/`],
    [`${SITE}/$(id)\`id\`"x"`],
    [`${SITE}/<script>|&>x\\n`],
    [`${SITE}/%27%20%zz?x='$(id)'`],
    [`${SITE}/日本語/é`],
    ["https://a'b$(id).example/x"],
    ['http://user:pass@acme.example/x'],
    ['http://[::1]:8080/x'],
  ])('of %s holds fixed words, the origin and an encoded path in single quotes', (url) => {
    const line = formatReproduceCommand(new URL(url), url);
    expect(line).toMatch(safe);
    expect(line).not.toContain('pass');
  });

  test.each(["/a'b;touch x", '/$(touch x)', '/`touch x`', '/a b\n c', '/"$HOME"', '/a\\b', '/%27;x'])(
    'of %j is one plain argument to a shell',
    (path) => {
      const line = formatReproduceCommand(new URL(path, SITE), undefined, 'Mozilla/5.0 (compatible; x/1)');
      const stub = `curl() { printf '%s\\n' "$@"; }; ${line}`;
      const args = execFileSync('sh', ['-c', stub], { encoding: 'utf8' }).trimEnd().split('\n');
      expect(args).toEqual([
        '-sSiL',
        '-A',
        'Mozilla/5.0 (compatible; x/1)',
        expect.stringMatching(/^https:\/\/acme\.example\/[A-Za-z0-9._~/%-]*$/),
      ]);
    },
  );

  test('never leaves the audited origin', () => {
    expect(formatReproduceCommand(new URL(`${SITE}/x`), 'https://evil.example/y')).toBe(`curl -sSiL '${SITE}/x'`);
  });

  test('of every check of a hostile site is safe', async () => {
    const report = await reportFor({
      ...goodSite,
      '/robots.txt': { status: 200, headers: {}, body: `Sitemap: ${SITE}/'$(id)'.xml` },
    });
    const rows =
      'scores' in report ? Object.values(report.scores).flatMap((score): readonly WireCheck[] => score.checks) : [];
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ reproduce }) => !safe.test(reproduce))).toEqual([]);
  });
});
