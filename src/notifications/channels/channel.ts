import { type ChannelEvent, type ChannelStateRow, channelStates } from './channel-states-data.ts';
import type { ChannelState } from './watch.ts';

export type { ChannelEvent } from './channel-states-data.ts';

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
