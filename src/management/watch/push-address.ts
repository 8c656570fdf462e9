import { classifyHost } from '../../net/address.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { Refusal, refuse } from '../../lib/refusal.ts';

/** Longest address of a channel. */
const MAX_ADDRESS_CHARS = 2_048;

/**
 * The URL that a channel's notifications go to: https, to a host and port that the policy allows (rules F5, K8). Http is
 * taken for loopback alone, and only where the policy allows loopback: that of a deployment never does.
 * @throws Refusal in the words of the vendor's push interfaces
 */
export function pushAddress(text: string, policy: AddressPolicy): URL {
  if (text.length > MAX_ADDRESS_CHARS || !URL.canParse(text)) throw refuse.invalidInput('address');
  const url = new URL(text);
  const isPlain = url.protocol === 'http:';
  const isLoopback = classifyHost(url.hostname).kind === 'loopback';
  if (url.protocol !== 'https:' && !(isPlain && isLoopback)) throw notHttps(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') throw refuse.invalidInput('address');
  if (policy.checkUrl(url) !== undefined) throw isPlain ? notHttps(text) : unauthorized(text);
  return url;
}

const notHttps = (address: string): Refusal =>
  refused('push.webhookUrlNotHttps', `WebHook callback must be HTTPS: ${address}`);

const unauthorized = (address: string): Refusal =>
  refused('push.webhookUrlUnauthorized', `Unauthorized WebHook callback channel: ${address}`);

const refused = (reason: string, message: string): Refusal =>
  new Refusal({ status: 400, word: 'INVALID_ARGUMENT', reason, message });
