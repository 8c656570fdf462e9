import { BASE, POLYGON } from './networks-data.ts';

/** The networks that our pages have wallets pay on: main networks only, wherever the page comes from (rule P8). */
const PAGE_NETWORKS = [BASE, POLYGON] as const;
export type PageNetwork = (typeof PAGE_NETWORKS)[number];

/** The network of a CAIP-2 name that pages have wallets pay on; undefined for every other text. */
export const findPageNetwork = (id: string | undefined): PageNetwork | undefined =>
  PAGE_NETWORKS.find((network) => network.id === id);

/**
 * The networks as a wallet takes one in that it does not know yet (EIP-3085): public data of their makers, for Polygon as
 * viem 2.57 has it (September 2026).
 * @see https://docs.base.org/base-chain/quickstart/connecting-to-base
 */
export const WALLET_CHAINS = {
  [BASE.id]: {
    chainName: BASE.name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['https://mainnet.base.org'],
    blockExplorerUrls: ['https://basescan.org'],
  },
  [POLYGON.id]: {
    chainName: POLYGON.name,
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
    rpcUrls: ['https://polygon.drpc.org'],
    blockExplorerUrls: ['https://polygonscan.com'],
  },
} as const satisfies Record<PageNetwork['id'], object>;

/** What people call the networks that wallets are on most, by chain id. */
export const CHAIN_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'Ethereum'],
  [10, 'OP Mainnet'],
  [56, 'BNB Smart Chain'],
  [100, 'Gnosis'],
  [137, 'Polygon'],
  [324, 'zkSync Era'],
  [8453, 'Base'],
  [42_161, 'Arbitrum One'],
  [43_114, 'Avalanche'],
  [59_144, 'Linea'],
  [84_532, 'Base Sepolia'],
  [11_155_111, 'Sepolia'],
]);
