import { BASE, BASE_SEPOLIA } from '../payment/terms/networks-data.ts';

/** USDC of one network. `domain`: what an authorization is signed under, where it is known. */
type KnownToken = { asset: string; domain?: { name: string; version: string } };

const USD_COIN = { name: 'USD Coin', version: '2' };

/**
 * USDC by the names of networks, those of version 1 included.
 * @see https://developers.circle.com/stablecoins/usdc-contract-addresses
 */
const KNOWN_TOKENS: Readonly<Record<string, KnownToken>> = {
  [BASE.id]: { asset: BASE.usdc, domain: BASE.domain },
  base: { asset: BASE.usdc, domain: BASE.domain },
  [BASE_SEPOLIA.id]: { asset: BASE_SEPOLIA.usdc, domain: BASE_SEPOLIA.domain },
  'base-sepolia': { asset: BASE_SEPOLIA.usdc, domain: BASE_SEPOLIA.domain },
  'eip155:137': { asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', domain: USD_COIN },
  polygon: { asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', domain: USD_COIN },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': { asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
  solana: { asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
};

/** Networks that facilitators settle on, beside those whose USDC is above: their tokens are not judged. */
const OTHER_NETWORKS: ReadonlySet<string> = new Set([
  'eip155:1',
  'eip155:10',
  'eip155:42161',
  'eip155:43113',
  'eip155:43114',
  'eip155:80002',
  'eip155:480',
  'eip155:1329',
  'eip155:4689',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
]);

export const findKnownToken = (network: string): KnownToken | undefined =>
  Object.hasOwn(KNOWN_TOKENS, network) ? KNOWN_TOKENS[network] : undefined;

export const isKnownNetwork = (network: string): boolean =>
  findKnownToken(network) !== undefined || OTHER_NETWORKS.has(network);

export const isEvmNetwork = (network: string): boolean => network.startsWith('eip155:') || network.startsWith('base');
