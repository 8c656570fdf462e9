import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { readDocument } from '../../mcp/facts/document.ts';
import { getString, isJsonRecord } from '../../structured-data/facts/json-document.ts';

/** Roles of the requests to an endpoint of the commerce profile. */
export const UCP_ROLES = { get: 'ucp-endpoint', options: 'ucp-endpoint-options' } as const;

/** Services and their bindings that are looked at. */
const MAX_BINDINGS = 50;

/** Bindings that have an address; `embedded` is a page that a checkout opens. */
const TRANSPORTS: readonly string[] = ['rest', 'mcp', 'a2a'];

/** `profile` says whether there is one with an endpoint to judge; `written` is the first address as written in it. */
export type CommerceEndpoint = {
  profile: 'found' | 'none' | 'unknown';
  exchange: Exchange | undefined;
  written: string;
  url: URL | undefined;
  get: Exchange | undefined;
  options: Exchange | undefined;
};

/** Artifact `commerceEndpoint`: the first endpoint that the UCP profile declares, and how it answered. Never fails as a whole. */
export function readCommerceEndpoint(snapshot: Snapshot): Artifact<CommerceEndpoint> {
  const find = getExchangeLookup(snapshot);
  const profile = readEndpoints(find);
  const [written = ''] = profile.state === 'found' ? profile.document : [];
  const isThere = profile.state === 'found' && written !== '';
  const value = {
    profile: isThere ? 'found' : profile.state === 'unreadable' || profile.state === 'not_read' ? 'unknown' : 'none',
    exchange: profile.exchange,
    written,
    url: findCommerceEndpoint(find),
    get: find(UCP_ROLES.get),
    options: find(UCP_ROLES.options),
  } as const;
  return { state: 'ready', value };
}

/** The address of the first endpoint of the profile among the exchanges so far; undefined when there is none to ask. */
export function findCommerceEndpoint(find: ExchangeLookup): URL | undefined {
  const profile = readEndpoints(find);
  const url = profile.state === 'found' ? URL.parse(profile.document[0] ?? '') : null;
  return url && /^https?:$/u.test(url.protocol) ? url : undefined;
}

const readEndpoints = (find: ExchangeLookup) => readDocument(find('ucp'), find('control'), listEndpoints);

/**
 * Addresses of the bindings in their order. A service is a list of bindings with `transport` and `endpoint`; until version
 * 2026-01-11 it was an object with a member for each transport.
 * @see https://ucp.dev/ `schemas/service.json`
 */
function listEndpoints(value: unknown): readonly string[] | undefined {
  const ucp = isJsonRecord(value) ? value['ucp'] : undefined;
  const services = isJsonRecord(ucp) ? ucp['services'] : undefined;
  if (!isJsonRecord(services)) return undefined;
  return Object.values(services)
    .flatMap((service) => {
      if (Array.isArray(service)) return service.map((one): unknown => one);
      return isJsonRecord(service) ? TRANSPORTS.map((transport) => service[transport]) : [];
    })
    .slice(0, MAX_BINDINGS)
    .flatMap((binding) => {
      const isAsked = isJsonRecord(binding) && (getString(binding, 'transport') ?? 'rest') !== 'embedded';
      return isAsked ? (getString(binding, 'endpoint') ?? []) : [];
    });
}
