import { textOfBase64, base64OfText } from '../payment/terms/bytes.ts';
import { MAX_CREDENTIAL_CHARS } from '../payment/terms/constants.ts';

/** `_meta` member of a payment, as the MCP transport of x402 v2 names it. */
export const PAYMENT_META = 'x402/payment';
/** `_meta` member of a settled payment in a result. */
export const PAYMENT_RESPONSE_META = 'x402/payment-response';
/** `_meta` member that some clients read the terms from. */
export const PAYMENT_ERROR_META = 'x402/error';
/** What clients of x402 version 1 send. */
const VERSION_1_META = 'x402.payment';
export const VERSION_1_HEADER = 'x-payment';

/** `_meta` member by which a client names a call that it may repeat: the same name and arguments are one debit (rule P6). */
export const IDEMPOTENCY_META = 'sightline/idempotency-key';

/** What of a payment stands in the headers of a request. */
export type PaymentHeaders = {
  /** PAYMENT-SIGNATURE of this request. */
  paymentHeader?: string | undefined;
  /** X-PAYMENT came with it: a payment of x402 version 1, which is refused rather than overlooked. */
  hasVersion1Header: boolean;
};

/** `text` is what `parseCredential` takes: base64 JSON or a transaction hash. */
export type PresentedPayment =
  | { kind: 'none' }
  | { kind: 'credential'; text: string }
  | { kind: 'refused'; detail: string };

/**
 * The payment that a call brings, by `_meta["x402/payment"]` (an object, or base64 JSON as some clients write it), by
 * the header PAYMENT-SIGNATURE, or by both when they are the same. An object is encoded as the official clients encode
 * a header, so that a payment has one spelling through both doors (rule P23). What it says is not looked at.
 */
export function presentedPayment(
  meta: Readonly<Record<string, unknown>>,
  { paymentHeader: header, hasVersion1Header }: PaymentHeaders,
): PresentedPayment {
  if (hasVersion1Header || meta[VERSION_1_META] !== undefined)
    return refused(`Only x402 version 2 is accepted, in _meta["${PAYMENT_META}"]`);
  const given = meta[PAYMENT_META];
  const text = given === undefined ? undefined : credentialText(given);
  if (given !== undefined && text === undefined) {
    return refused(
      `_meta["${PAYMENT_META}"] is neither an object nor a text of 1 to ${MAX_CREDENTIAL_CHARS} characters`,
    );
  }
  if (header !== undefined && text !== undefined && !isSame(header, text)) {
    return refused(`PAYMENT-SIGNATURE and _meta["${PAYMENT_META}"] are two different payments`);
  }
  const presented = header ?? text;
  return presented === undefined ? { kind: 'none' } : { kind: 'credential', text: presented };
}

const refused = (detail: string): PresentedPayment => ({ kind: 'refused', detail });

function credentialText(given: unknown): string | undefined {
  const text = typeof given === 'object' && given !== null ? base64OfText(JSON.stringify(given)) : given;
  if (typeof text !== 'string') return undefined;
  return text.trim() === '' || text.length > MAX_CREDENTIAL_CHARS ? undefined : text.trim();
}

const isSame = (header: string, text: string): boolean => header.trim() === text || plain(header) === plain(text);

/** The JSON of a credential in one spelling of white space. */
function plain(text: string): string {
  const json = textOfBase64(text.trim());
  if (json === undefined) return text.trim().toLowerCase();
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json; // Not JSON: the parser of credentials says so.
  }
}
