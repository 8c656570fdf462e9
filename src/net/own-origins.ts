/** Names of this machine, as URLs write them. */
const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** The origins at which a service is reached: that of its URL, or, on this machine, that port by each of its names. */
export function listOwnOrigins(ownUrl: string): readonly string[] {
  const { hostname, origin } = new URL(ownUrl);
  if (!LOOPBACK_NAMES.includes(hostname)) return [origin];
  return LOOPBACK_NAMES.map((name) => {
    const url = new URL(ownUrl);
    url.hostname = name;
    return url.origin;
  });
}
