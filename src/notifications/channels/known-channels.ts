import type { ReceiverChannel } from '../core/protocol.ts';

/**
 * How long the registry's word holds, of what is open and of what is over. A channel that is stopped meanwhile is still
 * taken so long where its id names no inbox, which would know better.
 */
const KNOWN_MS = 10_000;
/** Channels remembered per isolate; beyond it the oldest are asked about again. */
const MAX_KNOWN = 10_000;

/**
 * What this isolate remembers of channels that no inbox can judge: open ones whose resource is known, stopped ones, and
 * `null` for dead ones. A channel is known before its token leaves us, so one that is dead once stays dead.
 */
export type KnownChannelCache = {
  /** Undefined: ask the registry. */
  find: (channelId: string, nowMs: number) => ReceiverChannel | null | undefined;
  remember: (channelId: string, channel: ReceiverChannel | null, nowMs: number) => void;
};

export function createKnownChannels(): KnownChannelCache {
  const known = new Map<string, { channel: ReceiverChannel | null; untilMs: number }>();
  return {
    find: (channelId, nowMs) => {
      const entry = known.get(channelId);
      if (entry !== undefined && nowMs < entry.untilMs) return entry.channel;
      known.delete(channelId);
      return undefined;
    },
    remember: (channelId, channel, nowMs) => {
      if (channel?.drops === false && channel.resourceId === undefined) return; // A sync shows it any moment.
      known.delete(channelId); // Inserted last again, so that the first key is the oldest.
      known.set(channelId, { channel, untilMs: Math.min(nowMs + KNOWN_MS, channel?.acceptsUntilMs ?? Infinity) });
      if (known.size <= MAX_KNOWN) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
