import type { ChannelState } from './watch.ts';

/** What happens to a channel, and how README says it. */
export const channelEvents = {
  granted: 'the vendor grants it',
  refused: 'the vendor refuses it',
  renewal: 'its successor is asked for',
  replaced: "its successor's sync comes, or 60 s after its successor was granted",
  unneeded: 'nobody needs it any more: a successor took over, or the watch was stopped',
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

/** The life of a channel: the lifecycle in `channel.ts` and README's table are these rows. */
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
