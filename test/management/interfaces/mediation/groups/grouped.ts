import { listSourceAdapters } from '../../../../../src/management/interfaces/mediation/rows.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

export const PUBLISHER = 'accounts/pub-9876543210987654';
/** Two ad units of the publisher, and one of another. */
export const UNIT = 'ca-app-pub-9876543210987654/1234567890';
export const OTHER_UNIT = 'ca-app-pub-9876543210987654/2345678901';
export const FOREIGN_UNIT = 'ca-app-pub-1111111111111111/1234567890';
export const ADMOB = '5450213213286189855';
/** Unity Ads, a source whose lines have a price that a person sets. */
export const UNITY = '4970775877303683148';

/** A line as the vendor's guide creates it. */
export const LINE = {
  displayName: 'Unity',
  adSourceId: UNITY,
  cpmMode: 'MANUAL',
  cpmMicros: '500000',
  state: 'ENABLED',
};

/** A tenant whose mediation groups are made and changed. */
export type Grouped = {
  tenant: TestTenant;
  /** Creates a group for one ad unit on Android. @param more members beside those, or in their place */
  create: (more?: JsonObject) => JsonObject;
  createRefused: (more?: JsonObject) => string;
  patch: (group: JsonObject, updateMask: string, body: JsonObject) => JsonObject;
  patchRefused: (group: JsonObject, updateMask: string, body: JsonObject) => string;
  list: (query?: Record<string, string | number>) => JsonObject[];
  /** Name of a new mapping of an ad unit to the Android adapter of a source. */
  mapping: (fragment?: string, adSourceId?: string, publisher?: string) => string;
};

export function grouped(tenant = testTenant()): Grouped {
  const create = 'admob.accounts.mediationGroups.create';
  const patch = 'admob.accounts.mediationGroups.patch';
  const newGroup = (more: JsonObject) => ({
    path: { parent: PUBLISHER },
    body: {
      displayName: 'Group',
      targeting: { platform: 'ANDROID', format: 'INTERSTITIAL', adUnitIds: [UNIT] },
      ...more,
    },
  });
  const change = (group: JsonObject, updateMask: string, body: JsonObject) => ({
    path: { name: text(group['name']) },
    query: { updateMask },
    body,
  });
  return {
    tenant,
    create: (more = {}) => tenant.ok(create, newGroup(more)),
    createRefused: (more = {}) => tenant.refused(create, newGroup(more)),
    patch: (group, mask, body) => tenant.ok(patch, change(group, mask, body)),
    patchRefused: (group, mask, body) => tenant.refused(patch, change(group, mask, body)),
    list: (query = {}) => {
      const answer = tenant.ok('admob.accounts.mediationGroups.list', { path: { parent: PUBLISHER }, query });
      return objects(answer['mediationGroups'] ?? []);
    },
    mapping: (fragment = '1234567890', adSourceId = UNITY, publisher = PUBLISHER) => {
      const adapter = listSourceAdapters(adSourceId).find(({ platform }) => platform === 'ANDROID');
      if (adapter === undefined) throw new Error('No adapter');
      const adUnitConfigurations = Object.fromEntries(adapter.settings.map(({ id }) => [id, 'x']));
      const made = tenant.ok('admob.accounts.adUnits.adUnitMappings.create', {
        path: { parent: `${publisher}/adUnits/${fragment}` },
        body: { adapterId: adapter.id, adUnitConfigurations },
      });
      return text(made['name']);
    },
  };
}

/** The lines of a group, but for that of the AdMob Network. */
export const linesOf = (group: JsonObject): JsonObject[] =>
  objects(Object.values(object(group['mediationGroupLines']))).filter(({ adSourceId }) => adSourceId !== ADMOB);

/** The only line of a group beside that of the AdMob Network. @throws Error when there is none */
export function lineOf(group: JsonObject): JsonObject & { id: string } {
  const [line] = linesOf(group);
  if (line === undefined) throw new Error('No line');
  return { ...line, id: text(line['id']) };
}

export function text(value: Json | undefined): string {
  if (!isText(value)) throw new Error('Not a text');
  return value;
}

export function object(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw new Error('Not an object');
  return value;
}

const objects = (value: Json): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
