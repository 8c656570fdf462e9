import { ADDRESS_WORDS, joinAddressWords, readAddressWords } from './address-words.ts';
import {
  embeddings,
  ianaIpv4Prefixes,
  ianaIpv6Prefixes,
  type InsideKind,
  metadataPrefixes,
  otherPrefixes,
  type SpecialPrefix,
} from './special-addresses.ts';

/**
 * Names that never leave the machine or its network, or that are known to lead inside. A row covers the name and
 * everything below it. Matched before any name is resolved: on Workers nothing else of ours sees the address.
 */
const specialNames = new Map<string, InsideKind>([
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
const singleLabelKinds = new Map<string, InsideKind>([
  ['metadata', 'metadata'],
  ['instance-data', 'metadata'],
  ['rancher-metadata', 'metadata'],
  ['ip6-localhost', 'loopback'],
  ['ipv6-localhost', 'loopback'],
  ['ip6-loopback', 'loopback'],
  ['localhost4', 'loopback'],
  ['localhost6', 'loopback'],
]);

/**
 * What a host is. `public`: may be on the internet (a name is not resolved here). The kinds of `InsideKind` are
 * reached only through a policy that opens them; `malformed` names no host at all. `detail` is a sentence for a report.
 */
export type HostClass = { kind: 'public' } | { kind: InsideKind | 'malformed'; detail: string };

type Address = { family: 4 | 6; value: bigint };
type Block = { family: 4 | 6; shift: bigint; head: bigint; row: SpecialPrefix };

const BITS = { 4: 32n, 6: 128n } as const;
const IPV4_MASK = 0xffff_ffffn;
const MAX_NAME_CHARS = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const PUBLIC: HostClass = { kind: 'public' };
const words = new Uint32Array(ADDRESS_WORDS);

const blocks = [...metadataPrefixes, ...ianaIpv4Prefixes, ...ianaIpv6Prefixes, ...otherPrefixes].map(toBlock);
const embeddingBlocks = embeddings.map((row) => ({
  ...row,
  block: toBlock({ ...row, name: '', kind: 'private', source: '' }),
}));
const dns64 = toBlock({ prefix: '64:ff9b::/96', name: '', kind: 'private', source: 'RFC 6052' });

/**
 * Classifies `url.hostname` of a PARSED URL: the parser has by then turned decimal, octal, hex and full-width hosts
 * into dotted quads, so no other spelling is understood here. One trailing dot is ignored. Resolves nothing: a
 * public-looking name may still lead inside, which `AddressPolicy.checkAddress` or the platform's egress must stop.
 */
export function classifyHost(hostname: string): HostClass {
  const host = withoutTrailingDot(hostname).toLowerCase();
  if (host.startsWith('[') && host.endsWith(']')) return classifyAddress(host.slice(1, -1));
  return isIpv4(host) ? classifyAddress(host) : classifyName(host);
}

/** Classifies an IP address without brackets. Text that is none, or that has a zone (`fe80::1%eth0`), is `malformed`. */
export function classifyAddress(text: string): HostClass {
  const address = parseAddress(text);
  if (!address) return { kind: 'malformed', detail: 'not an IP address, or one with a zone' };
  const row = blocks.find((block) => isInBlock(block, address))?.row;
  if (!row) return PUBLIC;
  const inner = findEmbeddedIpv4(address);
  const hidden = inner === undefined ? undefined : classifyAddress(inner);
  const kind = hidden?.kind === 'metadata' ? 'metadata' : row.kind;
  const copy = inner === undefined || row.kind === 'loopback' ? '' : `, holding ${inner}`;
  return { kind, detail: `the address lies in ${row.prefix} (${row.name}, ${row.source})${copy}` };
}

/**
 * Classifies an address that a resolver gave for a name. Differs from `classifyAddress` in one case: on an IPv6-only
 * network DNS64 answers `64:ff9b::/96` for every IPv4 site, so there the IPv4 address inside decides.
 */
export function classifyResolved(text: string): HostClass {
  const address = parseAddress(text);
  if (!address || !isInBlock(dns64, address)) return classifyAddress(text);
  return classifyAddress(formatIpv4(address.value & IPV4_MASK));
}

/** Strips one trailing dot, the root of DNS: `localhost.` is `localhost`. Two dots are no name and stay, to be refused. */
export function withoutTrailingDot(hostname: string): string {
  return hostname.endsWith('.') && !hostname.endsWith('..') ? hostname.slice(0, -1) : hostname;
}

/** Whether `hostname` (of a parsed URL) is an IP literal, which no resolver is asked about. */
export function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || isIpv4(hostname);
}

function classifyName(name: string): HostClass {
  const labels = name.split('.');
  const listed = labels.map((_, index) => labels.slice(index).join('.')).find((suffix) => specialNames.has(suffix));
  const kind = listed === undefined ? undefined : specialNames.get(listed);
  if (kind) return { kind, detail: `names under "${listed}" lead inside a machine or a private network` };
  if (name.length > MAX_NAME_CHARS || !labels.every((label) => LABEL.test(label))) {
    return { kind: 'malformed', detail: 'the host is not a name that DNS can hold' };
  }
  if (labels.length === 1) {
    return {
      kind: singleLabelKinds.get(name) ?? 'private',
      detail: 'a name without a dot belongs to a private network',
    };
  }
  if (TOP_LABEL.test(labels.at(-1) ?? '')) return PUBLIC;
  return { kind: 'malformed', detail: 'the host does not end in a top-level domain' };
}

/** The IPv4 address that a translated, mapped or tunnelled IPv6 address carries. */
function findEmbeddedIpv4(address: Address): string | undefined {
  const found = embeddingBlocks.find((row) => isInBlock(row.block, address));
  if (!found) return undefined;
  const bits = (address.value >> BigInt(found.shift)) & IPV4_MASK;
  return formatIpv4(found.inverted ? bits ^ IPV4_MASK : bits);
}

function isInBlock(block: Block, address: Address): boolean {
  return block.family === address.family && address.value >> block.shift === block.head;
}

function toBlock(row: SpecialPrefix): Block {
  const [text = '', length = ''] = row.prefix.split('/');
  const address = parseAddress(text);
  if (!address) throw new Error(`the table of special addresses holds a bad prefix: ${row.prefix}`);
  const shift = BITS[address.family] - BigInt(length);
  return { family: address.family, shift, head: address.value >> shift, row };
}

function parseAddress(text: string): Address | undefined {
  const family = readAddressWords(text, words);
  return family === 0 ? undefined : { family, value: joinAddressWords(words) };
}

const isIpv4 = (text: string): boolean => readAddressWords(text, words) === 4;

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
}
