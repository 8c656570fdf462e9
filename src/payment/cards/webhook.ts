/** Where Stripe sends its events. */
export const CARD_WEBHOOK_PATH = '/webhooks/stripe';
/** The largest event that is read: Stripe's are a few KiB. */
export const MAX_EVENT_BYTES = 256 * 1024;
/** An event signed longer ago is refused: Stripe signs each try again. */
export const EVENT_TOLERANCE_S = 300;

/** The secrets that may have signed an event, and when it came. */
export type EventTerms = { secrets: readonly string[]; nowMs: number };

export type JudgedEvent = { verdict: 'good'; value: unknown } | { verdict: 'bad' };

/** `unknown`: the signature could not be judged, which says nothing about the event. */
export type JudgeCardEvent = (
  bytes: Uint8Array,
  signature: string | undefined,
  terms: EventTerms,
) => Promise<JudgedEvent | { verdict: 'unknown' }>;
