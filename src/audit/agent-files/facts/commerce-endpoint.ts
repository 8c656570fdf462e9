import type { Artifact } from '../../core/artifact.ts';
import { type ExchangeLookup, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { readDocument } from '../../mcp/facts/document.ts';
import { getString, isJsonRecord } from '../../structured-data/facts/json-document.ts';
import { type AskedEndpoint, describeEndpoint, parseEndpoint } from './a2a-card.ts';

/** Roles of the requests to an endpoint of the commerce profile. */
export const UCP_ROLES = { get: 'ucp-endpoint', options: 'ucp-endpoint-options' } as const;

/** Services and their bindings that are looked at. */
const MAX_BINDINGS = 50;

/** Bindings that have an address; `embedded` is a page that a checkout opens. */
const TRANSPORTS: readonly string[] = ['rest', 'mcp', 'a2a'];

/** Artifact `commerceEndpoint`: the first endpoint that the UCP profile declares, and how it answered. Never fails as a whole. */
export function readCommerceEndpoint(snapshot: Snapshot): Artifact<AskedEndpoint> {
  const find = getExchangeLookup(snapshot);
  const profile = readEndpoints(find);
  const written = profile.state === 'found' ? profile.document[0] : undefined;
  return { state: 'ready', value: describeEndpoint(find, UCP_ROLES, profile, written) };
}

/** The address of the first endpoint of the profile among the exchanges so far; undefined when there is none to ask. */
export function findCommerceEndpoint(find: ExchangeLookup): URL | undefined {
  const profile = readEndpoints(find);
  return profile.state === 'found' ? parseEndpoint(profile.document[0] ?? '') : undefined;
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
