import { CHAIN_ID, NETWORK, USDC, USDC_DOMAIN, USDC_LOWER } from './constants.ts';

/** Base mainnet, where a deployment sells unless its settings name another network. */
export const BASE = {
  id: NETWORK,
  chainId: CHAIN_ID,
  name: 'Base',
  usdc: USDC,
  /** The same address as keys, comparisons and logs spell it (rule P21). */
  usdcLower: USDC_LOWER,
  /** EIP-712 domain of the token, with `chainId` and `usdc`. */
  domain: USDC_DOMAIN,
} as const;

/** The public test network of Base: its USDC is worth nothing, and its token says another name of itself. */
export const BASE_SEPOLIA = {
  id: 'eip155:84532',
  chainId: 84_532,
  name: 'Base Sepolia',
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  usdcLower: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  domain: { name: 'USDC', version: '2' },
} as const;

/** The networks that can be sold on, by their CAIP-2 names. A deployment has one, so its ledger never mixes them. */
export const PAYMENT_NETWORKS = { [BASE.id]: BASE, [BASE_SEPOLIA.id]: BASE_SEPOLIA } as const;

export type PaymentNetwork = (typeof PAYMENT_NETWORKS)[keyof typeof PAYMENT_NETWORKS];

/** The names, as settings and schemas list them. */
export const PAYMENT_NETWORK_IDS = [BASE.id, BASE_SEPOLIA.id] as const;

/** The network that a setting names; without one, or with a name that is none, Base. */
export const findPaymentNetwork = (id: string | undefined): PaymentNetwork =>
  Object.values(PAYMENT_NETWORKS).find((network) => network.id === id) ?? BASE;

/** A text of ours that names Base and its USDC, for another network. It never names two. */
export const toTextOfNetwork = (text: string, { id, name, usdc }: PaymentNetwork): string =>
  id === BASE.id
    ? text
    : text
        .replaceAll(BASE.id, id)
        .replaceAll(BASE.usdc, usdc)
        .replaceAll(`USDC on ${BASE.name}`, `USDC on ${name}, a test network,`);
