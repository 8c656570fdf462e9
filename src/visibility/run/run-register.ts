import { createTables, type Sql } from '../../lib/sqlite.ts';
import { DAY_MS, formatIsoDay } from '../../lib/time.ts';
import { PROMPT_COUNT } from './prompts.ts';
import { type RunAnswer, type RunHead, classifyRun, getPromptTotal } from './run.ts';

/** The register of before there were shards: it is still read. */
const FIRST_REGISTER = 'operations';
/** Registers that share what is written. */
const REGISTER_SHARDS = 16;

const formatShardName = (shard: number): string => `${FIRST_REGISTER}/${shard.toString(16)}`;

/** The register that something is written to. @param hex random digits, or the id of a run: all of one run is in one place */
export const chooseRegister = (hex: string): string =>
  formatShardName((Number.parseInt(hex.slice(0, 4), 16) || 0) % REGISTER_SHARDS);

/** Every register that is read. */
export const listRegisters = (): readonly string[] => [
  FIRST_REGISTER,
  ...Array.from({ length: REGISTER_SHARDS }, (_, shard) => formatShardName(shard)),
];

/** The register as the object of a run calls it, by RPC. */
export interface RunRegister {
  run(record: RunRecord): Promise<void>;
}

/** Runs that are remembered, and days that dead letters are counted for. */
export const KEPT_RUNS = 1_000;
export const DEAD_LETTER_DAYS = 400;
/** Lines of days that one answer may hold: 400 days of every capability with an engine are fewer. */
const MAX_DAY_LINES = 5_000;
/** Runs that one answer may hold. */
export const MAX_RUNS_LISTED = 100;

export type DeadLetters = { day: string; count: number };
export type RunState = 'running' | 'complete' | 'degraded' | 'incomplete';

/**
 * Runs of one capability that ended on a day (UTC). `microUsd`: what the prompts cost that `pricedRuns` of them asked;
 * absent, as 0, in what was counted before the price was recorded.
 */
export type RunDay = {
  day: string;
  capability: string;
  runs: number;
  incomplete: number;
  pricedRuns?: number;
  microUsd?: number;
};

/** One measurement as the operator sees it. Times are Unix milliseconds; `object` names the object that holds the run (rule P11). */
export type RunRecord = {
  runId: string;
  object: string;
  capability: string;
  /** Kind of the engine. */
  engine: string;
  /** Its row in the panel; absent in what was recorded before rows were. */
  engineName?: string;
  model: string;
  startedAtMs: number;
  deadlineMs: number;
  endedAtMs: number | null;
  answered: number;
  /** Absent in what was recorded before refusals were counted. */
  refused?: number;
  failed: number;
  total: number;
  /** Prompts that the engine was asked, and what so many cost. Absent in what was recorded before they were counted. */
  asked?: number;
  microUsd?: number;
  state: RunState;
};

const MICRO_USD_PER_USD = 1_000_000;

/**
 * What is recorded of a run when it begins and when it ends; each word replaces the one before, so one that got lost
 * does no harm.
 * @param begun prompts that the engine was asked, as far as the run noted it
 */
export function buildRunRecord(
  object: string,
  head: RunHead,
  answers: readonly Pick<RunAnswer, 'status'>[],
  begun: number,
): RunRecord {
  const { runId, capability = '', engine, startedAtMs, deadlineMs, endedAtMs, usdPerRun } = head;
  const answered = answers.filter(({ status }) => status === 'answered').length;
  const refused = answers.filter(({ status }) => status === 'refused').length;
  const total = getPromptTotal(head);
  const asked = Math.max(begun, answered + refused);
  const usd = usdPerRun === undefined ? undefined : (usdPerRun * asked) / PROMPT_COUNT;
  return {
    runId,
    object,
    capability,
    engine: engine.kind,
    ...(engine.name === undefined ? {} : { engineName: engine.name }),
    model: engine.model,
    startedAtMs,
    deadlineMs,
    endedAtMs,
    answered,
    refused,
    // What no one brought until the end failed with it.
    failed: (endedAtMs === null ? answers.length : total) - answered - refused,
    total,
    asked,
    ...(usd === undefined ? {} : { microUsd: Math.round(usd * MICRO_USD_PER_USD) }),
    state: endedAtMs === null ? 'running' : classifyRun(answers, total),
  };
}

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS runs (run_id TEXT PRIMARY KEY, started_at_ms INTEGER NOT NULL, record TEXT NOT NULL) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS runs_started ON runs (started_at_ms)',
  `CREATE TABLE IF NOT EXISTS run_days (
     day TEXT NOT NULL, capability TEXT NOT NULL, runs INTEGER NOT NULL, incomplete INTEGER NOT NULL,
     PRIMARY KEY (day, capability)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS run_costs (
     day TEXT NOT NULL, capability TEXT NOT NULL, runs INTEGER NOT NULL, micro_usd INTEGER NOT NULL,
     PRIMARY KEY (day, capability)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS dead_letters (day TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID',
];

/** The newest runs, and how many prompts came to the dead-letter queue. Tables are created where missing. */
export function openRunRegister(sql: Sql) {
  createTables(sql, SCHEMA);
  return {
    put(record: RunRecord): void {
      const isEnded = Boolean(read(sql, record.runId)?.endedAtMs);
      // A word that was late must not begin an ended run anew.
      if (record.endedAtMs === null && isEnded) return;
      if (record.endedAtMs !== null && !isEnded) countRun(sql, record, record.endedAtMs);
      sql.exec(
        'INSERT OR REPLACE INTO runs VALUES (?, ?, ?)',
        record.runId,
        record.startedAtMs,
        JSON.stringify(record),
      );
      sql.exec(
        'DELETE FROM runs WHERE run_id IN (SELECT run_id FROM runs ORDER BY started_at_ms DESC LIMIT -1 OFFSET ?)',
        KEPT_RUNS,
      );
    },
    runs: (limit: number): RunRecord[] =>
      sql
        .exec('SELECT record FROM runs ORDER BY started_at_ms DESC LIMIT ?', Math.min(limit, MAX_RUNS_LISTED))
        .toArray()
        .map(recordFrom),
    days: (sinceDay: string): RunDay[] =>
      sql
        .exec(
          `SELECT d.*, COALESCE(c.runs, 0) AS priced, COALESCE(c.micro_usd, 0) AS micro_usd
           FROM run_days d LEFT JOIN run_costs c ON c.day = d.day AND c.capability = d.capability
           WHERE d.day >= ? ORDER BY d.day DESC, d.capability LIMIT ?`,
          sinceDay,
          MAX_DAY_LINES,
        )
        .toArray()
        .map((found) => ({
          day: String(found['day']),
          capability: String(found['capability']),
          runs: Number(found['runs']),
          incomplete: Number(found['incomplete']),
          pricedRuns: Number(found['priced']),
          microUsd: Number(found['micro_usd']),
        })),
    /** @param oldestDay what is older is forgotten */
    addDeadLetters(day: string, count: number, oldestDay: string): void {
      sql.exec(
        'INSERT INTO dead_letters VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET count = count + excluded.count',
        day,
        count,
      );
      sql.exec('DELETE FROM dead_letters WHERE day < ?', oldestDay);
    },
    deadLetters: (sinceDay: string): DeadLetters[] =>
      sql
        .exec(
          'SELECT day, count FROM dead_letters WHERE day >= ? ORDER BY day DESC LIMIT ?',
          sinceDay,
          DEAD_LETTER_DAYS,
        )
        .toArray()
        .map(({ day, count }) => ({ day: String(day), count: Number(count) })),
  };
}

function countRun(sql: Sql, { capability, state, microUsd }: RunRecord, endedAtMs: number): void {
  const day = formatIsoDay(endedAtMs);
  sql.exec(
    `INSERT INTO run_days VALUES (?, ?, 1, ?)
     ON CONFLICT (day, capability) DO UPDATE SET runs = runs + 1, incomplete = incomplete + excluded.incomplete`,
    day,
    capability,
    state === 'incomplete' ? 1 : 0,
  );
  if (microUsd !== undefined)
    sql.exec(
      `INSERT INTO run_costs VALUES (?, ?, 1, ?)
       ON CONFLICT (day, capability) DO UPDATE SET runs = runs + 1, micro_usd = micro_usd + excluded.micro_usd`,
      day,
      capability,
      microUsd,
    );
  const oldestDay = formatIsoDay(endedAtMs - DEAD_LETTER_DAYS * DAY_MS);
  sql.exec('DELETE FROM run_days WHERE day < ?', oldestDay);
  sql.exec('DELETE FROM run_costs WHERE day < ?', oldestDay);
}

/** The newest runs of several registers. A run that began in one and ended in another has ended. */
export function mergeRuns(found: readonly (readonly RunRecord[])[], limit: number): RunRecord[] {
  const byId = new Map<string, RunRecord>();
  for (const run of found.flat()) if (byId.get(run.runId)?.endedAtMs == null) byId.set(run.runId, run);
  return [...byId.values()].toSorted((left, right) => right.startedAtMs - left.startedAtMs).slice(0, limit);
}

/** Dead letters of several registers, by day, newest first. */
export function mergeDeadLetters(found: readonly (readonly DeadLetters[])[]): DeadLetters[] {
  const counts = new Map<string, number>();
  for (const { day, count } of found.flat()) counts.set(day, (counts.get(day) ?? 0) + count);
  return Array.from(counts, ([day, count]) => ({ day, count })).toSorted((left, right) =>
    left.day < right.day ? 1 : -1,
  );
}

const read = (sql: Sql, runId: string): RunRecord | undefined =>
  sql.exec('SELECT record FROM runs WHERE run_id = ?', runId).toArray().map(recordFrom)[0];

/** Written above, so its shape is known. */
const recordFrom = (found: Record<string, unknown>): RunRecord => JSON.parse(String(found['record'])) as RunRecord;
