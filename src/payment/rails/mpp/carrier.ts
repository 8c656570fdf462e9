import { isObject } from '../../../lib/json.ts';
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
  readMeta: (given) => (isObject(given) ? encodeJson(given) : undefined),
  metaForm: 'an object with challenge and payload',
  isSame: (header, meta) => header === meta,
  parse(text) {
    const parsed = parseMppCredential(text);
    return parsed.ok ? { ok: true, payment: presentMpp(parsed.credential) } : parsed;
  },
};
