import { BASE_GENESIS_HASH, CHAIN_ID, NETWORK, USDC, USDC_DOMAIN, USDC_LOWER } from './constants.ts';

/** Whether USDC of a network is money. A deployment has networks of one kind. */
export type NetworkKind = 'main' | 'test';

type EvmRow = {
  /** CAIP-2. */
  id: `eip155:${number}`;
  kind: NetworkKind;
  chainId: number;
  name: string;
  usdc: `0x${string}`;
  /** The same address as keys, comparisons and logs spell it (rule P21). */
  usdcLower: `0x${string}`;
  /** EIP-712 domain of the token, with `chainId` and `usdc`. */
  domain: { name: string; version: string };
  /** Hash of block 0: which chain a node really serves, since a local chain may have any id (rule P8). */
  genesisHash: `0x${string}`;
  /** Seconds between blocks: only the first guess of where to look. */
  blockTimeS: number;
  /** The block tag behind which nothing changes any more. */
  finalTag: 'safe' | 'finalized';
};

/** Base mainnet, where a deployment sells unless its settings name another network. */
export const BASE = {
  id: NETWORK,
  kind: 'main',
  chainId: CHAIN_ID,
  name: 'Base',
  usdc: USDC,
  usdcLower: USDC_LOWER,
  domain: USDC_DOMAIN,
  genesisHash: BASE_GENESIS_HASH,
  blockTimeS: 2,
  finalTag: 'safe',
} as const satisfies EvmRow;

/**
 * Polygon PoS. Token and domain as `@x402/evm` 2.27.0 has them (`defaultAssets.ts`, September 2026); block 0 and the period
 * of blocks as its node software has them (0xPolygon/bor, `internal/cli/server/chains/mainnet.go`, 6c113974); `finalized` is
 * the last milestone. Read in November 2026.
 * @see https://docs.polygon.technology/pos/concepts/finality/finality
 */
export const POLYGON = {
  id: 'eip155:137',
  kind: 'main',
  chainId: 137,
  name: 'Polygon',
  usdc: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  usdcLower: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  domain: USDC_DOMAIN,
  genesisHash: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
  blockTimeS: 1,
  finalTag: 'finalized',
} as const satisfies EvmRow;

/**
 * The public test network of Base: its USDC is worth nothing, and its token says another name of itself. Block 0 as the
 * registry of its makers has it (ethereum-optimism/superchain-registry, `superchain/configs/sepolia/base.toml`).
 */
export const BASE_SEPOLIA = {
  id: 'eip155:84532',
  kind: 'test',
  chainId: 84_532,
  name: 'Base Sepolia',
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  usdcLower: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  domain: { name: 'USDC', version: '2' },
  genesisHash: '0x0dcc9e089e30b90ddfc55be9a37dd15bc551aeee999d2e2b51414c54eaf934e4',
  blockTimeS: 2,
  finalTag: 'safe',
} as const satisfies EvmRow;

/** The EVM networks that can be sold on, by their CAIP-2 names. */
export const PAYMENT_NETWORKS = { [BASE.id]: BASE, [POLYGON.id]: POLYGON, [BASE_SEPOLIA.id]: BASE_SEPOLIA } as const;

export type PaymentNetwork = (typeof PAYMENT_NETWORKS)[keyof typeof PAYMENT_NETWORKS];

/** The names that a deployment may have as its first network, as settings and schemas list them. */
export const PAYMENT_NETWORK_IDS = [BASE.id, BASE_SEPOLIA.id] as const;

/** The network that a setting names; without one, or with a name that is none, Base. */
export const findPaymentNetwork = (id: string | undefined): PaymentNetwork =>
  Object.values(PAYMENT_NETWORKS).find((network) => network.id === id) ?? BASE;

/** The EVM network of a CAIP-2 name; undefined for every other text. */
export const findEvmNetwork = (id: string): PaymentNetwork | undefined =>
  Object.values(PAYMENT_NETWORKS).find((network) => network.id === id);

type SvmRow = {
  /** CAIP-2: its reference is the beginning of the hash of block 0, which so says itself what a node really serves. */
  id: `solana:${string}`;
  kind: NetworkKind;
  name: string;
  /** Mint of USDC, in base58. */
  usdc: string;
};

/**
 * Solana, whose tokens move by transactions and not by authorizations. Names and mints as `@x402/svm` 2.27.0 has them
 * (`constants.ts`, `defaultAssets.ts`, September 2026).
 */
export const SOLANA = {
  id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  kind: 'main',
  name: 'Solana',
  usdc: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const satisfies SvmRow;

/** The public test network of Solana. */
export const SOLANA_DEVNET = {
  id: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  kind: 'test',
  name: 'Solana Devnet',
  usdc: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
} as const satisfies SvmRow;

export const SVM_NETWORKS = { [SOLANA.id]: SOLANA, [SOLANA_DEVNET.id]: SOLANA_DEVNET } as const;

export type SvmNetwork = (typeof SVM_NETWORKS)[keyof typeof SVM_NETWORKS];

/** The Solana network of a CAIP-2 name; undefined for every other text. */
export const findSvmNetwork = (id: string): SvmNetwork | undefined =>
  Object.values(SVM_NETWORKS).find((network) => network.id === id);

/** Any network that a sale may be paid on. */
export type SaleNetwork = PaymentNetwork | SvmNetwork;

export const findSaleNetwork = (id: string): SaleNetwork | undefined => findEvmNetwork(id) ?? findSvmNetwork(id);

/** A network whose token knows authorizations and transfers. @throws TypeError for every other */
export function requireEvm(network: SaleNetwork): PaymentNetwork {
  if ('chainId' in network) return network;
  throw new TypeError(`${network.id} is no EVM network`);
}

/** A text of ours that names Base and its USDC, for another first network. It never names two. */
export const toTextOfNetwork = (text: string, { id, name, usdc }: PaymentNetwork): string =>
  id === BASE.id
    ? text
    : text
        .replaceAll(BASE.id, id)
        .replaceAll(BASE.usdc, usdc)
        .replaceAll(`USDC on ${BASE.name}`, `USDC on ${name}, a test network,`);
