import { isBase64url } from '../../../lib/base64url.ts';
import { isObject, isText } from '../../../lib/json.ts';
import { MAX_CREDENTIAL_CHARS } from '../../terms/constants.ts';
import type { CredentialCarrier } from '../rail.ts';
import { parseMppCredential, selectPaymentCredential } from './credential.ts';
import { encodeJson } from './encoding.ts';
import { presentMpp } from './payment.ts';

/**
 * Authorization of the scheme `Payment`, or the `_meta` member that the scheme has for JSON-RPC: an object, which has one
 * spelling through both doors (rule P23). Other schemes are no payments (rule A12).
 * @see https://paymentauth.org/draft-payment-transport-mcp-00.html
 */
export const mppCarrier: CredentialCarrier = {
  header: 'Authorization',
  readHeader: selectPaymentCredential,
  metaKey: 'org.paymentauth/credential',
  readMeta,
  metaForm: `an object nor a text of 1 to ${MAX_CREDENTIAL_CHARS} characters of base64url`,
  isSame: (header, meta) => header === meta,
  parse(text) {
    const parsed = parseMppCredential(text);
    return parsed.ok ? { ok: true, payment: presentMpp(parsed.credential) } : parsed;
  },
};

function readMeta(given: unknown): string | undefined {
  if (isObject(given)) return encodeJson(given);
  return isText(given) && given !== '' && given.length <= MAX_CREDENTIAL_CHARS && isBase64url(given)
    ? given
    : undefined;
}
