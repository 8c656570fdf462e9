import { BASE } from './networks-data.ts';

/**
 * Base as a wallet takes it in that does not know it yet (EIP-3085): public data of the network's makers.
 * @see https://docs.base.org/base-chain/quickstart/connecting-to-base
 */
export const BASE_CHAIN = {
  chainId: BASE.chainId,
  chainName: BASE.name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://mainnet.base.org'],
  blockExplorerUrls: ['https://basescan.org'],
} as const;

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
