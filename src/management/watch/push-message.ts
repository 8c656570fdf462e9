import { Refusal, vendorRefusals } from '../../lib/refusal.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { classifyHost } from '../../net/address.ts';

/** Longest address of a channel. */
const MAX_ADDRESS_CHARS = 2_048;

/**
 * The URL that a channel's notifications go to: https, to a host and port that the policy allows (rules F5, K8). Http is
 * taken for loopback alone, and only where the policy allows loopback: that of a deployment never does.
 * @throws Refusal in the words of the vendor's push interfaces
 */
export function pushAddress(text: string, policy: AddressPolicy): URL {
  if (text.length > MAX_ADDRESS_CHARS || !URL.canParse(text)) throw vendorRefusals.invalidInput('address');
  const url = new URL(text);
  const isPlain = url.protocol === 'http:';
  const isLoopback = classifyHost(url.hostname).kind === 'loopback';
  if (url.protocol !== 'https:' && !(isPlain && isLoopback)) throw refuseNonHttps(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') throw vendorRefusals.invalidInput('address');
  if (policy.checkUrl(url) !== undefined) throw isPlain ? refuseNonHttps(text) : refuseUnauthorizedHost(text);
  return url;
}

const refuseNonHttps = (address: string): Refusal =>
  refuseAddress('push.webhookUrlNotHttps', `WebHook callback must be HTTPS: ${address}`);

const refuseUnauthorizedHost = (address: string): Refusal =>
  refuseAddress('push.webhookUrlUnauthorized', `Unauthorized WebHook callback channel: ${address}`);

const refuseAddress = (reason: string, message: string): Refusal =>
  new Refusal({ status: 400, word: 'INVALID_ARGUMENT', reason, message });

/** Informs the push queue's consumer that a channel's notification is due. The tenant's object stores its text. */
export type PushMessage = {
  tenant: string;
  channelId: string;
  /** The message number: 1 for sync. */
  number: number;
};

/** Which message of the tenant. */
export type PushKey = Pick<PushMessage, 'channelId' | 'number'>;

/** What goes to a channel's address. It holds the channel's token: for no log. */
export type PushRequest = { url: string; headers: Record<string, string>; body?: string };

/**
 * What came of it: `retry` where the vendor's senders try again, `failed` where the message is lost. `slow`: it was
 * delivered, but took so long that it counts towards a pause of its channel.
 */
export type PushOutcome = 'delivered' | 'slow' | 'retry' | 'failed';

/** What the consumer of the push queue asks the tenant's object, by RPC. */
export type PushCalls = {
  /** The request to send now. Null: nothing is to be done for this message, or not now, and the object itself comes back to it. */
  takePush: (key: PushKey) => Promise<PushRequest | null>;
  /** Says what came of it. @returns seconds after which the queue brings it again; null when it is done with */
  pushed: (key: PushKey, outcome: PushOutcome) => Promise<number | null>;
};
