import { promises as dns } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { FetchStopped } from '../../net/fetched.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';

/** Gives all addresses of a name, in the order they should be tried. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RESPONSE_HEADER_BYTES = 64 * 1024;
/** Connections to one origin, kept for the requests that follow: as many as the platform allows one request of a Worker. */
const MAX_CONNECTIONS = 6;

/**
 * Makes the fetch that the command line gives to `createGuardedFetch`. It resolves a name once per connection, asks
 * `policy` about every address, and dials only those: what was judged is what is dialled, so a name that changes its
 * answer gains nothing (rule F1). A connection that is used again belongs to its origin and to the address that was judged. The TLS server name stays the host name. Rejects with a `FetchStopped` as cause when
 * the policy refuses. Environment variables that name a proxy are ignored: a proxy would resolve for itself.
 */
export function createNodeFetch(policy: AddressPolicy, resolve: ResolveName = resolveBySystem): FetchFunction {
  const connect: buildConnector.connector = (options, callback) => {
    const url = formatDialledUrl(options);
    const refusal = policy.checkUrl(url);
    if (refusal) return callback(new FetchStopped(refusal.reason, refusal.detail), null);
    const lookup = createLookup(policy, url, resolve);
    return buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false })(options, callback);
  };
  const dispatcher = new Agent({ connect, connections: MAX_CONNECTIONS, maxHeaderSize: MAX_RESPONSE_HEADER_BYTES });
  return (url, init) => undiciFetch(url, { ...init, dispatcher });
}

/** The connector names IPv6 hosts without their brackets. */
function formatDialledUrl({ protocol, hostname, port }: buildConnector.Options): URL {
  return new URL(`${protocol}//${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`);
}

/**
 * The lookup of a connection to the host of `url`: every address is judged, not only the one that will be tried first.
 * Fails with a `FetchStopped` when the policy refuses one.
 */
export function createLookup(policy: AddressPolicy, url: URL, resolve: ResolveName): LookupFunction {
  const judge = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new FetchStopped('connection_failed', 'the name has no address');
    for (const address of addresses) {
      const refusal = policy.checkAddress(url, address);
      if (refusal) throw new FetchStopped(refusal.reason, refusal.detail);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
  return (hostname, options, callback) => {
    judge(hostname, (error, found) => {
      if (error) callback(error, []);
      else if (options.all) callback(null, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    });
  };
}

export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const found = await dns.lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
}
