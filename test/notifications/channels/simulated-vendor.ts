import type { Granted, Vendor, VendorFailure, WatchOrder } from '../../../src/notifications/vendor/vendor.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** A channel as the vendor has it, by true time. */
export type LiveChannel = {
  id: string;
  watch: string;
  token: string;
  resourceId: string;
  madeAtMs: number;
  endsAtMs: number;
  /** Whether we were answered that it is granted, by an answer that can be read. */
  isGranted: boolean;
  /** Whether its end was told so that it can be known. */
  isSure: boolean;
};

/** A watch call that was asked at a time, and what of it went wrong for us. */
export type Attempt = { watch: string; atMs: number; isGranted: boolean; isSure: boolean; sentAwayMs: number };

export type Outage = { fromMs: number; toMs: number };

export type VendorHabits = {
  clock: SimulatedClock;
  random: () => number;
  /** Longest life, whatever is asked for. */
  capMs: number;
  /** Of its clock, ahead of ours. */
  skewMs: number;
  outages: readonly Outage[];
  /** Times in which it refuses our credentials. */
  refusals: readonly Outage[];
  /** Carries a sync to us. */
  sync: (channel: LiveChannel) => void;
};

export type SimulatedVendor = Vendor & {
  live: () => readonly LiveChannel[];
  calls: VendorCalls;
  attempts: readonly Attempt[];
};

/** How often each was asked for, and each oddity came. */
export type VendorCalls = Record<(typeof COUNTED)[number], number>;
export const ODDITIES = ['lost', 'silent', 'away', 'refused', 'endless', 'beyond', 'past', 'misdated'] as const;
const COUNTED = ['watch', 'stop', ...ODDITIES] as const;

/** Shares of calls: refused for the moment, made without an answer, told that the id was used; of syncs: early, never. */
const ERRORS = 0.05;
const LOST = 0.1;
const USED_ID = 0.005;
const EARLY_SYNC = 0.4;
const NO_SYNC = 0.01;
/** Shares of calls that are sent away, for seconds mostly; of grants: no end, one beyond what was asked, one in the past, a wrong `Date`. */
const SENT_AWAY = 0.02;
const FOR_A_DAY = 0.1;
const LONGEST_AWAY_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const NO_END = 0.02;
const BEYOND = 0.02;
const PAST = 0.02;
const MISDATED = 0.02;
const SECOND_MS = 1_000;
const LONGEST_CALL_MS = 3_000;
const TIMEOUT_MS = 10_000;
const FAR_MS = Date.UTC(9999, 0, 1);
const LATEST_SYNC_MS = 20_000;

const unavailable: VendorFailure = { ok: false, reason: 'unavailable', detail: 'HTTP 503' };
const noAccess: VendorFailure = { ok: false, reason: 'credentials_refused', detail: 'HTTP 401' };

/** A directory whose calls take time, fail, and are lost, and whose clock is wrong. */
export function simulatedVendor(habits: VendorHabits): SimulatedVendor {
  const { clock, random } = habits;
  const channels = new Map<string, LiveChannel>();
  const attempts: Attempt[] = [];
  const calls = Object.fromEntries(COUNTED.map((name) => [name, 0])) as VendorCalls;
  const isIn = (times: readonly Outage[]): boolean =>
    times.some(({ fromMs, toMs }) => clock.now() >= fromMs && clock.now() < toMs);
  const failure = async (): Promise<VendorFailure | undefined> => {
    const out = isIn(habits.outages);
    await clock.sleep(out && random() < 0.5 ? TIMEOUT_MS : random() * LONGEST_CALL_MS);
    if (out || isIn(habits.outages) || random() < ERRORS) return unavailable;
    if (isIn(habits.refusals)) {
      calls.refused += 1;
      return noAccess;
    }
    if (random() >= SENT_AWAY) return undefined;
    calls.away += 1;
    const retryAfterMs = random() < FOR_A_DAY ? DAY_MS : Math.ceil(random() * LONGEST_AWAY_MS);
    return { ok: false, reason: 'rate_limited', detail: 'HTTP 429', retryAfterMs };
  };
  return {
    calls,
    attempts,
    live: () => [...channels.values()].filter(({ endsAtMs }) => endsAtMs > clock.now()),
    watch: async (order) => {
      calls.watch += 1;
      const attempt: Attempt = {
        watch: watchOf(order),
        atMs: clock.now(),
        isGranted: false,
        isSure: true,
        sentAwayMs: 0,
      };
      attempts.push(attempt);
      const failed = await failure();
      if (failed !== undefined) {
        attempt.sentAwayMs = failed.retryAfterMs ?? 0;
        return failed;
      }
      if (random() < USED_ID || channels.has(order.id))
        return { ok: false, reason: 'id_not_unique', detail: 'channelIdNotUnique' };
      const channel = make(order, habits);
      channels.set(channel.id, channel);
      clock.at(channel.endsAtMs, () => undefined); // A moment at which coverage is looked at.
      const [answer, oddity] = oddGrant(grantOf(channel, habits), order, habits);
      if (oddity !== undefined) calls[oddity] += 1;
      const silent = random() < NO_SYNC;
      if (silent) calls.silent += 1;
      const syncMs = random() < EARLY_SYNC ? 0 : random() * LATEST_SYNC_MS;
      if (!silent) clock.at(clock.now() + syncMs, () => habits.sync(channel));
      const isLost = random() < LOST;
      if (isLost) calls.lost += 1;
      await clock.sleep(isLost ? TIMEOUT_MS : random() * LONGEST_CALL_MS);
      channel.isGranted = !isLost && oddity !== 'past';
      channel.isSure = oddity !== 'endless' && oddity !== 'misdated';
      Object.assign(attempt, { isGranted: channel.isGranted, isSure: channel.isSure });
      return isLost ? unavailable : answer;
    },
    stop: async ({ id, resourceId }) => {
      calls.stop += 1;
      const failed = await failure();
      if (failed !== undefined) return failed;
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

/** What makes a grant hard to believe, rarely: its end, or the clock beside it. */
function oddGrant(
  grant: Granted,
  { ttlSeconds }: WatchOrder,
  { random, capMs, clock }: VendorHabits,
): readonly [Granted, (typeof ODDITIES)[number] | undefined] {
  const dice = random();
  if (dice < NO_END) return [{ ...grant, expiresAtMs: undefined }, 'endless'];
  if (dice < NO_END + PAST) return [{ ...grant, expiresAtMs: Math.floor(clock.now() / SECOND_MS) }, 'past'];
  const skewed = (grant.vendorNowMs ?? 0) + (random() < 0.5 ? DAY_MS : -DAY_MS);
  if (dice < NO_END + PAST + MISDATED) return [{ ...grant, vendorNowMs: skewed }, 'misdated'];
  // Where less is granted than was asked for, nobody could tell such an end from a true one.
  const isTellable = capMs >= ttlSeconds * SECOND_MS;
  if (isTellable && dice > 1 - BEYOND) return [{ ...grant, expiresAtMs: FAR_MS }, 'beyond'];
  return [grant, undefined];
}

const watchOf = ({ address }: Pick<WatchOrder, 'address'>): string => new URL(address).pathname.split('/').at(-1) ?? '';

function make({ id, address, token, ttlSeconds }: WatchOrder, { clock, capMs }: VendorHabits): LiveChannel {
  const watch = watchOf({ address });
  const madeAtMs = clock.now();
  const endsAtMs = madeAtMs + Math.min(ttlSeconds * SECOND_MS, capMs);
  return { id, watch, token, resourceId: `resource-of-${watch}`, madeAtMs, endsAtMs, isGranted: false, isSure: true };
}

const grantOf = ({ resourceId, endsAtMs }: LiveChannel, { clock, skewMs }: VendorHabits): Granted => ({
  ok: true,
  resourceId,
  resourceUri: 'https://directory.test/users',
  expiresAtMs: endsAtMs + skewMs,
  vendorNowMs: Math.floor((clock.now() + skewMs) / SECOND_MS) * SECOND_MS,
});
