import type { KnownChannel } from '../../src/notifications/protocol.ts';

/** How long the registry's word holds: a channel that is stopped meanwhile is still taken so long. */
const KNOWN_MS = 10_000;
/** Channels remembered per isolate; beyond it the oldest are asked about again. */
const MAX_KNOWN = 10_000;

/** What this isolate remembers of channels: open ones whose resource is known, and nothing else. */
export type KnownChannels = {
  find: (channelId: string, nowMs: number) => KnownChannel | undefined;
  remember: (channel: KnownChannel, nowMs: number) => void;
};

export function knownChannels(): KnownChannels {
  const known = new Map<string, { channel: KnownChannel; untilMs: number }>();
  return {
    find: (channelId, nowMs) => {
      const entry = known.get(channelId);
      if (entry !== undefined && nowMs < entry.untilMs) return entry.channel;
      known.delete(channelId);
      return undefined;
    },
    remember: (channel, nowMs) => {
      if (channel.drops || channel.resourceId === undefined) return;
      known.delete(channel.id); // Inserted last again, so that the first key is the oldest.
      known.set(channel.id, { channel, untilMs: Math.min(nowMs + KNOWN_MS, channel.acceptsUntilMs) });
      if (known.size <= MAX_KNOWN) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
