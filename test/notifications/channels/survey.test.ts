import { describe, expect, test } from 'vitest';
import { HOUR_MS, registryWorld, START_MS } from './world.ts';

describe('the survey of all channels', () => {
  test('counts them by state and names the watch whose next channel is asked for first', async () => {
    const world = registryWorld();
    const none = { pending: 0, active: 0, renewing: 0, superseded: 0, stopping: 0, stopped: 0, expired: 0, failed: 0 };
    expect(world.registry.survey()).toEqual({ counts: none, most_counted: 10_000, next: null });
    const first = await world.opened({ target: { customer: 'C1' } });
    world.clock.nowMs += HOUR_MS;
    const second = await world.opened({ target: { customer: 'C2' } });
    const { counts, next } = world.registry.survey();
    expect(counts).toEqual({ ...none, active: 2 });
    expect(next).toEqual({ watch: first.watch, customer: 'C1', due_at: first.renew_at });
    expect(Date.parse(next?.due_at ?? '')).toBeGreaterThan(START_MS + HOUR_MS);
    world.registry.stop(first.watch);
    expect(world.registry.survey()).toMatchObject({
      counts: { ...none, active: 1, stopping: 1 },
      next: { watch: second.watch, customer: 'C2', due_at: second.renew_at },
    });
  });

  test('customers come in the order of their ids, page by page, those that are watched no more too', async () => {
    const world = registryWorld();
    for (const customer of ['C3', 'C1', 'C2']) {
      const { watch } = await world.opened({ target: { customer } });
      if (customer === 'C2') world.registry.stop(watch);
    }
    expect(world.registry.customersAfter('', 2)).toEqual(['C1', 'C2']);
    expect(world.registry.customersAfter('C2', 2)).toEqual(['C3']);
    expect(world.registry.customersAfter('C3', 2)).toEqual([]);
    expect(world.registry.customersAfter('', -5)).toEqual(['C1']);
  });

  test('is answered from indexes: no state is read that is not asked for', async () => {
    const world = registryWorld();
    await world.opened();
    const plan = (query: string) => world.rows(`EXPLAIN QUERY PLAN ${query}`).map(({ detail }) => String(detail));
    expect(plan("SELECT count(*) AS n FROM (SELECT 1 FROM channel WHERE state = 'active' LIMIT 5)").join()).toContain(
      'COVERING INDEX channel_state',
    );
    expect(
      plan('SELECT id, customer, due_ms FROM watch WHERE ended_ms IS NULL ORDER BY due_ms LIMIT 1').join(),
    ).toContain('INDEX watch_due');
  });
});
