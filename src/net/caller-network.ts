/** The /64 of an IPv6 address, which belongs to one household or server. @param address without brackets, zone and dotted end */
export function computeIpv6Network(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

const IPV6_CALLER = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):[0-9a-f]{1,4}::\/64$/;

/**
 * The network that a caller can take many addresses from: the /48 of an IPv6 caller (which `callerOf` names by its /64),
 * otherwise the caller itself. A limit that counts networks too cannot be multiplied by 65,536 at no cost.
 */
export function computeCallerNetwork(caller: string): string {
  const prefix = IPV6_CALLER.exec(caller)?.[1];
  return prefix === undefined ? caller : `${prefix}::/48`;
}

/** An IPv4 client as a front writes it that knows IPv6 only: mapped (RFC 4291) or translated (RFC 6052), as the URL parser spells it. */
const IPV4_INSIDE = /^(?:::ffff|64:ff9b:):(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

/**
 * Who a caller is, by its address: an IPv4 address itself, in whatever spelling a front writes it, and an IPv6 address by
 * its /64. Text that is no address is a caller of its own.
 */
export function normaliseCallerAddress(address: string): string {
  if (!address.includes(':')) return address;
  const url = URL.parse(`http://[${address}]/`);
  if (url === null) return computeIpv6Network(address);
  const spelled = url.hostname.slice(1, -1);
  const inside = IPV4_INSIDE.exec(spelled);
  if (inside === null) return computeIpv6Network(spelled);
  const [high, low] = [inside[1] ?? '0', inside[2] ?? '0'].map((group) => Number.parseInt(group, 16));
  return [high, low].flatMap((bits = 0) => [bits >> 8, bits & 0xff]).join('.');
}
