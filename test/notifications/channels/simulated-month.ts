import { isChannelToken, parseChannelKeys } from '../../../src/notifications/channels/channel-token.ts';
import type { InboxCommand, ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
import { openRegistry, type Registry } from '../../../src/notifications/channels/registry.ts';
import type { NewWatch } from '../../../src/notifications/channels/channel.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import type { SettledCall } from '../../../src/lib/concurrency.ts';
import { hexOf, seededRandom, type SimulatedClock, simulatedClock } from './simulated-clock.ts';
import { type Attempt, type LiveChannel, type Outage, simulatedVendor, type VendorCalls } from './simulated-vendor.ts';

export const DAY_MS = 24 * 3_600_000;
export const HOUR_MS = 3_600_000;
export const START_MS = Date.UTC(2026, 10, 1);
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const ERRAND_REFUSED = 0.05;
/** How often the object goes away in the middle of whatever it does. */
const CRASH_EVERY_MS = 17 * HOUR_MS;
/** A channel that a successor replaced may be open for so long while the vendor answers: its drain, tries, an hour's Retry-After. */
const SURPLUS_MS = 75 * MINUTE_MS;
const keys = parseChannelKeys('1:the-first-channel-secret-of-32-characters') ?? [];

export type Month = {
  capMs: number;
  /** What is asked for; two days where absent. */
  askedMs?: number;
  skewMs: number;
  seed: number;
  outages: readonly Outage[];
  refusals?: readonly Outage[];
  days: number;
  watches: readonly NewWatch[];
  /** Whether the object's alarm comes, and how often the cron does. */
  hasAlarm: boolean;
  cronMs: number;
};

/** A time in which the vendor had no channel for a watch whose messages we would have taken. */
export type Gap = { watch: string; customer: string; fromMs: number; toMs: number };
export type Told = { atMs: number; customer: string; command: InboxCommand };

export type MonthReport = {
  gaps: readonly Gap[];
  told: readonly Told[];
  calls: VendorCalls;
  attempts: readonly Attempt[];
  /** Channels that were left open long after a successor of theirs worked, though they could be stopped. */
  surplus: readonly string[];
  /** Channels that the vendor still sends from, and whose messages we would refuse. */
  leaked: readonly string[];
  /** Channels live at the vendor, on average over time and watches. */
  averageLive: number;
  /** Live at the vendor after all watches were stopped and one longest life has passed. */
  leftLive: number;
  /** Vendor calls after that. */
  lateCalls: number;
  /** Alerts that are raised and not over: at the end, but of channels that are open and sent no sync; and after the stop. */
  openAlerts: readonly string[];
  lateAlerts: readonly string[];
};

/** A month of the registry at a vendor that fails, by a clock that is ours. */
export async function simulateMonth(month: Month): Promise<MonthReport> {
  const random = seededRandom(month.seed);
  const wordRandom = seededRandom(month.seed + 1_000);
  const clock = simulatedClock(START_MS);
  const told: Told[] = [];
  const state = { registry: undefined as Registry | undefined, generation: 0, alarmMs: Infinity, isBusy: false };
  const vendor = simulatedVendor({
    ...month,
    refusals: month.refusals ?? [],
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
  const knownOf = (channel: LiveChannel): ReceiverChannel | null =>
    hasGoodToken(channel) ? (state.registry?.lookup(channel.id) ?? null) : null;
  const ground = { ...memorySqlite(), now: clock.now, random: hexOf(random) };

  const tell = async (customer: string, command: InboxCommand): Promise<void> => {
    // Words of channels are by chances of their own, so that a month stays the same whichever are handed out.
    const chance = command.do === 'channel' ? wordRandom : random;
    if (command.do !== 'channel') await clock.sleep(chance() * 200);
    told.push({ atMs: clock.now(), customer, command }); // Taken, even where the answer is lost.
    if (chance() < ERRAND_REFUSED) throw new Error('inbox away');
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
      ttlSeconds: (month.askedMs ?? 2 * DAY_MS) / SECOND_MS,
      command: (customer, command) => mine(tell(customer, command)),
      log: () => undefined,
      uuid: () => hexOf(random)(16),
      within: (call, limitMs) => withinOf(clock, call, limitMs),
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

  const isAway = (atMs: number): boolean =>
    [...month.outages, ...(month.refusals ?? [])].some(
      ({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs + SURPLUS_MS,
    );
  const seen = coverageOf(clock.now, vendor.live, knownOf, isAway);
  const after = (): void => {
    arm();
    seen.look();
  };
  const registry = state.registry;
  const open = async (order: NewWatch): Promise<void> => {
    const answer = await registry.open(order);
    if (!answer.ok) await open(order); // As an operator does whom the vendor refused.
  };
  for (const order of month.watches) void open(order);
  const endMs = START_MS + month.days * DAY_MS;
  await clock.runUntil(endMs, after);
  const { gaps, ...report } = seen.report(endMs - START_MS, month.watches.length);
  const customerOf = (watch: string): string => state.registry?.get(watch)?.customer ?? '';
  const lives = new Set(
    state.registry.list({ limit: 500 }).items.flatMap(({ id, ended_at }) => (ended_at ? [] : [id])),
  );
  const openAlerts = openAlertsOf(told).filter(({ kind, subject }) => kind !== 'no_sync' || !lives.has(subject));
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
    attempts: vendor.attempts,
    leftLive,
    lateCalls,
    openAlerts: openAlerts.map(({ kind }) => kind),
    lateAlerts: openAlertsOf(told).map(({ kind }) => kind),
  };
}

/** Looks, whenever something happened, at which watches a channel covers whose messages we take. */
function coverageOf(
  now: () => number,
  live: () => readonly LiveChannel[],
  knownOf: (channel: LiveChannel) => ReceiverChannel | null,
  isAway: (atMs: number) => boolean,
) {
  const uncoveredSince = new Map<string, number | undefined>();
  const gaps: Omit<Gap, 'customer'>[] = [];
  const leaked = new Set<string>();
  const surplus = surplusOf(now, isAway);
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
      const taken = new Set<string>();
      for (const channel of channels) {
        const known = knownOf(channel);
        // Of an end that nobody could know, two hours are assumed: such a channel may live on.
        if (known === null && channel.isSure) leaked.add(channel.id);
        if (known?.resourceId !== channel.resourceId) continue;
        taken.add(channel.id);
        if (!known.drops) covered.add(channel.watch);
      }
      surplus.look(channels, taken);
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
      return { gaps, leaked: [...leaked], surplus: surplus.found(), averageLive: liveMs / spanMs / watches };
    },
  };
}

/** Channels that stay open though a newer one of their watch works: our resource ids of both are known. */
function surplusOf(now: () => number, isAway: (atMs: number) => boolean) {
  const since = new Map<string, number>();
  const found = new Set<string>();
  return {
    found: () => [...found],
    look: (channels: readonly LiveChannel[], taken: ReadonlySet<string>): void => {
      const newest = new Map<string, LiveChannel>();
      for (const channel of channels) if (channel.isGranted) newest.set(channel.watch, channel);
      for (const { id, watch, madeAtMs } of channels) {
        if (!taken.has(id) || madeAtMs >= (newest.get(watch)?.madeAtMs ?? 0)) continue;
        const sinceMs = since.get(id) ?? now();
        since.set(id, isAway(now()) ? now() : sinceMs);
        if (now() - sinceMs > SURPLUS_MS) found.add(id);
      }
    },
  };
}

/** As the platform's timers do it, by the clock of the month. */
async function withinOf<T>(clock: SimulatedClock, call: () => Promise<T>, limitMs: number): Promise<SettledCall<T>> {
  const late = clock.sleep(limitMs).then((): SettledCall<T> => ({ ok: false, name: 'Late' }));
  const done = call().then(
    (value): SettledCall<T> => ({ ok: true, value }),
    (): SettledCall<T> => ({ ok: false, name: 'Error' }),
  );
  return Promise.race([late, done]);
}

function openAlertsOf(told: readonly Told[]): readonly { kind: string; subject: string }[] {
  const open = new Map<string, { kind: string; subject: string }>();
  for (const { command } of told) {
    if (command.do === 'alert') open.set(`${command.alert.kind} ${command.alert.subject}`, command.alert);
    if (command.do === 'over') open.delete(`${command.kind} ${command.subject}`);
  }
  return [...open.values()];
}
