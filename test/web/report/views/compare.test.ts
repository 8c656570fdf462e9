import { describe, expect, test } from 'vitest';
import { CompareView } from '../../../../src/web/report/views/compare.tsx';
import { findCompetitor } from '../../../../src/web/report/stored.ts';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { barsOf, textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { compareExample } from '../../../support/pages/view-results.ts';

const result = await compareExample();
const render = (shown: typeof result): string => String(CompareView({ result: shown }));
const html = render(result);
const text = textOf(html);

describe('the page of a comparison of two sites', () => {
  test('calls the sites by their hosts, and by their addresses where they are of one host', () => {
    expect(text).toMatch(/^acme\.example against rival\.example/);
    const { url } = result.sites;
    const moved = url.requests.map((one) =>
      one.role === 'page' ? { ...one, url: 'https://acme.example/other' } : one,
    );
    const page = textOf(render({ ...result, sites: { url, competitor: { ...url, requests: moved } } }));
    expect(page).toMatch(/^https:\/\/acme\.example\/ against https:\/\/acme\.example\/other/);
  });

  test('knows a site whose start page was asked for by a request that is listed under another role', () => {
    const { url, competitor } = result.sites;
    const shared = competitor.requests.map((one) => (one.role === 'page' ? { ...one, role: 'author' } : one));
    const sites = { url, competitor: { ...competitor, requests: shared } };
    expect(shared.some(({ role }) => role === 'page')).toBe(false);
    expect(textOf(render({ ...result, sites }))).toMatch(/^acme\.example against rival\.example/);
    expect(findCompetitor({ sites })).toBe('https://rival.example/');
    expect(findCompetitor({ sites: { url, competitor: { ...competitor, requests: [] } } })).toBeUndefined();
  });

  test('calls a site by its host where the list of requests lacks the first', () => {
    const shortened = structuredClone(result);
    const { competitor } = shortened.sites;
    competitor.requests = competitor.requests.filter(({ role }) => role !== 'page');
    expect(textOf(render(shortened))).toMatch(/^acme\.example against rival\.example/);
  });

  test('in German explains the same winners from the same figures', () => {
    const german = textOf(String(CompareView({ result, language: 'de' })));
    for (const { applies, winner, difference } of result.categories)
      expect(german).toContain(
        applies === undefined
          ? `${winner === 'url' ? 'acme.example' : 'rival.example'} liegt ${difference} Punkte vorn.`
          : 'Das trifft auf acme.example nicht zu, deshalb gibt es nichts zu vergleichen.',
      );
    const unknown = structuredClone(result);
    unknown.sites.competitor.requests = [];
    expect(textOf(String(CompareView({ result: unknown, language: 'de' })))).toContain(
      'gewinnt acme.example 0, die andere Website 3.',
    );
  });

  test('says for each category who wins, by how much, why, and both scores with what they rest on', () => {
    expect(result.categories).toHaveLength(4);
    for (const { category, winner, scores, coverage, difference, why } of result.categories) {
      expect(text).toContain(why);
      if (winner !== 'tie') {
        const name = { url: 'acme.example', competitor: 'rival.example' }[winner];
        expect(text).toContain(`${name} by ${difference} points`);
      }
      for (const side of ['url', 'competitor'] as const) {
        if (coverage[side] === 0) continue;
        const grade = result.sites[side].scores[category]?.grade;
        expect(text).toContain(
          `${scores[side]} grade ${grade} ${Math.round(coverage[side] * 100)} % of the checks, by weight, could be assessed.`,
        );
      }
    }
  });

  test('a score that does not apply is no number, and is not compared', () => {
    const mcp = result.categories.find(({ category }) => category === 'mcp');
    expect(mcp).toMatchObject({ winner: 'tie', difference: 0, applies: { url: false, competitor: true } });
    expect(text).toContain('MCP readiness Not compared');
    expect(text).toContain('acme.example does not apply No MCP surface was found');
    expect(text).toContain('It does not apply to the site, so there is nothing to compare.');
    expect(text).toContain('rival.example not assessed No check of this score applies');
  });

  test('names both rubrics, and today’s where they are of another', () => {
    expect(text).not.toContain('The rubric of today');
    const older = structuredClone(result);
    older.sites.competitor.rubric.version = '2.0.0';
    expect(textOf(render(older))).toMatch(/Judged by rubric 2\.0\.0\. The rubric of today is \d/);
  });

  test('says which gate caps a score', () => {
    const capped = structuredClone(result);
    capped.sites.url.scores['aeo']?.gates.push({ id: 'aeo.render.ssr-text', cap: 0 });
    const aeo = capped.categories.find(({ category }) => category === 'aeo');
    if (aeo) aeo.scores.url = 0;
    expect(textOf(render(capped))).toContain('Capped at 0 by aeo.render.ssr-text .');
  });

  test('draws both scores of each category, the site first', () => {
    expect(barsOf(html)).toEqual(
      result.categories.flatMap(({ scores }) => [
        { value: scores.url / 100, second: false },
        { value: scores.competitor / 100, second: true },
      ]),
    );
  });

  test('what decided it leads to its row among the differences', () => {
    for (const id of result.categories.flatMap(({ decided_by: ids }) => ids)) {
      const at = result.gaps.findIndex((gap) => gap.id === id);
      expect(at).toBeGreaterThan(-1);
      expect(html).toContain(`<a href="#gap-${at + 1}">${result.gaps[at]?.title}</a>`);
      expect(html).toContain(`id="gap-${at + 1}"`);
    }
  });

  test('every difference has its points, the outcome and evidence of both, and a fix to copy', () => {
    expect(result.gaps.length).toBeGreaterThan(10);
    const rows = html.split('<details class="gap">').slice(1);
    expect(rows).toHaveLength(result.gaps.length);
    for (const [at, gap] of result.gaps.entries()) {
      const row = textOf(rows[at] ?? '');
      expect(row).toContain(gap.title);
      expect(row).toContain(`weight ${gap.weight}`);
      expect(row).toContain(`Copy the fix ${gap.fix}`);
      expect(row).toContain(`Value ${gap.url.value} of 1.`);
      expect(row).toContain(`Value ${gap.competitor.value} of 1.`);
      for (const { url } of [...gap.url.evidence, ...gap.competitor.evidence]) expect(row).toContain(url);
    }
    expect(textOf(rows[0] ?? '')).toContain('+6 AEO, +17 GEO, +11 Agent');
    expect(text).toContain('rival.example is ahead in 16');
    expect(text).toContain('acme.example is ahead in 1');
  });

  test('says what to copy first, with its points', () => {
    expect(result.copy_first.length).toBeGreaterThan(0);
    for (const { title, points, fix, check_id: id } of result.copy_first)
      expect(text).toContain(
        `${title} +${points} ${points === 1 ? 'point' : 'points'} Copy the fix ${fix} Check ${id}`,
      );
  });

  test('shows every check of both sites once', () => {
    const ids = Object.values(result.sites)
      .flatMap(({ scores }) => Object.values(scores))
      .flatMap(({ checks }) => checks.map(({ id }) => id));
    expect(text).toContain(`All ${new Set(ids).size} checks of both sites`);
  });

  test.each(attacks.map((attack) => [attack.slice(0, 40), attack] as const))('X6: %j stays text', (_name, attack) => {
    expect(treeOf(render(withText(result, attack)))).toEqual(treeOf(render(withText(result, 'plain'))));
  });
});
