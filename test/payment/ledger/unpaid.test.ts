import { expect, test } from 'vitest';
import { createUnpaidCounter, openUnpaid } from '../../../src/payment/ledger/unpaid.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

test('unpaid answers are sent at once, then together every ten seconds, and none is sent twice', () => {
  let nowMs = 1_000;
  const counter = createUnpaidCounter(() => nowMs);
  expect(counter.count('compare')).toEqual([{ capability: 'compare', count: 1 }]);
  for (let each = 0; each < 5; each += 1) expect(counter.count('compare')).toBeUndefined();
  expect(counter.count('full_audit')).toBeUndefined();
  nowMs += 10_000;
  expect(counter.count('full_audit')).toEqual([
    { capability: 'compare', count: 5 },
    { capability: 'full_audit', count: 2 },
  ]);
  nowMs -= 3_600_000; // A clock that was put back stops nothing.
  expect(counter.count('compare')).toEqual([{ capability: 'compare', count: 1 }]);
});

test('are added up by day and capability, and forgotten with their days', () => {
  const unpaid = openUnpaid(memorySqlite().sql);
  unpaid.add('2026-11-20', [{ capability: 'compare', count: 2 }], '2026-01-01');
  unpaid.add('2026-11-21', [{ capability: 'compare', count: 3 }], '2026-01-01');
  unpaid.add('2026-11-21', [{ capability: 'compare', count: 4 }], '2026-11-21');
  expect(unpaid.since('')).toEqual([{ day: '2026-11-21', capability: 'compare', count: 7 }]);
});
