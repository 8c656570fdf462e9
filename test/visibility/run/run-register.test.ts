import { expect, test } from 'vitest';
import { mergeCreditUses } from '../../../src/payment/credits/credit-usage.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import {
  chooseRegister,
  listRegisters,
  mergeDeadLetters,
  mergeRuns,
  type RunRecord,
} from '../../../src/visibility/run/run-register.ts';

const run = (runId: string, startedAtMs: number, endedAtMs: number | null = null): RunRecord => ({
  runId,
  object: 'o',
  capability: 'visibility_check',
  engine: 'simulated',
  model: 'm',
  startedAtMs,
  deadlineMs: startedAtMs + 1,
  endedAtMs,
  answered: 0,
  failed: 0,
  total: 30,
  state: endedAtMs === null ? 'running' : 'complete',
});

test('a run is always in the same register, and runs are spread over all that are read', () => {
  const found = new Set(Array.from({ length: 2_000 }, () => chooseRegister(generateRandomHex(16))));
  expect(found.size).toBe(16);
  for (const name of found) expect(listRegisters()).toContain(name);
  expect(listRegisters()).toContain('operations');
  expect(found).not.toContain('operations');
  expect(chooseRegister('00ff'.repeat(8))).toBe(chooseRegister('00ff'.repeat(8)));
});

test('a run that began in the register of before and ended in a shard has ended, in either order', () => {
  const [begun, ended] = [run('a', 1), run('a', 1, 5)];
  expect(mergeRuns([[begun], [ended]], 10)).toEqual([ended]);
  expect(mergeRuns([[ended], [begun]], 10)).toEqual([ended]);
});

test('the newest runs of all registers come first, and no more than were asked for', () => {
  const merged = mergeRuns([[run('a', 1), run('b', 4)], [], [run('c', 3), run('d', 2)]], 3);
  expect(merged.map(({ runId }) => runId)).toEqual(['b', 'c', 'd']);
});

test('counts are added up by day, and by capability', () => {
  expect(
    mergeDeadLetters([
      [{ day: '2026-11-01', count: 1 }],
      [
        { day: '2026-11-02', count: 2 },
        { day: '2026-11-01', count: 3 },
      ],
    ]),
  ).toEqual([
    { day: '2026-11-02', count: 2 },
    { day: '2026-11-01', count: 4 },
  ]);
  const use = (day: string, capability: string, count: number) => ({ day, capability, count, microUsdc: count * 10 });
  expect(
    mergeCreditUses([
      [use('2026-11-01', 'b', 1)],
      [use('2026-11-01', 'b', 2), use('2026-11-01', 'a', 1), use('2026-11-02', 'b', 4)],
    ]),
  ).toEqual([use('2026-11-02', 'b', 4), use('2026-11-01', 'a', 1), use('2026-11-01', 'b', 3)]);
});
