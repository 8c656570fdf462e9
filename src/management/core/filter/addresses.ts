/** Addresses of one block: `bits` of them are the same as `value`'s first. */
type Block = { family: 4 | 6; value: bigint; bits: number };

const BITS = { 4: 32, 6: 128 } as const;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const LENGTH = /^\d{1,3}$/;
const GROUPS = 8;
const MAX_ADDRESS_CHARS = 50;

/** An IPv4 or IPv6 address, or a block of them (`10.1.2.0/24`, `1:2::/48`); undefined for anything else. */
export function parseBlock(text: string): Block | undefined {
  if (text.length > MAX_ADDRESS_CHARS) return undefined;
  const [head = '', length, ...more] = text.split('/');
  const ipv4 = parseIpv4(head);
  const value = ipv4 ?? parseIpv6(head);
  if (value === undefined || more.length > 0) return undefined;
  const family = ipv4 === undefined ? 6 : 4;
  const bits = length === undefined ? BITS[family] : LENGTH.test(length) ? Number(length) : Infinity;
  return bits <= BITS[family] ? { family, value, bits } : undefined;
}

/** Whether all addresses of one block are in another. */
export function isInside(inner: Block, outer: Block): boolean {
  if (inner.family !== outer.family || inner.bits < outer.bits) return false;
  const shift = BigInt(BITS[outer.family] - outer.bits);
  return inner.value >> shift === outer.value >> shift;
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part) && Number(part) < 256)) return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** RFC 4291: eight groups, one run of zeros as `::`, the last two perhaps written as an IPv4 address. */
function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [left, right = []] = halves.map((half, index) => parseHexGroups(half, index === halves.length - 1));
  if (left === undefined || right === undefined) return undefined;
  const missing = GROUPS - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...left, ...Array<bigint>(missing).fill(0n), ...right];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function parseHexGroups(half: string, isLast: boolean): bigint[] | undefined {
  if (half === '') return [];
  const parts = half.split(':');
  const tail = isLast ? parseIpv4(parts.at(-1) ?? '') : undefined;
  const hex = tail === undefined ? parts : parts.slice(0, -1);
  if (!hex.every((part) => GROUP.test(part))) return undefined;
  const groups = hex.map((part) => BigInt(`0x${part}`));
  return tail === undefined ? groups : [...groups, tail >> 16n, tail & 0xffffn];
}
