import { isText } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** Names in the store of a reseller's tenant. */
export const RESELLER = {
  /** id = customer id, s1 = domain; names: DOMAIN. */
  customers: 'reseller.customers',
  /** Present primary domains of customers, lower case. */
  domainNames: 'reseller.domain',
  /** id = `<customer id>/<subscription id>`, s1 = `<domain>/<subscription id>`, ref = customer id: a list of all of them is one index. */
  subscriptions: 'reseller.subscriptions',
  /** What was transferred to the vendor; parent = customer id, id = subscription id. */
  transferred: 'reseller.transferred',
  /** id = address of a service account that hears of changes. */
  listeners: 'reseller.listeners',
} as const;

const MAX_TOKEN_CHARS = 128;
const HEX = /^[0-9a-fA-F]+$/;

/** @throws Refusal 400 for a token that is missing or not hexadecimal */
export function requireHex(token: unknown, name: string): void {
  if (!isText(token) || token === '') throw vendorRefusals.required(name);
  if (token.length > MAX_TOKEN_CHARS || !HEX.test(token)) throw vendorRefusals.invalidInput(name);
}
