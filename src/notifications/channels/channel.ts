import type { WatchTarget, VendorEvent } from '../vendor/vendor.ts';

/** States of a channel at the vendor (docs/operate/webhooks.md). A watch has a line of them, each with an id of its own. */
export const CHANNEL_STATES = [
  'pending',
  'active',
  'renewing',
  'superseded',
  'stopping',
  'stopped',
  'expired',
  'failed',
] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

/** What an operator wants to be watched. */
export type NewWatch = {
  target: WatchTarget;
  /** One kind of event; undefined for all. */
  event?: VendorEvent | undefined;
  /** Life that is asked for, in seconds; undefined for the deployment's setting. */
  ttlSeconds?: number | undefined;
  /** Whom the service account acts for. */
  subject?: string | undefined;
};

/** A channel as an operator sees it: on the wire. Times are ISO 8601 by our clock. */
export type ChannelView = {
  /** The vendor's channel id: another one with each renewal. */
  id: string;
  /** What it watches; stays the same over renewals, and is the last part of the address. */
  watch: string;
  customer: string;
  domain: string | null;
  /** null: all events. */
  event: VendorEvent | null;
  state: ChannelState;
  address: string;
  resource_id: string | null;
  asked_at: string;
  granted_at: string | null;
  synced_at: string | null;
  expires_at: string | null;
  renew_at: string | null;
  ended_at: string | null;
  /** Failed attempts to open (pending), renew or stop it. */
  tries: number;
  next_try_at: string | null;
  last_error: string | null;
};

/** What happens to a channel, and how docs/operate/webhooks.md says it. */
export const channelEvents = {
  granted: 'the vendor grants it',
  refused: 'the vendor refuses it',
  renewal: 'its successor is asked for',
  replaced: "its successor's sync comes, or 60 s after its successor was granted",
  unneeded: 'it is no longer needed: a successor took over, or the watch was stopped',
  stop_taken: 'the vendor stops it, or knows it no longer',
  life_over: 'its life passes',
} as const;
export type ChannelEvent = keyof typeof channelEvents;

export type ChannelStateRow = {
  state: ChannelState;
  means: string;
  /** What becomes of its messages. */
  accepts: string;
  on: Partial<Record<ChannelEvent, ChannelState>>;
};

/** The life of a channel: the lifecycle in `channel.ts` and the table of docs/operate/webhooks.md are these rows. */
export const channelStates = [
  {
    state: 'pending',
    means: 'Written down and asked for; the answer is under way, or was lost and the channel may exist all the same',
    accepts: 'sync; others once its resource id is known (503 before)',
    on: { granted: 'active', refused: 'failed', unneeded: 'stopping', life_over: 'failed' },
  },
  {
    state: 'active',
    means: 'Granted: covers its watch',
    accepts: 'yes',
    on: { renewal: 'renewing', replaced: 'superseded', unneeded: 'stopping', life_over: 'expired' },
  },
  {
    state: 'renewing',
    means: 'Covers its watch while a successor is asked for',
    accepts: 'yes',
    on: { replaced: 'superseded', unneeded: 'stopping', life_over: 'expired' },
  },
  {
    state: 'superseded',
    means: 'Its successor covers the watch; late messages may still come',
    accepts: 'yes',
    on: { unneeded: 'stopping', life_over: 'expired' },
  },
  {
    state: 'stopping',
    means: 'The vendor is asked to stop it, again and again until it does or its life passes',
    accepts: 'yes; acknowledged and dropped when the watch was stopped',
    on: { stop_taken: 'stopped', life_over: 'expired' },
  },
  {
    state: 'stopped',
    means: 'The vendor sends no more',
    accepts: 'acknowledged and dropped for 5 min, then 401',
    on: {},
  },
  { state: 'expired', means: 'Its life has passed', accepts: 'yes for 5 min, then 401', on: {} },
  {
    state: 'failed',
    means: 'Refused, or its answer was lost and it was never heard of',
    accepts: 'no; one whose answer was lost until 5 min after the life that was asked for',
    on: {},
  },
] as const satisfies readonly ChannelStateRow[];

/** How long tokens outlive their channel (rule W4). */
export const TOKEN_GRACE_MS = 5 * 60_000;

const moves = new Map<ChannelState, ChannelStateRow['on']>(channelStates.map(({ state, on }) => [state, on]));

/** The state of a channel after an event; undefined where the event moves nothing. */
export const computeNextState = (state: ChannelState, event: ChannelEvent): ChannelState | undefined =>
  moves.get(state)?.[event];

/** Whether nothing moves a channel any more. */
export const isEnded = (state: ChannelState): boolean => Object.keys(moves.get(state) ?? {}).length === 0;

/** A channel's times by our clock, Unix milliseconds. */
export type Life = {
  state: ChannelState;
  /** As granted; as asked for where no grant is known. */
  expiresAtMs: number;
  endedAtMs: number | null;
};

/**
 * When a channel's token dies (rule W4): five minutes after its life or its stop. 0 for one that the vendor refused,
 * which no one but a forger can speak for.
 */
export function computeAcceptsUntil({ state, expiresAtMs, endedAtMs }: Life): number {
  const endMs = endedAtMs === null ? expiresAtMs : Math.min(endedAtMs, expiresAtMs);
  if (state === 'stopped') return endMs + TOKEN_GRACE_MS;
  if (state === 'failed' && endMs < expiresAtMs) return 0;
  return expiresAtMs + TOKEN_GRACE_MS;
}
