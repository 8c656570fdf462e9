import type { WatchTarget, VendorEvent } from '../vendor/vendor.ts';

/** States of a channel at the vendor (README, "Channels"). A watch has a line of them, each with an id of its own. */
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
  /** The vendor's channel id, a UUID: another one with each renewal. */
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
