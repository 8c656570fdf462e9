import { HttpOptions_Style } from 'miniflare';
import type { Outbound } from './outbound/outbound.ts';
import { LOOPBACK } from './ports.ts';
import type { BesideWorker } from './worker.ts';
import { COMPATIBILITY_DATE } from './worker-resources-data.ts';

/** Name of the Worker that reads the network for the Worker `name`. */
export const formatOutboundName = (name: string): string => `${name}-outbound`;

/** The Worker behind every `fetch` of the Worker `name`: it hands requests to this process. Miniflare takes none but a Worker there. */
export function buildOutboundOptions(name: string, outbound: Outbound | undefined) {
  if (outbound === undefined) throw new Error(`the Worker ${name} has no network`);
  return {
    name: formatOutboundName(name),
    modules: [{ type: 'ESModule' as const, path: 'outbound.js', contents: OUTBOUND_SCRIPT }],
    compatibilityDate: COMPATIBILITY_DATE,
    serviceBindings: { NET: { external: { address: outbound.address, http: { style: HttpOptions_Style.PROXY } } } },
  };
}

const OUTBOUND_SCRIPT = 'export default { fetch: (request, { NET }) => NET.fetch(request) };';

/** Entries that are deployed take requests off the platform from a front only, which proves itself by this secret. */
export const isBehindFront = ({ bindings }: Pick<BesideWorker, 'bindings'>): boolean =>
  (bindings['FRONT_SECRET'] ?? '') !== '';

/** The front of such a Worker: it has the socket. A caller's address that a request brings is taken as it is: this is a test. */
export function buildFrontOptions({ name, port, bindings }: BesideWorker) {
  return {
    name: `${name}-front`,
    modules: [{ type: 'ESModule' as const, path: 'front.js', contents: FRONT_SCRIPT }],
    compatibilityDate: COMPATIBILITY_DATE,
    bindings: { FRONT_SECRET: bindings['FRONT_SECRET'] ?? '' },
    serviceBindings: { BEHIND: name },
    unsafeDirectSockets: [{ host: LOOPBACK, port }],
  };
}

const FRONT_SCRIPT = `export default {
  fetch(request, { BEHIND, FRONT_SECRET }) {
    const headers = new Headers(request.headers);
    headers.set('x-front-secret', FRONT_SECRET);
    if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', '127.0.0.1');
    return BEHIND.fetch(new Request(request, { headers, redirect: 'manual' }));
  },
};`;
