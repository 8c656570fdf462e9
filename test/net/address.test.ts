import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress, classifyHost, classifyResolved } from '../../src/net/address.ts';
import { ianaIpv4Prefixes, ianaIpv6Prefixes } from '../../src/net/special-addresses.ts';
import { benignUrls, ianaPrefixes, lines } from './corpora.ts';
import { budgetFor } from '../support/runner/budget.ts';

const ipv4Csv = ianaPrefixes('iana-ipv4-special-registry-1.csv');
const ipv6Csv = ianaPrefixes('iana-ipv6-special-registry-1.csv');

const kindOf = (url: string): string => classifyHost(new URL(url).hostname).kind;
const formatIpv4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const formatIpv6 = (value: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');

function parse(text: string): bigint {
  if (text.includes('.')) return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);
  const [head = '', tail = ''] = text.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = Array<string>(text.includes('::') ? 8 - left.length - right.length : 0).fill('0');
  return [...left, ...zeros, ...right].reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n);
}

/** First, middle and last address of a prefix. */
function samples(prefix: string, bits: bigint): bigint[] {
  const [text = '', length = ''] = prefix.split('/');
  const first = parse(text);
  const size = 1n << (bits - BigInt(length));
  return [first, first + size / 2n, first + size - 1n];
}

const ipv4Samples = ipv4Csv.flatMap((prefix) => samples(prefix, 32n));
const ipv6Samples = ipv6Csv.flatMap((prefix) => samples(prefix, 128n));
const copies: Record<string, (ipv4: bigint) => bigint> = {
  'IPv4-mapped': (ipv4) => (0xffffn << 32n) | ipv4,
  'IPv4-compatible': (ipv4) => ipv4,
  'NAT64 well-known': (ipv4) => parse('64:ff9b::') | ipv4,
  'NAT64 local-use': (ipv4) => parse('64:ff9b:1::') | ipv4,
  '6to4': (ipv4) => parse('2002::') | (ipv4 << 80n) | 1n,
  Teredo: (ipv4) => parse('2001::') | (ipv4 ^ 0xffff_ffffn),
  'IPv4-translated': (ipv4) => (0xffffn << 48n) | ipv4,
};

describe('special addresses', () => {
  test('the tables hold exactly the prefixes of the IANA registries', () => {
    expect([ipv4Csv.length, ipv6Csv.length]).toEqual([26, 25]);
    expect(ianaIpv4Prefixes.map((row) => row.prefix)).toEqual(ipv4Csv);
    expect(ianaIpv6Prefixes.map((row) => row.prefix)).toEqual(ipv6Csv);
  });

  test.each(ipv4Csv)('the first, middle and last address of %s is not public', (prefix) => {
    for (const value of samples(prefix, 32n)) expect(kindOf(`http://${formatIpv4(value)}/`)).not.toBe('public');
  });

  test.each(ipv6Csv)('the first, middle and last address of %s is not public', (prefix) => {
    for (const value of samples(prefix, 128n)) expect(kindOf(`http://[${formatIpv6(value)}]/`)).not.toBe('public');
  });

  test.each(Object.keys(copies))('an %s copy of a special IPv4 address is not public', (name) => {
    const open = ipv4Samples
      .map((ipv4) => formatIpv6(copies[name]?.(ipv4) ?? 0n))
      .filter((text) => kindOf(`http://[${text}]/`) === 'public');
    expect(open).toEqual([]);
  });

  test.each(Object.keys(copies))(
    'an %s copy of a metadata address is known as metadata or refused as private',
    (name) => {
      const copy = formatIpv6(copies[name]?.(parse('169.254.169.254')) ?? 0n);
      expect(classifyAddress(copy).kind).toBe(name === 'IPv4-translated' ? 'private' : 'metadata');
    },
  );

  test('an address next to a special prefix is public', () => {
    const neighbours = [
      '11.0.0.0',
      '9.255.255.255',
      '172.32.0.0',
      '223.255.255.255',
      '2001:200::',
      '2003::',
      '3ffe:ffff::',
    ];
    expect(neighbours.filter((address) => classifyAddress(address).kind !== 'public')).toEqual([]);
  });

  test.each([
    '224.0.0.1',
    '239.255.255.255',
    'ff02::1',
    'fec0::1',
    '4000::1',
    '1::1',
    '::2',
    '::8.8.8.8',
    '::ffff:8.8.8.8',
  ])('%s is not global unicast and not public', (address) => expect(classifyAddress(address).kind).toBe('private'));

  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['::1', 'loopback'],
    ['169.254.169.254', 'metadata'],
    ['169.254.170.2', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['fd20:ce::254', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['168.63.129.17', 'public'],
    ['::ffff:127.0.0.1', 'private'],
    ['0.0.0.0', 'private'],
    ['fe80::1%eth0', 'malformed'],
    ['fe80::1%25eth0', 'malformed'],
    ['010.0.0.1', 'malformed'],
    ['1.2.3', 'malformed'],
    ['::1]/@[', 'malformed'],
    ['', 'malformed'],
  ])('%s is %s', (address, kind) => expect(classifyAddress(address).kind).toBe(kind));

  test('a resolved DNS64 address is judged by the IPv4 address inside; a literal one is never public', () => {
    expect(classifyResolved('64:ff9b::8.8.8.8').kind).toBe('public');
    expect(classifyResolved('64:ff9b::a9fe:a9fe').kind).toBe('metadata');
    expect(classifyResolved('64:ff9b::7f00:1').kind).toBe('loopback');
    expect(classifyResolved('64:ff9b:1::808:808').kind).toBe('private');
    expect(kindOf('http://[64:ff9b::808:808]/')).toBe('private');
  });

  test('detail names the prefix and the address inside', () => {
    expect(classifyAddress('::ffff:10.0.0.1')).toEqual({
      kind: 'private',
      detail: 'the address lies in ::ffff:0:0/96 (IPv4-mapped Address, RFC 4291), holding 10.0.0.1',
    });
  });
});

describe('hosts', () => {
  const parsable = [...lines('ssrf-crs.txt'), ...lines('ssrf-req-filter-blocked.txt')]
    .filter((line) => URL.canParse(line))
    .filter((line) => /^https?:$/.test(new URL(line).protocol));

  test('the SSRF lists hold enough that parses to prove something', () => {
    expect(parsable.length).toBeGreaterThan(130);
  });

  test.each(parsable)('%s of the SSRF lists is not public', (line) => expect(kindOf(line)).not.toBe('public'));

  test('at least 100 benign URLs are public', () => {
    expect(new Set(benignUrls).size).toBeGreaterThan(100);
    expect(benignUrls.filter((url) => kindOf(url) !== 'public')).toEqual([]);
  });

  test.each([
    ['localhost', 'loopback'],
    ['localhost.', 'loopback'],
    ['LOCALHOST', 'loopback'],
    ['a.b.localhost', 'loopback'],
    ['localhost.localdomain', 'loopback'],
    ['ip6-localhost', 'loopback'],
    ['router', 'private'],
    ['db.internal', 'private'],
    ['printer.local', 'private'],
    ['nas.lan', 'private'],
    ['hub.home.arpa', 'private'],
    ['1.0.0.127.in-addr.arpa', 'private'],
    ['facebookcorewwwi.onion', 'private'],
    ['kubernetes.default.svc', 'private'],
    ['fritz.box', 'private'],
    ['app.test', 'private'],
    ['10.0.0.1.nip.io', 'private'],
    ['metadata', 'metadata'],
    ['instance-data', 'metadata'],
    ['metadata.google.internal', 'metadata'],
    ['metadata.google.internal.', 'metadata'],
    ['x.metadata.goog', 'metadata'],
    ['127.0.0.1.', 'loopback'],
    ['localhost..', 'malformed'],
    ['.localhost.x..', 'malformed'],
    ['a..example.com', 'malformed'],
    ['.example.com', 'malformed'],
    ['', 'malformed'],
    ['exa mple.com', 'malformed'],
    ["o'hara.com", 'malformed'],
    ['example.123', 'malformed'],
    ['example.0x7f', 'malformed'],
    ['[fe80::1%25eth0]', 'malformed'],
    ['[::1', 'malformed'],
    [`${'a'.repeat(64)}.com`, 'malformed'],
    [`${'a.'.repeat(127)}com`, 'malformed'],
  ])('F8: the host "%s" is %s', (host, kind) => expect(classifyHost(host).kind).toBe(kind));

  test('an IPv6 zone does not even parse', () => {
    expect(URL.canParse('http://[fe80::1%25eth0]/')).toBe(false);
  });
});

describe('any spelling', () => {
  const octet = fc.nat({ max: 255 });
  const ipv4 = fc.oneof(
    fc.nat({ max: 0xffff_ffff }).map(BigInt),
    fc.constantFrom(...ipv4Samples),
    fc
      .tuple(fc.constantFrom(10n, 127n, 172n, 192n, 169n, 100n), octet, octet, octet)
      .map(([a, b, c, d]) => parse(`${a}.${b}.${c}.${d}`)),
  );
  const spellings: ((value: bigint) => string)[] = [
    (value) => value.toString(),
    (value) => `0x${value.toString(16)}`,
    (value) => `0${value.toString(8)}`,
    (value) =>
      formatIpv4(value)
        .split('.')
        .map((part) => `0x${Number(part).toString(16)}`)
        .join('.'),
    (value) =>
      formatIpv4(value)
        .split('.')
        .map((part) => `00${Number(part).toString(8)}`)
        .join('.'),
    (value) => `${value >> 24n}.${value & 0xff_ffffn}`,
    (value) => `${value >> 24n}.${(value >> 16n) & 255n}.${value & 0xffffn}.`,
    (value) => formatIpv4(value).replaceAll('.', '。'),
    (value) => formatIpv4(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    (value) => formatIpv4(value).replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`),
  ];

  test('every spelling of an IPv4 address is classified like its dotted quad', () => {
    const sameKind = fc.property(
      ipv4,
      fc.constantFrom(...spellings),
      (value, spell) => kindOf(`http://${spell(value)}/`) === classifyAddress(formatIpv4(value)).kind,
    );
    expect(fc.check(sameKind, { numRuns: budgetFor(400, 2_000) }).counterexample).toBeNull();
  });

  test('no IPv6 copy of any IPv4 address is public', () => {
    const refused = fc.property(
      ipv4,
      fc.constantFrom(...Object.values(copies)),
      (value, copy) => kindOf(`http://[${formatIpv6(copy(value))}]/`) !== 'public',
    );
    expect(fc.check(refused, { numRuns: budgetFor(200, 1_000) }).counterexample).toBeNull();
  });

  test('an IPv6 address is public only inside 2000::/3, and in every spelling or in none', () => {
    const consistent = fc.property(
      fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
      fc.constantFrom(0n, 1n, 2n),
      (bits, top) => {
        const value = top === 0n ? bits : (top << 125n) | (bits >> 3n);
        const text = formatIpv6(value);
        const kind = classifyAddress(text).kind;
        const inRange = value >> 125n === 1n || kind !== 'public';
        return inRange && kindOf(`http://[${text.toUpperCase()}]/`) === kind;
      },
    );
    expect(fc.check(consistent, { numRuns: budgetFor(200, 1_000) }).counterexample).toBeNull();
  });

  test('any string is classified without an exception, and what is public is a name or address of plain characters', () => {
    const plain = fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webAuthority(), fc.ipV6()),
      (text) => classifyHost(text).kind !== 'public' || /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/i.test(text),
    );
    expect(fc.check(plain, { numRuns: budgetFor(400, 2_000) }).counterexample).toBeNull();
  });

  test('the sample set of IPv6 prefixes is refused in bracket-free form too', () => {
    expect(ipv6Samples.filter((value) => classifyAddress(formatIpv6(value)).kind === 'public')).toEqual([]);
  });
});
