import type { JsonObject } from '../../../../src/lib/json.ts';
import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { testTenant } from '../../../support/management/management.ts';

export const PARENT = 'projects/local/locations/global';
export const CPUS = { service: 'compute.googleapis.com', quotaId: 'CPUS-per-project-region' };
export const FREE = { service: 'sightline', quotaId: 'FreeRequestsPerMinutePerCaller' };
export const EMAIL = 'ada@example.com';
export const IGNORE = { ignoreSafetyChecks: ['QUOTA_DECREASE_PERCENTAGE_TOO_HIGH'] };
const IN_V1 = 'cloudquotas.projects.locations';

/** A text of an answer. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('Not a text');
  return value;
}

export const nameOf = (id: string, parent = PARENT): string => `${parent}/quotaPreferences/${id}`;

/** A preference as a client sends it: what is wanted of a quota. */
export const requested = (
  quota: { service: string; quotaId: string },
  value: number | string,
  more: JsonObject = {},
) => ({
  ...quota,
  quotaConfig: { preferredValue: String(value) },
  ...more,
});

/** A tenant, and the methods of quota preferences by their verbs. */
export function quotaWorld() {
  const tenant = testTenant();
  type Query = Record<string, QueryValue>;
  const sentTo = (id: string, body: JsonObject, query: Query) => ({
    path: { name: nameOf(id) },
    body,
    query,
  });
  const made = (body: JsonObject, query: Query) => ({ path: { parent: PARENT }, body, query });
  return {
    tenant,
    create: (body: JsonObject, query: Query = {}) => tenant.ok(`${IN_V1}.quotaPreferences.create`, made(body, query)),
    createRefused: (body: JsonObject, query: Query = {}) =>
      tenant.refused(`${IN_V1}.quotaPreferences.create`, made(body, query)),
    get: (id: string) => tenant.ok(`${IN_V1}.quotaPreferences.get`, { path: { name: nameOf(id) } }),
    patch: (id: string, body: JsonObject, query: Query = {}) =>
      tenant.ok(`${IN_V1}.quotaPreferences.patch`, sentTo(id, body, query)),
    patchRefused: (id: string, body: JsonObject, query: Query = {}) =>
      tenant.refused(`${IN_V1}.quotaPreferences.patch`, sentTo(id, body, query)),
    list: (query: Query = {}) => tenant.ok(`${IN_V1}.quotaPreferences.list`, { path: { parent: PARENT }, query }),
    listRefused: (query: Query = {}) =>
      tenant.refused(`${IN_V1}.quotaPreferences.list`, { path: { parent: PARENT }, query }),
  };
}

export const idsOf = ({ quotaPreferences = [] }: JsonObject): string[] =>
  (quotaPreferences as JsonObject[]).map(({ name }) => textOf(name).replace(`${PARENT}/quotaPreferences/`, ''));
