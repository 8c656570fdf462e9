import type { InsideKind } from './special-addresses.ts';

/**
 * Names that never leave the machine or its network, or that are known to lead inside. A row stands for the name and
 * for everything below it. Matched before any name is resolved: on Workers nothing else of ours sees the address.
 */
export const specialNames = new Map<string, InsideKind>([
  // Special-use and private-use names: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's `internal`.
  ['localhost', 'loopback'],
  ['local', 'private'],
  ['internal', 'private'],
  ['onion', 'private'],
  ['alt', 'private'],
  ['arpa', 'private'],
  ['test', 'private'],

  // Suffixes that routers, resolvers and container networks make up; none is delegated in the public root.
  ['localdomain', 'loopback'],
  ['localdomain4', 'loopback'],
  ['localdomain6', 'loopback'],
  ['lan', 'private'],
  ['home', 'private'],
  ['corp', 'private'],
  ['intranet', 'private'],
  ['private', 'private'],
  ['localnet', 'private'],
  ['workgroup', 'private'],
  ['svc', 'private'],
  ['consul', 'private'],
  ['docker', 'private'],
  ['i2p', 'private'],
  ['fritz.box', 'private'],

  // Metadata services that have a name.
  ['metadata.google.internal', 'metadata'],
  ['metadata.goog', 'metadata'],
  ['metadata.azure.internal', 'metadata'],
  ['instance-data.ec2.internal', 'metadata'],
  ['metadata.packet.net', 'metadata'],
  ['metadata.platformequinix.com', 'metadata'],
  ['metadata.tencentyun.com', 'metadata'],
  ['metadata.cloud.ibm.com', 'metadata'],
  ['metadata.nicob.net', 'metadata'],

  // Public names that answer with loopback, with the address they spell, or with a different one each time.
  ['nip.io', 'private'],
  ['sslip.io', 'private'],
  ['xip.io', 'private'],
  ['backname.io', 'private'],
  ['traefik.me', 'private'],
  ['localtest.me', 'private'],
  ['lvh.me', 'private'],
  ['vcap.me', 'private'],
  ['localho.st', 'private'],
  ['lacolhost.com', 'private'],
  ['1u.ms', 'private'],
  ['rbndr.us', 'private'],
  ['rebind.network', 'private'],
  ['nicob.net', 'private'],
  ['spoofed.burpcollaborator.net', 'private'],
  ['mail.ebc.apple.com', 'private'],
  ['bugbounty.dod.network', 'private'],
]);

/** Names of one label that cloud images know; any other single label is private. */
export const singleLabelKinds = new Map<string, InsideKind>([
  ['metadata', 'metadata'],
  ['instance-data', 'metadata'],
  ['rancher-metadata', 'metadata'],
  ['ip6-localhost', 'loopback'],
  ['ipv6-localhost', 'loopback'],
  ['ip6-loopback', 'loopback'],
  ['localhost4', 'loopback'],
  ['localhost6', 'loopback'],
]);
