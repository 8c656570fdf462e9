import type { IncomingMessage } from './message.ts';

/**
 * URI of the x402 extension of A2A. Its text is of x402 version 1; version 2 keeps names and URI and carries its own objects.
 * @see https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.1/spec.md
 * @see https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/a2a.md
 */
export const X402_EXTENSION = 'https://github.com/google-a2a/a2a-x402/v0.1';

/** Members of the metadata of a message. */
export const PAYMENT_STATUS = 'x402.payment.status';
export const PAYMENT_REQUIRED = 'x402.payment.required';
export const PAYMENT_PAYLOAD = 'x402.payment.payload';
export const PAYMENT_RECEIPTS = 'x402.payment.receipts';
export const PAYMENT_ERROR = 'x402.payment.error';

/** What the extension says of a payment. */
export const paymentStatuses = [
  'payment-required',
  'payment-submitted',
  'payment-rejected',
  'payment-verified',
  'payment-completed',
  'payment-failed',
] as const;

/** Whether a client says it knows the extension: in a header, in the message, or by using it. */
export const isExtensionActive = (
  header: string | undefined,
  { extensions, metadata }: Pick<IncomingMessage, 'extensions' | 'metadata'>,
): boolean =>
  isNamedInHeader(header) ||
  extensions.includes(X402_EXTENSION) ||
  metadata[PAYMENT_STATUS] !== undefined ||
  metadata[PAYMENT_PAYLOAD] !== undefined;

/** Whether a header of extensions, whose values are separated by commas, names ours. */
export const isNamedInHeader = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((uri) => uri.trim() === X402_EXTENSION);

/** Our reasons that the extension has a word for; every other is its own word. */
const CODES: Readonly<Partial<Record<string, string>>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  invalid_signature: 'INVALID_SIGNATURE',
  authorization_expired: 'EXPIRED_PAYMENT',
  authorization_expires_too_soon: 'EXPIRED_PAYMENT',
  payment_already_used: 'DUPLICATE_NONCE',
  wrong_amount: 'INVALID_AMOUNT',
  settlement_refused: 'SETTLEMENT_FAILED',
};

/** The short code of a failed payment. */
export const formatPaymentError = (reason: string): string => CODES[reason] ?? reason.toUpperCase();
