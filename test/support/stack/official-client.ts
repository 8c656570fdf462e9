import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { Account } from '../../../local/chain/chain.ts';
import type { Stack } from '../../../local/stack.ts';
import { type Order, present } from './presenting.ts';

/** The official client as its documentation sets it up: one line, no settings. */
export const officialClient = (buyer: Account): x402Client =>
  new x402Client().register('eip155:8453', new ExactEvmScheme(buyer.account));

/** The terms of a fresh 402 in the official decoder's words. */
export async function requiredOf(stack: Omit<Stack, 'stripe'>, order: Order = {}): Promise<PaymentRequired> {
  return decodePaymentRequiredHeader((await present(stack, order)).headers.get('payment-required') ?? '');
}
