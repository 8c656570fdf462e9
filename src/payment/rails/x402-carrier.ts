import { decodeBase64Text, encodeTextAsBase64 } from '../terms/bytes.ts';
import { MAX_CREDENTIAL_CHARS } from '../terms/constants.ts';
import type { CredentialCarrier, ParsedPayment } from './rail.ts';
import { presentSigned } from './x402-evm/payment.ts';
import { parseCredential } from './x402-credential.ts';
import { presentSvm } from './x402-svm/payment.ts';

/** `_meta` member of a payment, as the MCP transport of x402 v2 names it. */
const PAYMENT_META = 'x402/payment';

/**
 * PAYMENT-SIGNATURE, or the `_meta` member of x402: an object, or base64 JSON as some clients write it. An object is encoded as
 * the official clients encode a header, so that a payment has one spelling through both doors (rule P23).
 * @see https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/mcp.md
 */
export const x402Carrier: CredentialCarrier = {
  header: 'PAYMENT-SIGNATURE',
  readHeader: (value) => value,
  metaKey: PAYMENT_META,
  readMeta,
  metaForm: `an object nor a text of 1 to ${MAX_CREDENTIAL_CHARS} characters`,
  isSame: (header, meta) => header.trim() === meta || compactJson(header) === compactJson(meta),
  parse,
};

function parse(text: string): ParsedPayment | Promise<ParsedPayment> {
  const parsed = parseCredential(text);
  if (!parsed.ok) return parsed;
  const { credential } = parsed;
  switch (credential.kind) {
    case 'signed':
      return { ok: true, payment: presentSigned(credential) };
    case 'svm':
      return presentSvm(credential);
    case 'transfer':
      return { ok: true, payment: { flow: 'made', rail: 'transfer', credential } };
  }
}

function readMeta(given: unknown): string | undefined {
  const text = typeof given === 'object' && given !== null ? encodeTextAsBase64(JSON.stringify(given)) : given;
  if (typeof text !== 'string') return undefined;
  return text.trim() === '' || text.length > MAX_CREDENTIAL_CHARS ? undefined : text.trim();
}

/** The JSON of a credential in one spelling of white space. */
function compactJson(text: string): string {
  const json = decodeBase64Text(text.trim());
  if (json === undefined) return text.trim().toLowerCase();
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json; // Not JSON: the parser of credentials says so.
  }
}
