import { HTMLRewriter } from 'htmlrewriter';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import type { Monitor, MonitorSubject } from '../../../src/monitors/core/monitor.ts';
import { computeRunMicroUsdc } from '../../../src/monitors/core/run-price.ts';
import type { MonitorRun, RunOrder, RunResult } from '../../../src/monitors/core/run.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createSightings } from '../../../src/payment/chain/chain-memory.ts';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import type { CreditAccountObject } from '../../../src/payment/credits/protocol.ts';
import { executeMonitorRun } from '../../../src/sales/monitors/execute-run.ts';
import type { RunSpender } from '../../../src/sales/monitors/free-monitors.ts';
import type { MonitorRunPorts } from '../../../src/sales/monitors/ports.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import { apiWorkerSettingsSchema } from '../../../src/sales/settings.ts';
import { PAY_TO } from '../../payment/terms/offer-cases.ts';
import { type SiteAnswer, siteFetch, type SiteMap } from '../../support/audit/site-fetch.ts';
import { memoryCreditRows } from '../../support/workers/credit-rows.ts';
import { toolsOf } from '../model/tools.ts';
import { memoryBucket } from './memory-bucket.ts';

export const NOW_MS = 1_800_000_000_000;
export const WEEK_MS = 7 * 86_400_000;
/** What a full audit costs, in micro-USDC. */
export const AUDIT_PRICE = findCapability('full_audit')?.priceMicroUsdc ?? 0;

const SETTINGS = apiWorkerSettingsSchema.parse({
  BASE_URL: 'https://sightline.test',
  PAY_TO,
  RPC_URL: 'https://rpc.test',
  FACILITATOR_URL: 'https://facilitator.test',
  LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
  PAYMENTS_SINCE: '1700000000',
});

const never = (): never => {
  throw new Error('no run asks for this');
};

/** A credit account as its object has it, over SQLite, with an amount that was bought. */
function openCredits(now: () => number, balanceMicroUsdc: number) {
  const book = createCreditBook(memoryCreditRows(), now);
  const topUp = (amountMicroUsdc: number): void => {
    book.pledge({
      paymentKey: `payment-${now()}-${amountMicroUsdc}`,
      shard: 'a1',
      capability: 'credits_5',
      amountMicroUsdc,
    });
    for (const pledge of book.openPledges())
      book.resolve(pledge, { state: 'settled', capability: 'credits_5', amountMicroUsdc });
  };
  if (balanceMicroUsdc > 0) topUp(balanceMicroUsdc);
  const object: CreditAccountObject = {
    pledge: async (request) => book.pledge(request),
    view: async () => book.view(),
    reports: async () => book.reports(),
    lines: async (query) => book.lines(query),
    forfeit: async (isAccepted) => book.forfeit(isAccepted),
    reserve: async (request) => book.reserve(request),
    renew: async (id, attempt) => book.renew(id, attempt),
    capture: async (id, attempt, reportId) => book.capture(id, attempt, reportId),
    release: async (id, attempt, failed) => book.release(id, attempt, failed),
    releaseClient: async (clientId) => book.releaseClient(clientId),
    standing: async (id) => book.standing(id),
    adjust: async (order) => book.adjust(order),
    entries: async (beforeMs) => book.entries(beforeMs),
  };
  return { book, object, topUp };
}

export type MonitorWorld = ReturnType<typeof monitorWorld>;

/** A monitor, its account, and the sites that its runs read: real audits, a real book of credits, a real store over a bucket in memory. */
export function monitorWorld(
  subject: MonitorSubject = { kind: 'site', url: 'https://acme.example/' },
  { balance = 5_000_000, monitor: changes = {} }: { balance?: number; monitor?: Partial<Monitor> } = {},
) {
  const state = {
    nowMs: NOW_MS,
    sites: {} as Record<string, SiteAnswer>,
    spender: { kind: 'payer' } as RunSpender,
    proven: new Set<string>(),
    busy: new Set<string>(),
    requests: [] as string[],
    freeHosts: new Set<string>(),
    attempts: 0,
    /** Addresses at whose first request the monitor is deleted; `now`: before anything is done. */
    deletedAt: undefined as string | undefined,
    /** What other monitors of the account spend until the next run. */
    othersMicroUsdc: 0,
  };
  const now = (): number => state.nowMs;
  const { bucket, objects, expire } = memoryBucket(now);
  const reports = reportStore(bucket, now);
  const credits = openCredits(now, balance);
  const tools = toolsOf({
    caller: 'shop.example',
    now,
    chain: {} as never, // No call on credits asks it.
    shardOf: never,
    sightings: createSightings(),
    salt: '',
    payTo: PAY_TO,
    verify: never,
    settle: never,
    waitUntil: () => undefined,
    reports,
  });
  const work: typeof tools.work = {
    newRewriter: () => new HTMLRewriter(),
    guardedFetch: (url) => {
      const fetch = siteFetch(state.sites, { origin: new URL(url).origin });
      return (target) => {
        state.requests.push(target.url);
        return fetch(target);
      };
    },
    atTarget: async (url, task) =>
      state.busy.has(new URL(url).hostname)
        ? { ok: false, reason: 'target_busy', detail: 'busy', retryAfterS: 10 }
        : task(),
  };
  const ports: MonitorRunPorts = {
    sales: {
      settings: SETTINGS,
      local: false,
      engines: () => ({ ok: false, detail: 'none' }),
      openChain: never,
      isGenuine: async () => false,
      toolsOf: (_seller, { room }) => ({ ...tools, work, room }),
      policy: allowPublicOnly({ alternatePorts: true }),
      credits: { open: () => credits.object, ofAddress: never },
      registerCreditCall: async () => undefined,
      failedPayments: { limit: () => Promise.resolve({ success: true }) },
      now,
      waitUntil: () => undefined,
    },
    reports,
    findSpender: async () => state.spender,
    isHeld: async () =>
      state.deletedAt === undefined || !(state.deletedAt === 'now' || state.requests.includes(state.deletedAt)),
    isProven: async (_account, host) => state.proven.has(host),
    free: { hosts: state.freeHosts, engineMicroUsdPerDay: 0, spendOnEngines: never },
    present: { newRewriter: work.newRewriter },
    log: () => undefined,
  };
  const monitor: Monitor = {
    id: `mon_0${'1'.repeat(23)}`,
    account: `account-${crypto.randomUUID()}`,
    name: 'Acme',
    subject,
    interval: { every: 'weekly' },
    rules: {},
    receivers: [],
    quietHours: null,
    payment: 'credits',
    clientId: 'sightline:pages',
    authorizedAtMs: NOW_MS,
    state: 'active',
    pausedBecause: null,
    revision: 1,
    createdAtMs: NOW_MS,
    changedAtMs: NOW_MS,
    nextDueMs: NOW_MS + WEEK_MS,
    ...changes,
  };
  const history: MonitorRun[] = [];
  const orderOf = (attempt = 1): RunOrder => ({
    monitor,
    run: buildRun(monitor, now()),
    attempt,
    history: [...history],
    aheadMicroUsdc: computeRunMicroUsdc(monitor) + state.othersMicroUsdc,
  });
  return {
    state,
    monitor,
    ports,
    reports,
    objects,
    expire,
    credits,
    history,
    orderOf,
    balance: () => credits.book.view().balanceMicroUsdc,
    serve: (origin: string, map: SiteMap): void => {
      for (const key of Object.keys(state.sites)) if (new URL(key).origin === origin) delete state.sites[key];
      for (const [path, answer] of Object.entries(map)) state.sites[new URL(path, origin).href] = answer;
    },
    attempt: (order: RunOrder = orderOf(), given: MonitorRunPorts = ports) => executeMonitorRun(order, given),
    /** One attempt, written down as its object does, and then a week passes. */
    async run(): Promise<RunResult> {
      const order = orderOf();
      const result = await executeMonitorRun(order, ports);
      if (result.state !== 'again') history.unshift(toEnded(order.run, result));
      state.nowMs += WEEK_MS;
      return result;
    },
  };
}

const buildRun = (monitor: Monitor, dueMs: number): MonitorRun => ({
  id: `run_${monitor.id.slice(4)}-${dueMs}`,
  monitorId: monitor.id,
  dueMs,
  cause: 'schedule',
  state: 'reserved',
  startedAtMs: dueMs,
  endedAtMs: null,
  lateMs: 0,
  missed: 0,
  reason: null,
  parts: [],
  summary: null,
  alerts: 0,
});

function toEnded(run: MonitorRun, result: Exclude<RunResult, { state: 'again' }>): MonitorRun {
  const ended = { ...run, endedAtMs: run.dueMs, state: result.state, alerts: result.alerts.length };
  return result.state === 'stored'
    ? { ...ended, parts: result.parts, summary: result.summary }
    : { ...ended, reason: result.reason };
}
