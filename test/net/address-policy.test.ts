import { describe, expect, test } from 'vitest';
import {
  type AddressPolicy,
  allowLoopbackExcept,
  allowPublicAnd,
  allowPublicOnly,
} from '../../src/net/address-policy.ts';

const verdict = (policy: AddressPolicy, url: string, from?: string): string =>
  policy.checkUrl(new URL(url), from === undefined ? undefined : new URL(from))?.reason ?? 'allowed';
const dial = (policy: AddressPolicy, url: string, address: string): string =>
  policy.checkAddress(new URL(url), address)?.reason ?? 'allowed';

describe('publicOnly', () => {
  const policy = allowPublicOnly();

  test.each([
    ['https://example.com/', 'allowed'],
    ['http://8.8.8.8/', 'allowed'],
    ['https://example.com:8443/', 'port_refused'],
    ['http://localhost:3000/', 'private_target'],
    ['http://127.0.0.1/', 'private_target'],
    ['http://a..b/', 'invalid_url'],
  ])('%s is %s', (url, expected) => expect(verdict(policy, url)).toBe(expected));

  test.each([
    ['93.184.216.34', 'allowed'],
    ['2606:4700::1', 'allowed'],
    ['127.0.0.1', 'private_target'],
    ['::ffff:10.0.0.1', 'private_target'],
    ['fe80::1%eth0', 'private_target'],
    ['169.254.169.254', 'private_target'],
  ])('a public name that resolves to %s is %s', (address, expected) => {
    expect(dial(policy, 'https://example.com/', address)).toBe(expected);
  });
});

describe('publicAnd', () => {
  const policy = allowPublicAnd([
    'http://localhost:3000/start',
    'http://nas.lan',
    'https://[::1]:8443',
    'https://example.com',
    'http://169.254.169.254',
    'http://metadata.google.internal',
  ]);

  test.each([
    ['http://localhost:3000/other', undefined, 'allowed'],
    ['http://localhost.:3000/', undefined, 'allowed'],
    ['http://nas.lan/', undefined, 'allowed'],
    ['https://[0:0:0:0:0:0:0:1]:8443/', undefined, 'allowed'],
    ['https://elsewhere.example/', undefined, 'allowed'],
    ['http://localhost:3000/', 'http://nas.lan/', 'allowed'],
    ['https://example.com/', 'http://localhost:3000/', 'allowed'],
    ['http://169.254.169.254/latest/', undefined, 'allowed'],
    ['https://localhost:3000/', undefined, 'private_target'],
    ['http://localhost:3001/', undefined, 'private_target'],
    ['http://localhost:3001/', 'http://localhost:3000/', 'private_target'],
    ['http://127.0.0.1:3000/', undefined, 'private_target'],
    ['http://nas.lan:8080/', undefined, 'private_target'],
    ['http://169.254.169.253/', undefined, 'private_target'],
    ['http://192.168.0.1/', 'http://nas.lan/', 'private_target'],
    ['http://localhost:3000/', 'https://example.com/', 'private_target'],
    ['http://169.254.169.254/latest/', 'https://example.com/', 'private_target'],
    ['http://metadata.google.internal/', 'https://example.com/', 'private_target'],
    ['https://example.com:3000/', undefined, 'port_refused'],
  ])('F1: %s, redirected to by %s, is %s', (url, from, expected) => expect(verdict(policy, url, from)).toBe(expected));

  test.each([
    ['http://localhost:3000/', '127.0.0.1', 'allowed'],
    ['http://nas.lan/', '192.168.1.9', 'allowed'],
    ['http://nas.lan/', '93.184.216.34', 'allowed'],
    ['http://metadata.google.internal/', '169.254.169.254', 'allowed'],
    ['http://nas.lan/', '169.254.169.254', 'private_target'],
    ['http://nas.lan/', 'fd00:ec2::254', 'private_target'],
    ['http://nas.lan/', '::ffff:169.254.169.254', 'private_target'],
    ['http://nas.lan/', 'not an address', 'private_target'],
    ['https://example.com/', '127.0.0.1', 'private_target'],
    ['https://example.com/', '10.1.2.3', 'private_target'],
  ])('F1: %s resolved to %s is %s', (url, address, expected) => expect(dial(policy, url, address)).toBe(expected));

  test('F1: without a typed origin it is publicOnly', () => {
    expect(verdict(allowPublicAnd([]), 'http://127.0.0.1/')).toBe('private_target');
  });

  test('a typed text that is no URL is a bug of the caller', () => {
    expect(() => allowPublicAnd(['not a url'])).toThrow(TypeError);
  });
});

describe('loopbackExcept', () => {
  const policy = allowLoopbackExcept([8545, 8789, 80]);

  test.each([
    ['http://127.0.0.1:4000/', undefined, 'allowed'],
    ['http://localhost:4000/', undefined, 'allowed'],
    ['http://[::1]:4000/', undefined, 'allowed'],
    ['https://example.com/', undefined, 'allowed'],
    ['http://127.0.0.1:4001/', 'http://127.0.0.1:4000/', 'allowed'],
    ['http://127.0.0.1:8545/', undefined, 'private_target'],
    ['http://127.0.0.1:8545/', 'http://127.0.0.1:4000/', 'private_target'],
    ['http://localhost.:8789/', undefined, 'private_target'],
    ['http://127.9.9.9/', undefined, 'private_target'],
    ['http://[::ffff:127.0.0.1]:4000/', undefined, 'private_target'],
    ['http://0.0.0.0:4000/', undefined, 'private_target'],
    ['http://192.168.0.1:4000/', undefined, 'private_target'],
    ['http://169.254.169.254/', undefined, 'private_target'],
    ['http://127.0.0.1:4000/', 'https://example.com/', 'private_target'],
    ['https://example.com:4000/', undefined, 'port_refused'],
  ])('F3: %s, redirected to by %s, is %s', (url, from, expected) => expect(verdict(policy, url, from)).toBe(expected));

  test.each([
    ['http://localhost:4000/', '127.0.0.1', 'allowed'],
    ['http://localhost:4000/', '::1', 'allowed'],
    ['https://example.com/', '93.184.216.34', 'allowed'],
    ['http://localhost:4000/', '192.168.0.1', 'private_target'],
    ['http://localhost:4000/', '93.184.216.34', 'private_target'],
    ['https://example.com/', '127.0.0.1', 'private_target'],
  ])('F3: %s resolved to %s is %s', (url, address, expected) => expect(dial(policy, url, address)).toBe(expected));
});
