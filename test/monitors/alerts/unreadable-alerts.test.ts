import { expect, test } from 'vitest';
import { findUnreadableAlerts, listUnreadRuns } from '../../../src/monitors/alerts/unreadable-alerts.ts';
import { monitorOf, storedRunOf } from '../../support/monitors/made-monitor.ts';

const unread = (id: string, atMs: number) => storedRunOf(id, atMs, null);
const failedByUs = (id: string, atMs: number) => storedRunOf(id, atMs, null, { reason: 'attempts_used_up' });

test('a run that failed by us is no look at the site: it neither counts nor parts two that could not read it', () => {
  const ring = (history: Parameters<typeof listUnreadRuns>[0]) =>
    findUnreadableAlerts({ monitor: monitorOf(), failures: listUnreadRuns(history), now: 'unreadable' });
  expect(ring([failedByUs('b', 2)])).toEqual([]);
  expect(ring([failedByUs('b', 2), unread('a', 1)])).toMatchObject([
    { kind: 'site_unreadable', since: { runId: 'a', atMs: 1 } },
  ]);
  expect(ring([unread('c', 3), failedByUs('b', 2), unread('a', 1)])).toEqual([]);
});
