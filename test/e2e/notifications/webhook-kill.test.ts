import { expect, test } from 'vitest';
import { budgetFor } from '../../support/runner/budget.ts';
import type { Signed } from '../../support/stack/signed-receiver.ts';
import { runKills } from '../../support/webhooks/webhook-kill.ts';
import { type Evidence, verdictOf } from '../../support/webhooks/webhook-kill-verdict.ts';

const KILLS = budgetFor(2, 3);
const MESSAGES = budgetFor(500, 1_000);
const CLEAN = { lost: [], notWorked: [], twoContents: [], doubled: [], stale: [] };

test('kill -9 at random moments under load, and alarms alone: nothing that was acknowledged is lost, and no effect is doubled', async () => {
  const report = await runKills({
    kills: KILLS,
    messages: MESSAGES,
    users: budgetFor(60, 100),
    beforeKillMs: [50, 500],
    hasCron: false,
    isKilledWhileTold: false,
  });
  expect(report.verdict).toEqual(CLEAN);
  expect(report.refused).toEqual([]);
  expect(report.acknowledged).toBeGreaterThanOrEqual(MESSAGES);
  expect(report.kills).toBe(KILLS);
  expect(report.cutOff).toBeGreaterThanOrEqual(KILLS);
  expect(report.again).toBeGreaterThanOrEqual(report.cutOff);
  expect(report.effects).toBeGreaterThan(budgetFor(30, 50));
}, 300_000);

const told = (id: string, stamp: number, path: string, type = 'user.active'): Signed => ({
  id,
  text: `${id} ${path}`,
  body: {
    type,
    timestamp: '2026-01-01T00:00:00Z',
    data: { customer: 'C1', user_id: 'a', stamp, org_unit_path: path },
  },
});
const clean: Evidence = {
  acknowledged: new Set([2, 3]),
  kept: new Map([
    [2, 'worked'],
    [3, 'worked'],
    [4, 'worked'],
  ]),
  changed: new Map([['a', { orgUnitPath: '/v2', suspended: false }]]),
  told: [told('C1/a/1', 1, '/v1'), told('C1/a/2', 2, '/v2'), told('C1/a/1', 1, '/v1')],
};

test.each<[string, Partial<Evidence>, object]>([
  ['nothing wrong', {}, CLEAN],
  ['a lost message', { acknowledged: new Set([2, 5]) }, { ...CLEAN, lost: [5] }],
  ['one that is dead', { kept: new Map([...clean.kept, [3, 'dead']]) }, { ...CLEAN, notWorked: [3] }],
  [
    'an id with two contents',
    { told: [...clean.told, { ...told('C1/a/2', 2, '/v2'), text: 'other' }] },
    { ...CLEAN, twoContents: ['C1/a/2'] },
  ],
  [
    'an effect under two ids',
    { told: [...clean.told, told('C1/a/3', 3, '/v2')] },
    { ...CLEAN, doubled: ['a user.active /v2'] },
  ],
  ['a change that was not told', { told: clean.told.slice(0, 1) }, { ...CLEAN, stale: ['a'] }],
  ['a user who is gone, which was not told', { changed: new Map([['a', null]]) }, { ...CLEAN, stale: ['a'] }],
])('the judge of the kill test sees %s', (_what, change, verdict) => {
  expect(verdictOf({ ...clean, ...change })).toEqual(verdict);
});
