import { type MonitorBook, openMonitorBook } from '../../../src/monitors/book/book.ts';
import { RUN_LEASE_MS } from '../../../src/monitors/book/run-steps.ts';
import type { MonitorMessage, NewMonitor } from '../../../src/monitors/core/protocol.ts';
import type { MonitorRun, RunOrder, RunResult } from '../../../src/monitors/core/run.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/lib/time.ts';
import type { createCreditBook } from '../../../src/payment/credits/account.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { siteMonitor, summary } from './book-world.ts';

/** Where something may go wrong between a due time and its stored run. */
export const faultPoints = [
  'alarm: lost before it runs',
  'alarm: dies in its transaction',
  'alarm: dies after its transaction, before the next one is set',
  'alarm: dies before it sends',
  'alarm: dies when half is sent',
  'alarm: comes twice',
  'queue: takes nothing',
  'queue: loses the message',
  'queue: has the message twice',
  'queue: is hours late',
  'consumer: dies before it begins',
  'consumer: begin is rolled back',
  'consumer: dies before begin is answered',
  'consumer: dies before it buys',
  'consumer: dies when credit is reserved',
  'consumer: dies when it has bought',
  'consumer: finish is rolled back',
  'consumer: dies before finish is answered',
  'consumer: stalls past its hold, and goes on',
  'object: is gone, and opened again',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** A run as SQLite saw it made, by any of the parts. */
export type SeenRun = { id: string; monitorId: string; dueMs: number; missed: number; cause: MonitorRun['cause'] };
/** A state that a run came to. */
export type SeenEnd = { id: string; state: MonitorRun['state']; reportIds: readonly string[] };
/** What was charged, by idempotency key: the run and the part of it. */
export type Charge = { runId: string; reportId: string };

export type Choices = {
  startMs: number;
  /** Whether it goes wrong here, now. */
  fails: (point: FaultPoint) => boolean;
  /** In [0, 1). */
  random: () => number;
  /** Times in which nothing of the service runs, in order. */
  outages?: readonly { fromMs: number; toMs: number }[];
  /** What a run comes to that is carried out. */
  fate?: (order: RunOrder) => 'stored' | 'failed' | 'again';
  /** The credits that pay all runs; without them each sale is a charge at once. */
  openCredits?: (now: () => number) => ReturnType<typeof createCreditBook>;
};

/** What a run costs of these credits, in micro-USDC. */
export const RUN_PRICE = 1_000_000;
const CALL = {
  fingerprint: 'f',
  capability: 'full_audit',
  clientId: 'client',
  capMicroUsdc: 1_000 * RUN_PRICE,
} as const;

class Killed extends Error {}

const RENEW_MS = 30 * SECOND_MS;
const SWEEP_MS = 5 * MINUTE_MS;
const REDELIVERIES = 3;
const RANDOM_VALUES = 2 ** 40;

/**
 * A shard with its alarm, queue, cron and consumers, in simulated time over the real book and a real database. What the object and the
 * consumer do between their steps is done here in the same order, and may end anywhere.
 */
export function openSimulatedShard(choices: Choices) {
  const { fails, random, outages = [], fate = () => 'stored' } = choices;
  const { sql, transaction } = memorySqlite();
  let nowMs = choices.startMs;
  let made = 0;
  const tools = {
    now: () => nowMs,
    random: (bytes: number): string =>
      `${(made += 1).toString(16)}${Math.floor(random() * RANDOM_VALUES).toString(16)}`
        .padStart(bytes * 2, '0')
        .slice(0, bytes * 2),
  };
  let book: MonitorBook = openMonitorBook(sql, tools);
  const charges = new Map<string, Charge>();
  const credits = choices.openCredits?.(tools.now);
  const events = openEvents();
  let alarmMs: number | null = null;

  sql.exec('CREATE TABLE seen_runs (id TEXT, monitor_id TEXT, due_ms INTEGER, missed INTEGER, details TEXT)');
  sql.exec('CREATE TABLE seen_ends (id TEXT, state TEXT, details TEXT)');
  sql.exec(`CREATE TRIGGER seen_run AFTER INSERT ON monitor_runs BEGIN
    INSERT INTO seen_runs VALUES (NEW.id, NEW.monitor_id, NEW.due_ms, NEW.missed, NEW.details); END`);
  sql.exec(`CREATE TRIGGER seen_end AFTER UPDATE OF state ON monitor_runs WHEN NEW.state <> 'reserved' BEGIN
    INSERT INTO seen_ends VALUES (NEW.id, NEW.state, NEW.details); END`);

  const findOutage = (ms: number) => outages.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
  const wait = (ms: number, work: () => void): void => events.push(nowMs + ms, work);
  /** Work of a program that ends with the service. */
  const waitAlive = (ms: number, work: () => void): void => {
    const [fromMs, toMs] = [nowMs, nowMs + ms];
    events.push(toMs, () => {
      if (!outages.some((one) => one.fromMs < toMs && one.toMs > fromMs)) work();
    });
  };

  const reopen = (): void => {
    if (fails('object: is gone, and opened again')) book = openMonitorBook(sql, tools);
  };
  /** One call of the object: a transaction, then its alarm. */
  const step = <T>(work: (steps: MonitorBook) => T, rollsBack?: FaultPoint): T => {
    reopen();
    const result = transaction(() => {
      const value = work(book);
      if (rollsBack !== undefined && fails(rollsBack)) throw new Killed();
      return value;
    });
    arm(false);
    return result;
  };
  const arm = (isIdle: boolean): void => {
    const nextMs = book.nextDueMs();
    if (nextMs === undefined) return;
    const dueMs = isIdle && nextMs <= nowMs ? nowMs + MINUTE_MS : Math.max(nextMs, nowMs);
    if (alarmMs !== null && alarmMs <= dueMs) return;
    alarmMs = dueMs;
    events.push(dueMs, () => {
      if (alarmMs === dueMs) fireAlarm();
    });
  };
  const sweepLater = (): void => events.push((Math.floor(nowMs / SWEEP_MS) + 1) * SWEEP_MS, pass);
  const fireAlarm = (): void => {
    alarmMs = null;
    if (fails('alarm: lost before it runs')) return sweepLater();
    pass();
    if (fails('alarm: comes twice')) pass();
  };
  const pass = (): void => {
    reopen();
    let found: ReturnType<MonitorBook['pass']>;
    try {
      found = transaction(() => {
        const value = book.pass();
        if (fails('alarm: dies in its transaction')) throw new Killed();
        return value;
      });
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return sweepLater();
    }
    if (fails('alarm: dies after its transaction, before the next one is set')) return sweepLater();
    arm(found.isEmpty);
    if (fails('alarm: dies before it sends')) return;
    if (found.messages.length > 0 && fails('queue: takes nothing'))
      return step((steps) => steps.recordUnsent(found.messages));
    for (const message of found.messages) {
      if (fails('alarm: dies when half is sent')) return;
      enqueue(message);
    }
  };

  const enqueue = (message: MonitorMessage): void => {
    if (message.kind !== 'run' || fails('queue: loses the message')) return;
    const { runId } = message;
    if (fails('queue: has the message twice')) wait(random() * MINUTE_MS, () => consume(runId, 1));
    const lateMs = fails('queue: is hours late') ? random() * 5 * HOUR_MS : 0;
    wait(lateMs + random() * 20 * SECOND_MS, () => consume(runId, 1));
  };
  const redeliver = (runId: string, deliveries: number): void => {
    if (deliveries <= REDELIVERIES) wait(10 * SECOND_MS, () => consume(runId, deliveries + 1));
  };
  const consume = (runId: string, deliveries: number): void => {
    if (fails('consumer: dies before it begins')) return redeliver(runId, deliveries);
    let order: RunOrder | undefined;
    try {
      order = step((steps) => steps.begin(runId), 'consumer: begin is rolled back');
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return redeliver(runId, deliveries);
    }
    if (order === undefined) return;
    if (fails('consumer: dies before begin is answered')) return redeliver(runId, deliveries);
    const begun = order;
    const isStalled = fails('consumer: stalls past its hold, and goes on');
    const takesMs = isStalled ? 5 * RUN_LEASE_MS : (0.1 + 0.5 * random()) * RUN_LEASE_MS;
    if (!isStalled)
      for (let atMs = RENEW_MS; atMs < takesMs; atMs += RENEW_MS)
        waitAlive(atMs, () => step((steps) => steps.renew(runId, begun.attempt)));
    waitAlive(takesMs, () => perform(begun, () => redeliver(runId, deliveries)));
  };
  const perform = (order: RunOrder, redeliverRun: () => void): void => {
    const { run, attempt } = order;
    const end = fate(order);
    const result = end === 'stored' ? buy(order) : refuse(end);
    if (result === undefined) return redeliverRun();
    try {
      step((steps) => steps.finish(run.id, attempt, result), 'consumer: finish is rolled back');
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return redeliverRun();
    }
    if (fails('consumer: dies before finish is answered')) redeliverRun();
  };
  /** A sale as credits make it: the same key gets the same report, and is charged once. Undefined: it died. */
  const buy = ({ run }: RunOrder): RunResult | undefined => {
    if (fails('consumer: dies before it buys')) return undefined;
    const key = `${run.id}:subject`;
    const held = credits?.reserve({ ...CALL, id: key, amountMicroUsdc: RUN_PRICE, authorizedAtMs: nowMs });
    if (held !== undefined && 'retryAfterS' in held)
      return { state: 'again', reason: held.outcome, afterS: held.retryAfterS };
    if (fails('consumer: dies when credit is reserved')) return undefined; // A reserve ends by itself.
    const charge = charges.get(key) ?? { runId: run.id, reportId: `report of ${run.id}` };
    if (held?.outcome === 'reserved') credits?.capture(key, held.attempt, charge.reportId);
    charges.set(key, charge);
    if (fails('consumer: dies when it has bought')) return undefined;
    const part = { role: 'subject', capability: 'full_audit', reportId: charge.reportId, amountMicroUsdc: 1 } as const;
    return { state: 'stored', parts: [part], summary: summary(80), alerts: [] };
  };

  return {
    sql,
    step,
    now: () => nowMs,
    charges,
    credits,
    create: (shard: number, index: number, wanted: Partial<NewMonitor>) => {
      const owner = { account: `acct_${index}`, clientId: 'client', authorizedAtMs: 0 };
      const order = { owner, monitor: siteMonitor(wanted), idempotencyKey: `${index}`, contentSha256: '' };
      const result = step((steps) => steps.create(shard, order));
      if (!result.ok) throw new Error(result.reason);
      return result.monitor;
    },
    /** Something that a person does then. */
    plan: (atMs: number, work: () => void): void => events.push(atMs, work),
    /** Lets time pass. What was to happen while the service was down happens when it is up again, messages and alarms. */
    runUntil: (endMs: number): void => {
      for (let next = events.pop(endMs); next !== undefined; next = events.pop(endMs)) {
        const outage = findOutage(next.atMs);
        if (outage !== undefined) {
          events.push(outage.toMs, next.work);
          continue;
        }
        nowMs = Math.max(nowMs, next.atMs);
        next.work();
      }
      nowMs = endMs;
    },
    seenRuns: (): readonly SeenRun[] =>
      sql
        .exec('SELECT * FROM seen_runs ORDER BY rowid')
        .toArray()
        .map((row) => ({
          id: String(row['id']),
          monitorId: String(row['monitor_id']),
          dueMs: Number(row['due_ms']),
          missed: Number(row['missed']),
          cause: (JSON.parse(String(row['details'])) as Pick<MonitorRun, 'cause'>).cause,
        })),
    seenEnds: (): readonly SeenEnd[] =>
      sql
        .exec('SELECT * FROM seen_ends ORDER BY rowid')
        .toArray()
        .map((row) => ({
          id: String(row['id']),
          state: String(row['state']) as MonitorRun['state'],
          reportIds: ((JSON.parse(String(row['details'])) as Partial<MonitorRun>).parts ?? []).map(
            (one) => one.reportId,
          ),
        })),
  };
}

export type SimulatedShard = ReturnType<typeof openSimulatedShard>;

const refuse = (end: 'failed' | 'again'): RunResult =>
  end === 'failed'
    ? { state: 'failed', reason: 'site_unreadable', detail: '', alerts: [] }
    : { state: 'again', reason: 'busy', afterS: 300 };

/** What is to happen, by time; at the same time in the order in which it was planned. */
function openEvents() {
  type Planned = { atMs: number; order: number; work: () => void };
  const heap: Planned[] = [];
  let order = 0;
  const isBefore = (one: Planned, other: Planned): boolean =>
    one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs;
  const swap = (left: number, right: number): void => {
    const [one, other] = [heap[left], heap[right]];
    if (one === undefined || other === undefined) return;
    [heap[left], heap[right]] = [other, one];
  };
  const isOrdered = (parent: number, child: number): boolean => {
    const [one, other] = [heap[parent], heap[child]];
    return one === undefined || other === undefined || isBefore(one, other);
  };
  return {
    push: (atMs: number, work: () => void): void => {
      heap.push({ atMs, order: (order += 1), work });
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (isOrdered(parent, at)) break;
        swap(parent, at);
        at = parent;
      }
    },
    /** The next one, if it is by then. */
    pop: (endMs: number): Planned | undefined => {
      const [first] = heap;
      if (first === undefined || first.atMs > endMs) return undefined;
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) heap[0] = last;
      for (let at = 0; ;) {
        const left = at * 2 + 1;
        const child = left + 1 < heap.length && !isOrdered(left, left + 1) ? left + 1 : left;
        if (child >= heap.length || isOrdered(at, child)) break;
        swap(at, child);
        at = child;
      }
      return first;
    },
  };
}

/** Days after the end in which nothing fails any more, so that everything comes to its end. */
export const SETTLE_MS = 2 * DAY_MS;
