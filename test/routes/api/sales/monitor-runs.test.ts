import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MonitorShard } from '../../../../durable-objects/monitor-shard.ts';
import { dropKeptReports } from '../../../../routes/api/bindings/monitor-runs.ts';
import { movableClock } from '../../../durable-objects/ledger-shard.ts';
import { get, HTML_PAGE, PAYER, world, type World } from '../world.ts';
import { accountOf, balanceOf, postPack, signedPack } from './credit-world.ts';
import { attemptRun, AUDIT_PRICE, endKilledAttempts, type Kill, watch, type Watched } from './run-world.ts';
import { settleOnChain } from './settling-chain.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PACK = 20_000_000;
/**
 * What an attempt calls that remembers: begin, standing, view, reserve, the puts of report and recording, capture, six for their
 * copies, the report, the balance, finish. A killed one is killed at each.
 */
const CALLS = 16;

let seen: World;
let clock: ReturnType<typeof movableClock>;
beforeEach(async () => {
  seen = world();
  settleOnChain(seen);
  clock = movableClock();
  // Each attempt is the test's own: no alarm sends a run to the queue meanwhile.
  vi.spyOn(MonitorShard.prototype, 'alarm').mockResolvedValue(undefined);
  await postPack(20, { credential: await signedPack(20) });
});
afterEach(async () => {
  await endKilledAttempts();
  vi.restoreAllMocks();
});

const readRun = async ({ shard, monitor, runId }: Watched) => shard.run(monitor.account, monitor.id, runId);
const paidCalls = async () => (await accountOf(PAYER)).object.reports();
const reportIds = async (prefix: string): Promise<readonly string[]> =>
  (await env.REPORTS.list({ prefix })).objects.flatMap(({ key }) => /([0-9a-f]{32})\.json$/.exec(key)?.[1] ?? []);

const readStatus = async (id: string) => ({ id, status: (await get(`/reports/${id}.json`)).status });

describe('a run from due to stored', () => {
  test('is paid once, keeps its report, and says what it cost', async () => {
    const watched = await watch('https://shop.example/');
    const { ended, calls } = await attemptRun(watched);
    expect(ended).toBe('finished');
    expect(calls).toHaveLength(CALLS);
    const run = await readRun(watched);
    expect(run).toMatchObject({ state: 'stored', parts: [{ role: 'subject', amountMicroUsdc: AUDIT_PRICE }] });
    expect(await paidCalls()).toMatchObject([{ reportId: run?.parts[0]?.reportId, amountMicroUsdc: AUDIT_PRICE }]);
    expect((await attemptRun(watched)).ended).toBe('idle'); // The message came twice.
    expect(await balanceOf()).toBe(PACK - AUDIT_PRICE);
  });

  const kills: readonly Kill[] = [
    ...Array.from({ length: CALLS }, (_, index) => ({ at: index + 1, when: 'after' }) as const),
    ...[4, 5, 7, CALLS].map((at) => ({ at, when: 'before' }) as const),
  ];
  test.each(kills)('killed $when its call $at, it is one charge, one run and one report', async (kill) => {
    const watched = await watch('https://shop.example/');
    const packs = await reportIds('reports/');
    expect((await attemptRun(watched, kill)).ended).toBe('killed');
    clock.advance(4 * MINUTE_MS); // The holds of the dead attempt are over.
    const again = await attemptRun(watched);
    expect(['finished', 'idle']).toContain(again.ended);
    const run = await readRun(watched);
    const calls = await paidCalls();
    expect(run).toMatchObject({ state: 'stored', parts: [{ amountMicroUsdc: AUDIT_PRICE }] });
    expect(calls.map(({ reportId }) => reportId)).toEqual(run?.parts.map(({ reportId }) => reportId));
    expect(await balanceOf()).toBe(PACK - AUDIT_PRICE);
    const opened = await Promise.all(
      (await reportIds('reports/')).flatMap((id) => (packs.includes(id) ? [] : [readStatus(id)])),
    );
    expect(opened.filter(({ status }) => status === 200).map(({ id }) => id)).toEqual([run?.parts[0]?.reportId]);
  });
});

describe('a monitor that is deleted while its run is under way', () => {
  const deleteBefore =
    (name: string, { shard, monitor }: Watched) =>
    async (call: string) =>
      call === name ? shard.delete(monitor.account, monitor.id) : undefined;

  test('pays nothing, where the result was not paid yet', async () => {
    const watched = await watch('https://shop.example/');
    const { ended } = await attemptRun(watched, undefined, deleteBefore('bucket.put', watched));
    expect(ended).toBe('superseded');
    expect(await paidCalls()).toEqual([]);
    const view = await (await accountOf(PAYER)).object.view();
    expect(view).toMatchObject({ balanceMicroUsdc: PACK, reservedMicroUsdc: 0 });
  });

  test('has a charge with a report that can be read, where it was, and keeps no copy', async () => {
    const watched = await watch('https://shop.example/');
    const { ended } = await attemptRun(watched, undefined, deleteBefore('finish', watched));
    expect(ended).toBe('superseded');
    const [call] = await paidCalls();
    expect(await balanceOf()).toBe(PACK - AUDIT_PRICE);
    expect(await readStatus(call?.reportId ?? '')).toMatchObject({ status: 200 });
    await dropKeptReports(watched.shard, env);
    expect(await reportIds('kept/')).toEqual([]);
  });

  test('keeps no copy either, where its attempt died with the copies made', async () => {
    const watched = await watch('https://shop.example/');
    expect((await attemptRun(watched, { at: CALLS, when: 'before' })).ended).toBe('killed');
    expect(await reportIds('kept/')).toHaveLength(1);
    await watched.shard.delete(watched.monitor.account, watched.monitor.id);
    await dropKeptReports(watched.shard, env);
    expect(await reportIds('kept/')).toEqual([]);
  });
});

test('a site that leads to a host which wants no runs is not audited there, and costs nothing', async () => {
  const away = 'https://moved.example/';
  seen.site = ({ host, pathname }) => {
    if (host !== 'moved.example') return pathname === '/' ? Response.redirect(away) : new Response('', { status: 404 });
    return new Response(pathname === '/robots.txt' ? 'User-agent: SightlineBot\nDisallow: /' : HTML_PAGE);
  };
  const watched = await watch('https://shop.example/');
  expect((await attemptRun(watched)).ended).toBe('finished');
  expect(await readRun(watched)).toMatchObject({ state: 'failed', reason: 'robots_disallow', parts: [] });
  expect(await watched.shard.read(watched.monitor.account, watched.monitor.id)).toMatchObject({
    monitor: { state: 'paused', pausedBecause: 'robots_disallow' },
  });
  expect(seen.calls.site.filter((url) => url.startsWith(away))).toEqual([away, `${away}robots.txt`]);
  expect(await balanceOf()).toBe(PACK);
});

test('a run of a brand is one measurement, with its rates', async () => {
  const watched = await watch({
    kind: 'brand',
    capability: 'visibility_check',
    body: { brand: 'Example Desk', niche: 'help desk software' },
  });
  expect((await attemptRun(watched)).ended).toBe('finished');
  const run = await readRun(watched);
  expect(run).toMatchObject({
    state: 'stored',
    parts: [{ role: 'subject', capability: 'visibility_check' }],
    summary: { kind: 'brand', rates: [{ simulated: true }] },
  });
  expect(await paidCalls()).toHaveLength(1);
  expect((await attemptRun(watched)).ended).toBe('idle');
});

describe('reports that a monitor keeps', () => {
  /** A stored run whose own report the bucket has deleted by its age, 40 days later. */
  async function aged(): Promise<Watched & { reportId: string }> {
    const watched = await watch('https://shop.example/');
    await attemptRun(watched);
    const run = await readRun(watched);
    const reportId = run?.parts[0]?.reportId ?? '';
    clock.advance(40 * DAY_MS);
    await env.REPORTS.delete([`reports/${reportId}.json`, `snapshots/${reportId}.json.gz`]);
    return { ...watched, reportId };
  }

  test('open in all forms after 40 days, with their snapshot', async () => {
    const { reportId } = await aged();
    const page = await get(`/reports/${reportId}`, { accept: 'text/html' });
    expect(await page.text()).toContain('Can be read as long as its monitor exists.');
    for (const form of ['.json', '.md', '/snapshot', '/sections/checks'])
      expect([form, (await get(`/reports/${reportId}${form}`)).status]).toEqual([form, 200]);
  });

  test('are gone at once when the monitor is deleted, and their copies with the next turn of the cron', async () => {
    const { reportId, shard, monitor } = await aged();
    await shard.delete(monitor.account, monitor.id);
    expect((await get(`/reports/${reportId}.json`)).status).toBe(404);
    expect(await reportIds('kept/')).toEqual([reportId]);
    await dropKeptReports(shard, env);
    expect(await reportIds('kept/')).toEqual([]);
    expect(await shard.droppedReports()).toEqual([]);
  });

  test('are never readable for a run that was not stored', async () => {
    const watched = await watch('https://shop.example/');
    const { calls } = await attemptRun(await watch('https://other.example/'));
    const keptAt = calls.lastIndexOf('bucket.put');
    expect((await attemptRun(watched, { at: keptAt + 1, when: 'after' })).ended).toBe('killed');
    const kept = await reportIds('kept/');
    expect(kept).toHaveLength(2);
    clock.advance(40 * DAY_MS);
    for (const id of kept) await env.REPORTS.delete([`reports/${id}.json`, `snapshots/${id}.json.gz`]);
    const opened = await Promise.all(kept.map(readStatus));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(opened.filter(({ status }) => status === 404)).toHaveLength(1);
  });

  test('of a monitor that was deleted early can be read until their own 30 days are over', async () => {
    const watched = await watch('https://shop.example/');
    await attemptRun(watched);
    const reportId = (await readRun(watched))?.parts[0]?.reportId ?? '';
    await watched.shard.delete(watched.monitor.account, watched.monitor.id);
    await dropKeptReports(watched.shard, env);
    expect((await get(`/reports/${reportId}.json`)).status).toBe(200);
  });
});
