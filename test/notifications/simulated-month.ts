import { isChannelToken, parseChannelKeys } from '../../src/notifications/channel-token.ts';
import type { Errand, KnownChannel } from '../../src/notifications/protocol.ts';
import { openRegistry, type Registry } from '../../src/notifications/registry.ts';
import type { NewWatch } from '../../src/notifications/watch.ts';
import { memorySqlite } from '../support/sqlite.ts';
import { hexOf, seededRandom, simulatedClock } from './simulated-clock.ts';
import { type LiveChannel, type Outage, simulatedVendor } from './simulated-vendor.ts';

export const DAY_MS = 24 * 3_600_000;
export const HOUR_MS = 3_600_000;
export const START_MS = Date.UTC(2026, 10, 1);
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Channels of a watch at the vendor on average: overlaps and orphans are short. */
const MOST_LIVE = 1.05;
const ASKED_TTL_S = 2 * 24 * 3_600;
const ERRAND_REFUSED = 0.05;
/** How often the object goes away in the middle of whatever it does. */
const CRASH_EVERY_MS = 17 * HOUR_MS;
const keys = parseChannelKeys('1:the-first-channel-secret-of-32-characters') ?? [];

export type Month = {
  capMs: number;
  skewMs: number;
  seed: number;
  outages: readonly Outage[];
  days: number;
  watches: readonly NewWatch[];
  /** Whether the object's alarm comes, and how often the cron does. */
  hasAlarm: boolean;
  cronMs: number;
};

/** A time in which the vendor had no channel for a watch whose messages we would have taken. */
export type Gap = { watch: string; customer: string; fromMs: number; toMs: number };
export type Told = { atMs: number; customer: string; errand: Errand };

export type MonthReport = {
  gaps: readonly Gap[];
  told: readonly Told[];
  calls: { watch: number; stop: number; lost: number; silent: number };
  /** Channels that the vendor still sends from, and whose messages we would refuse. */
  leaked: readonly string[];
  /** Channels live at the vendor, on average over time and watches. */
  averageLive: number;
  /** Live at the vendor after all watches were stopped and one longest life has passed. */
  leftLive: number;
  /** Vendor calls after that. */
  lateCalls: number;
  /** Open alerts: raised and not over, by kind. */
  openAlerts: readonly string[];
};

/** A month of the registry at a vendor that fails, by a clock that is ours. */
export async function simulateMonth(month: Month): Promise<MonthReport> {
  const random = seededRandom(month.seed);
  const clock = simulatedClock(START_MS);
  const told: Told[] = [];
  const state = { registry: undefined as Registry | undefined, generation: 0, alarmMs: Infinity, isBusy: false };
  const vendor = simulatedVendor({
    ...month,
    clock,
    random,
    sync: (channel) => {
      if (knownOf(channel) !== null) state.registry?.synced(channel.id, channel.resourceId);
    },
  });
  const goodTokens = new Map<string, boolean>();
  const hasGoodToken = ({ id, watch, token }: LiveChannel): boolean => {
    const known = goodTokens.get(id) ?? isChannelToken(token, { channelId: id, path: `/notifications/${watch}` }, keys);
    goodTokens.set(id, known);
    return known;
  };
  const knownOf = (channel: LiveChannel): KnownChannel | null =>
    hasGoodToken(channel) ? (state.registry?.lookup(channel.id) ?? null) : null;
  const ground = { ...memorySqlite(), now: clock.now, random: hexOf(random) };

  const tell = async (customer: string, errand: Errand): Promise<void> => {
    await clock.sleep(random() * 200);
    told.push({ atMs: clock.now(), customer, errand }); // Taken, even where the answer is lost.
    if (random() < ERRAND_REFUSED) throw new Error('inbox away');
  };

  /** A registry over what is kept. What an earlier one still waits for never comes. */
  const start = (): Registry => {
    const generation = (state.generation += 1);
    const mine = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer;
      return generation === state.generation ? value : new Promise(() => undefined);
    };
    state.isBusy = false;
    return openRegistry({
      ...ground,
      vendor: {
        ...vendor,
        watch: (order) => mine(vendor.watch(order)),
        stop: (asked) => mine(vendor.stop(asked)),
      },
      keys,
      origin: 'https://webhook.test',
      ttlSeconds: ASKED_TTL_S,
      errand: (customer, errand) => mine(tell(customer, errand)),
      log: () => undefined,
      uuid: () => hexOf(random)(16),
    });
  };
  state.registry = start();

  /** The object's alarm and the cron: each runs a pass. */
  const pass = (): void => {
    const { registry, generation } = state;
    if (registry === undefined) return;
    state.isBusy = true;
    void registry.pass().finally(() => {
      if (generation === state.generation) state.isBusy = false;
    });
  };
  const arm = (): void => {
    const dueMs = state.registry?.nextDueMs() ?? Infinity;
    if (!month.hasAlarm || state.isBusy || dueMs >= state.alarmMs) return;
    state.alarmMs = dueMs;
    clock.at(Math.max(dueMs, clock.now() + 100), () => {
      if (state.alarmMs !== dueMs) return;
      state.alarmMs = Infinity;
      pass();
    });
  };
  const every = (ms: number, run: () => void): void => {
    const again = (): void => {
      run();
      clock.at(clock.now() + ms, again);
    };
    clock.at(clock.now() + ms, again);
  };
  every(month.cronMs, pass);
  every(CRASH_EVERY_MS, () => {
    state.registry = start();
    state.alarmMs = Infinity;
  });

  const seen = coverageOf(clock.now, vendor.live, knownOf);
  const after = (): void => {
    arm();
    seen.look();
  };
  const registry = state.registry;
  for (const order of month.watches) void registry.open(order);
  const endMs = START_MS + month.days * DAY_MS;
  await clock.runUntil(endMs, after);
  const { gaps, ...report } = seen.report(endMs - START_MS, month.watches.length);
  const customerOf = (watch: string): string => state.registry?.get(watch)?.customer ?? '';
  const openAlerts = openAlertsOf(told);
  for (const watch of seen.watches()) state.registry.stop(watch);
  await clock.runUntil(endMs + month.capMs + HOUR_MS, arm);
  const leftLive = vendor.live().length;
  const before = vendor.calls.watch + vendor.calls.stop;
  await clock.runUntil(endMs + month.capMs + 2 * HOUR_MS, arm);
  const lateCalls = vendor.calls.watch + vendor.calls.stop - before;
  return {
    ...report,
    gaps: gaps.map((gap) => ({ ...gap, customer: customerOf(gap.watch) })),
    told,
    calls: vendor.calls,
    leftLive,
    lateCalls,
    openAlerts,
  };
}

/** Looks, whenever something happened, at which watches a channel covers whose messages we take. */
function coverageOf(
  now: () => number,
  live: () => readonly LiveChannel[],
  knownOf: (channel: LiveChannel) => KnownChannel | null,
) {
  const uncoveredSince = new Map<string, number | undefined>();
  const gaps: Omit<Gap, 'customer'>[] = [];
  const leaked = new Set<string>();
  let lastMs = now();
  let liveCount = 0;
  let liveMs = 0;
  return {
    watches: () => [...uncoveredSince.keys()],
    look: (): void => {
      liveMs += liveCount * (now() - lastMs);
      lastMs = now();
      const channels = live();
      liveCount = channels.length;
      const covered = new Set<string>();
      for (const channel of channels) {
        const known = knownOf(channel);
        if (known === null) leaked.add(channel.id);
        if (known?.resourceId === channel.resourceId && !known.drops) covered.add(channel.watch);
      }
      for (const watch of covered) {
        const since = uncoveredSince.get(watch);
        if (since !== undefined) gaps.push({ watch, fromMs: since, toMs: now() });
        uncoveredSince.set(watch, undefined);
      }
      for (const [watch, since] of uncoveredSince)
        if (!covered.has(watch) && since === undefined) uncoveredSince.set(watch, now());
    },
    report: (spanMs: number, watches: number) => {
      for (const [watch, since] of uncoveredSince)
        if (since !== undefined) gaps.push({ watch, fromMs: since, toMs: now() });
      return { gaps, leaked: [...leaked], averageLive: liveMs / spanMs / watches };
    },
  };
}

function openAlertsOf(told: readonly Told[]): readonly string[] {
  const open = new Map<string, string>();
  for (const { errand } of told) {
    if (errand.do === 'alert') open.set(`${errand.alert.kind} ${errand.alert.subject}`, errand.alert.kind);
    if (errand.do === 'over') open.delete(`${errand.kind} ${errand.subject}`);
  }
  return [...open.values()];
}

/** What a month must come to, whatever the seed: the promises of the registry. @returns what is broken */
export function brokenPromises(month: Month, report: MonthReport): readonly string[] {
  const leadMs = Math.max(10 * MINUTE_MS, month.capMs * 0.15);
  const lifeMs = month.capMs - 1.1 * leadMs;
  const renewals = (month.watches.length * month.days * DAY_MS) / lifeMs;
  const triesInOutages = month.outages.reduce((sum, { fromMs, toMs }) => sum + ((toMs - fromMs) / MINUTE_MS) * 2, 0);
  const mostCalls = 1.4 * renewals + month.watches.length * (20 + triesInOutages);
  const days = (customer: string): number =>
    new Set(
      report.told
        .filter(
          ({ errand, customer: whose }) => whose === customer && isResync(errand) && errand.order.reason === 'daily',
        )
        .map(({ atMs }) => Math.floor((atMs - START_MS) / DAY_MS)),
    ).size;
  const customers = [...new Set(month.watches.map(({ target }) => target.customer))];
  const skewAlerts = Math.abs(month.skewMs) > MINUTE_MS ? 1 : 0;
  return [
    ...report.gaps.filter((gap) => !isUnavoidable(gap, month, leadMs)).map((gap) => `gap ${JSON.stringify(gap)}`),
    ...report.gaps.filter((gap) => !isMended(gap, report)).map((gap) => `no resync after ${JSON.stringify(gap)}`),
    ...report.leaked.map((id) => `leaked ${id}`),
    ...(report.leftLive > 0 ? [`${report.leftLive} live after the stop`] : []),
    ...(report.lateCalls > 0 ? [`${report.lateCalls} calls after the stop`] : []),
    ...(report.averageLive > MOST_LIVE ? [`${report.averageLive} live on average`] : []),
    ...(report.calls.watch > mostCalls ? [`${report.calls.watch} watch calls, at most ${mostCalls}`] : []),
    ...(report.calls.stop > mostCalls ? [`${report.calls.stop} stop calls, at most ${mostCalls}`] : []),
    ...customers
      .filter((customer) => days(customer) < month.days - 1)
      .map((customer) => `${customer}: no daily resync`),
    ...(report.openAlerts.length > skewAlerts ? [`open alerts ${report.openAlerts.join(' ')}`] : []),
  ];
}

const isResync = (errand: Errand): errand is Extract<Errand, { do: 'resync' }> => errand.do === 'resync';

/** An outage that took at least half of the lead; it may be five minutes until a channel is back. */
const isUnavoidable = ({ fromMs, toMs }: Gap, { outages }: Month, leadMs: number): boolean =>
  outages.some((outage) => fromMs >= outage.fromMs + leadMs / 2 && toMs <= outage.toMs + 5 * MINUTE_MS);

const isMended = ({ customer, toMs }: Gap, { told }: MonthReport): boolean =>
  told.some(
    (one) =>
      one.customer === customer &&
      isResync(one.errand) &&
      one.atMs >= toMs - SECOND_MS &&
      one.atMs <= toMs + 5 * MINUTE_MS,
  );
