import { expect, test } from 'vitest';
import { createTargetEntrance } from '../../../routes/api/bindings/target-places.ts';
import type { WorkOutcome } from '../../../src/capabilities/capability.ts';

const done: WorkOutcome = { ok: true, result: {}, warnings: [] };

/** Places that note what happens; `busy.example` lets no one in. */
function notingPlaces(): { events: string[]; places: Parameters<typeof createTargetEntrance>[0] } {
  const events: string[] = [];
  return {
    events,
    places: {
      enter: async (hostname) => {
        events.push(`enter ${hostname}`);
        return hostname === 'busy.example' ? { admitted: false, retryAfterS: 7 } : { admitted: true };
      },
      refusedMoveS: () => undefined,
      leave: async () => {
        events.push('leave');
      },
    },
  };
}

test('F6: hosts that are entered at once keep their places until the last of them is done', async () => {
  const { events, places } = notingPlaces();
  const atTarget = createTargetEntrance(places);
  const slow = Promise.withResolvers<WorkOutcome>();
  const first = atTarget('https://a.example/', () => slow.promise);
  expect(await atTarget('https://b.example/', async () => done)).toBe(done);
  expect(await atTarget('https://busy.example/', async () => done)).toMatchObject({
    reason: 'target_busy',
    retryAfterS: 7,
  });
  expect(events).not.toContain('leave');
  slow.resolve(done);
  expect(await first).toBe(done);
  expect(events.filter((event) => event === 'leave')).toEqual(['leave']);
  await atTarget('https://a.example/', async () => done);
  expect(events.slice(-2)).toEqual(['enter a.example', 'leave']);
});

test('F6: places are given back where the work fails', async () => {
  const { events, places } = notingPlaces();
  const atTarget = createTargetEntrance(places);
  await expect(atTarget('https://a.example/', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  expect(events).toEqual(['enter a.example', 'leave']);
});
