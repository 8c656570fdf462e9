import { MINUTE_MS } from '../../lib/time.ts';
import { computeChannelToken } from '../channels/channel-token.ts';
import type { Vendor, VendorFailure } from '../vendor/vendor.ts';
import type { ReceiverChannel } from './protocol.ts';
import type { WebhookSettings } from './settings.ts';

/** The inbox of probes. The point keeps it apart: no customer of a vendor, and no id of the operator's interface, has one. */
export const PROBE_CUSTOMER = '.probe';
const PROBE_WATCH = 'probe';
/** What a probe reports a change of: the same each time, so that probes leave one row. */
const PROBE_USER = 'probe';
/** How long the token of a probe is good. */
const PROBE_LIFE_MS = 5 * MINUTE_MS;
const PROBE_ID = /^probe-(\d{13})-[0-9a-f]{16}$/;
const RANDOM_BYTES = 8;

/** A notification that the caller sends as the vendor would: to `address`, with these headers and this body. */
export type NotificationProbe = {
  id: string;
  address: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  expires_at: string;
};

type ProbeTools = {
  settings: Pick<WebhookSettings, 'WEBHOOK_URL' | 'CHANNEL_TOKEN_KEYS' | 'VENDOR_HEADER_PREFIX'>;
  nowMs: number;
  random: (bytes: number) => string;
};

/**
 * A channel of our own that no vendor knows, for an operator who wants to see a notification taken and worked. Its token
 * is that of any channel, so the receiver proves its keys; it ends by itself and opens nothing but the inbox of probes.
 */
export function createProbe({ settings, nowMs, random }: ProbeTools): NotificationProbe {
  const { WEBHOOK_URL, CHANNEL_TOKEN_KEYS, VENDOR_HEADER_PREFIX: prefix } = settings;
  const expiresAtMs = nowMs + PROBE_LIFE_MS;
  const id = `probe-${expiresAtMs}-${random(RANDOM_BYTES)}`;
  const path = `/notifications/${PROBE_WATCH}`;
  return {
    id,
    address: `${new URL(WEBHOOK_URL).origin}${path}`,
    headers: {
      [`${prefix}Channel-ID`]: id,
      [`${prefix}Channel-Token`]: computeChannelToken(id, path, CHANNEL_TOKEN_KEYS),
      [`${prefix}Resource-ID`]: PROBE_WATCH,
      [`${prefix}Resource-State`]: 'update',
      [`${prefix}Message-Number`]: '1',
    },
    body: JSON.stringify({ id: PROBE_USER }),
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}

export const isProbeId = (id: string): boolean => PROBE_ID.test(id);

/** The channel of a probe, which its id alone describes; undefined for any other id. Its token is judged before. */
export function parseProbeChannel(id: string): ReceiverChannel | undefined {
  const expiresAtMs = PROBE_ID.exec(id)?.[1];
  if (expiresAtMs === undefined) return undefined;
  return {
    id,
    watch: PROBE_WATCH,
    customer: PROBE_CUSTOMER,
    resourceId: PROBE_WATCH,
    acceptsUntilMs: Number(expiresAtMs),
    drops: false,
  };
}

const NOTHING_THERE: VendorFailure = { ok: false, reason: 'refused', detail: 'The inbox of probes has no directory' };

/** What the inbox of probes reads its user from: no directory is asked, and no one is there. */
export const probeDirectory: Vendor = {
  watch: async () => NOTHING_THERE,
  stop: async () => ({ ok: true }),
  readUser: async () => ({ ok: true, user: null }),
  listUsers: async () => ({ ok: true, users: [], nextPageToken: undefined }),
};
