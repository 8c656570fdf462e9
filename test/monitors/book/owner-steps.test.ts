import { describe, expect, test } from 'vitest';
import { FIRST_GAP_MS } from '../../../src/monitors/book/owner-steps.ts';
import { MAX_MONITORS, MAX_MONITORS_OF_HOST } from '../../../src/monitors/core/monitor.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openBookWorld, OWNER, SHARD, START_MS, stored } from './book-world.ts';

const brand = (name: string) =>
  ({ kind: 'brand', capability: 'visibility_check', body: { brand: name, niche: 'crm' } }) as const;
const site = (url: string) => ({ kind: 'site', url }) as const;

describe('a new monitor', () => {
  test('runs at once, and then by its interval', () => {
    const world = openBookWorld();
    const monitor = world.create();
    expect(monitor).toMatchObject({ state: 'active', revision: 1, nextDueMs: Date.UTC(2026, 1, 3, 6, 30) });
    expect(monitor.id).toMatch(/^mon_3[0-9a-f]{23}$/);
    expect(world.runs(monitor.id)).toMatchObject([{ cause: 'first', state: 'reserved', dueMs: START_MS }]);
    expect(world.sent()).toHaveLength(1);
  });

  test('leaves out a due time that comes right after its first run', () => {
    const world = openBookWorld(Date.UTC(2026, 1, 2, 6, 15));
    expect(FIRST_GAP_MS).toBe(1_800_000);
    expect(world.create().nextDueMs).toBe(Date.UTC(2026, 1, 3, 6, 30));
  });

  test('is made once for an idempotency key, for a day and for its account', () => {
    const world = openBookWorld();
    const order = world.order();
    const first = world.step((steps) => steps.create(SHARD, order));
    const again = world.step((steps) => steps.create(SHARD, order));
    expect(first).toMatchObject({ ok: true, isRepeat: false });
    expect(again).toMatchObject({ ok: true, isRepeat: true, monitor: { id: first.ok && first.monitor.id } });
    expect(world.step((steps) => steps.create(SHARD, { ...order, contentSha256: 'other' }))).toEqual({
      ok: false,
      reason: 'idempotency_key_reused',
    });
    const stranger = { ...order, owner: { ...OWNER, account: 'acct_2' } };
    expect(world.step((steps) => steps.create(SHARD, stranger))).toMatchObject({ isRepeat: false });
    world.advance(DAY_MS + 1);
    expect(world.step((steps) => steps.create(SHARD, order))).toMatchObject({ isRepeat: false });
  });

  test('is refused beyond the limits of an account and of a host', () => {
    const world = openBookWorld();
    for (let index = 0; index < MAX_MONITORS_OF_HOST; index += 1) world.create();
    const order = world.order();
    expect(world.step((steps) => steps.create(SHARD, order))).toEqual({ ok: false, reason: 'too_many_of_host' });
    expect(world.step((steps) => steps.create(SHARD, world.order({}, 'acct_2')))).toMatchObject({ ok: true });
    for (let index = MAX_MONITORS_OF_HOST; index < MAX_MONITORS; index += 1)
      world.create({ subject: site(`https://host-${index}.example/`) });
    expect(world.step((steps) => steps.create(SHARD, world.order({ subject: brand('Acme') })))).toEqual({
      ok: false,
      reason: 'too_many_monitors',
    });
  });

  test('has receivers with secrets of ours, and asks an address once', () => {
    const world = openBookWorld();
    const { receivers } = world.create({
      receivers: [
        { kind: 'webhook', url: 'https://hook.example/' },
        { kind: 'feed' },
        { kind: 'email', address: 'a@example.com' },
      ],
    });
    expect(receivers).toMatchObject([
      { id: expect.stringMatching(/^rcv_[0-9a-f]{16}$/), secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
      { token: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { address: 'a@example.com', confirmedAtMs: null },
    ]);
    expect(world.pass().messages.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });
});

describe('a change', () => {
  test('counts the revision, and is refused with an older one', () => {
    const world = openBookWorld();
    const { id } = world.create();
    expect(world.step((steps) => steps.change(OWNER, id, 1, { name: 'New' }))).toMatchObject({
      monitor: { name: 'New', revision: 2 },
    });
    expect(world.step((steps) => steps.change(OWNER, id, 1, { name: 'Newer' }))).toEqual({
      ok: false,
      reason: 'revision_mismatch',
    });
    expect(world.read(id)?.monitor.name).toBe('New');
  });

  test('of the interval moves the next due time', () => {
    const world = openBookWorld();
    const { id } = world.createRun();
    const interval = { every: 'weekly', weekday: 5, at: '12:00' } as const;
    expect(world.step((steps) => steps.change(OWNER, id, undefined, { interval }))).toMatchObject({
      monitor: { nextDueMs: Date.UTC(2026, 1, 6, 12) },
    });
    world.at(Date.UTC(2026, 1, 6, 12));
    expect(world.sent()).toHaveLength(1);
  });

  test.each([
    [site('https://www.example.com/'), site('https://www.example.com/shop'), true],
    [site('https://www.example.com/'), site('https://example.com/'), false],
    [site('https://www.example.com/'), brand('Example'), false],
    [brand('Acme'), brand(' ACME '), true],
    [brand('Acme'), brand('Acme Labs'), false],
  ])('from %o to %o is of the same subject: %s', (before, after, isSame) => {
    const world = openBookWorld();
    const { id } = world.create({ subject: before });
    const changed = world.step((steps) => steps.change(OWNER, id, undefined, { subject: after }));
    expect(changed).toMatchObject(isSame ? { monitor: { subject: after } } : { reason: 'another_subject' });
  });

  test('keeps the receivers that it names with their secrets, and makes the others', () => {
    const world = openBookWorld();
    const { id, receivers } = world.create({
      receivers: [{ kind: 'feed' }, { kind: 'slack', url: 'https://a.example/' }],
    });
    const [feed] = receivers;
    const wanted = [{ id: feed?.id ?? '' }, { kind: 'webhook', url: 'https://b.example/' }] as const;
    expect(world.step((steps) => steps.change(OWNER, id, undefined, { receivers: wanted }))).toMatchObject({
      monitor: { receivers: [feed, { kind: 'webhook' }] },
    });
    const unknown = [{ id: 'rcv_0000000000000000' }];
    expect(world.step((steps) => steps.change(OWNER, id, undefined, { receivers: unknown }))).toEqual({
      ok: false,
      reason: 'unknown_receiver',
    });
  });

  test('who changes what a run costs, or resumes it, pays from what it may spend', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const other = { ...OWNER, clientId: 'client_2', authorizedAtMs: 2 };
    const change = (patch: Parameters<typeof world.book.change>[3]) =>
      world.step((steps) => steps.change(other, id, undefined, patch));
    expect(change({ name: 'New' })).toMatchObject({ monitor: { clientId: 'client_1' } });
    expect(change({ state: 'paused' })).toMatchObject({ monitor: { clientId: 'client_1' } });
    expect(change({ state: 'active' })).toMatchObject({ monitor: { clientId: 'client_2', authorizedAtMs: 2 } });
  });
});

describe('a pause', () => {
  test('by its owner has no due time and rings nothing; resumed it is due next, and nothing is missed', () => {
    const world = openBookWorld();
    const { id } = world.createRun();
    world.step((steps) => steps.change(OWNER, id, undefined, { state: 'paused' }));
    expect(world.read(id)?.monitor).toMatchObject({ state: 'paused', pausedBecause: 'by_owner', nextDueMs: null });
    world.advance(10 * DAY_MS);
    expect(world.sent()).toEqual([]);
    world.step((steps) => steps.change(OWNER, id, undefined, { state: 'active' }));
    expect(world.read(id)?.monitor).toMatchObject({
      state: 'active',
      pausedBecause: null,
      nextDueMs: Date.UTC(2026, 1, 13, 6, 30),
    });
    expect(world.alerts(id)).toEqual([]);
    world.at(Date.UTC(2026, 1, 13, 6, 30));
    expect(world.sent()).toHaveLength(1);
    expect(world.runs(id)[0]).toMatchObject({ missed: 0 });
  });

  test('by us rings, and so does its end', () => {
    const world = openBookWorld();
    const { id } = world.createRun();
    expect(world.step((steps) => steps.pause(id, 'insufficient_credits'))).toBe(true);
    expect(world.step((steps) => steps.pause(id, 'insufficient_credits'))).toBe(false);
    world.step((steps) => steps.change(OWNER, id, undefined, { state: 'active' }));
    expect(world.alerts(id)).toMatchObject([
      { kind: 'resumed', severity: 'info', runId: null },
      { kind: 'paused', severity: 'warning', runId: null },
    ]);
  });
});

describe('an owner', () => {
  test('sees no monitor of another account, and changes none', () => {
    const world = openBookWorld();
    const { id } = world.createRun();
    const stranger = { ...OWNER, account: 'acct_2' };
    const { book, step } = world;
    const [run] = world.runs(id);
    expect(book.read('acct_2', id)).toBeUndefined();
    expect(book.list('acct_2', { limit: 10 }).items).toEqual([]);
    expect(book.runs('acct_2', id, { limit: 10 })).toBeUndefined();
    expect(book.run('acct_2', id, run?.id ?? '')).toBeUndefined();
    expect(book.alerts('acct_2', id, { limit: 10 })).toBeUndefined();
    expect(book.deliveries('acct_2', id, { limit: 10 })).toBeUndefined();
    expect(step((steps) => steps.change(stranger, id, undefined, {}))).toEqual({ ok: false, reason: 'not_found' });
    expect(step((steps) => steps.runNow('acct_2', id))).toEqual({ ok: false, reason: 'not_found' });
    expect(step((steps) => steps.setToken('acct_2', id, 'x'))).toBe(false);
    expect(step((steps) => steps.delete('acct_2', id))).toBeUndefined();
    expect(world.read(id)).toBeDefined();
  });

  test('reads a run of this monitor only', () => {
    const world = openBookWorld();
    const [one, other] = [world.createRun(), world.createRun()];
    const [run] = world.runs(other.id);
    expect(world.book.run(OWNER.account, one.id, run?.id ?? '')).toBeUndefined();
    expect(world.book.run(OWNER.account, other.id, run?.id ?? '')).toEqual(run);
  });

  test('lists in pages, newest first; a place that is none has nothing after it', () => {
    const world = openBookWorld();
    const ids = Array.from(
      { length: 5 },
      (_, index) => world.create({ name: `${index}`, subject: brand(`B${index}`) }).id,
    );
    const first = world.book.list(OWNER.account, { limit: 2 });
    const second = world.book.list(OWNER.account, { limit: 3, after: first.next ?? '' });
    expect([...first.items, ...second.items].map(({ monitor }) => monitor.id)).toEqual(ids.toReversed());
    expect(second.next).toBeNull();
    expect(world.book.list(OWNER.account, { limit: 2, after: "1' OR 1=1" })).toEqual({ items: [], next: null });
  });

  test('gets the report ids of what was deleted, and nothing of it is left', () => {
    const world = openBookWorld();
    const monitor = world.create({ receivers: [{ kind: 'feed' }] });
    for (const runId of world.sent()) world.perform(runId, stored('report-9'));
    world.step((steps) => steps.pause(monitor.id, 'access_ended'));
    expect(world.step((steps) => steps.delete(OWNER.account, monitor.id))).toEqual({ reportIds: ['report-9'] });
    const counts = ['monitors', 'monitor_runs', 'monitor_alerts', 'monitor_creations', 'alert_delivery'].map((table) =>
      Number(world.sql.exec(`SELECT count(*) AS n FROM ${table}`).toArray()[0]?.['n']),
    );
    expect(counts).toEqual([0, 0, 0, 0, 0]);
  });

  test('who deletes the account gets those of all its monitors', () => {
    const world = openBookWorld();
    for (const report of ['a', 'b']) {
      world.create({ subject: brand(report) });
      for (const runId of world.sent()) world.perform(runId, stored(report));
    }
    world.create({}, 'acct_2');
    expect(world.step((steps) => steps.forget(OWNER.account))).toEqual(['a', 'b']);
    expect(world.book.list('acct_2', { limit: 10 }).items).toHaveLength(1);
  });

  test('a token opens its own monitor, until another takes its place', () => {
    const world = openBookWorld();
    const { id } = world.create();
    expect(world.step((steps) => steps.setToken(OWNER.account, id, 'hash-1'))).toBe(true);
    expect(world.book.findByToken(id, 'hash-1')).toEqual(OWNER);
    expect(world.book.findByToken(world.create().id, 'hash-1')).toBeUndefined();
    world.step((steps) => steps.setToken(OWNER.account, id, 'hash-2'));
    expect(world.book.findByToken(id, 'hash-1')).toBeUndefined();
  });
});
