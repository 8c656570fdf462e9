import * as z from 'zod';
import { type Account, type CustomDomain, makeTag, type Zone } from './account.ts';
import { type ApiCall, type ApiRoute, ListedAnswer, readJson } from './calls.ts';
import { RefusedCall } from './refusals-data.ts';
import { findScript } from './script-routes.ts';

const originSchema = z.object({
  hostname: z.string(),
  zone_id: z.string().optional(),
  zone_name: z.string().optional(),
});
const overridesSchema = z.object({
  override_existing_origin: z.boolean().optional(),
  override_existing_dns_record: z.boolean().optional(),
});
const recordsSchema = overridesSchema.extend({ origins: z.array(originSchema) });
const domainSchema = overridesSchema.extend({
  hostname: z.string(),
  service: z.string(),
  zone_id: z.string().optional(),
});

/** The zone of a host, which must be one of the account's. @throws RefusedCall for any other */
function findZone(account: Account, { hostname, zone_id, zone_name }: z.infer<typeof originSchema>): Zone {
  const isBelow = ({ name }: Zone): boolean => hostname === name || hostname.endsWith(`.${name}`);
  const zone = account.zones.find(
    (one) => isBelow(one) && (zone_id ?? one.id) === one.id && (zone_name ?? one.name) === one.name,
  );
  if (zone === undefined) throw new RefusedCall('zoneMissing', [hostname]);
  return zone;
}

/** What replacing the domains of a Worker would change: in a terminal wrangler asks its user about it. */
function showChanges(call: ApiCall) {
  const { name } = findScript(call);
  const origins = z.array(originSchema).parse(readJson(call));
  const known = (hostname: string) => call.account.domains.find((domain) => domain.hostname === hostname);
  for (const origin of origins) findZone(call.account, origin);
  return {
    added: origins.filter(({ hostname }) => known(hostname) === undefined),
    updated: origins.flatMap(({ hostname }) => {
      const domain = known(hostname);
      return domain === undefined ? [] : [{ ...showDomain(domain), modified: domain.service !== name }];
    }),
    removed: call.account.domains.filter(
      ({ service, hostname }) => service === name && !origins.some((origin) => origin.hostname === hostname),
    ),
    conflicting: [],
  };
}

/** Adds domains to a Worker. Wrangler without a terminal asks for both overrides. */
function putRecords(call: ApiCall) {
  const { name } = findScript(call);
  const { origins, ...overrides } = recordsSchema.parse(readJson(call));
  for (const origin of origins) bindDomain(call.account, { ...origin, ...overrides, service: name });
  return call.account.domains.filter(({ service }) => service === name).map(showDomain);
}

type WantedDomain = z.infer<typeof originSchema> & z.infer<typeof overridesSchema> & { service: string };

/** @throws RefusedCall where another Worker, or a DNS record, has the host and may not lose it */
function bindDomain(account: Account, wanted: WantedDomain): CustomDomain {
  const { hostname, service } = wanted;
  const zone = findZone(account, wanted);
  const known = account.domains.find((domain) => domain.hostname === hostname);
  if (known !== undefined && known.service !== service && wanted.override_existing_origin !== true)
    throw new RefusedCall('domainTaken', [hostname]);
  const records = zone.records.filter((record) => record.name === hostname);
  if (records.length > 0 && wanted.override_existing_dns_record !== true)
    throw new RefusedCall('dnsConflict', [hostname]);
  for (const record of records) zone.records.splice(zone.records.indexOf(record), 1);
  if (known !== undefined) return Object.assign(known, { service });
  const made = { id: makeTag(), hostname, zone, service };
  account.domains.push(made);
  return made;
}

const showDomain = ({ id, hostname, zone, service }: Account['domains'][number]) => ({
  id,
  hostname,
  zone_id: zone.id,
  zone_name: zone.name,
  service,
  environment: 'production',
  enabled: true,
  previews_enabled: false,
});

function putDomain(call: ApiCall) {
  const domain = domainSchema.parse(readJson(call));
  if (!call.account.scripts.has(domain.service)) throw new RefusedCall('scriptMissing');
  return showDomain(bindDomain(call.account, domain));
}

function listDomains({ account, query }: ApiCall): ListedAnswer {
  const [service, hostname] = [query.get('service'), query.get('hostname')];
  const found = account.domains.filter(
    (domain) => (service ?? domain.service) === domain.service && (hostname ?? domain.hostname) === domain.hostname,
  );
  return new ListedAnswer(found.map(showDomain));
}

function listZones({ account, query }: ApiCall): ListedAnswer {
  const name = query.get('name');
  const found = account.zones.filter((zone) => (name ?? zone.name) === zone.name);
  return new ListedAnswer(
    found.map((zone) => ({ id: zone.id, name: zone.name, status: 'active', account: { id: account.id } })),
  );
}

function listRecords({ account, names, query }: ApiCall): ListedAnswer {
  const zone = account.zones.find(({ id }) => id === names[0]);
  if (zone === undefined) throw new RefusedCall('noRoute', [names[0] ?? '']);
  const name = query.get('name');
  return new ListedAnswer(zone.records.filter((record) => (name ?? record.name) === record.name));
}

/** Zones of the account and the custom domains of its Workers. */
export const DOMAIN_ROUTES: readonly ApiRoute[] = [
  ['GET', '/zones', listZones],
  ['GET', '/zones/*/workers/routes', () => new ListedAnswer([])],
  ['GET', '/zones/*/dns_records', listRecords],
  ['POST', '/accounts/*/workers/scripts/*/domains/changeset', showChanges],
  ['PUT', '/accounts/*/workers/scripts/*/domains/records', putRecords],
  ['GET', '/accounts/*/workers/domains', listDomains],
  ['PUT', '/accounts/*/workers/domains', putDomain],
  ['GET', '/accounts/*/workers/domains/records', listDomains],
  [
    'GET',
    '/accounts/*/workers/domains/records/*',
    ({ account, names }) => {
      const domain = account.domains.find(({ id }) => id === names[1]);
      if (domain === undefined) throw new RefusedCall('noRoute', [names[1] ?? '']);
      return showDomain(domain);
    },
  ],
];
