import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { mergeCreditUses } from '../../../src/payment/credits/credit-usage.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import { openSql } from '../../support/management/sqlite.ts';
import {
  buildRunRecord,
  chooseRegister,
  listRegisters,
  mergeDeadLetters,
  mergeRuns,
  openRunRegister,
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

describe('what engines cost', () => {
  const day = Date.UTC(2026, 10, 22, 12);
  const head = {
    runId: 'a',
    capability: 'visibility_check',
    engine: { kind: 'simulated' as const, model: 'm' },
    niche: 'tea',
    promptSet: { id: 'own', sha256: '0' },
    startedAtMs: day,
    deadlineMs: day + 9,
    endedAtMs: day + 5,
    sent: true,
    total: 60,
    usdPerRun: 0.9,
  };
  const answers = (count: number) => Array.from({ length: count }, () => ({ status: 'answered' as const }));

  test('is the price of their own engine for the prompts that were asked', () => {
    const record = buildRunRecord('o', head, answers(60), 60);
    expect(record).toMatchObject({ asked: 60, microUsd: 1_800_000 });
    const stopped = [{ status: 'failed' as const }, ...answers(2), { status: 'refused' as const }];
    expect(buildRunRecord('o', head, stopped, 8)).toMatchObject({ asked: 8, microUsd: 240_000, refused: 1 });
    // An answer was asked for, whatever was noted.
    expect(buildRunRecord('o', head, stopped, 0)).toMatchObject({ asked: 3 });
    const { usdPerRun: _price, ...before } = head;
    expect(buildRunRecord('o', before, answers(60), 60)).not.toHaveProperty('microUsd');
  });

  test('is recorded with the row of the engine, where it has one', () => {
    const engine = { ...head.engine, name: 'acme-search' };
    const record = buildRunRecord('o', { ...head, engine }, answers(60), 60);
    expect(record).toMatchObject({ engine: 'simulated', engineName: 'acme-search' });
    const register = openRunRegister(openSql(new DatabaseSync(':memory:')));
    register.put(record);
    expect(register.runs(1)).toEqual([record]);
    expect(buildRunRecord('o', head, answers(60), 60)).not.toHaveProperty('engineName');
  });

  test('is added up by day beside runs of before, which have no price, and a repeated word counts once', () => {
    const database = new DatabaseSync(':memory:');
    const before = openRunRegister(openSql(database));
    database.exec('DROP TABLE run_costs'); // It was not there.
    database.exec("INSERT INTO run_days VALUES ('2026-11-22', 'visibility_check', 3, 1)");
    expect(() => before.days('2026-11-01')).toThrow('run_costs');

    const register = openRunRegister(openSql(database));
    const ended = buildRunRecord('o', head, answers(60), 60);
    for (const record of [ended, ended, { ...ended, runId: 'b', microUsd: 5 }]) register.put(record);
    register.put(run('c', day, day + 5));
    expect(register.days('2026-11-01')).toEqual([
      {
        day: '2026-11-22',
        capability: 'visibility_check',
        runs: 6,
        incomplete: 1,
        pricedRuns: 2,
        microUsd: 1_800_005,
      },
    ]);
  });
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
