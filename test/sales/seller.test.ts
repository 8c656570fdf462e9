import { expect, test } from 'vitest';
import { findConfigurationFault } from '../../src/sales/seller.ts';
import { PAY_TO } from '../payment/terms/offer-cases.ts';

const GOOD = { payTo: PAY_TO, facilitatorUrl: 'https://facilitator.test/x402', rpcUrl: 'https://rpc.test' };

test.each([
  ['everything set', GOOD, false],
  [
    'loopback in the local stack',
    { ...GOOD, facilitatorUrl: 'http://127.0.0.1:4020', rpcUrl: 'http://localhost:8545' },
    true,
  ],
])('P8: payments are taken with %s', (_what, settings, local) => {
  expect(findConfigurationFault(settings, local)).toBeUndefined();
});

test.each([
  ['no payee', { ...GOOD, payTo: undefined }, /PAY_TO/],
  ['an empty payee', { ...GOOD, payTo: '' }, /PAY_TO/],
  ['a payee that is no address', { ...GOOD, payTo: 'vitalik.eth' }, /PAY_TO/],
  ['the zero address', { ...GOOD, payTo: `0x${'0'.repeat(40)}` }, /zero/],
  ['a well-known test account', { ...GOOD, payTo: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }, /everyone knows/],
  ['no facilitator', { ...GOOD, facilitatorUrl: undefined }, /FACILITATOR_URL/],
  [
    'a facilitator without https',
    { ...GOOD, facilitatorUrl: 'http://facilitator.test' },
    /FACILITATOR_URL is not https/,
  ],
  ['an RPC on loopback', { ...GOOD, rpcUrl: 'https://127.0.0.1:8545' }, /RPC_URL is on loopback/],
  ['an RPC on loopback in another spelling', { ...GOOD, rpcUrl: 'https://0x7f.1/' }, /RPC_URL is on loopback/],
  ['an RPC on IPv6 loopback', { ...GOOD, rpcUrl: 'https://[::1]:8545' }, /RPC_URL is on loopback/],
  ['an RPC on mapped loopback', { ...GOOD, rpcUrl: 'https://[::ffff:127.0.0.1]' }, /RPC_URL is on loopback/],
  ['an RPC on localhost', { ...GOOD, rpcUrl: 'https://rpc.localhost.' }, /RPC_URL is on loopback/],
  ['an RPC that is no URL', { ...GOOD, rpcUrl: 'rpc' }, /RPC_URL/],
])('P8: no payment is taken with %s', (_what, settings, fault) => {
  expect(findConfigurationFault(settings, false)).toMatch(fault);
});

test('P8: the local stack refuses test accounts as payees too', () => {
  expect(findConfigurationFault({ ...GOOD, payTo: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720' }, true)).toMatch(
    /everyone knows/,
  );
});
