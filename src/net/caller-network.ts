const IPV6_CALLER = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):[0-9a-f]{1,4}::\/64$/;

/**
 * The network that a caller can take many addresses from: the /48 of an IPv6 caller (which `callerOf` names by its /64),
 * otherwise the caller itself. A limit that counts networks too cannot be multiplied by 65,536 at no cost.
 */
export function networkOf(caller: string): string {
  const prefix = IPV6_CALLER.exec(caller)?.[1];
  return prefix === undefined ? caller : `${prefix}::/48`;
}
