import {
  BASE,
  BASE_SEPOLIA,
  findEvmNetwork,
  findSaleNetwork,
  PAYMENT_NETWORKS,
} from '../../payment/terms/networks-data.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';

/** A network that a wallet of ours signs on, where its owner chose it: its token is in our table. */
export type PaymentNetwork = keyof typeof PAYMENT_NETWORKS;

const formatWord = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** What `--network` takes: the names, and what standards call them (CAIP-2). */
export const NETWORK_WORDS: readonly string[] = [
  ...Object.values(PAYMENT_NETWORKS).map(({ name }) => formatWord(name)),
  ...Object.keys(PAYMENT_NETWORKS),
];

/** The network of a word that `--network` takes. */
const findByWord = (word: string): PaymentNetwork | undefined =>
  Object.values(PAYMENT_NETWORKS).find(({ id, name }) => id === word || formatWord(name) === word)?.id;

/** The network that was chosen by `--network` or `--testnet`; Base where neither was given. */
export function readNetwork(values: {
  network?: string | undefined;
  testnet?: boolean | undefined;
}): PaymentNetwork | CommandFailure {
  const { network: word, testnet } = values;
  const named = word === undefined ? undefined : findByWord(word);
  if (word !== undefined && named === undefined)
    return refuseUsage(`--network takes one of ${NETWORK_WORDS.join(', ')}.`);
  if (testnet !== true) return named ?? BASE.id;
  return named === undefined || named === BASE_SEPOLIA.id
    ? BASE_SEPOLIA.id
    : refuseUsage(`--testnet is --network ${formatWord(BASE_SEPOLIA.name)}: leave it out to pay on ${word}.`);
}

/** Entries of a 402, or of a catalogue, that are looked through for networks. */
const MAX_OFFERED = 20;
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;

/** The networks that a service offers, by what standards call them. */
export const listOffered = (networks: readonly string[]): readonly string[] => [
  ...new Set(networks.slice(0, MAX_OFFERED).filter((id) => CAIP2.test(id))),
];

/** `eip155:137` as `Polygon (eip155:137)`. */
const formatNetwork = (id: string): string => {
  const name = findSaleNetwork(id)?.name;
  return name === undefined ? id : `${name} (${id})`;
};

/** Why nothing is paid on `chosen`. */
export const describeNotOffered = (chosen: PaymentNetwork, offered: readonly string[]): string =>
  `the service is paid on ${offered.map(formatNetwork).join(', ') || 'no network that it names'}; ${formatNetwork(chosen)} was chosen`;

/** What to type to pay where the service is paid; undefined where this wallet signs on none of its networks. */
export function describeOtherNetworks(offered: readonly string[] = []): string | undefined {
  const words = offered.flatMap((id) => findEvmNetwork(id) ?? []).map(({ name }) => `--network ${formatWord(name)}`);
  return words.length === 0 ? undefined : `If your USDC is there, pay with ${words.join(' or ')}.`;
}

/** Of an open transfer on another network than the chosen one: it is not paid again, and not sent again from here. */
export const describeEarlierTransfer = (id: string): string =>
  `This order was paid before by a transfer on ${formatNetwork(id)}: choose that network to have it sent again if it never arrived`;
