import { MINUTE_MS } from '../../lib/time.ts';

/** The vendor takes no longer one. */
export const MAX_CHANNEL_CHARS = 64;
/** A UUID without its hyphens, minutes in base 36, and a customer. Earlier channels' UUIDs look different. */
const STATING = /^[0-9a-f]{32}-([0-9a-z]{1,6})-([A-Za-z0-9_-]{1,30})$/;
const BASE = 36;

/**
 * What the id of a channel states. Its token is a code over the id (rule W1), so once that is judged only we can have said it.
 * `acceptsUntilMs` is the latest that its token may live, before the vendor granted a life.
 */
export type ChannelClaims = { customer: string; acceptsUntilMs: number };

/**
 * The id of a new channel: so that a message finds the inbox of its customer without asking anyone, and a token that is
 * over is known by itself. For a customer that does not fit in it is the UUID alone, and the registry is asked.
 * @param uuid never used before
 */
export function formatChannelId(uuid: string, { customer, acceptsUntilMs }: ChannelClaims): string {
  const minutes = Math.ceil(acceptsUntilMs / MINUTE_MS).toString(BASE);
  const id = `${uuid.replaceAll('-', '')}-${minutes}-${customer}`;
  return STATING.test(id) && id.length <= MAX_CHANNEL_CHARS ? id : uuid;
}

/** What an id states; undefined for one that states nothing. */
export function parseChannelId(id: string): ChannelClaims | undefined {
  const [, minutes, customer] = STATING.exec(id) ?? [];
  if (minutes === undefined || customer === undefined) return undefined;
  return { customer, acceptsUntilMs: Number.parseInt(minutes, BASE) * MINUTE_MS };
}
