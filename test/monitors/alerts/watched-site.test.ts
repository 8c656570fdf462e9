import { beforeAll, describe, expect, test } from 'vitest';
import type { AlertDraft } from '../../../src/monitors/core/alert.ts';
import type { SiteFacts } from '../../../src/monitors/facts/site-facts.ts';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { failure, html, type SiteMap, text } from '../../support/audit/site-fetch.ts';
import { type PlantedEdit, plantedEdits } from '../../support/monitors/site-edits.ts';
import { buildWatchedSite, ROBOTS } from '../../support/monitors/watched-site.ts';
import { auditWeek, WatchedYear } from '../../support/monitors/watched-year.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const WEEKS = 52;
const busy = html('<h1>Service unavailable</h1>', { status: 503 });
const unreachable: SiteMap = { '/': failure('timeout') };

/** What fails for one week of the year, and works in the next. */
const LONE_FAULTS: Readonly<Record<number, SiteMap>> = {
  5: { '/': busy },
  11: { '/robots.txt': busy },
  17: { '/sitemap.xml': failure('timeout') },
  23: { '/prices': busy },
  29: { '/llms.txt': busy },
  35: { '/mcp': busy },
  41: unreachable,
  47: { '/racks': failure('timeout'), '/openapi.json': busy },
};

test(`a site that does not change never rings in ${WEEKS} weekly runs, whatever its ads, nonces and lone failures`, async () => {
  const year = new WatchedYear();
  for (let week = 0; week < WEEKS; week += 1) {
    const map = { ...buildWatchedSite(week), ...LONE_FAULTS[week] };
    year.look(week, await auditWeek(map, week));
  }
  expect(year.alerts).toEqual([]);
});

describe('a site that its owner changes', () => {
  let base: readonly (SiteFacts | undefined)[] = [];
  beforeAll(async () => {
    base = [await auditWeek(buildWatchedSite(0), 0), await auditWeek(buildWatchedSite(1), 1)];
  });

  const openYear = (): WatchedYear => {
    const year = new WatchedYear();
    for (const [week, facts] of base.entries()) year.look(week, facts);
    return year;
  };

  /** The first of the next three runs that names one of the checks, counted from 1; undefined where none does. */
  async function findRinging({ checks, edit }: PlantedEdit): Promise<number | undefined> {
    const year = openYear();
    for (let run = 1; run <= 3; run += 1) {
      const week = base.length - 1 + run;
      const drafts = year.look(week, await auditWeek(buildWatchedSite(week, [edit]), week, edit.catchAll));
      const named = drafts.flatMap(({ changes }) => changes.filter(({ isWorse }) => isWorse).map(({ id }) => id));
      if (checks.some((id) => named.includes(id))) return run;
    }
    return undefined;
  }

  test('rings for planted edits of checks that weigh at least 2, and names the check', async () => {
    const random = createRandomFromSeed('planted');
    const shuffled = plantedEdits.map((edit) => ({ edit, at: random() })).toSorted((a, b) => a.at - b.at);
    const chosen = shuffled.slice(0, budgetFor(25, plantedEdits.length)).map(({ edit }) => edit);
    const missed: string[] = [];
    let atOnce = 0;
    for (const one of chosen) {
      const run = await findRinging(one);
      if (run === undefined) missed.push(one.name);
      if (run === 1) atOnce += 1;
    }
    expect(plantedEdits.length).toBeGreaterThanOrEqual(100);
    expect(new Set(plantedEdits.flatMap(({ checks }) => checks)).size).toBeGreaterThan(60);
    expect(missed.slice(Math.floor(chosen.length * 0.02))).toEqual([]);
    expect(atOnce / chosen.length).toBeGreaterThan(0.8);
  });

  test('by one line of robots.txt rings in the next run, and names the check and the line', async () => {
    const changed = ROBOTS.replace('User-agent: OAI-SearchBot\nAllow: /', 'User-agent: OAI-SearchBot\nDisallow: /');
    const line = changed.split('\n').indexOf('Disallow: /') + 1;
    const year = openYear();
    const edit = { answers: { '/robots.txt': text(changed) } };
    const [alert, ...others] = year.look(2, await auditWeek(buildWatchedSite(2, [edit]), 2));
    expect(others).toEqual([]);
    const change = alert?.changes.find(({ id }) => id === 'aeo.robots.ai-search-bots');
    expect(change).toMatchObject({ isWorse: true, before: { status: 'pass' } });
    expect(change?.after?.evidence?.[0]).toMatchObject({
      url: 'https://acme.example/robots.txt',
      line,
      excerpt: 'OAI-SearchBot: Disallow: /',
    });
    expect(change?.before?.evidence?.[0]?.url).toBe('https://acme.example/robots.txt');
    expect(alert?.since).toMatchObject({ runId: 'run-1', reportId: 'report-run-1' });
  });

  test('so that all is disallowed is one critical alert, which lists the gate first', async () => {
    const edit = { answers: { '/robots.txt': text('User-agent: *\nDisallow: /\n') } };
    const drafts = openYear().look(2, await auditWeek(buildWatchedSite(2, [edit]), 2));
    expect(drafts).toHaveLength(1);
    expect(drafts[0]).toMatchObject({ kind: 'gate_fired', severity: 'critical' });
    expect(drafts[0]?.changes.length).toBeGreaterThan(3);
    expect(drafts[0]?.changes[0]).toMatchObject({ kind: 'gate_fired', isWorse: true });
    expect(drafts[0]?.changes.find(({ kind }) => kind === 'score_moved')).toMatchObject({
      id: 'aeo',
      because: expect.arrayContaining(['aeo.robots.ai-search-bots']),
    });
  });

  test('and changes back rings once more, and a file that flips each week falls silent', async () => {
    const closed = { answers: { '/robots.txt': text('User-agent: *\nDisallow: /\n') } };
    const [open, shut] = [base[1], await auditWeek(buildWatchedSite(2, [closed]), 2)];
    const year = openYear();
    const kinds = [shut, open, open, shut, open, shut, open, shut, open].map(
      (facts, at) => year.look(at + 2, facts).map(({ kind }) => kind)[0] ?? '-',
    );
    expect(kinds).toEqual(['gate_fired', '-', 'gate_lifted', '-', '-', '-', '-', '-', '-']);
  });
});

describe('a site that cannot be read', () => {
  test('rings at the second run in a row, once, and when it is back', async () => {
    const fine = await auditWeek(buildWatchedSite(0), 0);
    const down = await auditWeek({ ...buildWatchedSite(0), '/': busy }, 0);
    const year = new WatchedYear();
    const said = [fine, down, fine, down, undefined, down, fine, fine].map((facts, week) =>
      year.look(week, facts).map(({ kind }): AlertDraft['kind'] => kind),
    );
    expect(said).toEqual([[], [], [], [], ['site_unreadable'], [], ['site_readable'], []]);
  });
});
