import { describe, expect, test } from 'vitest';
import { MANUAL_GAP_MS, UNPAID_GAP_MS, LAST_RUN_ATTEMPT, RUN_LEASE_MS } from '../../../src/monitors/book/run-steps.ts';
import { MAX_KEPT_ALERTS } from '../../../src/monitors/book/ring.ts';
import type { AlertDraft } from '../../../src/monitors/core/alert.ts';
import { MAX_KEPT_RUNS } from '../../../src/monitors/core/monitor.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openBookWorld, OWNER, stored, summary } from './book-world.ts';

const draft = (key: string, kind: AlertDraft['kind'] = 'verdict_changed'): AlertDraft => ({
  kind,
  severity: 'warning',
  key,
  title: key,
  changes: [],
  since: null,
});

describe('an attempt', () => {
  test('brings its order and writes the result', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const [runId = ''] = world.sent();
    const order = world.step((steps) => steps.begin(runId));
    expect(order).toMatchObject({ attempt: 1, monitor: { id }, run: { id: runId, state: 'reserved' }, history: [] });
    expect(world.step((steps) => steps.finish(runId, 1, stored('report-1', 71)))).toBe(true);
    expect(world.runs(id)).toMatchObject([
      { state: 'stored', parts: [{ reportId: 'report-1' }], lateMs: 0, endedAtMs: world.now() },
    ]);
    expect(world.read(id)).toMatchObject({ points: [{ value: 71 }], lastRun: { id: runId } });
  });

  test('that could not read the site leaves a gap in the sparkline, and no score of an error page', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const parts = [
      { role: 'subject', capability: 'full_audit', reportId: 'report-1', amountMicroUsdc: 350_000 },
    ] as const;
    const errorPage = { ...summary(12), unread: 'status 503' };
    world.perform(world.sent()[0] ?? '', { state: 'stored', parts, summary: errorPage, alerts: [] });
    expect(world.read(id)).toMatchObject({ points: [{ value: null }] });
  });

  test('is the only one: a message that comes twice begins nothing', () => {
    const world = openBookWorld();
    world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    expect(world.step((steps) => steps.begin(runId))).toBeUndefined();
    world.step((steps) => steps.finish(runId, 1, stored()));
    expect(world.step((steps) => steps.begin(runId))).toBeUndefined();
    expect(world.step((steps) => steps.finish(runId, 1, stored('report-2')))).toBe(false);
  });

  test('that does not renew its hold is followed by another, and may write nothing any more', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.advance(RUN_LEASE_MS - 1);
    expect(world.step((steps) => steps.renew(runId, 1))).toBe(true);
    world.advance(RUN_LEASE_MS - 1);
    expect(world.sent()).toEqual([]);
    world.advance(1);
    expect(world.sent()).toEqual([runId]);
    expect(world.step((steps) => steps.begin(runId))).toMatchObject({ attempt: 2 });
    expect(world.step((steps) => steps.renew(runId, 1))).toBe(false);
    expect(world.step((steps) => steps.finish(runId, 1, stored('report-1')))).toBe(false);
    expect(world.step((steps) => steps.finish(runId, 2, stored('report-2')))).toBe(true);
    expect(world.runs(id)).toMatchObject([{ state: 'stored', parts: [{ reportId: 'report-2' }] }]);
  });

  test('that was slow and not followed yet still counts', () => {
    const world = openBookWorld();
    world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.advance(RUN_LEASE_MS + 1);
    expect(world.sent()).toEqual([runId]);
    expect(world.step((steps) => steps.finish(runId, 1, stored()))).toBe(true);
    expect(world.step((steps) => steps.begin(runId))).toBeUndefined();
  });

  test('that asks to come again comes after its time, and not before', () => {
    const world = openBookWorld();
    world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.step((steps) => steps.finish(runId, 1, { state: 'again', reason: 'busy', afterS: 600 }));
    world.advance(599_999);
    expect(world.sent()).toEqual([]);
    expect(world.step((steps) => steps.begin(runId))).toBeUndefined();
    world.advance(1);
    expect(world.sent()).toEqual([runId]);
    expect(world.step((steps) => steps.begin(runId))).toMatchObject({ attempt: 2 });
  });

  test('that asks to come again in days comes in six hours', () => {
    const world = openBookWorld();
    world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.step((steps) => steps.finish(runId, 1, { state: 'again', reason: 'busy', afterS: 300_000 }));
    world.advance(6 * HOUR_MS - 1);
    expect(world.sent()).toEqual([]);
    world.advance(1);
    expect(world.sent()).toEqual([runId]);
  });

  test('whose monitor is deleted holds nothing any more, and what it kept is dropped', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.step((steps) => steps.delete(OWNER.account, id));
    expect(world.step((steps) => steps.renew(runId, 1))).toBe(false);
    expect(world.step((steps) => steps.finish(runId, 1, stored('report-1')))).toBe(false);
    expect(world.book.droppedReports()).toEqual(['report-1']);
  });

  test.each(['waits', 'died'])(
    'whose monitor is deleted while it %s leaves no copies that it said it would make',
    (fate) => {
      const world = openBookWorld();
      const { id } = world.create();
      const [runId = ''] = world.sent();
      world.step((steps) => steps.begin(runId));
      expect(world.step((steps) => steps.renew(runId, 1, ['report-1', 'report-2']))).toBe(true);
      if (fate === 'waits')
        world.step((steps) => steps.finish(runId, 1, { state: 'again', reason: 'store_unavailable', afterS: 60 }));
      expect(world.step((steps) => steps.delete(OWNER.account, id))).toEqual({ reportIds: ['report-1', 'report-2'] });
      expect(world.book.droppedReports()).toEqual(['report-1', 'report-2']);
      expect(world.step((steps) => steps.renew(runId, 1, ['report-3']))).toBe(false);
    },
  );

  test('keeps the copies of what is stored, and no others that it said it would make', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.step((steps) => steps.renew(runId, 1, ['report-1', 'report-2']));
    world.step((steps) => steps.finish(runId, 1, stored('report-1')));
    expect(world.book.droppedReports()).toEqual(['report-2']);
    world.step((steps) => steps.delete(OWNER.account, id));
    expect(world.book.droppedReports()).toEqual(['report-1', 'report-2']);
  });

  test.each([
    ['that failed', { state: 'failed', reason: 'target_unreachable', detail: '', alerts: [] } as const],
    ['that saw an error page', { ...stored('report-2'), summary: { ...summary(12), unread: 'status 503' } } as const],
  ])('brings the last run that read its site along, behind any number of those %s', (_, unread) => {
    const world = openBookWorld();
    const { id } = world.createRun();
    const [read] = world.runs(id);
    for (let day = 1; day <= 30; day += 1) {
      world.advance(DAY_MS);
      for (const runId of world.sent()) world.perform(runId, unread);
    }
    world.advance(DAY_MS);
    const [runId = ''] = world.sent();
    const history = world.step((steps) => steps.begin(runId))?.history ?? [];
    expect(history).toHaveLength(13);
    expect(history.at(-1)).toEqual(read);
    expect(history.map(({ dueMs }) => dueMs)).toEqual(history.map(({ dueMs }) => dueMs).toSorted((a, b) => b - a));
  });

  test.each(['died', 'again'])('there are only so many: they all %s', (fate) => {
    const world = openBookWorld();
    const { id } = world.create();
    let begun = 0;
    for (let step = 0; step < 3 * LAST_RUN_ATTEMPT; step += 1) {
      for (const runId of world.sent()) {
        const order = world.step((steps) => steps.begin(runId));
        if (order === undefined) continue;
        begun += 1;
        if (fate === 'again')
          world.step((steps) => steps.finish(runId, order.attempt, { state: 'again', reason: 'busy', afterS: 1 }));
      }
      world.advance(RUN_LEASE_MS);
    }
    expect(begun).toBe(LAST_RUN_ATTEMPT);
    expect(world.runs(id)).toMatchObject([{ state: 'failed', reason: 'attempts_used_up', alerts: 1 }]);
    expect(world.alerts(id)).toMatchObject([
      { kind: 'run_failed', title: expect.stringContaining('whether it was charged could not be asked') },
    ]);
    world.at(Date.UTC(2026, 1, 3, 6, 30));
    expect(world.sent()).toHaveLength(1);
  });

  test('of a run that failed for good pauses its monitor, and says so once', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const failed = {
      state: 'failed',
      reason: 'insufficient_credits',
      detail: '',
      pause: 'insufficient_credits',
    } as const;
    for (const runId of world.sent()) world.perform(runId, { ...failed, alerts: [] });
    expect(world.read(id)?.monitor).toMatchObject({ state: 'paused', pausedBecause: 'insufficient_credits' });
    expect(world.alerts(id)).toMatchObject([{ kind: 'paused' }]);
    const other = world.create({ name: 'Other' });
    for (const runId of world.sent()) world.perform(runId, { ...failed, alerts: [draft('mine', 'paused')] });
    expect(world.alerts(other.id)).toMatchObject([{ kind: 'paused', key: 'mine' }]);
  });

  test('says how late it is, where its message did not just wait its turn', () => {
    const world = openBookWorld();
    const { id } = world.createRun();
    world.at(Date.UTC(2026, 1, 3, 6, 30));
    const [runId = ''] = world.sent();
    world.advance(HOUR_MS);
    world.step((steps) => steps.begin(runId));
    expect(world.runs(id)[0]).toMatchObject({ lateMs: HOUR_MS });
  });

  test('brings the runs before it, newest first', () => {
    const world = openBookWorld();
    world.createRun();
    for (const day of [3, 4, 5]) {
      world.at(Date.UTC(2026, 1, day, 6, 30));
      for (const runId of world.sent()) {
        const order = world.step((steps) => steps.begin(runId));
        expect(order?.history.map(({ dueMs }) => dueMs)).toEqual(
          order?.history.map(({ dueMs }) => dueMs).toSorted((one, other) => other - one),
        );
        expect(order?.history).toHaveLength(day - 2);
        world.step((steps) => steps.finish(runId, 1, stored()));
      }
    }
  });
});

describe('a run that its owner asks for', () => {
  test('is one, and not while another is under way', () => {
    const world = openBookWorld();
    const { id } = world.create();
    expect(world.step((steps) => steps.runNow(OWNER.account, id))).toEqual({ ok: false, reason: 'under_way' });
    for (const runId of world.sent()) world.perform(runId);
    world.advance(1_000);
    expect(world.step((steps) => steps.runNow(OWNER.account, id))).toEqual({
      ok: false,
      reason: 'too_soon',
      retryAfterS: MANUAL_GAP_MS / 1_000 - 1,
    });
    world.advance(MANUAL_GAP_MS - 1_000);
    expect(world.step((steps) => steps.runNow(OWNER.account, id))).toMatchObject({
      ok: true,
      run: { cause: 'manual' },
    });
    expect(world.sent()).toHaveLength(1);
  });

  test('comes a minute after one that the credits did not cover', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const reason = 'insufficient_credits';
    for (const runId of world.sent())
      world.perform(runId, { state: 'failed', reason, detail: '', alerts: [], pause: reason });
    expect(world.read(id)?.monitor).toMatchObject({ state: 'paused', pausedBecause: reason });
    world.advance(UNPAID_GAP_MS - 1_000);
    expect(world.step((steps) => steps.runNow(OWNER.account, id))).toMatchObject({
      reason: 'too_soon',
      retryAfterS: 1,
    });
    world.advance(1_000);
    expect(world.step((steps) => steps.runNow(OWNER.account, id))).toMatchObject({ ok: true });
  });

  test('of a paused monitor runs too; one that was due before the pause does not begin', () => {
    const world = openBookWorld();
    const { id } = world.create();
    const [first = ''] = world.sent();
    world.step((steps) => steps.change(OWNER, id, undefined, { state: 'paused' }));
    expect(world.step((steps) => steps.begin(first))).toBeUndefined();
    expect(world.runs(id)).toMatchObject([{ state: 'failed', reason: 'monitor_paused' }]);
    world.advance(MANUAL_GAP_MS);
    world.step((steps) => steps.runNow(OWNER.account, id));
    for (const runId of world.sent()) world.perform(runId);
    expect(world.runs(id)[0]).toMatchObject({ cause: 'manual', state: 'stored' });
    expect(world.read(id)?.monitor.state).toBe('paused');
  });
});

describe('alerts', () => {
  test('of a key ring once in a run, and not again before another of its kind rang', () => {
    const world = openBookWorld();
    const { id } = world.create({ interval: { cron: '0 * * * *' } });
    const ring = (...keys: string[]): void => {
      for (const runId of world.sent())
        world.perform(runId, { ...stored(), alerts: keys.map((key) => draft(key)) } as ReturnType<typeof stored>);
      world.advance(HOUR_MS);
    };
    ring('a', 'a', 'b');
    ring('a', 'b');
    ring('c', 'a');
    ring('a');
    ring('c');
    expect(world.alerts(id).map(({ key }) => key)).toEqual(['c', 'a', 'c', 'b', 'a']);
    expect(world.read(id)?.alerts).toBe(5);
    expect(world.runs(id).map(({ alerts }) => alerts)).toEqual([1, 1, 1, 0, 2]);
  });

  test('go to receivers with the run that rang them, or not at all', () => {
    const world = openBookWorld();
    const { id } = world.create({ receivers: [{ kind: 'slack', url: 'https://hooks.example/a' }] });
    const [runId = ''] = world.sent();
    world.step((steps) => steps.begin(runId));
    world.step((steps) => steps.finish(runId, 1, { ...stored(), alerts: [draft('a')] } as ReturnType<typeof stored>));
    const [message] = world.pass().messages;
    expect(message).toMatchObject({ kind: 'deliver', shard: 3 });
    const deliveryId = message?.kind === 'deliver' ? message.deliveryId : '';
    const order = world.step((steps) => steps.beginDelivery(deliveryId));
    expect(order).toMatchObject({ attempt: 1, monitor: { id }, receiver: { kind: 'slack' }, alerts: [{ key: 'a' }] });
    expect(
      world.step((steps) => steps.finishDelivery(deliveryId, 1, { is: 'refused', outcome: '410', disable: true })),
    ).toBe(true);
    expect(world.read(id)?.monitor.receivers).toMatchObject([{ disabled: true }]);
  });

  test('of a monitor without a run ring too', () => {
    const world = openBookWorld();
    const { id } = world.create();
    expect(world.step((steps) => steps.raise(id, draft('low', 'credits_low')))).toBe(true);
    expect(world.step((steps) => steps.raise(id, draft('low', 'credits_low')))).toBe(false);
    expect(world.step((steps) => steps.raise('mon_300000000000000000000000', draft('low', 'credits_low')))).toBe(false);
    expect(world.alerts(id)).toMatchObject([{ key: 'low', runId: null }]);
  });

  test('and runs are kept up to a number; the oldest go', () => {
    const world = openBookWorld();
    const { id } = world.create();
    for (let index = 0; index < MAX_KEPT_ALERTS + 5; index += 1)
      world.step((steps) => steps.raise(id, draft(`key-${index}`, 'credits_low')));
    expect(world.read(id)?.alerts).toBe(MAX_KEPT_ALERTS);
    for (let day = 0; day < MAX_KEPT_RUNS + 5; day += 1) {
      for (const runId of world.sent()) world.perform(runId, stored(`report-${day}`));
      world.advance(DAY_MS);
    }
    const deleted = world.step((steps) => steps.delete(OWNER.account, id));
    expect(deleted?.reportIds).toHaveLength(MAX_KEPT_RUNS);
    expect(deleted?.reportIds[0]).toBe('report-5');
  });
});
