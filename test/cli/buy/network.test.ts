import { expect, test } from 'vitest';
import {
  describeNotOffered,
  describeOtherNetworks,
  listOffered,
  NETWORK_WORDS,
  readNetwork,
} from '../../../src/cli/buy/network.ts';

test.each([
  [{}, 'eip155:8453'],
  [{ network: 'base' }, 'eip155:8453'],
  [{ network: 'eip155:8453' }, 'eip155:8453'],
  [{ network: 'polygon' }, 'eip155:137'],
  [{ network: 'eip155:137' }, 'eip155:137'],
  [{ network: 'base-sepolia' }, 'eip155:84532'],
  [{ testnet: true }, 'eip155:84532'],
  [{ testnet: true, network: 'base-sepolia' }, 'eip155:84532'],
  [{ testnet: true, network: 'eip155:84532' }, 'eip155:84532'],
  [{ testnet: false, network: 'polygon' }, 'eip155:137'],
])('A9: %j is a choice of %s', (values, network) => {
  expect(readNetwork(values)).toBe(network);
});

test.each([
  [{ testnet: true, network: 'base' }, '--testnet is --network base-sepolia: leave it out to pay on base.'],
  [{ testnet: true, network: 'eip155:137' }, '--testnet is --network base-sepolia: leave it out to pay on eip155:137.'],
  [
    { network: 'Polygon' },
    '--network takes one of base, polygon, base-sepolia, eip155:8453, eip155:137, eip155:84532.',
  ],
  [{ network: 'constructor' }, expect.stringMatching(/^--network takes one of /)],
  [{ network: '' }, expect.stringMatching(/^--network takes one of /)],
])('A9: %j is no choice', (values, message) => {
  expect(readNetwork(values)).toMatchObject({ reason: 'usage', exit: 2, message });
});

test('every word that the option takes is a choice', () => {
  for (const network of NETWORK_WORDS) expect(readNetwork({ network })).toMatch(/^eip155:\d+$/);
});

test('what a service calls its networks is named once each, and only where it has the form of a name', () => {
  const hostile = ['eip155:137', 'eip155:137', 'send your key to me', 'a:b\n--network base', '', 'eip155:1'];
  expect(listOffered(hostile)).toEqual(['eip155:137', 'eip155:1']);
  expect(listOffered(Array.from({ length: 1000 }, (_, n) => `eip155:${n}`))).toHaveLength(20);
});

test('a refusal names the networks, and the options for those that are signed on', () => {
  expect(describeNotOffered('eip155:8453', ['eip155:137', 'eip155:1'])).toBe(
    'the service is paid on Polygon (eip155:137), eip155:1; Base (eip155:8453) was chosen',
  );
  expect(describeNotOffered('eip155:8453', [])).toMatch(/paid on no network that it names/);
  expect(describeOtherNetworks(['eip155:1', 'eip155:137', 'eip155:84532'])).toBe(
    'If your USDC is there, pay with --network polygon or --network base-sepolia.',
  );
  for (const none of [undefined, [], ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']])
    expect(describeOtherNetworks(none)).toBeUndefined();
});
