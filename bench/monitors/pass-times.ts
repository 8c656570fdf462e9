// A child: passes of one shard over monitors on a SQLite file, by the CPU of this process. Prints JSON.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMonitorBook } from '../../src/monitors/book/book.ts';
import type { MonitorInterval } from '../../src/monitors/core/monitor.ts';
import type { Sql } from '../../src/lib/sqlite.ts';
import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';

/** CPU in milliseconds, the least of the rounds. `passes`: how many it took until nothing was due. */
export type PassTimes = { monitors: number; allDueMs: number; noneDueMs: number; passes: number };

const ROUNDS = 5;
const START_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

const random = createRandomFromSeed('monitors');
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];

function chooseInterval(index: number): MonitorInterval {
  const time_zone = pick(ZONES);
  if (index % 3 === 0) return { cron: `${index % 60} ${index % 24} * * *`, time_zone };
  return index % 3 === 1 ? { every: 'daily', time_zone } : { every: 'daily', at: `0${index % 10}:15`, time_zone };
}

/** As a Durable Object does: a query is prepared once. */
function openFile(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return {
    exec: (query, ...bindings) => {
      const statement = prepared.get(query) ?? database.prepare(query);
      prepared.set(query, statement);
      const rows = statement.all(...bindings);
      return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
    },
  };
}

function measureCpuMs<T>(work: () => T): { cpuMs: number; result: T } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, result };
}

function measurePasses(monitors: number): PassTimes {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const database = new DatabaseSync(join(folder, 'shard.sqlite'));
  database.exec('PRAGMA journal_mode = WAL');
  let nowMs = START_MS;
  const hex = (bytes: number): string =>
    Array.from({ length: bytes * 2 }, () => Math.floor(random() * 16).toString(16)).join('');
  const book = openMonitorBook(openFile(database), { now: () => nowMs, random: hex });
  const transact = <T>(work: () => T): T => {
    database.exec('BEGIN');
    const result = work();
    database.exec('COMMIT');
    return result;
  };
  const drain = (): readonly string[][] => {
    const passes: string[][] = [];
    for (let pass = transact(() => book.pass()); !pass.isEmpty; pass = transact(() => book.pass()))
      passes.push(pass.messages.flatMap((message) => (message.kind === 'run' ? message.runId : [])));
    return passes;
  };
  const perform = (runId: string): void => {
    const order = book.begin(runId);
    if (order !== undefined)
      book.finish(runId, order.attempt, { state: 'failed', reason: 'bench', detail: '', alerts: [] });
  };
  transact(() => {
    for (let index = 0; index < monitors; index += 1) {
      const owner = { account: `acct_${index}`, clientId: 'bench', authorizedAtMs: 0 };
      const subject = { kind: 'site', url: `https://host-${index}.example/` } as const;
      const rest = { rules: {}, receivers: [], quietHours: null, payment: 'credits' } as const;
      const monitor = { name: 'Bench', subject, interval: chooseInterval(index), ...rest };
      book.create(3, { owner, monitor, idempotencyKey: 'bench', contentSha256: '' });
    }
  });
  for (const runs of drain()) transact(() => runs.forEach(perform));
  const rounds = Array.from({ length: ROUNDS }, () => {
    nowMs += DAY_MS;
    // Each is due once in a day, whatever its time: the last of them just now, the others within it.
    database.exec(`UPDATE monitor_times SET next_ms = ${nowMs - 1}, after_ms = ${nowMs + DAY_MS}`);
    const { cpuMs: allDueMs, result } = measureCpuMs(drain);
    const sent = result.flat();
    if (new Set(sent).size !== monitors) throw new Error(`${sent.length} runs were sent, not ${monitors}`);
    for (const runs of result) transact(() => runs.forEach(perform));
    const { cpuMs: noneDueMs, result: none } = measureCpuMs(drain);
    if (none.length > 0) throw new Error('something was due');
    return { allDueMs, noneDueMs, passes: result.length };
  });
  database.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    monitors,
    allDueMs: Math.min(...rounds.map((one) => one.allDueMs)),
    noneDueMs: Math.min(...rounds.map((one) => one.noneDueMs)),
    passes: rounds[0]?.passes ?? 0,
  };
}

process.stdout.write(JSON.stringify([1_000, 10_000].map(measurePasses)));
