import type { Granted, Vendor, VendorFailure, WatchOrder } from '../../src/notifications/vendor.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** A channel as the vendor has it, by true time. */
export type LiveChannel = {
  id: string;
  watch: string;
  token: string;
  resourceId: string;
  madeAtMs: number;
  endsAtMs: number;
};

export type Outage = { fromMs: number; toMs: number };

export type VendorHabits = {
  clock: SimulatedClock;
  random: () => number;
  /** Longest life, whatever is asked for. */
  capMs: number;
  /** Of its clock, ahead of ours. */
  skewMs: number;
  outages: readonly Outage[];
  /** Carries a sync to us. */
  sync: (channel: LiveChannel) => void;
};

export type SimulatedVendor = Vendor & {
  live: () => readonly LiveChannel[];
  calls: { watch: number; stop: number; lost: number; silent: number };
};

/** Shares of calls: refused for the moment, made without an answer, told that the id was used; of syncs: early, never. */
const ERRORS = 0.05;
const LOST = 0.1;
const USED_ID = 0.005;
const EARLY_SYNC = 0.4;
const NO_SYNC = 0.01;
const SECOND_MS = 1_000;
const LONGEST_CALL_MS = 3_000;
const TIMEOUT_MS = 10_000;
const LATEST_SYNC_MS = 20_000;

const unavailable: VendorFailure = { ok: false, reason: 'unavailable', detail: 'HTTP 503' };

/** A directory whose calls take time, fail, and are lost, and whose clock is wrong. */
export function simulatedVendor(habits: VendorHabits): SimulatedVendor {
  const { clock, random, outages } = habits;
  const channels = new Map<string, LiveChannel>();
  const calls = { watch: 0, stop: 0, lost: 0, silent: 0 };
  const isOut = (): boolean => outages.some(({ fromMs, toMs }) => clock.now() >= fromMs && clock.now() < toMs);
  const fails = async (): Promise<boolean> => {
    const out = isOut();
    await clock.sleep(out && random() < 0.5 ? TIMEOUT_MS : random() * LONGEST_CALL_MS);
    return out || isOut() || random() < ERRORS;
  };
  return {
    calls,
    live: () => [...channels.values()].filter(({ endsAtMs }) => endsAtMs > clock.now()),
    watch: async (order) => {
      calls.watch += 1;
      if (await fails()) return unavailable;
      if (random() < USED_ID || channels.has(order.id))
        return { ok: false, reason: 'id_not_unique', detail: 'channelIdNotUnique' };
      const channel = make(order, habits);
      channels.set(channel.id, channel);
      clock.at(channel.endsAtMs, () => undefined); // A moment at which coverage is looked at.
      const answer = grantOf(channel, habits);
      const silent = random() < NO_SYNC;
      if (silent) calls.silent += 1;
      const syncMs = random() < EARLY_SYNC ? 0 : random() * LATEST_SYNC_MS;
      if (!silent) clock.at(clock.now() + syncMs, () => habits.sync(channel));
      const isLost = random() < LOST;
      if (isLost) calls.lost += 1;
      await clock.sleep(isLost ? TIMEOUT_MS : random() * LONGEST_CALL_MS);
      return isLost ? unavailable : answer;
    },
    stop: async ({ id, resourceId }) => {
      calls.stop += 1;
      if (await fails()) return unavailable;
      const channel = channels.get(id);
      if (channel !== undefined && channel.resourceId !== resourceId)
        return { ok: false, reason: 'refused', detail: 'wrong resource' };
      if (channel !== undefined) channel.endsAtMs = Math.min(channel.endsAtMs, clock.now());
      await clock.sleep(random() * SECOND_MS);
      return { ok: true };
    },
    readUser: async () => unavailable,
    listUsers: async () => unavailable,
  };
}

function make({ id, address, token, ttlSeconds }: WatchOrder, { clock, capMs }: VendorHabits): LiveChannel {
  const watch = new URL(address).pathname.split('/').at(-1) ?? '';
  const madeAtMs = clock.now();
  const endsAtMs = madeAtMs + Math.min(ttlSeconds * SECOND_MS, capMs);
  return { id, watch, token, resourceId: `resource-of-${watch}`, madeAtMs, endsAtMs };
}

const grantOf = ({ resourceId, endsAtMs }: LiveChannel, { clock, skewMs }: VendorHabits): Granted => ({
  ok: true,
  resourceId,
  resourceUri: 'https://directory.test/users',
  expiresAtMs: endsAtMs + skewMs,
  vendorNowMs: Math.floor((clock.now() + skewMs) / SECOND_MS) * SECOND_MS,
});
