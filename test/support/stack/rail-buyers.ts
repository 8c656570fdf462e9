import type { Hex } from 'viem';
import type { Account } from '../../../local/chain/chain.ts';
import type { Stack } from '../../../local/stack.ts';
import type { StackRailId } from '../../payment/rails/rail-cases.ts';
import { proveRepeat, signChallenge } from './mpp-signing.ts';
import { type Order, present, presentWith, sign } from './presenting.ts';
import { prove } from './transfers.ts';

/** One payment of a buyer on the local chain. */
export type RailPurchase = {
  buyer: Account;
  /** Sends the request with the payment: with a fresh credential where the rail asks for one each time. */
  send: (order?: Order) => Promise<Response>;
};

export type RailBuyer = (stack: Stack, buyer: Account, priceMicroUsdc: bigint) => Promise<RailPurchase>;

async function buyByX402(stack: Stack, buyer: Account): Promise<RailPurchase> {
  const credential = await sign(stack, buyer);
  return { buyer, send: (order = {}) => present(stack, order, credential) };
}

async function buyByTransfer(stack: Stack, buyer: Account, priceMicroUsdc: bigint): Promise<RailPurchase> {
  const hash: Hex = await stack.chain.transfer(buyer, stack.seller.address, priceMicroUsdc);
  return { buyer, send: async (order = {}) => present(stack, order, await prove(stack, buyer, hash, order)) };
}

async function buyByMpp(stack: Stack, buyer: Account): Promise<RailPurchase> {
  const { authorization, nonce } = await signChallenge(stack, buyer);
  return {
    buyer,
    send: async (order = {}) =>
      presentWith(stack, order, { authorization, 'payer-proof': await proveRepeat(stack, buyer, nonce, order) }),
  };
}

/** How a buyer on the local chain pays for one check of the good site, by each rail. */
export const railBuyers: Readonly<Record<StackRailId, RailBuyer>> = {
  'x402-evm': buyByX402,
  mpp: buyByMpp,
  transfer: buyByTransfer,
};
