import { describe, expect, test } from 'vitest';
import { normaliseCallerAddress, computeCallerNetwork } from '../../src/net/caller-network.ts';

describe('B8: who a caller is by its address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is %s', (address, caller) => {
    expect(normaliseCallerAddress(address)).toBe(caller);
  });

  test.each(['::ffff:203.0.113.7', '::FFFF:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7', '64:ff9b::203.0.113.7'])(
    '%s, as a front of two address families writes an IPv4 client, is that client and not a /64 that all share',
    (address) => {
      expect(normaliseCallerAddress(address)).toBe('203.0.113.7');
    },
  );

  test.each([
    ['2001::b1e8:0:907:88.104.0.0', '2001:0:0:b1e8::/64'],
    ['2001:0:0:b1e8:0:907:88.104.0.0', '2001:0:0:b1e8::/64'],
  ])('%s, whose end is dotted, is in %s', (address, caller) => {
    expect(normaliseCallerAddress(address)).toBe(caller);
  });

  test('a text that is no address keeps being one caller', () => {
    expect(normaliseCallerAddress('not:an:address')).toBe(normaliseCallerAddress('not:an:address'));
  });

  test('networks are the /48 of a caller', () => {
    expect(computeCallerNetwork(normaliseCallerAddress('2001:db8:1:2::5'))).toBe('2001:db8:1::/48');
    expect(computeCallerNetwork(normaliseCallerAddress('::ffff:203.0.113.7'))).toBe('203.0.113.7');
  });
});
