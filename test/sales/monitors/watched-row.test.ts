import { HTMLRewriter } from 'htmlrewriter';
import { describe, expect, test } from 'vitest';
import type { CapabilityTools, WorkOutcome } from '../../../src/capabilities/capability.ts';
import { auditCitedPages } from '../../../src/capabilities/cited-pages/cited-page-audit.ts';
import type { SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { findPanel } from '../../../src/capabilities/panels.ts';
import { type SeenOnVisit, watchRow } from '../../../src/sales/monitors/watched-row.ts';
import { shopSite } from '../../support/audit/shop-site.ts';
import { html, redirect, siteFetch, type SiteMap, text } from '../../support/audit/site-fetch.ts';
import { AUDIT_PRICE, monitorWorld, NOW_MS } from './monitor-world.ts';

const ACME = 'https://acme.example';
const OTHER = 'https://other.example';
const REFUSES_US = text('User-agent: SightlineBot\nDisallow: /\n');

describe('a site that leads to another host', () => {
  const leadTo = (origin: string, robots = REFUSES_US) => {
    const world = monitorWorld();
    world.serve(ACME, { '/': redirect(`${origin}/`), '/robots.txt': text('User-agent: *\nAllow: /\n') });
    world.serve(origin, { ...shopSite, '/robots.txt': robots });
    return world;
  };

  test.each([OTHER, 'https://www.acme.example'])(
    'pauses where that one disallows us by name (%s), after its start page and its robots.txt',
    async (origin) => {
      const world = leadTo(origin);
      expect(await world.run()).toMatchObject({
        state: 'failed',
        reason: 'robots_disallow',
        detail: `Line 2 of robots.txt of ${new URL(origin).hostname} disallows SightlineBot by its name`,
        pause: 'robots_disallow',
      });
      expect(world.state.requests).toEqual([`${ACME}/robots.txt`, `${ACME}/`, `${origin}/robots.txt`]);
      expect(world.credits.book.view()).toMatchObject({ balanceMicroUsdc: 5_000_000, reservedMicroUsdc: 0 });
    },
  );

  test('is not let in there by proof of its own host, and is by proof of that one', async () => {
    const world = leadTo(OTHER);
    world.state.proven.add('acme.example');
    expect(await world.run()).toMatchObject({ reason: 'robots_disallow' });
    world.state.proven.add('other.example');
    expect(await world.run()).toMatchObject({ state: 'stored', summary: { startHost: 'other.example' } });
  });

  test('reads one robots.txt where that of the first host is the one of the other', async () => {
    const world = leadTo(OTHER, text('User-agent: *\nAllow: /\n'));
    world.serve(ACME, { '/': redirect(`${OTHER}/`), '/robots.txt': redirect(`${OTHER}/robots.txt`) });
    expect(await world.run()).toMatchObject({ state: 'stored' });
    expect(world.state.requests.slice(0, 2)).toEqual([`${ACME}/robots.txt`, `${ACME}/`]);
  });

  test('is missing as a competitor, and the subject is stored', async () => {
    const world = monitorWorld({ kind: 'site', url: `${ACME}/`, competitors: ['https://rival.example/'] });
    world.serve(ACME, shopSite);
    world.serve('https://rival.example', { '/': redirect(`${OTHER}/`) });
    world.serve(OTHER, { ...shopSite, '/robots.txt': REFUSES_US });
    expect(await world.run()).toMatchObject({
      state: 'stored',
      summary: { competitors: [{ url: 'https://rival.example/', missing: 'robots_disallow' }] },
    });
    expect(world.balance()).toBe(5_000_000 - AUDIT_PRICE);
  });
});

describe('a brand with a site', () => {
  const panel = findPanel('visibility_panel_2') as SoldRow;
  const args = { brand: 'Acme', niche: 'lamps', site: `${ACME}/` };

  /** Runs a row for the brand; `measure` is where engines would be asked. */
  async function runBrand(sites: SiteMap, { row = panel, proven = [] as readonly string[], busy = false } = {}) {
    const seen: SeenOnVisit = {};
    const requests: string[] = [];
    const fetch = siteFetch(sites);
    let measured = 0;
    const tools: CapabilityTools = {
      guardedFetch: () => async (target) => {
        requests.push(target.url);
        return fetch(target);
      },
      atTarget: (_url, task) =>
        busy ? Promise.resolve({ ok: false, reason: 'target_busy', detail: 'busy', retryAfterS: 10 }) : task(),
      clockMs: NOW_MS,
      newRewriter: () => new HTMLRewriter(),
      measure: () => {
        measured += 1;
        return Promise.reject(new Error('the engines were asked'));
      },
    };
    const watched = watchRow({ row, args }, seen, async (host) => proven.includes(host));
    const outcome: unknown = await watched.run(args, tools).catch(String);
    return { outcome, seen, requests, measured };
  }

  test('whose robots.txt disallows us by name asks no engine, unless the host is proven', async () => {
    const refused = await runBrand({ '/robots.txt': REFUSES_US });
    expect(refused).toMatchObject({ outcome: { ok: false }, seen: { robots: { line: 2 } }, measured: 0 });
    expect(refused.requests).toEqual([`${ACME}/robots.txt`]);
    expect(await runBrand({ '/robots.txt': REFUSES_US }, { proven: ['acme.example'] })).toMatchObject({ measured: 1 });
    expect(await runBrand({ '/robots.txt': text('User-agent: *\nDisallow: /\n') })).toMatchObject({ measured: 1 });
  });

  test('whose robots.txt cannot be asked for now waits, before engines cost anything', async () => {
    const { outcome, measured } = await runBrand({ '/robots.txt': REFUSES_US }, { busy: true });
    expect([outcome, measured]).toMatchObject([{ ok: false, reason: 'target_busy' }, 0]);
  });

  test('is not read on another host of its own that disallows us by name', async () => {
    const www = 'https://www.acme.example';
    const reading: SoldRow = {
      ...panel,
      run: async (_input, tools): Promise<WorkOutcome> => {
        const asked = { ...tools, nowMs: () => NOW_MS, leftMs: 60_000 };
        const pages = await auditCitedPages({ cited: [], own: [], start: `${ACME}/` }, asked);
        return { ok: true, result: { pages }, warnings: [] };
      },
    };
    const sites = { '/': redirect(`${www}/`), [`${www}/`]: html('<h1>Lamps</h1>') };
    const refused = await runBrand({ ...sites, [`${www}/robots.txt`]: REFUSES_US }, { row: reading });
    expect(refused.outcome).toMatchObject({ ok: true, result: { pages: [{ side: 'own', status: 'unread' }] } });
    expect(refused.requests).not.toContain(`${www}/`);
    const read = await runBrand(sites, { row: reading });
    expect(read.outcome).toMatchObject({ result: { pages: [{ side: 'own', status: 'read' }] } });
  });
});
