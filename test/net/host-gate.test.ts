import { describe, expect, test } from 'vitest';
import { createHostGate, type HostTurn } from '../../src/net/host-gate.ts';

/** A clock that only sleeping moves. */
function stillClock(startMs = 1_000) {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    set: (ms: number) => (nowMs = ms),
    sleep: async (ms: number) => {
      slept.push(ms);
      nowMs += ms;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function leaveOf(turn: HostTurn | undefined): () => void {
  if (!turn?.ok) throw new Error('no turn');
  return turn.leave;
}

describe('F5: deliveries are capped per destination host', () => {
  test('those to one host are spaced, those to another are not held up', async () => {
    const clock = stillClock();
    const gate = createHostGate({ ...clock, limits: { sendsPerSecond: 10, atOnce: 8 } });
    for (let index = 0; index < 3; index += 1) leaveOf(await gate.enter('a.test'))();
    expect(clock.slept).toEqual([100, 100]);
    await gate.enter('b.test');
    expect(clock.slept).toEqual([100, 100]);
  });

  test('after a pause there is nothing to wait for', async () => {
    const clock = stillClock();
    const gate = createHostGate({ ...clock, limits: { sendsPerSecond: 10 } });
    await gate.enter('a.test');
    clock.set(1_100);
    await gate.enter('a.test');
    expect(clock.slept).toEqual([]);
  });

  test('no more are under way at once than the limit, and the next goes when one is over', async () => {
    const gate = createHostGate({ ...stillClock(), limits: { atOnce: 2 } });
    const first = await gate.enter('a.test');
    await gate.enter('a.test');
    let third: HostTurn | undefined;
    void gate.enter('a.test').then((turn) => (third = turn));
    await settled();
    expect(third).toBeUndefined();
    leaveOf(first)();
    await settled();
    expect(third).toMatchObject({ ok: true });
  });

  test('when the queue of a host is full the next is sent away with a time to come back', async () => {
    const gate = createHostGate({ ...stillClock(), limits: { atOnce: 1, waiting: 1 } });
    const first = await gate.enter('a.test');
    const second = gate.enter('a.test');
    expect(await gate.enter('a.test')).toEqual({ ok: false, retryAfterMs: 30_000 });
    expect(await gate.enter('b.test')).toMatchObject({ ok: true });
    leaveOf(first)();
    leaveOf(await second)();
    expect(await gate.enter('a.test')).toMatchObject({ ok: true }); // Both places are free again.
  });

  test('a clock that was set back holds no request up for longer than those under way need', async () => {
    const clock = stillClock(10_000_000);
    const gate = createHostGate({ ...clock, limits: { sendsPerSecond: 10, atOnce: 2 } });
    leaveOf(await gate.enter('a.test'))();
    clock.set(0);
    leaveOf(await gate.enter('a.test'))();
    expect(clock.slept).toEqual([200]);
  });
});
