import { expect, test } from 'vitest';
import { writeRecordingJson } from '../../../src/capabilities/recording.ts';
import { type AccountReports, readHostAccess } from '../../../src/traffic/access/host-access.ts';
import { buildCrawlerReport, type CrawlerReport } from '../../../src/traffic/edge/crawler-report.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import { byAgent, html, notFound, type SiteMap, text } from '../../support/audit/site-fetch.ts';

const HOST = 'acme.example';
const STORED_MS = Date.UTC(2026, 10, 20, 12);
const DAY = Math.floor(STORED_MS / 86_400_000);

const page = html('<!doctype html><html lang="en"><title>Acme</title><h1>Acme</h1><p>Anvils.</p>');
const siteWith = (robots: string, home: SiteMap[string] = page): SiteMap => ({
  '/robots.txt': text(robots),
  '/': home,
});
/** Welcomes every agent by robots.txt, and refuses PerplexityBot at the server. */
const refusing = siteWith('User-agent: *\nAllow: /\n', byAgent({ PerplexityBot: { ...notFound, status: 403 } }, page));
const closed = siteWith('User-agent: *\nDisallow: /\n');

/** What the Worker of the host counted: 9 requests of PerplexityBot, all refused. */
function countedBy(host: string): CrawlerReport {
  const cell = { agent: 'PerplexityBot', verification: 'verified' as const, status_class: 4, n: 9, refused: 9 };
  const none = { bytes: 0, writes: 0, robots: 0, llms: 0, markdown: 0, first_ms: STORED_MS, last_ms: STORED_MS };
  return buildCrawlerReport(
    host,
    { fromDay: DAY - 6, toDay: DAY },
    {
      cells: [{ ...cell, ...none }],
      days: [],
      pages: [],
      unread: [],
      referrals: [],
      received: { batches: 1, dropped: 0, lastMs: STORED_MS },
    },
  );
}

/** The recording of an audit of each site, or of a comparison of two. */
async function record(...sites: readonly (readonly [string, SiteMap])[]): Promise<string> {
  const snapshots = await Promise.all(
    sites.map(([host, map]) => snapshotOf(map, { url: `https://${host}/`, origin: `https://${host}` })),
  );
  const capability = sites.length === 2 ? 'compare' : 'full_audit';
  const rubric = { version: '1', sha256: '' };
  const input = { url: `https://${sites[0]?.[0]}/` };
  return [...writeRecordingJson({ version: 1, capability, input, rubric, snapshots })].join('');
}

type Stored = { site?: string; capability?: string; recording?: string | Uint8Array<ArrayBuffer>; gone?: boolean };

/** Reports of an account, the newest first, and the ids of those whose recordings were asked for. */
function reportsOf(stored: Readonly<Record<string, Stored>>) {
  const asked: string[] = [];
  const reports: AccountReports = {
    list: async (limit) =>
      Object.entries(stored)
        .slice(0, limit)
        .map(([reportId, { capability = 'full_audit' }]) => ({ reportId, capability })),
    describe: async (id) => (stored[id]?.gone === true ? undefined : { site: stored[id]?.site, storedAtMs: STORED_MS }),
    snapshot: async (id) => {
      asked.push(id);
      const body = stored[id]?.recording;
      return body === undefined ? undefined : (new Response(body).body ?? undefined);
    },
  };
  return { reports, asked };
}

const read = (stored: Readonly<Record<string, Stored>>, host = HOST) =>
  readHostAccess(reportsOf(stored).reports, countedBy(host));

test('ready: what the newest report of the host saw, beside what its Worker counted', async () => {
  const recording = await record([HOST, refusing]);
  const older = await record([HOST, closed]);
  const { reports, asked } = reportsOf({
    free: { site: HOST, capability: 'check_health', recording: older },
    other: { site: 'rival.example', recording: older },
    gone: { site: HOST, recording: older, gone: true },
    newest: { site: HOST, recording },
    older: { site: HOST, recording: older },
  });
  const access = await readHostAccess(reports, countedBy(HOST));
  expect(access).toMatchObject({ state: 'ready', report_id: 'newest', audited_at: '2026-11-20T12:00:00.000Z' });
  expect(asked).toEqual(['newest']);
  const table = access.state === 'ready' ? access.table : undefined;
  expect(table?.rows.find(({ token }) => token === 'PerplexityBot')).toMatchObject({
    declared: 'allowed',
    observed: 'refused',
    came: { verified: { requests: 9, refused: 9, disallowed: null }, claimed: null, pretended: null },
    conflicts: [{ id: 'allowed_but_refused', needs_action: true }],
  });
});

test('of a comparison only the site of the host is read, whichever it is', async () => {
  const recording = await record(['rival.example', closed], [HOST, refusing]);
  const access = await read({ one: { site: HOST, capability: 'compare', recording } });
  const table = access.state === 'ready' ? access.table : undefined;
  expect(table?.rows.find(({ token }) => token === 'PerplexityBot')).toMatchObject({ declared: 'allowed' });
});

test.each<[string, Readonly<Record<string, Stored>>]>([
  ['no report', {}],
  ['a report of another host', { one: { site: 'www.acme.example' } }],
  ['a report of a host that only ends like it', { one: { site: 'notacme.example' } }],
  ['a report of the host on another port', { one: { site: 'acme.example:8443' } }],
  ['a report without a site, such as of a brand', { one: {} }],
  ['a report that asks no site as an agent', { one: { site: HOST, capability: 'check_health' } }],
  ['a report that is no longer stored', { one: { site: HOST, gone: true } }],
])('none: %s', async (_title, stored) => expect(await read(stored)).toEqual({ state: 'none' }));

test('unread: a list, a recording or a text that cannot be read is never "none"', async () => {
  const { reports } = reportsOf({});
  expect(await readHostAccess({ ...reports, list: async () => undefined }, countedBy(HOST))).toEqual({
    state: 'unread',
  });
  expect(await read({ one: { site: HOST } })).toEqual({ state: 'unread' });
  expect(await read({ one: { site: HOST, recording: '{"version":1' } })).toEqual({ state: 'unread' });
  const whole = await record([HOST, refusing]);
  expect(await read({ one: { site: HOST, recording: whole.slice(0, -2) } })).toEqual({ state: 'unread' });
});

test('too large: a recording of more bytes than a page reads, named by its report', async () => {
  const recording = new Uint8Array(2 * 1_024 * 1_024 + 1).fill(32);
  expect(await read({ one: { site: HOST, recording } })).toEqual({ state: 'too_large', report_id: 'one' });
});
