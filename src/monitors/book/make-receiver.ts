import type { Receiver, ReceiverRequest } from '../core/receiver.ts';
import type { RandomHex } from './ids.ts';

const ID_BYTES = 8;
const TOKEN_BYTES = 16;
/** Of a secret by Standard Webhooks. */
const SECRET_BYTES = 32;

/** A receiver with an id, and with the secrets that are ours to make. */
export function makeReceiver(request: ReceiverRequest, random: RandomHex): Receiver {
  const id = `rcv_${random(ID_BYTES)}`;
  if (request.kind === 'webhook') return { ...request, id, secret: makeWebhookSecret(random) };
  if (request.kind === 'feed') return { ...request, id, token: makeFeedToken(random) };
  if (request.kind === 'email') {
    const { kind, address, language } = request;
    return { id, kind, address, confirmedAtMs: null, ...(language === undefined ? {} : { language }) };
  }
  return { ...request, id };
}

/** The same receiver with a new secret, or a new address of its feed; undefined for one that has neither. */
export function renewReceiver(receiver: Receiver, random: RandomHex): Receiver | undefined {
  if (receiver.kind === 'webhook') return { ...receiver, secret: makeWebhookSecret(random) };
  return receiver.kind === 'feed' ? { ...receiver, token: makeFeedToken(random) } : undefined;
}

const makeFeedToken = (random: RandomHex): string => random(TOKEN_BYTES);

function makeWebhookSecret(random: RandomHex): string {
  const bytes = Uint8Array.from(random(SECRET_BYTES).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
