import { Stripe } from 'stripe';
import { EVENT_TOLERANCE_S, type EventTerms, type JudgedEvent } from './webhook.ts';

/**
 * Judges the signature over the bytes as they came, by Stripe's own SDK. While a secret is replaced, events may be signed
 * with either.
 */
export async function verifyCardEvent(
  bytes: Uint8Array,
  signature: string | undefined,
  { secrets, nowMs }: EventTerms,
): Promise<JudgedEvent> {
  const text = decodeExactly(bytes);
  if (text === undefined || signature === undefined || !isReadable(signature)) return { verdict: 'bad' };
  const provider = Stripe.createSubtleCryptoProvider();
  for (const secret of secrets) {
    try {
      const event = await Stripe.webhooks.constructEventAsync(
        text,
        signature,
        secret,
        EVENT_TOLERANCE_S,
        provider,
        nowMs,
      );
      return { verdict: 'good', value: event };
    } catch (error) {
      // A body that is no JSON was signed all the same: it is none of Stripe's events.
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError) && !(error instanceof SyntaxError))
        throw error;
    }
  }
  return { verdict: 'bad' };
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
