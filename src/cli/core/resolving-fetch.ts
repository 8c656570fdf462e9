import { Agent, buildConnector, fetch as undiciFetch } from 'undici';

const CONNECT_TIMEOUT_MS = 20_000;

/** Where a host answers that is a stand-in's; `*` is every host. */
export function findResolved(host: string, resolve: ReadonlyMap<string, string>): URL | undefined {
  const target = resolve.get(host) ?? resolve.get('*');
  return target === undefined ? undefined : new URL(target);
}

/** A fetch that dials where a stand-in answers for a host. The name in the request and in the handshake stays. */
export function createResolvingFetch(resolve: ReadonlyMap<string, string>): typeof fetch {
  const dial = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  const dispatcher = new Agent({
    connect: (options, callback) => {
      const target = findResolved(options.hostname, resolve);
      if (target === undefined) return dial(options, callback);
      const { hostname, port, host } = target;
      return dial({ ...options, host, hostname, port, servername: options.servername ?? options.hostname }, callback);
    },
  });
  // The classes of undici are those of Node.
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}
