import { describe, expect, test } from 'vitest';
import type { Granted, VendorFailure } from '../../../src/notifications/vendor/vendor.ts';
import { CUSTOMER, down, grantFor, HOUR_MS, MINUTE_MS, registryWorld, START_MS } from './world.ts';

const DAY_MS = 24 * HOUR_MS;
const noAccess: VendorFailure = { ok: false, reason: 'credentials_refused', detail: 'HTTP 403' };
const never = <T>(): Promise<T> => new Promise(() => undefined);
const alerts = (words: readonly string[], kind: string): string[] => words.filter((word) => word.includes(kind));

describe('what never ends', () => {
  test('an errand that never ends holds up neither the pass nor the errands of others, and is told again', async () => {
    const world = registryWorld({ commandMs: 5 });
    await world.opened();
    await world.opened({ target: { customer: 'C2' } });
    world.inbox.answers.push(never);
    await world.registry.pass();
    expect(world.words()).toEqual(['C2 resync first_channel']);
    await world.run(5_000);
    expect(world.words()).toEqual(['C2 resync first_channel', 'C1 resync first_channel']);
    expect(world.log).toContainEqual({ event: 'errand_not_taken', do: 'resync', tries: 1, error: 'Late' });
  });

  test('a watch call that never ends counts as one whose answer was lost', async () => {
    const world = registryWorld({ callMs: 5 });
    world.answers.watch.push(never);
    const detail = 'the call did not end in time';
    expect(await world.opened()).toMatchObject({ state: 'pending', tries: 1, last_error: detail });
    await world.run(MINUTE_MS);
    expect(world.states()).toEqual(['pending', 'active']);
  });

  test('a stop that never ends is tried again', async () => {
    const world = registryWorld({ callMs: 5 });
    const { watch } = await world.opened();
    world.answers.stop.push(never);
    world.registry.stop(watch);
    await world.run(MINUTE_MS);
    expect([world.states(), world.stopped.length]).toEqual([['stopped'], 2]);
  });

  test('a pass that went away with whoever asked for it is waited for no longer than five minutes', async () => {
    const world = registryWorld();
    await world.opened();
    world.clock.nowMs += 304 * MINUTE_MS;
    world.answers.watch.push(never);
    const stuck = world.registry.pass();
    await Promise.resolve();
    world.clock.nowMs += 5 * MINUTE_MS - 1;
    expect(world.registry.pass()).toBe(stuck);
    world.clock.nowMs += 1;
    await world.registry.pass();
    expect(world.states()).toEqual(['renewing', 'pending', 'active']);
  });

  test('a pass stops telling a customer when its time is over; what is left is told in the next', async () => {
    const world = registryWorld({ commandsMs: 1_000 });
    world.answers.watch.push(grantFor({ nowMs: START_MS + 300_000 }));
    await world.opened();
    world.inbox.answers.push(async () => {
      world.clock.nowMs += 1_000;
    });
    await world.registry.pass();
    expect(world.words()).toEqual(['C1 alert clock_skew vendor-clock']);
    await world.registry.pass();
    expect(world.words()).toEqual(['C1 alert clock_skew vendor-clock', 'C1 resync first_channel']);
  });
});

describe('what the vendor says of the end of a channel', () => {
  const SECONDS = (START_MS + 6 * HOUR_MS) / 1_000;
  test.each([
    ['the year 9999', Date.UTC(9999, 0, 1), START_MS, '2026-11-21T06:00:00.000Z'],
    ['a number beyond all', Number.POSITIVE_INFINITY, START_MS, '2026-11-21T02:00:00.000Z'],
    ['nothing', undefined, START_MS, '2026-11-21T02:00:00.000Z'],
    ['a clock of 1970', START_MS + 6 * HOUR_MS, 0, '2026-11-21T02:00:00.000Z'],
    ['a clock that is a day ahead', START_MS + 6 * HOUR_MS, START_MS + DAY_MS, '2026-11-21T02:00:00.000Z'],
  ] as const)('%s: never more than was asked for, two hours where it cannot be read', async (...row) => {
    const [, expiresAtMs, vendorNowMs, ends] = row;
    const world = registryWorld();
    world.answers.watch.push(grantFor({ nowMs: START_MS, expiresAtMs, vendorNowMs }));
    const { id, expires_at } = await world.opened();
    expect(expires_at).toBe(ends);
    world.sql.exec('UPDATE watch SET ended_ms = 1, due_ms = ?', START_MS + 90 * DAY_MS); // No successor.
    world.clock.nowMs = Date.parse(ends) + 5 * MINUTE_MS - 1;
    expect(world.registry.lookup(id)).not.toBeNull();
    world.clock.nowMs += 1;
    expect(world.registry.lookup(id)).toBeNull();
  });

  test('a life that was asked for and is shorter than two hours is assumed as it was asked for', async () => {
    const world = registryWorld();
    world.answers.watch.push(grantFor({ nowMs: START_MS, expiresAtMs: undefined }));
    expect((await world.opened({ ...CUSTOMER, ttlSeconds: 3_600 })).expires_at).toBe('2026-11-21T01:00:00.000Z');
  });

  test('an absurd clock is alerted and not remembered, until one comes that is believed', async () => {
    const world = registryWorld();
    world.answers.watch.push(grantFor({ nowMs: START_MS, vendorNowMs: START_MS + DAY_MS }));
    await world.opened();
    await world.run(0);
    expect(world.told[0]?.command).toMatchObject({
      alert: { kind: 'clock_skew', detail: "The vendor's clock is 86401 s ahead of ours, which is not believed" },
    });
    world.answers.watch.push(grantFor({ nowMs: START_MS, vendorNowMs: undefined }));
    expect(await world.opened({ target: { customer: 'C2' } })).toMatchObject({
      expires_at: '2026-11-21T06:00:00.000Z',
    });
    expect(world.words()).not.toContain('C1 over clock_skew vendor-clock');
    await world.another().open({ target: { customer: 'C3' } }); // Also after a restart.
    await world.run(0);
    expect(world.words()).toContain('C1 over clock_skew vendor-clock');
  });

  test.each([
    ['in the past', START_MS - 1],
    ['within its first half minute', START_MS + 29_999],
    ['in seconds', SECONDS],
    ['beyond the calendar', -1e300],
  ])('an end %s is none: the grant failed, with an alert, and messages of the channel are taken', async (_w, end) => {
    const world = registryWorld();
    await world.opened();
    world.clock.nowMs += MINUTE_MS;
    const bad = (): Granted => grantFor({ nowMs: world.clock.nowMs, expiresAtMs: end })();
    world.answers.watch.push(bad, bad);
    const { watch } = world.registry.list({ limit: 1 }).items[0] ?? { watch: '' };
    expect(await world.registry.renew(watch)).toMatchObject({ channel: { state: 'renewing', tries: 1 } });
    expect(world.states()).toEqual(['renewing', 'pending']);
    expect(world.registry.lookup(world.watched[1]?.id ?? '')).toMatchObject({ resourceId: 'resource-1', drops: false });
    await world.registry.renew(watch);
    await world.registry.pass();
    expect(world.states()).toEqual(['renewing', 'stopped', 'pending']);
    expect(alerts(world.words(), 'watch_refused')).toEqual([`C1 alert watch_refused ${watch}`]);
    await world.registry.renew(watch);
    await world.registry.pass();
    expect(world.states()).toEqual(['renewing', 'stopped', 'stopped', 'active']);
    expect(world.words()).toContain(`C1 over watch_refused ${watch}`);
  });

  test('grants that are always over are asked for about once an hour, without a resync each time', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.clock.nowMs += 7 * HOUR_MS;
    const bad = (): Granted => grantFor({ nowMs: world.clock.nowMs, expiresAtMs: START_MS })();
    world.answers.watch.push(...Array.from({ length: 3_000 }, () => bad));
    await world.run(DAY_MS);
    expect(world.watched.length).toBeGreaterThan(24);
    expect(world.watched.length).toBeLessThan(70);
    expect(alerts(world.words(), 'gap')).toEqual([]);
    expect(world.registry.get(watch)).toMatchObject({
      state: 'pending',
      last_error: expect.stringContaining('ends at'),
    });
  });

  test('the first grant that is over is tried again within half a minute, however long the vendor was away', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.outage.isOn = true;
    await world.run(8 * HOUR_MS);
    world.outage.isOn = false;
    world.answers.watch.push(grantFor({ nowMs: START_MS, expiresAtMs: START_MS }));
    await world.registry.renew(watch);
    expect(world.registry.get(watch)).toMatchObject({ state: 'pending', next_try_at: '2026-11-21T08:00:15.000Z' });
  });

  test('a grant that is over, for a watch that was stopped meanwhile, is stopped', async () => {
    const world = registryWorld();
    world.answers.watch.push((order) => {
      world.registry.stop(order.id);
      return grantFor({ nowMs: START_MS, expiresAtMs: START_MS - 1 })();
    });
    await world.opened();
    await world.run(0);
    expect(world.states()).toEqual(['stopped']);
  });
});

test('a Retry-After of a day is honoured as far as a channel of two hours allows: it is renewed in time', async () => {
  const world = registryWorld();
  world.answers.watch.push(grantFor({ nowMs: START_MS, lifeMs: 2 * HOUR_MS }));
  await world.opened();
  const away = (): VendorFailure => ({ ...down, retryAfterMs: DAY_MS });
  world.answers.watch.push(away, away, away);
  await world.run(2 * HOUR_MS);
  expect(world.watched).toHaveLength(5);
  expect(alerts(world.words(), 'channel_lapsed')).toEqual([]);
});

describe('a clock that was a day ahead for one pass', () => {
  test.each([
    ['six hours', 21_600, 3],
    ['two days', 172_800, 1],
  ])('channels of %s are renewed in time all the same', async (_life, ttlSeconds, calls) => {
    const world = registryWorld();
    const lifeMs = ttlSeconds * 1_000;
    let aheadMs = 0;
    const grant = (): Granted => grantFor({ nowMs: world.clock.nowMs - aheadMs, lifeMs })();
    world.answers.watch.push(...Array.from({ length: 9 }, () => grant));
    await world.opened({ ...CUSTOMER, ttlSeconds });
    aheadMs = DAY_MS;
    world.clock.nowMs += aheadMs;
    await world.registry.pass();
    world.clock.nowMs = START_MS + MINUTE_MS;
    aheadMs = 0;
    await world.registry.pass();
    expect(world.watched).toHaveLength(calls);
    const newest = world.watched.at(-1)?.id ?? '';
    const endMs = Date.parse(world.registry.get(newest)?.expires_at ?? '');
    expect(endMs).toBeLessThanOrEqual(world.clock.nowMs + lifeMs);
    await world.run(endMs - world.clock.nowMs - 1);
    expect(world.watched).toHaveLength(calls + 1);
    expect(world.registry.get(newest)?.state).not.toBe('renewing');
  });

  test('errands, stops, daily resyncs and circuits that were put off then are not put off for a day', async () => {
    const world = registryWorld();
    const { watch } = await world.opened({ ...CUSTOMER, ttlSeconds: 172_800 });
    await world.opened({ target: { customer: 'C2' }, ttlSeconds: 172_800 });
    world.sql.exec('UPDATE channel SET expires_ms = expires_ms + ?', 2 * DAY_MS);
    world.clock.nowMs += DAY_MS;
    world.inbox.isAway = true;
    world.outage.isOn = true;
    world.registry.stop(watch);
    await world.registry.pass();
    for (let times = 0; times < 6; times += 1) await world.registry.renew(world.watched[1]?.id ?? '');
    world.inbox.isAway = false;
    world.outage.isOn = false;
    world.clock.nowMs -= DAY_MS;
    await world.registry.pass(); // The cron's.
    await world.run(3 * MINUTE_MS);
    expect(world.states()[0]).toBe('stopped');
    expect(world.words()).toContain('C1 resync first_channel');
    expect(Number(world.rows('SELECT max(resync_ms) AS at FROM customer')[0]?.['at'])).toBeLessThanOrEqual(
      world.clock.nowMs + DAY_MS,
    );
  });

  test('a clock that is set back by seconds changes nothing', async () => {
    const world = registryWorld();
    await world.opened();
    await world.run(10 * MINUTE_MS);
    world.clock.nowMs -= 59_000;
    await world.registry.pass();
    expect([world.watched.length, world.log]).toEqual([1, []]);
  });
});

describe('alerts end', () => {
  test('that of a circuit with the first call that succeeds, though no channel is granted by it', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.outage.isOn = true;
    world.registry.stop(watch);
    await world.run(HOUR_MS);
    expect(alerts(world.words(), 'circuit')).toEqual(['C1 alert circuit_open C1']);
    world.outage.isOn = false;
    await world.run(2 * HOUR_MS);
    expect(world.states()).toEqual(['stopped']);
    expect(alerts(world.words(), 'circuit')).toEqual(['C1 alert circuit_open C1', 'C1 over circuit_open C1']);
  });

  test('that of a circuit when nothing is watched, and nothing asked for, any more', async () => {
    const world = registryWorld();
    world.outage.isOn = true;
    const { watch } = await world.opened();
    await world.run(10 * MINUTE_MS);
    world.registry.stop(watch);
    await world.run(MINUTE_MS);
    expect(alerts(world.words(), 'circuit')).toEqual(['C1 alert circuit_open C1', 'C1 over circuit_open C1']);
  });

  test('that of a stop that fails as long as the channel lives, with the channel', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.answers.stop.push(...Array.from({ length: 200 }, () => noAccess));
    world.registry.stop(watch);
    await world.run(7 * HOUR_MS);
    expect(world.states()).toEqual(['expired']);
    const seen = alerts(world.words(), 'credentials');
    expect(seen).toEqual(['C1 alert credentials_refused C1', 'C1 over credentials_refused C1']);
  });

  test('of two watches whose subjects differ, one refused and one granted: one alert, which stays', async () => {
    const world = registryWorld();
    await world.opened({ ...CUSTOMER, subject: 'good@example.com' });
    const answer = (order: { subject?: string | undefined }) =>
      order.subject === 'bad@example.com' ? noAccess : grantFor({ nowMs: world.clock.nowMs })();
    world.answers.watch.push(...Array.from({ length: 500 }, () => answer));
    const bad = await world.opened({ target: { customer: 'C1', domain: 'a.example' }, subject: 'bad@example.com' });
    await world.run(DAY_MS);
    const seen = alerts(world.words(), 'credentials');
    expect(seen).toEqual([expect.stringMatching(/^C1 alert credentials_refused C1\/[\da-f]{12}$/)]);
    expect(world.words().join(' ')).not.toContain('@');
    world.registry.stop(bad.watch);
    await world.run(0);
    expect(alerts(world.words(), 'credentials')[1]).toMatch(/^C1 over credentials_refused C1\/[\da-f]{12}$/);
  });
});

describe('the daily resync', () => {
  const daily = (world: ReturnType<typeof registryWorld>): unknown[] =>
    world.told.flatMap(({ command }) =>
      command.do === 'resync' && command.order.reason === 'daily'
        ? [[command.order.domain ?? '', command.order.subject ?? ''].join(' ')]
        : [],
    );

  test('covers all of 600 domains, which is what the vendor allows a customer', async () => {
    const world = registryWorld({ commands: 1_000 });
    for (let serial = 0; serial < 600; serial += 1)
      await world.opened({ target: { customer: 'C1', domain: `d${serial}.example` } });
    await world.run(DAY_MS);
    expect(new Set(daily(world)).size).toBe(600);
  });

  test('of a customer that two subjects watch is done for both, and not for one that is refused', async () => {
    const world = registryWorld();
    await world.opened({ ...CUSTOMER, event: 'add', subject: 'b@example.com' });
    await world.opened({ ...CUSTOMER, event: 'delete', subject: 'c@example.com' });
    await world.opened({ target: { customer: 'C1', domain: 'a.example' }, subject: 'd@example.com' });
    const answer = (order: { subject?: string | undefined }) =>
      order.subject === 'a@example.com' ? noAccess : grantFor({ nowMs: world.clock.nowMs })();
    world.answers.watch.push(...Array.from({ length: 500 }, () => answer));
    await world.opened({ ...CUSTOMER, event: 'update', subject: 'a@example.com' });
    await world.run(DAY_MS);
    expect(daily(world)).toEqual([' b@example.com', ' c@example.com']);
  });

  test('of domains is done while no watch of the whole customer works', async () => {
    const world = registryWorld();
    await world.opened({ target: { customer: 'C1', domain: 'a.example' } });
    const answer = (order: { target: { domain?: string | undefined } }) =>
      order.target.domain === undefined ? noAccess : grantFor({ nowMs: world.clock.nowMs })();
    world.answers.watch.push(...Array.from({ length: 500 }, () => answer));
    await world.opened();
    await world.run(DAY_MS);
    expect(daily(world)).toEqual([' ', 'a.example ']);
  });

  test('that comes late does not move the time of day of the next', async () => {
    const world = registryWorld();
    await world.opened();
    const dueMs = START_MS + DAY_MS / 2;
    world.clock.nowMs = dueMs + 5 * HOUR_MS;
    await world.registry.pass();
    expect(world.rows('SELECT resync_ms FROM customer')).toEqual([{ resync_ms: dueMs + DAY_MS }]);
    world.clock.nowMs = dueMs + 3 * DAY_MS + HOUR_MS;
    await world.registry.pass();
    expect(world.rows('SELECT resync_ms FROM customer')).toEqual([{ resync_ms: dueMs + 4 * DAY_MS }]);
  });
});

test('a resync that is ordered while one is on its way is told after it', async () => {
  const world = registryWorld();
  const { watch } = await world.opened();
  const orders = (): number => alerts(world.words(), 'resync').length;
  world.inbox.answers.push(async () => {
    world.clock.nowMs += 7 * HOUR_MS;
    await world.registry.renew(watch); // After a gap: it orders a resync.
  });
  await world.registry.pass();
  expect(orders()).toBe(1);
  await world.registry.pass();
  expect(orders()).toBe(2);
});

test('a channel that ends while its successor is asked for leaves it the claim: it is asked for once', async () => {
  const world = registryWorld();
  const { watch } = await world.opened();
  world.clock.nowMs = START_MS + 6 * HOUR_MS - 1_000;
  let grant: (() => void) | undefined;
  world.answers.watch.push(
    () =>
      new Promise((resolve) => {
        grant = () => resolve(grantFor({ nowMs: world.clock.nowMs })());
      }),
  );
  const renewed = world.registry.renew(watch);
  world.clock.nowMs += 2_000;
  await world.another().pass();
  await world.another().pass();
  expect([world.states(), world.watched.length]).toEqual([['expired', 'pending'], 2]);
  grant?.();
  expect(await renewed).toMatchObject({ channel: { state: 'active' } });
});

test('a channel lapses at its time also while 600 stops wait and none may be asked for', async () => {
  const world = registryWorld({ passSize: 500, burst: 3, stopsPerSecond: 0.01, watchesPerSecond: 100 });
  await world.opened();
  world.sql.exec('UPDATE watch SET due_ms = due_ms + ?', DAY_MS); // Nobody asks for a successor.
  world.sql.exec(
    `INSERT INTO channel (id, watch, watch_seq, customer, state, resource_id, asked_ms, granted_ms, expires_ms, lead_ms, due_ms)
       WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 600)
       SELECT 's' || n, 'other', 99, 'C2', 'superseded', 'r', ?1, ?1, ?1 + ?2, 600000, ?1 + n FROM n`,
    START_MS,
    10 * HOUR_MS,
  );
  await world.run(6 * HOUR_MS - 1);
  expect(world.words()).not.toContain('C1 resync channel_lapsed');
  await world.run(1);
  expect(world.words()).toContain('C1 resync channel_lapsed');
});
