import { describe, expect, test } from 'vitest';
import { isChannelToken } from '../../../src/notifications/channels/channel-token.ts';
import type { VendorFailure } from '../../../src/notifications/vendor/vendor.ts';
import { CUSTOMER, down, grantFor, HOUR_MS, KEYS, MINUTE_MS, registryWorld, START_MS } from './world.ts';

/** Of the second number of the world, a life of six hours and five minutes from its first moment, and customer C1. */
const UUID_1 = `00000000000040008000000000000002-${Math.ceil((START_MS + 366 * MINUTE_MS) / MINUTE_MS).toString(36)}-C1`;
const refused: VendorFailure = { ok: false, reason: 'refused', detail: 'HTTP 400 invalid' };
const usedId: VendorFailure = { ok: false, reason: 'id_not_unique', detail: 'channelIdNotUnique' };
const noAccess: VendorFailure = { ok: false, reason: 'credentials_refused', detail: 'HTTP 403' };

describe('open', () => {
  test('asks the vendor for a channel and answers it as granted', async () => {
    const world = registryWorld();
    const channel = await world.opened();
    expect(channel).toEqual({
      id: UUID_1,
      watch: '00000000000000000000000000000001',
      customer: 'C1',
      domain: null,
      event: null,
      state: 'active',
      address: 'https://webhook.test/notifications/00000000000000000000000000000001',
      resource_id: 'resource-1',
      asked_at: '2026-11-21T00:00:00.000Z',
      granted_at: '2026-11-21T00:00:00.000Z',
      synced_at: null,
      expires_at: '2026-11-21T06:00:00.000Z',
      renew_at: '2026-11-21T05:03:18.000Z',
      ended_at: null,
      tries: 0,
      next_try_at: null,
      last_error: null,
    });
    const [order] = world.watched;
    expect(order).toMatchObject({ id: UUID_1, target: { customer: 'C1' }, ttlSeconds: 21_600 });
    const path = '/notifications/00000000000000000000000000000001';
    expect(isChannelToken(order?.token ?? '', { channelId: UUID_1, path }, KEYS)).toBe(true);
  });

  test('hands on domain, event, life and whom it acts for', async () => {
    const world = registryWorld();
    const target = { customer: 'C1', domain: 'side.example' };
    await world.opened({ target, event: 'delete', ttlSeconds: 7_200, subject: 'admin@example.com' });
    expect(world.watched[0]).toMatchObject({
      target,
      event: 'delete',
      ttlSeconds: 7_200,
      subject: 'admin@example.com',
    });
  });

  test('the row is written before the vendor is called', async () => {
    const world = registryWorld();
    let known: unknown;
    world.answers.watch.push((order) => {
      known = world.registry.lookup(order.id);
      return down;
    });
    await world.opened();
    expect(known).toMatchObject({ id: UUID_1, customer: 'C1', resourceId: undefined, drops: false });
  });

  test('the first channel orders a resync: the baseline', async () => {
    const world = registryWorld();
    await world.opened({ target: { customer: 'C1', domain: 'side.example' }, subject: 'admin@example.com' });
    await world.run(0);
    const order = { reason: 'first_channel', domain: 'side.example', subject: 'admin@example.com' };
    expect(world.told).toEqual([{ customer: 'C1', command: { do: 'resync', order } }]);
  });

  test.each([
    ['the same customer', CUSTOMER, 'already_watched'],
    ['another event', { target: { customer: 'C1' }, event: 'add' as const }, undefined],
    ['a domain', { target: { customer: 'C1', domain: 'side.example' } }, undefined],
    ['another customer', { target: { customer: 'C2' } }, undefined],
  ])('beside a watch of a customer, %s: %s', async (_what, order, reason) => {
    const world = registryWorld();
    await world.opened();
    const answer = await world.registry.open(order);
    expect(answer.ok ? undefined : answer.reason).toBe(reason);
  });

  test('what was stopped may be watched again', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.registry.stop(watch);
    expect((await world.opened()).watch).not.toBe(watch);
  });

  test('more watches than allowed are refused, and a stop makes room', async () => {
    const world = registryWorld({ watches: 2 });
    const { watch } = await world.opened();
    await world.opened({ target: { customer: 'C2' } });
    const third = { target: { customer: 'C3' } };
    expect(await world.registry.open(third)).toMatchObject({ ok: false, reason: 'limit_reached' });
    world.registry.stop(watch);
    expect(await world.registry.open(third)).toMatchObject({ ok: true });
  });

  test('an id that was used before is replaced at once, once', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => usedId);
    expect(await world.opened()).toMatchObject({ state: 'active', tries: 0 });
    expect(world.states()).toEqual(['failed', 'active']);
    const other = registryWorld();
    other.answers.watch.push(
      () => usedId,
      () => usedId,
    );
    expect(await other.opened()).toMatchObject({ state: 'failed', tries: 1, last_error: 'channelIdNotUnique' });
    expect(other.watched).toHaveLength(2);
  });

  test('without an expiration two hours at most are assumed, and that is noted', async () => {
    const world = registryWorld();
    world.answers.watch.push(grantFor({ nowMs: START_MS, expiresAtMs: undefined }));
    expect(await world.opened()).toMatchObject({
      expires_at: '2026-11-21T02:00:00.000Z',
      last_error: 'the vendor named no expiration: two hours at most are assumed',
    });
    expect(world.log).toEqual([{ event: 'expiration_missing', channel: UUID_1 }]);
  });

  test('a vendor client that throws breaks nothing: the channel may have been made', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => {
      throw new TypeError('secret');
    });
    expect(await world.opened()).toMatchObject({ state: 'pending', tries: 1, last_error: 'the call broke' });
    expect(JSON.stringify(world.log)).not.toContain('secret');
  });
});

describe('renewal', () => {
  test('comes before the end, with a new id, and the old channel is left open until the new one works', async () => {
    const world = registryWorld();
    const first = await world.opened();
    world.registry.synced(first.id, 'resource-1');
    await world.run(303 * MINUTE_MS);
    expect(world.watched).toHaveLength(1);
    await world.run(MINUTE_MS);
    expect(world.states()).toEqual(['renewing', 'active']);
    const second = world.registry.get(first.watch);
    expect(world.registry.synced(second?.id ?? '', 'resource-1')).toBe('ok');
    expect(world.states()).toEqual(['superseded', 'active']);
    await world.run(2 * MINUTE_MS);
    expect(world.states()).toEqual(['stopped', 'active']);
    expect(world.stopped).toEqual([{ id: first.id, resourceId: 'resource-1' }]);
    expect(world.words()).toEqual(['C1 resync first_channel']);
  });

  test('a new channel whose sync does not come takes over after a minute, with an alert until it comes', async () => {
    const world = registryWorld();
    const first = await world.opened();
    world.registry.synced(first.id, 'resource-1');
    await world.run(304 * MINUTE_MS);
    const second = world.registry.get(first.watch)?.id ?? '';
    await world.run(MINUTE_MS);
    expect(world.states()).toEqual(['superseded', 'active']);
    expect(world.words()).toEqual(['C1 resync first_channel', `C1 alert no_sync ${second}`]);
    world.registry.synced(second, 'resource-1');
    await world.run(0);
    expect(world.words().at(-1)).toBe(`C1 over no_sync ${second}`);
  });

  test('granted less than was asked for, it comes by what was granted', async () => {
    const world = registryWorld();
    world.answers.watch.push(grantFor({ nowMs: START_MS, lifeMs: 2 * HOUR_MS }));
    expect(await world.opened()).toMatchObject({
      expires_at: '2026-11-21T02:00:00.000Z',
      renew_at: '2026-11-21T01:41:06.000Z',
    });
  });

  test.each([
    ['ahead', 300_000, "The vendor's clock is 300 s ahead of ours"],
    ['behind', -300_000, "The vendor's clock is 300 s behind ours"],
  ])('a vendor whose clock is %s: the end is by our clock, and there is an alert', async (_where, skew, detail) => {
    const world = registryWorld();
    world.answers.watch.push(grantFor({ nowMs: START_MS + skew }));
    expect(await world.opened()).toMatchObject({ expires_at: '2026-11-21T06:00:00.000Z' });
    await world.run(0);
    const alert = { kind: 'clock_skew', subject: 'vendor-clock', raisedAtMs: START_MS, detail };
    expect(world.told[0]?.command).toEqual({ do: 'alert', alert });
    await world.opened({ target: { customer: 'C2' } });
    await world.run(0);
    expect(world.words()).toContain('C1 over clock_skew vendor-clock');
  });

  test('without a Date the clock counts as it was last seen', async () => {
    const world = registryWorld();
    world.answers.watch.push(
      grantFor({ nowMs: START_MS + 300_000 }),
      grantFor({ nowMs: START_MS + 300_000, vendorNowMs: undefined }),
    );
    await world.opened();
    expect(await world.opened({ target: { customer: 'C2' } })).toMatchObject({
      expires_at: '2026-11-21T06:00:00.000Z',
    });
  });

  test('two workers that find the same watch due do not both renew it', async () => {
    const world = registryWorld();
    await world.opened();
    world.clock.nowMs += 304 * MINUTE_MS;
    await Promise.all([world.registry.pass(), world.another().pass(), world.registry.pass()]);
    expect(world.watched).toHaveLength(2);
  });

  test('one worker runs one pass at a time', async () => {
    const world = registryWorld();
    await world.opened();
    world.clock.nowMs += 304 * MINUTE_MS;
    const passes = [world.registry.pass(), world.registry.pass()];
    expect(passes[0]).toBe(passes[1]);
    await Promise.all(passes);
  });

  test.each([
    ['no errors', [], 2],
    ['an error', [() => down], 3],
    ['too many requests', [() => ({ ...down, reason: 'rate_limited' as const, retryAfterMs: 90_000 })], 3],
  ])('after %s a successor is granted in time: no gap', async (_what, answers, asked) => {
    const world = registryWorld();
    await world.opened();
    world.answers.watch.push(...answers);
    await world.run(320 * MINUTE_MS);
    expect(world.watched).toHaveLength(asked);
    expect(world.words().filter((word) => word.includes('resync'))).toEqual(['C1 resync first_channel']);
  });

  test('Retry-After is waited for', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => ({ ...down, retryAfterMs: 300_000 }));
    expect(await world.opened()).toMatchObject({ next_try_at: '2026-11-21T00:05:00.000Z' });
  });

  test('is forced by an operator at any time, whatever the backoff says', async () => {
    const world = registryWorld();
    world.answers.watch.push(
      () => down,
      () => refused,
    );
    const { watch } = await world.opened();
    expect(await world.registry.renew(watch)).toMatchObject({ channel: { state: 'failed', tries: 2 } });
    expect(await world.registry.renew(watch)).toMatchObject({ channel: { state: 'active', tries: 0 } });
    expect(await world.registry.renew(watch)).toMatchObject({ channel: { state: 'active' } });
    expect(world.watched).toHaveLength(4);
  });

  test('is not forced while one is asked for', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    let inner: unknown;
    world.answers.watch.push(async () => {
      inner = await world.registry.renew(watch);
      return down;
    });
    await world.registry.renew(watch);
    expect(inner).toMatchObject({ ok: true });
    expect(world.watched).toHaveLength(2);
  });
});

describe('what people are to know', () => {
  test('a channel that ends without a successor: alerts, a resync at once and another when it is covered again', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.registry.synced(id, 'resource-1');
    world.outage.isOn = true;
    await world.run(6 * HOUR_MS + 10 * MINUTE_MS);
    expect(world.registry.get(id)).toMatchObject({ state: 'expired', ended_at: '2026-11-21T06:00:00.000Z' });
    expect(world.words()).toEqual([
      'C1 resync first_channel',
      'C1 alert circuit_open C1',
      `C1 alert channel_lead_low ${watch}`,
      'C1 resync channel_lapsed',
      `C1 alert channel_lapsed ${watch}`,
    ]);
    world.outage.isOn = false;
    await world.run(3 * MINUTE_MS);
    expect(world.words().slice(5)).toEqual([
      'C1 over circuit_open C1',
      'C1 resync gap',
      `C1 over channel_lapsed ${watch}`,
      `C1 over channel_lead_low ${watch}`,
      expect.stringContaining('C1 alert no_sync'),
    ]);
    expect(world.log).toContainEqual(
      expect.objectContaining({ event: 'channel_gap', watch, since: '2026-11-21T06:00:00.000Z' }),
    );
  });

  test('a successor granted in the last moment counts as a gap: our reading of its clock may be wrong', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.clock.nowMs = START_MS + 6 * HOUR_MS - 1_000;
    await world.registry.renew(watch);
    await world.registry.pass();
    expect(world.words().slice(0, 2)).toEqual(['C1 resync first_channel', `C1 alert no_sync ${UUID_1}`]);
    expect(world.rows("SELECT scope FROM errand WHERE body LIKE '%gap%'")).toHaveLength(0);
    expect(world.log).toContainEqual(expect.objectContaining({ event: 'channel_gap' }));
  });

  test('credentials that are refused: an alert of the customer, tried again after 15 minutes', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => noAccess);
    expect(await world.opened()).toMatchObject({ state: 'failed', next_try_at: '2026-11-21T00:15:00.000Z' });
    await world.run(20 * MINUTE_MS);
    expect(world.words().slice(0, 3)).toEqual([
      'C1 alert credentials_refused C1',
      'C1 resync first_channel',
      'C1 over credentials_refused C1',
    ]);
  });

  test('a watch that is refused: an alert, tried again each hour', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.clock.nowMs += 7 * HOUR_MS; // Nothing covers it any more.
    world.answers.watch.push(
      () => refused,
      () => refused,
    );
    await world.run(HOUR_MS - 1);
    expect(world.watched).toHaveLength(2);
    await world.run(HOUR_MS);
    expect(world.watched).toHaveLength(3);
    await world.run(MINUTE_MS);
    expect(world.words().filter((word) => word.includes('watch_refused'))).toEqual([
      `C1 alert watch_refused ${watch}`,
      `C1 over watch_refused ${watch}`,
    ]);
  });

  test('an order that the vendor refuses at once is not watched', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => refused);
    expect(await world.registry.open(CUSTOMER)).toEqual({
      ok: false,
      reason: 'watch_refused',
      detail: 'HTTP 400 invalid',
    });
    await world.run(2 * HOUR_MS);
    expect(world.watched).toHaveLength(1);
    expect(world.words()).toEqual([expect.stringContaining('alert'), expect.stringContaining('over')]);
  });

  test('everything of a customer is read again once a day', async () => {
    const world = registryWorld();
    await world.opened();
    await world.opened({ target: { customer: 'C1', domain: 'side.example' } });
    await world.opened({ target: { customer: 'C2', domain: 'b.example' } });
    await world.opened({ target: { customer: 'C2', domain: 'a.example' } });
    await world.run(48 * HOUR_MS);
    const daily = world.told.filter(({ command }) => command.do === 'resync' && command.order.reason === 'daily');
    expect(
      daily.map(({ customer, command }) => [customer, command.do === 'resync' ? command.order.domain : '']),
    ).toEqual(
      Array.from({ length: 2 }, () => [
        ['C1', undefined],
        ['C2', 'a.example'],
        ['C2', 'b.example'],
      ]).flat(),
    );
  });

  test('nobody is read again whose watches were stopped', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.registry.stop(watch);
    await world.run(72 * HOUR_MS);
    expect(world.words()).toEqual(['C1 resync first_channel']);
  });

  test('an errand that an inbox does not take is kept, and later ones wait for it', async () => {
    const world = registryWorld();
    world.inbox.isAway = true;
    world.answers.watch.push(() => noAccess);
    await world.opened();
    await world.run(16 * MINUTE_MS);
    expect(world.told).toEqual([]);
    world.inbox.isAway = false;
    await world.run(5 * MINUTE_MS);
    expect(world.words().slice(0, 3)).toEqual([
      'C1 alert credentials_refused C1',
      'C1 resync first_channel',
      'C1 over credentials_refused C1',
    ]);
  });

  test('the inboxes of customers are looked after in turns, also after a restart', async () => {
    const world = registryWorld({ customers: 2 });
    for (const customer of ['C1', 'C2', 'C3', 'C4', 'C5']) await world.opened({ target: { customer } });
    expect(world.registry.customers()).toEqual(['C1', 'C2']);
    expect(world.another().customers()).toEqual(['C3', 'C4']);
    expect(world.registry.customers()).toEqual(['C5']);
    expect(world.registry.customers()).toEqual(['C1', 'C2']);
  });
});
