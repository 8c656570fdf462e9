import { expect, test } from 'vitest';
import { runKills } from '../support/webhooks/webhook-kill.ts';

test('20 kills at random moments under load: 0 of 20,000 acknowledged messages lost, 0 effects doubled', async () => {
  const report = await runKills({
    kills: 20,
    messages: 20_000,
    users: 500,
    beforeKillMs: [100, 2_000],
    hasCron: true,
    isKilledWhileTold: true,
  });
  const { verdict, refused, ...figures } = report;
  console.info('kill test', JSON.stringify(figures));
  expect(verdict).toEqual({ lost: [], notWorked: [], twoContents: [], doubled: [], stale: [] });
  expect(refused).toEqual([]);
  expect(figures.acknowledged).toBeGreaterThanOrEqual(20_000);
  expect(figures.kills).toBe(21); // And the one while the receiver was told.
  expect(figures.again).toBeGreaterThanOrEqual(20);
  expect(figures.toldAgain).toBeGreaterThan(0);
  expect(figures.effects).toBeGreaterThan(500);
});
