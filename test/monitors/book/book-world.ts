import { openMonitorBook } from '../../../src/monitors/book/book.ts';
import type { CreateMonitor, MonitorMessage, NewMonitor } from '../../../src/monitors/core/protocol.ts';
import type { RunResult, SiteSummary } from '../../../src/monitors/core/run.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

/** A Monday morning. */
export const START_MS = Date.UTC(2026, 1, 2, 9);
export const OWNER = { account: 'acct_1', clientId: 'client_1', authorizedAtMs: 1 };
export const SHARD = 3;

export const siteMonitor = (changes: Partial<NewMonitor> = {}): NewMonitor => ({
  name: 'Example',
  subject: { kind: 'site', url: 'https://www.example.com/' },
  interval: { every: 'daily', at: '06:30' },
  rules: {},
  receivers: [],
  quietHours: null,
  payment: 'credits',
  ...changes,
});

export const summary = (score: number): SiteSummary => ({
  kind: 'site',
  rubric: { version: '3.0.0', sha256: 'a' },
  scores: { aeo: { score, coverage: 1, gates: [] } },
  counts: { pass: 1, partial: 0, fail: 0, not_applicable: 0, unknown: 0 },
  competitors: [],
});

export const stored = (reportId = 'report-1', score = 80): RunResult => ({
  state: 'stored',
  parts: [{ role: 'subject', capability: 'full_audit', reportId, amountMicroUsdc: 600_000 }],
  summary: summary(score),
  alerts: [],
});

/** A shard over a database in memory, with a clock that is moved by hand. Each call is one transaction, as in the object. */
export function openBookWorld(startMs = START_MS) {
  const { sql, transaction } = memorySqlite();
  let nowMs = startMs;
  let made = 0;
  const random = (bytes: number): string => `${(made += 1).toString(16)}0`.padStart(bytes * 2, '0');
  const book = openMonitorBook(sql, { now: () => nowMs, random });
  let keys = 0;
  const world = {
    sql,
    book,
    step: <T>(work: (steps: typeof book) => T): T => transaction(() => work(book)),
    now: () => nowMs,
    at: (ms: number): void => {
      nowMs = ms;
    },
    advance: (ms: number): void => {
      nowMs += ms;
    },
    order: (changes: Partial<NewMonitor> = {}, account = OWNER.account): CreateMonitor => ({
      owner: { ...OWNER, account },
      monitor: siteMonitor(changes),
      idempotencyKey: `key-${(keys += 1)}`,
      contentSha256: 'content',
    }),
    create: (changes: Partial<NewMonitor> = {}, account?: string) => {
      const result = world.step((steps) => steps.create(SHARD, world.order(changes, account)));
      if (!result.ok) throw new Error(result.reason);
      return result.monitor;
    },
    pass: () => world.step((steps) => steps.pass()),
    /** Ids of the runs that a pass sends. */
    sent: (): readonly string[] => listRunIds(world.pass().messages),
    /** Carries a sent run out. */
    perform: (runId: string, result: RunResult = stored()): void => {
      const order = world.step((steps) => steps.begin(runId));
      if (order === undefined) throw new Error(`${runId} cannot begin`);
      world.step((steps) => steps.finish(runId, order.attempt, result));
    },
    /** A monitor whose first run is stored. */
    createRun: (changes: Partial<NewMonitor> = {}) => {
      const monitor = world.create(changes);
      for (const runId of world.sent()) world.perform(runId);
      return monitor;
    },
    runs: (id: string, account = OWNER.account) => book.runs(account, id, { limit: 100 })?.items ?? [],
    alerts: (id: string) => book.alerts(OWNER.account, id, { limit: 100 })?.items ?? [],
    read: (id: string) => book.read(OWNER.account, id),
  };
  return world;
}

export const listRunIds = (messages: readonly MonitorMessage[]): readonly string[] =>
  messages.flatMap((message) => (message.kind === 'run' ? message.runId : []));
