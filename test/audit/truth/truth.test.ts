import { describe, expect, test } from 'vitest';
import { scoreNames } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { catalogueIds } from './catalogue-ids.ts';
import { judged, reportBytes } from './judged.ts';
import { appShell, EXISTENCE_CHECKS } from './sites/app-shell.ts';
import { bare, MAY_PASS_ON_BARE } from './sites/bare.ts';
import { good } from './sites/good.ts';
import { truthSites } from './sites/index.ts';

const rows = truthSites.flatMap((site) => site.truth.map((row) => ({ site, row })));

describe('planted facts', () => {
  test.each(rows.map(({ site, row }) => [`${site.name}: ${row.id} ${row.status}: ${row.fact}`, site, row] as const))(
    '%s',
    async (_title, site, row) => {
      const outcome = (await judged(site)).outcomes.get(row.id);
      expect({ status: outcome?.status, note: outcome?.note }).toMatchObject({ status: row.status });
    },
    120_000,
  );
});

describe('the rows of truth', () => {
  const statusesOf = (id: string) => rows.filter(({ row }) => row.id === id).map(({ row }) => row.status);

  test('there are at least 12 sites and 300 rows, of every status and for every score', () => {
    expect(truthSites.length).toBeGreaterThanOrEqual(12);
    expect(rows.length).toBeGreaterThanOrEqual(300);
    for (const status of ['pass', 'partial', 'fail', 'not_applicable', 'unknown'])
      expect(rows.filter(({ row }) => row.status === status).length).toBeGreaterThanOrEqual(20);
    for (const name of scoreNames)
      expect(rows.filter(({ row }) => row.id.startsWith(`${name}.`)).length).toBeGreaterThanOrEqual(50);
  });

  test('names of sites are unique, and no site says two things of one check', () => {
    expect(new Set(truthSites.map(({ name }) => name)).size).toBe(truthSites.length);
    const keys = rows.map(({ site, row }) => `${site.name}: ${row.id}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test('every check has a row, and every row a check', () => {
    const known = new Set(rows.map(({ row }) => row.id));
    const implemented = new Set(checks.map(({ id }) => id));
    expect([...implemented].filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter((id) => !implemented.has(id))).toEqual([]);
  });

  test('every id of the catalogue is implemented', () => {
    const implemented = checks.map(({ id }) => id);
    expect(catalogueIds.filter((id) => !implemented.includes(id))).toEqual([]);
  });

  test('every check of weight 2 and more has a row that passes and one that does not', () => {
    const onesided = checks
      .filter(({ weight }) => weight >= 2)
      .map(({ id }) => ({ id, statuses: statusesOf(id) }))
      .filter(
        ({ statuses }) => !statuses.includes('pass') || !statuses.some((one) => one === 'fail' || one === 'partial'),
      );
    expect(onesided).toEqual([]);
  });
});

describe('the figures of the audit', () => {
  test.each(['aeo', 'geo', 'agent'] as const)(
    'the good site has at least 90 in %s, with coverage of 0.8',
    async (name) => {
      const { score, coverage } = (await judged(good)).scores[name];
      expect(score).toBeGreaterThanOrEqual(90);
      expect(coverage).toBeGreaterThanOrEqual(0.8);
    },
  );

  test('no request for the good site is dropped for want of budget', async () => {
    const { snapshot } = await judged(good);
    const dropped = snapshot.exchanges.filter(({ answer }) => !answer.ok && answer.reason === 'budget_exhausted');
    expect(dropped.map(({ role }) => role)).toEqual([]);
  });

  test('the app shell has at most 30 in AEO and GEO, and MCP does not apply', async () => {
    const { scores } = await judged(appShell);
    expect(scores.aeo.score).toBeLessThanOrEqual(30);
    expect(scores.geo.score).toBeLessThanOrEqual(30);
    expect(scores.mcp).toMatchObject({ applies: false, score: 0, coverage: 0 });
  });

  test.each(EXISTENCE_CHECKS)('on the app shell %s does not pass', async (id) => {
    const outcome = (await judged(appShell)).outcomes.get(id);
    expect(['fail', 'partial', 'not_applicable', 'unknown']).toContain(outcome?.status);
  });

  test('on the bare page only what is there to be seen passes', async () => {
    const { outcomes } = await judged(bare);
    const passing = [...outcomes].filter(([, { status }]) => status === 'pass').map(([id]) => id);
    expect(passing.filter((id) => !(MAY_PASS_ON_BARE as readonly string[]).includes(id))).toEqual([]);
  });

  test.each(truthSites.map((site) => [site.name, site] as const))(
    '%s: another audit gives the same bytes',
    async (_name, site) => {
      const first = await reportBytes(site);
      for (let run = 1; run < budgetFor(2, 10); run += 1) expect((await reportBytes(site)) === first).toBe(true);
    },
    240_000,
  );

  test.each(truthSites.map((site) => [site.name, site] as const))(
    '%s: no link that deletes, logs out or unsubscribes is followed',
    async (_name, site) => {
      const changing = /(?:^|[/_?&=-])(?:delete|remove|log-?out|sign-?out|unsubscribe|add-to-cart)(?:$|[/_.&=-])/i;
      const { asked } = await judged(site);
      expect(
        asked.map(({ url }) => url).filter((url) => changing.test(new URL(url).pathname + new URL(url).search)),
      ).toEqual([]);
    },
    120_000,
  );
});
