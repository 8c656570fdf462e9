import { expect, test } from 'vitest';
import { parseChannelId } from '../../../src/notifications/channels/channel-id.ts';
import type { RegistryLimits } from '../../../src/notifications/channels/context.ts';
import { down, HOUR_MS, MINUTE_MS, type RegistryWorld, registryWorld, START_MS } from './world.ts';

const DAY_MS = 24 * HOUR_MS;

test('no query reads a whole table: each finds its rows by an index', async () => {
  const world = registryWorld();
  const { id, watch } = await world.opened();
  world.answers.watch.push(
    () => down,
    () => down,
  );
  await world.run(3 * DAY_MS);
  const filters = [{}, { customer: 'C1' }, { state: 'active' }, { watch }, { customer: 'C1', state: 'active' }];
  for (const filter of filters) world.registry.list({ limit: 10, ...filter });
  world.registry.synced(world.watched.at(-1)?.id ?? '', 'resource-1');
  world.registry.customers();
  world.registry.customers();
  await world.registry.renew(id);
  world.answers.stop.push(down);
  world.registry.stop(watch);
  await world.registry.deliver('C1');
  await world.run(20 * DAY_MS);
  const queries = [...new Set(world.queries)].filter((query) => /^\s*(SELECT|UPDATE|DELETE|INSERT)/.test(query));
  expect(queries.length).toBeGreaterThan(40);
  const scans = queries.flatMap((query) => {
    const count = query.includes('?1') ? new Set(query.match(/\?\d/g)).size : (query.match(/\?/g) ?? []).length;
    const plan = world.sql.exec(`EXPLAIN QUERY PLAN ${query}`, ...Array.from({ length: count }, () => 1)).toArray();
    return plan.flatMap(({ detail }) =>
      /^SCAN (?!CONSTANT|d$)/.test(String(detail)) ? [`${String(detail)}: ${query}`] : [],
    );
  });
  expect(scans).toEqual([]);
});

/** As many watches as there may be, their renewals spread over a life, written as rows: opening them takes too long. */
function filled(count: number, everyMs = 1, limits: Partial<RegistryLimits> = {}) {
  const world = registryWorld(limits);
  const lifeMs = 6 * HOUR_MS;
  world.sql.exec(
    `INSERT INTO watch (id, customer, domain, event, subject, ttl_s, lead_ms, due_ms, current_id, latest_id, covered_until_ms)
       WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
       SELECT 'w' || n, 'C' || n, '', '', '', 21600, 3240000, ?2 + n * ?3, 'c' || n, 'c' || n, ?2 + n * ?3 + 3240000
         FROM n`,
    count,
    START_MS + lifeMs,
    everyMs,
  );
  world.sql.exec(
    `INSERT INTO channel (id, watch, watch_seq, customer, state, resource_id, asked_ms, granted_ms, synced_ms, expires_ms, lead_ms, due_ms)
       SELECT current_id, id, seq, customer, 'active', 'r', ?1, ?1, ?1, covered_until_ms, lead_ms, covered_until_ms FROM watch`,
    START_MS,
  );
  world.sql.exec('INSERT INTO customer (id, resync_ms) SELECT customer, due_ms + ? FROM watch', 30 * DAY_MS);
  return { world, dueFromMs: START_MS + lifeMs };
}

test('a pass renews 500 of 100,000 channels with few statements, and all the same ones', async () => {
  const { world, dueFromMs } = filled(100_000);
  world.clock.nowMs = dueFromMs + 500;
  world.queries.length = 0;
  expect(await world.registry.pass()).toEqual({ due: 500, done: 500 });
  expect(world.watched).toHaveLength(500);
  // Claim: watch, channel, what it follows. Result: channel, watch, alerts, orphans.
  expect(statementsPerCall(world.queries)).toBe(7);
  expect(new Set(world.queries).size).toBeLessThan(25);
});

test('a pass stops 500 channels that were superseded with few statements', async () => {
  const { world, dueFromMs } = filled(100_000);
  world.clock.nowMs = dueFromMs + 500;
  await world.registry.pass();
  for (const { id } of world.watched) world.registry.synced(id, 'resource-1');
  world.clock.nowMs += MINUTE_MS - 1_000; // No renewal is due that the rates would allow.
  world.sql.exec('UPDATE watch SET due_ms = due_ms + ?', HOUR_MS);
  world.clock.nowMs += 1_000;
  world.queries.length = 0;
  expect(await world.registry.pass()).toEqual({ due: 500, done: 500 });
  expect(world.stopped).toHaveLength(500);
  // Claim. Result: channel, whether older ones are to go.
  expect(statementsPerCall(world.queries)).toBe(3);
});

test('a sync takes few statements', async () => {
  const { world, dueFromMs } = filled(1_000);
  world.clock.nowMs = dueFromMs + 500;
  await world.registry.pass();
  world.queries.length = 0;
  for (const { id } of world.watched) world.registry.synced(id, 'resource-1');
  // The channel, what is open of its watch, which is superseded; its resource id, alerts.
  expect(statementsPerCall(world.queries)).toBe(5);
});

test('no query plans its limit anew each time: those of a renewal have theirs in the text', async () => {
  const { world, dueFromMs } = filled(1_000);
  world.clock.nowMs = dueFromMs + 500;
  await world.registry.pass();
  for (const { id } of world.watched) world.registry.synced(id, 'resource-1');
  const counts = Map.groupBy(world.queries, (query) => query);
  const planned = [...counts].filter(([query, { length }]) => length >= 500 && /LIMIT \?/.test(query));
  expect(planned).toEqual([]);
});

test('10,000 channels of before are listed, renewed in their time, and have ids that state their customers then', async () => {
  const { world, dueFromMs } = filled(10_000);
  const listAll = (state: string): readonly string[] => {
    const ids: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const { items, next } = world.registry.list({ state, limit: 500, cursor });
      ids.push(...items.map(({ id }) => id));
      cursor = next;
    }
    return ids;
  };
  expect(new Set(listAll('active')).size).toBe(10_000);
  world.clock.nowMs = dueFromMs;
  for (let passes = 0; passes < 80; passes += 1) {
    await world.registry.pass();
    world.clock.nowMs += 20_000;
  }
  const renewed = listAll('active');
  expect(renewed).toHaveLength(10_000);
  expect(new Set(renewed.map((id) => parseChannelId(id)?.customer)).size).toBe(10_000);
  expect(renewed.map((id) => parseChannelId(id)?.customer)).not.toContain(undefined);
  expect([listAll('stopped').length, listAll('expired').length]).toEqual([10_000, 0]);
}, 120_000);

/** Of 500 calls; what a pass takes once is not counted. */
function statementsPerCall(queries: readonly string[]): number {
  const counts = [...Map.groupBy(queries, (query) => query).values()].map(({ length }) => length);
  return counts.filter((count) => count >= 500).reduce((sum, count) => sum + count, 0) / 500;
}

test('what is due in one moment goes out at the rate of all: a burst and then 30 a second', async () => {
  const { world, dueFromMs } = filled(2_000);
  world.clock.nowMs = dueFromMs + MINUTE_MS;
  await world.registry.pass();
  expect(world.watched).toHaveLength(500);
  expect(world.registry.nextDueMs()).toBe(world.clock.nowMs + 1_000);
  await world.run(10_000);
  expect(world.watched).toHaveLength(800);
});

/** Watches whose renewal failed or is overdue. */
const late = ({ rows, clock }: RegistryWorld): number =>
  Number(rows(`SELECT count(*) AS n FROM watch WHERE tries > 0 OR due_ms <= ${clock.nowMs}`)[0]?.['n']);

test('after an outage of 50 minutes all are caught up within 20, and none whose lead was 54 minutes lapsed', async () => {
  // 100,000 channels of six hours and a rate of 30 a second, both at a thirtieth.
  const { world, dueFromMs } = filled(1_000, 5_508, { watchesPerSecond: 1, stopsPerSecond: 0.5, burst: 17 });
  world.clock.nowMs = dueFromMs;
  world.outage.isOn = true;
  await world.run(50 * MINUTE_MS);
  expect(late(world)).toBeGreaterThan(500);
  world.outage.isOn = false;
  await world.run(20 * MINUTE_MS);
  expect(late(world)).toBeLessThan(5);
  expect(world.rows("SELECT id FROM channel WHERE state = 'expired'")).toEqual([]);
  expect(world.watched.length).toBeLessThan(70 * 60 + 17);
}, 120_000);

test('a pass that takes a minute starts no more calls; what is left is due in the next', async () => {
  const world = registryWorld({ callsAtOnce: 1 });
  for (const customer of ['C1', 'C2', 'C3']) await world.opened({ target: { customer } });
  world.clock.nowMs += 305 * MINUTE_MS;
  world.answers.watch.push(() => {
    world.clock.nowMs += MINUTE_MS;
    return down;
  });
  await world.registry.pass();
  expect(world.watched).toHaveLength(4);
  expect(world.registry.nextDueMs()).toBe(world.clock.nowMs);
});
