/** `loopback`: this machine. `metadata`: where clouds hand out credentials. `private`: anything else that is not the public internet. */
export type InsideKind = 'loopback' | 'metadata' | 'private';

export type SpecialPrefix = { prefix: string; name: string; kind: InsideKind; source: string };

/**
 * Addresses that answer with credentials of the machine that asks, beside 169.254.0.0/16. Most lie inside a wider
 * prefix below, so they are matched first: a policy that opens private addresses must still keep these shut.
 */
export const metadataPrefixes = [
  { prefix: '100.100.100.200/32', name: 'Alibaba Cloud metadata', kind: 'metadata', source: 'vendor' },
  { prefix: '168.63.129.16/32', name: 'Azure wire server', kind: 'metadata', source: 'vendor' },
  { prefix: '192.0.0.192/32', name: 'Oracle Cloud metadata', kind: 'metadata', source: 'vendor' },
  { prefix: 'fd00:ec2::254/128', name: 'AWS metadata', kind: 'metadata', source: 'vendor' },
  { prefix: 'fd20:ce::254/128', name: 'Google Cloud metadata', kind: 'metadata', source: 'vendor' },
] as const satisfies readonly SpecialPrefix[];

/**
 * The IANA IPv4 special-purpose registry. Every prefix is refused, those marked "globally reachable" too: anycast
 * services of the network live there, no web site does.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/
 */
export const ianaIpv4Prefixes = [
  { prefix: '0.0.0.0/8', name: 'This network', kind: 'private', source: 'RFC 791' },
  { prefix: '0.0.0.0/32', name: 'This host on this network', kind: 'private', source: 'RFC 1122' },
  { prefix: '10.0.0.0/8', name: 'Private-Use', kind: 'private', source: 'RFC 1918' },
  { prefix: '100.64.0.0/10', name: 'Shared Address Space', kind: 'private', source: 'RFC 6598' },
  { prefix: '127.0.0.0/8', name: 'Loopback', kind: 'loopback', source: 'RFC 1122' },
  { prefix: '169.254.0.0/16', name: 'Link Local', kind: 'metadata', source: 'RFC 3927' },
  { prefix: '172.16.0.0/12', name: 'Private-Use', kind: 'private', source: 'RFC 1918' },
  { prefix: '192.0.0.0/24', name: 'IETF Protocol Assignments', kind: 'private', source: 'RFC 6890' },
  { prefix: '192.0.0.0/29', name: 'IPv4 Service Continuity Prefix', kind: 'private', source: 'RFC 7335' },
  { prefix: '192.0.0.8/32', name: 'IPv4 dummy address', kind: 'private', source: 'RFC 7600' },
  { prefix: '192.0.0.9/32', name: 'Port Control Protocol Anycast', kind: 'private', source: 'RFC 7723' },
  { prefix: '192.0.0.10/32', name: 'Traversal Using Relays around NAT Anycast', kind: 'private', source: 'RFC 8155' },
  { prefix: '192.0.0.170/32', name: 'NAT64/DNS64 Discovery', kind: 'private', source: 'RFC 8880' },
  { prefix: '192.0.0.171/32', name: 'NAT64/DNS64 Discovery', kind: 'private', source: 'RFC 8880' },
  { prefix: '192.0.2.0/24', name: 'Documentation (TEST-NET-1)', kind: 'private', source: 'RFC 5737' },
  { prefix: '192.31.196.0/24', name: 'AS112-v4', kind: 'private', source: 'RFC 7535' },
  { prefix: '192.52.193.0/24', name: 'AMT', kind: 'private', source: 'RFC 7450' },
  { prefix: '192.88.99.0/24', name: 'Deprecated (6to4 Relay Anycast)', kind: 'private', source: 'RFC 7526' },
  { prefix: '192.88.99.2/32', name: '6a44-relay anycast address', kind: 'private', source: 'RFC 6751' },
  { prefix: '192.168.0.0/16', name: 'Private-Use', kind: 'private', source: 'RFC 1918' },
  { prefix: '192.175.48.0/24', name: 'Direct Delegation AS112 Service', kind: 'private', source: 'RFC 7534' },
  { prefix: '198.18.0.0/15', name: 'Benchmarking', kind: 'private', source: 'RFC 2544' },
  { prefix: '198.51.100.0/24', name: 'Documentation (TEST-NET-2)', kind: 'private', source: 'RFC 5737' },
  { prefix: '203.0.113.0/24', name: 'Documentation (TEST-NET-3)', kind: 'private', source: 'RFC 5737' },
  { prefix: '240.0.0.0/4', name: 'Reserved', kind: 'private', source: 'RFC 1112' },
  { prefix: '255.255.255.255/32', name: 'Limited Broadcast', kind: 'private', source: 'RFC 919' },
] as const satisfies readonly SpecialPrefix[];

/**
 * The IANA IPv6 special-purpose registry. The prefixes that carry an IPv4 address inside (mapped, NAT64, 6to4,
 * Teredo) are refused as a whole, whatever they carry.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export const ianaIpv6Prefixes = [
  { prefix: '::1/128', name: 'Loopback Address', kind: 'loopback', source: 'RFC 4291' },
  { prefix: '::/128', name: 'Unspecified Address', kind: 'private', source: 'RFC 4291' },
  { prefix: '::ffff:0:0/96', name: 'IPv4-mapped Address', kind: 'private', source: 'RFC 4291' },
  { prefix: '64:ff9b::/96', name: 'IPv4-IPv6 Translat.', kind: 'private', source: 'RFC 6052' },
  { prefix: '64:ff9b:1::/48', name: 'IPv4-IPv6 Translat.', kind: 'private', source: 'RFC 8215' },
  { prefix: '100::/64', name: 'Discard-Only Address Block', kind: 'private', source: 'RFC 6666' },
  { prefix: '100:0:0:1::/64', name: 'Dummy IPv6 Prefix', kind: 'private', source: 'RFC 9780' },
  { prefix: '2001::/23', name: 'IETF Protocol Assignments', kind: 'private', source: 'RFC 2928' },
  { prefix: '2001::/32', name: 'TEREDO', kind: 'private', source: 'RFC 4380' },
  { prefix: '2001:1::1/128', name: 'Port Control Protocol Anycast', kind: 'private', source: 'RFC 7723' },
  { prefix: '2001:1::2/128', name: 'Traversal Using Relays around NAT Anycast', kind: 'private', source: 'RFC 8155' },
  {
    prefix: '2001:1::3/128',
    name: 'DNS-SD Service Registration Protocol Anycast',
    kind: 'private',
    source: 'RFC 9665',
  },
  { prefix: '2001:2::/48', name: 'Benchmarking', kind: 'private', source: 'RFC 5180' },
  { prefix: '2001:3::/32', name: 'AMT', kind: 'private', source: 'RFC 7450' },
  { prefix: '2001:4:112::/48', name: 'AS112-v6', kind: 'private', source: 'RFC 7535' },
  { prefix: '2001:10::/28', name: 'Deprecated (previously ORCHID)', kind: 'private', source: 'RFC 4843' },
  { prefix: '2001:20::/28', name: 'ORCHIDv2', kind: 'private', source: 'RFC 7343' },
  { prefix: '2001:30::/28', name: 'Drone Remote ID Protocol Entity Tags', kind: 'private', source: 'RFC 9374' },
  { prefix: '2001:db8::/32', name: 'Documentation', kind: 'private', source: 'RFC 3849' },
  { prefix: '2002::/16', name: '6to4', kind: 'private', source: 'RFC 3056' },
  { prefix: '2620:4f:8000::/48', name: 'Direct Delegation AS112 Service', kind: 'private', source: 'RFC 7534' },
  { prefix: '3fff::/20', name: 'Documentation', kind: 'private', source: 'RFC 9637' },
  { prefix: '5f00::/16', name: 'Segment Routing (SRv6) SIDs', kind: 'private', source: 'RFC 9602' },
  { prefix: 'fc00::/7', name: 'Unique-Local', kind: 'private', source: 'RFC 4193' },
  { prefix: 'fe80::/10', name: 'Link-Local Unicast', kind: 'private', source: 'RFC 4291' },
] as const satisfies readonly SpecialPrefix[];

/** What the special-purpose registries leave out: not unicast, or never handed out to a site. */
export const otherPrefixes = [
  { prefix: '224.0.0.0/4', name: 'Multicast', kind: 'private', source: 'RFC 5771' },
  { prefix: '::/96', name: 'IPv4-compatible Address', kind: 'private', source: 'RFC 4291, section 2.5.5.1' },
  { prefix: '::/3', name: 'Outside Global Unicast', kind: 'private', source: 'RFC 4291, section 2.4' },
  { prefix: '4000::/2', name: 'Outside Global Unicast', kind: 'private', source: 'RFC 4291, section 2.4' },
  { prefix: '8000::/1', name: 'Outside Global Unicast', kind: 'private', source: 'RFC 4291, section 2.4' },
] as const satisfies readonly SpecialPrefix[];

/**
 * Where an IPv4 address hides in an IPv6 one: `shift` is how many bits lie to its right, `inverted` means that its bits
 * are flipped (Teredo hides the client's address so).
 */
export const embeddings = [
  { prefix: '::ffff:0:0/96', shift: 0, inverted: false },
  { prefix: '::/96', shift: 0, inverted: false },
  { prefix: '64:ff9b::/96', shift: 0, inverted: false },
  { prefix: '64:ff9b:1::/48', shift: 0, inverted: false },
  { prefix: '2002::/16', shift: 80, inverted: false },
  { prefix: '2001::/32', shift: 0, inverted: true },
] as const;
