import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEvmSigner } from '@x402/evm';
import type { Account } from '../../../local/chain/chain.ts';
import type { Stack } from '../../../local/stack.ts';

/** Times a request is repeated while the service says "come back": longer than a lease and a settlement last. */
const MAX_REPEATS = 90;
const REPEAT_EVERY_MS = 1000;

let callers = 0;
/** A caller of its own, so that limits per caller do not meet between tests. */
const freshCaller = (): string => {
  callers += 1;
  return `192.0.${Math.floor(callers / 250)}.${callers % 250}`;
};

export type Order = { capability?: string; body?: Record<string, unknown> };

/** One request to a paid route of the stack, with or without a credential. */
export const present = (
  stack: Omit<Stack, 'stripe'>,
  order: Order,
  credential?: string,
  signal: AbortSignal | null = null,
): Promise<Response> =>
  presentWith(stack, order, credential === undefined ? {} : { 'payment-signature': credential }, signal);

/** The same, with headers of any rail. */
export function presentWith(
  stack: Omit<Stack, 'stripe'>,
  order: Order,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`${stack.api.url}/api/agent/${order.capability ?? 'check_health'}`, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': freshCaller(),
      ...headers,
    },
    body: JSON.stringify(order.body ?? { url: stack.sites.good }),
  });
}

/** A credential that the official client signs over fresh terms. */
export async function sign(stack: Omit<Stack, 'stripe'>, buyer: Account, order: Order = {}): Promise<string> {
  return credentialOf(await present(stack, order), buyer.account);
}

/** A credential for the terms of a 402. */
export async function credentialOf(unpaid: Response, signer: ClientEvmSigner): Promise<string> {
  const required = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const client = new x402Client()
    .register('eip155:8453', new ExactEvmScheme(signer))
    .setSpendControls({ maxAmountPerPayment: '$5' });
  return encodePaymentSignatureHeader(await client.createPaymentPayload(required));
}

/** Presents the same credential again while the answer is 409, 503 or no answer at all, as an honest client does. */
export const presentUntilDecided = (
  stack: Omit<Stack, 'stripe'>,
  order: Order,
  credential: string,
): Promise<Response> => repeatUntilDecided(() => present(stack, order, credential));

/** The same for a request that is made anew each time. */
export async function repeatUntilDecided(send: () => Promise<Response>): Promise<Response> {
  for (let repeat = 0; repeat < MAX_REPEATS; repeat += 1) {
    const answer = await send().catch(() => undefined); // The Worker may be down: a crash test.
    const code =
      answer && answer.status !== 200 ? ((await answer.clone().json()) as { code?: string }).code : undefined;
    const again =
      answer === undefined || answer.status === 503 || answer.status === 500 || code === 'payment_in_progress';
    if (answer && !again) return answer;
    await sleep(REPEAT_EVERY_MS);
  }
  throw new Error(`not decided after ${MAX_REPEATS} repeats`);
}

export const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { code: string }).code;
