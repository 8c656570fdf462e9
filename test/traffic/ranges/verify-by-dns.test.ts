import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeResolver } from '../../../src/cli/core/node-dns.ts';
import { type DnsResolver, MAX_REVERSE_NAMES, verifyByDns } from '../../../src/traffic/ranges/verify-by-dns.ts';
import { startDnsServer } from './dns-server.ts';

const reverseOf = (address: string): string => `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
const GOOGLE_V6 = '2001:4860:4801:10::1';
const reverseV6 = `1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa`;
const many = Array.from({ length: MAX_REVERSE_NAMES + 1 }, (_, index) => `host${index}.example`);

const records = {
  [reverseOf('66.249.66.1')]: { ptr: ['crawl-66-249-66-1.googlebot.com'] },
  'crawl-66-249-66-1.googlebot.com': { a: ['66.249.66.1'] },
  [reverseV6]: { ptr: ['crawl-v6.googlebot.com'] },
  'crawl-v6.googlebot.com': { aaaa: [GOOGLE_V6] },
  [reverseOf('66.249.66.2')]: { ptr: ['other.example', 'Two.GoogleBot.com'] },
  'two.googlebot.com': { a: ['66.249.66.9', '66.249.66.2'] },
  [reverseOf('5.6.7.1')]: { ptr: ['crawl-5-6-7-1.googlebot.com'] },
  'crawl-5-6-7-1.googlebot.com': { a: ['66.249.66.1'] },
  [reverseOf('5.6.7.2')]: { ptr: ['gone.googlebot.com'] },
  [reverseOf('5.6.7.3')]: { ptr: ['crawl-5-6-7-3.fakegooglebot.com'] },
  'crawl-5-6-7-3.fakegooglebot.com': { a: ['5.6.7.3'] },
  [reverseOf('5.6.7.4')]: { ptr: ['googlebot.com.attacker.example'] },
  'googlebot.com.attacker.example': { a: ['5.6.7.4'] },
  [reverseOf('5.6.7.5')]: { ptr: [] },
  [reverseOf('5.6.7.7')]: 'fails',
  [reverseOf('5.6.7.8')]: { ptr: ['slow.googlebot.com'] },
  'slow.googlebot.com': 'fails',
  [reverseOf('5.6.7.9')]: { ptr: many },
} as const;

let server: Awaited<ReturnType<typeof startDnsServer>>;
let resolver: DnsResolver;

beforeAll(async () => {
  server = await startDnsServer(records);
  resolver = createNodeResolver([server.address]);
});
afterAll(async () => await server.stop());

describe('a visitor under the name of Googlebot, by a DNS server', () => {
  test.each([
    ['66.249.66.1', 'verified', 'its name has it'],
    [`::ffff:66.249.66.1`, 'verified', 'as an IPv6 socket writes it'],
    [GOOGLE_V6, 'verified', 'IPv6'],
    ['66.249.66.2', 'verified', 'one of two names, in other letters, has it among others'],
    ['5.6.7.1', 'pretended', 'a stranger gave it a name of Google, which does not have it'],
    ['5.6.7.2', 'pretended', 'that name does not exist'],
    ['5.6.7.3', 'pretended', 'the suffix is not at the border of a label'],
    ['5.6.7.4', 'pretended', 'the suffix is in the middle'],
    ['5.6.7.5', 'pretended', 'it has no names'],
    ['5.6.7.6', 'pretended', 'its reverse name does not exist'],
    ['5.6.7.7', 'claimed', 'the reverse lookup fails'],
    ['5.6.7.8', 'claimed', 'the forward lookup fails'],
    ['5.6.7.9', 'claimed', 'it has more names than are read'],
  ])('%s: %s, since %s', async (address, verdict) => {
    expect(await verifyByDns('Googlebot', address, resolver)).toBe(verdict);
  });
});

test.each([
  ['GPTBot', '66.249.66.1', 'its owner documents no names'],
  ['Nobot', '66.249.66.1', 'it is no agent of the roster'],
  ['CCBot', GOOGLE_V6, 'its owner documents names for IPv4 only'],
  ['Googlebot', '10.0.0.7', 'the address is private'],
  ['Googlebot', '203.0.113.xxx', 'the address is hidden'],
])('%s from %s is asked of no server, since %s', async (token, address) => {
  const before = server.asked.length;
  expect(await verifyByDns(token, address, resolver)).toBe('claimed');
  expect(server.asked).toHaveLength(before);
});

test('a resolver that never answers is given up', async () => {
  const never = async (): Promise<readonly string[]> => await new Promise(() => undefined);
  expect(await verifyByDns('Googlebot', '66.249.66.1', { reverse: never, forward: never }, 1)).toBe('claimed');
});
