/** Where Stripe sends its events. */
export const CARD_WEBHOOK_PATH = '/webhooks/stripe';
/** The largest event that is read: Stripe's are a few KiB. */
export const MAX_EVENT_BYTES = 256 * 1024;
/** An event signed longer ago is refused: Stripe signs each try again. */
export const EVENT_TOLERANCE_S = 300;

export type VerifiedEvent = { ok: true; value: unknown } | { ok: false };

/**
 * Judges the signature over the bytes as they came, by Stripe's own SDK. While a secret is replaced, events may be signed
 * with either.
 */
export async function verifyCardEvent(
  bytes: Uint8Array,
  signature: string | undefined,
  { secrets, nowMs }: { secrets: readonly string[]; nowMs: number },
): Promise<VerifiedEvent> {
  const text = decodeExactly(bytes);
  if (text === undefined || signature === undefined || !isReadable(signature)) return { ok: false };
  const { Stripe: StripeSdk } = await import('stripe');
  const provider = StripeSdk.createSubtleCryptoProvider();
  for (const secret of secrets) {
    try {
      const event = await StripeSdk.webhooks.constructEventAsync(
        text,
        signature,
        secret,
        EVENT_TOLERANCE_S,
        provider,
        nowMs,
      );
      return { ok: true, value: event };
    } catch (error) {
      // A body that is no JSON was signed all the same: it is none of Stripe's events.
      if (!(error instanceof StripeSdk.errors.StripeSignatureVerificationError) && !(error instanceof SyntaxError))
        throw error;
    }
  }
  return { ok: false };
}

/** A byte order mark would be lost, and other bytes replaced: the signature is over the bytes that came. */
function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // No UTF-8: nothing that Stripe sends.
  }
}

/** `t=...,v1=...`, with further signatures: the SDK fails on parts without a value. */
const isReadable = (signature: string): boolean =>
  signature.length <= MAX_SIGNATURE_CHARS && signature.split(',').every((part) => SIGNATURE_PART.test(part));

const SIGNATURE_PART = /^\w{1,16}=\w{1,128}$/;

/** Longest header that is read: a signature for each secret that Stripe has for an endpoint. */
const MAX_SIGNATURE_CHARS = 2_048;
