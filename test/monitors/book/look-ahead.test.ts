import { expect, test } from 'vitest';
import { computeRunMicroUsdc } from '../../../src/monitors/core/run-price.ts';
import type { NewMonitor } from '../../../src/monitors/core/protocol.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openBookWorld, OWNER, siteMonitor } from './book-world.ts';

const PRICE = computeRunMicroUsdc(siteMonitor());
const weekly = { interval: { every: 'weekly', weekday: 2, at: '06:30' } } as const;

/** What the order of the first run of a monitor says; the others are there, and their first runs are stored. */
function look(watched: Partial<NewMonitor>, others: readonly Partial<NewMonitor>[], account = OWNER.account) {
  const world = openBookWorld();
  for (const other of others) world.create(other, account);
  for (const runId of world.sent()) world.perform(runId);
  world.create(watched);
  const [runId = ''] = world.sent();
  return world.step((steps) => steps.begin(runId))?.aheadMicroUsdc;
}

test('a monitor by itself pays its next run', () => {
  expect(look(weekly, [])).toBe(PRICE);
});

test('each due run of the other monitors until then counts, that of the same time too', () => {
  // From Monday, 09:00, to the Tuesday of the next day, 06:30.
  expect(look(weekly, [weekly])).toBe(2 * PRICE);
  expect(look(weekly, [{ interval: { cron: '0 10 * * *' } }])).toBe(2 * PRICE);
  expect(look(weekly, [{ interval: { cron: '0 7 * * *' } }])).toBe(PRICE);
  // Hours of Monday from 10 on, and of Tuesday up to 6.
  expect(look(weekly, [{ interval: { cron: '0 * * * *' } }])).toBe((14 + 7 + 1) * PRICE);
});

test('competitors cost as much as the site; a free monitor and those of other accounts cost nothing', () => {
  const competitors = ['https://a.example/', 'https://b.example/'];
  expect(look(weekly, [{ ...weekly, subject: { kind: 'site', url: 'https://c.example/', competitors } }])).toBe(
    4 * PRICE,
  );
  expect(look(weekly, [{ ...weekly, payment: 'operator' }])).toBe(PRICE);
  expect(look(weekly, [weekly], 'acct_2')).toBe(PRICE);
});

test('due times that passed while the service was down are one run, and a paused monitor pays none', () => {
  const world = openBookWorld();
  const { id } = world.create({ interval: { cron: '0 * * * *' } });
  for (const runId of world.sent()) world.perform(runId);
  world.advance(3 * HOUR_MS + 1);
  const other = world.create({ interval: { cron: '30 12 * * *' } });
  const begin = (runId: string) => world.step((steps) => steps.begin(runId));
  const first = world.runs(other.id)[0]?.id ?? '';
  // At 12:00: its own at 12:30, after what is late of the other. The day after: with 24 of the other.
  world.step((steps) => steps.change(OWNER, other.id, undefined, { interval: { cron: '30 12 * * *' } }));
  expect(begin(first)?.aheadMicroUsdc).toBe(2 * PRICE);
  world.advance(DAY_MS);
  world.step((steps) => steps.change(OWNER, id, undefined, { state: 'paused' }));
  const again = world.sent().find((runId) => runId === first) ?? '';
  expect(begin(again)?.aheadMicroUsdc).toBe(PRICE);
});

test('hourly runs until a next year are counted up to a number', () => {
  const ahead = look({ interval: { cron: '0 0 1 1 *' } }, [{ interval: { cron: '0 * * * *' } }]) ?? 0;
  expect(ahead / PRICE).toBe(501);
});
