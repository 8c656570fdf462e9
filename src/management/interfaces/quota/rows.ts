import { refuseViolation } from '../../core/conventions/invalid.ts';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { refuseMissingName, splitName } from '../../core/engine/named-collection.ts';
import type { Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isSameJson } from '../../core/engine/write.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { formatIsoTimestamp } from '../../../lib/time.ts';
import { QUOTAS, type QuotaRow } from './catalogue-data.ts';

/** The service and id of a quota: as long as host names and ids of the vendor get. */
const MAX_SERVICE_CHARS = 253;
const MAX_QUOTA_ID_CHARS = 128;
const MAX_PREFERENCE_ID_CHARS = 128;
/** There is one location: preferences and infos are `global`. */
const LOCATION = 'global';

export type QuotaContainer = {
  /** `projects/p`. */
  container: string;
  kind: 'projects' | 'folders' | 'organizations';
};

/** The container of `projects/p/locations/global`. @throws Refusal for another location, and for `-` */
export function parseQuotaContainer(parent: string, field = 'parent'): QuotaContainer {
  const [, container = '', kind, id = '', location = ''] =
    /^((projects|folders|organizations)\/([^/]+))\/locations\/([^/]+)$/.exec(parent) ?? [];
  if (kind === undefined || id === '-') throw refuseViolation(field, `Invalid resource container in ${field}`);
  if (location !== LOCATION) throw refuseViolation(field, `The location of ${field} must be "${LOCATION}"`);
  return { container, kind: kind as QuotaContainer['kind'] }; // One of the pattern's.
}

/** The parts of `projects/p/locations/global/services/s`. @throws Refusal */
export function parseServiceParent(parent: string): QuotaContainer & { service: string } {
  const [, above = '', service = ''] = /^(.+)\/services\/([^/]+)$/.exec(parent) ?? [];
  requireService(service, 'parent');
  return { ...parseQuotaContainer(above), service };
}

/** @throws Refusal for what can be no name of a service */
export function requireService(service: string, field: string): void {
  const fits = service.length <= MAX_SERVICE_CHARS && /^[a-z0-9][a-z0-9.-]*$/.test(service);
  if (!fits) throw refuseViolation(field, `Invalid service name in ${field}`);
}

/** @throws Refusal for what can be no id of a quota */
export function requireQuotaId(quotaId: string, field: string): void {
  const fits = quotaId.length <= MAX_QUOTA_ID_CHARS && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(quotaId);
  if (!fits) throw refuseViolation(field, `Invalid quota id in ${field}`);
}

/** @throws Refusal for what can be no id of a preference */
export function requirePreferenceId(id: string): void {
  const fits = id.length <= MAX_PREFERENCE_ID_CHARS && /^[A-Za-z0-9][A-Za-z0-9_.~-]*$/.test(id);
  if (!fits) throw refuseViolation('quotaPreferenceId', 'Invalid quota preference id');
}

/** The quotas of a service, in the order of their ids; none for a service that the catalogue lacks. */
export const listServiceQuotas = (service: string): readonly QuotaRow[] => byService.get(service) ?? [];

export const findQuota = (service: string, quotaId: string): QuotaRow | undefined =>
  listServiceQuotas(service).find((row) => row.quotaId === quotaId);

const byService: ReadonlyMap<string, readonly QuotaRow[]> = Map.groupBy(
  QUOTAS.toSorted((a, b) => (a.quotaId < b.quotaId ? -1 : 1)),
  ({ service }) => service,
);

/** A value that holds for some dimensions of a quota: `{}` for all the others. */
type QuotaValue = { dimensions: Readonly<Record<string, string>>; value: string };

const CONTAINER_TYPES = { projects: 'PROJECT', folders: 'FOLDER', organizations: 'ORGANIZATION' } as const;
const REGIONAL = 'region';

/**
 * A QuotaInfo. The catalogue is the same for every container.
 * @param values what is granted, for more dimensions before fewer
 */
export function buildQuotaInfo(
  row: QuotaRow,
  { container, kind }: QuotaContainer,
  values: readonly QuotaValue[],
): JsonObject {
  const { service, quotaId, dimensions = [] } = row;
  return {
    name: `${container}/locations/global/services/${service}/quotaInfos/${quotaId}`,
    quotaId,
    metric: row.metric,
    service,
    isPrecise: false,
    ...(row.refreshInterval === undefined ? {} : { refreshInterval: row.refreshInterval }),
    containerType: CONTAINER_TYPES[kind],
    dimensions: [...dimensions],
    metricDisplayName: row.metricDisplayName,
    quotaDisplayName: row.quotaDisplayName,
    metricUnit: '1',
    quotaIncreaseEligibility: { isEligible: true }, // No quota of the catalogue is fixed, and none counts what is in flight.
    isFixed: false,
    dimensionsInfos: values.map((value) => buildDimensionsInfo(row, value)),
    isConcurrent: false,
  };
}

function buildDimensionsInfo(row: QuotaRow, { dimensions, value }: QuotaValue): JsonObject {
  const region = dimensions[REGIONAL];
  const { regions = ['global'] } = row;
  const applicable = region === undefined ? [...regions] : [region];
  return { dimensions: { ...dimensions }, details: { value }, applicableLocations: applicable };
}

/** A stored preference, with what the vendor's schema has no place for. */
export type StoredPreference = {
  service: string;
  quotaId: string;
  dimensions: Record<string, string>;
  preferredValue: string;
  annotations: Record<string, string>;
  justification: string;
  createdMs: number;
  updatedMs: number;
  /** What was granted before the last change; '' where nothing is known of it. It holds until `dueMs`. */
  before: string;
  /** By the tenant's clock: until then an increase is pending. 0: nothing is. */
  dueMs: number;
  /** Of the last request for more; '' where there was none. */
  traceId: string;
};

/** What a caller wants: the fields of a preference that it sets, judged. */
export type PreferenceRequest = Pick<
  StoredPreference,
  'service' | 'quotaId' | 'dimensions' | 'preferredValue' | 'annotations' | 'justification'
>;

/** A request for more is looked at for so long, by the tenant's clock; less is granted at once. */
export const REVIEW_MS = 1_000;
/** "Unlimited" as values say it. */
export const UNLIMITED = -1n;

/** A value as a number to compare: unlimited is more than any. */
const toAmount = (value: string): bigint => {
  const number = BigInt(value);
  return number === UNLIMITED ? 1n << 64n : number;
};

export const isMore = (value: string, than: string): boolean => toAmount(value) > toAmount(than);

/** Whether a value is less than nine tenths of another (QUOTA_DECREASE_PERCENTAGE_TOO_HIGH). */
export const isMuchLess = (value: string, than: string): boolean => toAmount(value) * 10n < toAmount(than) * 9n;

/** What of a request is granted: all of it, but between floor and ceiling of the quota. */
export function computeGrant(preferred: string, row: QuotaRow | undefined): string {
  const { floor, ceiling } = row ?? {};
  if (ceiling !== undefined && isMore(preferred, String(ceiling))) return String(ceiling);
  if (floor !== undefined && isMore(String(floor), preferred)) return String(floor);
  return preferred;
}

const isPending = ({ dueMs }: StoredPreference, nowMs: number): boolean => nowMs < dueMs;

/** What holds now: what was granted before while a request is pending. '' where that is not known. */
const computeCurrentGrant = (kept: StoredPreference, row: QuotaRow | undefined, nowMs: number): string =>
  isPending(kept, nowMs) ? kept.before : computeGrant(kept.preferredValue, row);

/** What is said about the state, for people. */
function describePreferenceState(kept: StoredPreference, row: QuotaRow | undefined, nowMs: number): string {
  if (isPending(kept, nowMs)) return 'The request for more is being reviewed';
  const granted = computeGrant(kept.preferredValue, row);
  if (granted === kept.preferredValue) return 'Granted';
  const bound = isMore(kept.preferredValue, granted) ? 'highest' : 'lowest';
  return `Partly granted: ${granted} is the ${bound} value that this quota can have`;
}

/** The stored body of a preference, back in its type: the store gives what was put in. */
export const readStoredPreference = (body: JsonObject): StoredPreference => body as unknown as StoredPreference;

/** Collections of the store, shared by both versions. */
export const QUOTA = { preferences: 'quota.preferences', adjuster: 'quota.adjusterSettings' } as const;
/** What preferences are for, unique in the tenant. */
export const TARGETS = 'quota.targets';

/** Preferences that one container may have: a list orders all of them. */
export const MAX_PREFERENCES = 1_000;

/** A preference with what it is worth now. */
export type Preference = { row: ResourceRow; kept: StoredPreference; granted: string; isPending: boolean };

export function readPreference(row: ResourceRow, nowMs: number): Preference {
  const kept = readStoredPreference(row.body);
  const quota = findQuota(kept.service, kept.quotaId);
  return { row, kept, granted: computeCurrentGrant(kept, quota, nowMs), isPending: isPending(kept, nowMs) };
}

/** All preferences of a container, by id. */
export const listContainerPreferences = (container: string, context: Context): readonly Preference[] =>
  context.store
    .list({ collection: QUOTA.preferences, parent: container, limit: MAX_PREFERENCES })
    .map(({ row }) => readPreference(row, context.now()));

/** What a preference is for, as a name that only one can have. */
export function hashPreferenceTarget(container: string, { service, quotaId, dimensions }: StoredPreference): string {
  const pairs = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([container, service, quotaId, pairs]))));
}

/** @throws Refusal 404 */
export function requirePreferenceRow(name: string, field: string, context: Context): ResourceRow {
  const { container, id } = parsePreferenceName(name, field);
  const row = context.store.get(QUOTA.preferences, container, id);
  if (row === undefined) throw refuseMissingName(name);
  return row;
}

/** `projects/p` and the id of `projects/p/locations/global/quotaPreferences/id`. @throws Refusal */
export function parsePreferenceName(name: string, field: string): { container: string; id: string } {
  const { parent, id } = splitName(name);
  return { container: parseQuotaContainer(parent, field).container, id };
}

/** Clients that send every field send a map that was not set as an empty one. */
export const isEmptyMap = (value: Json): boolean => isSameJson(value, {});

/** A preference in the vendor's fields, as far as callers set them. */
export const toSettableFields = ({
  service,
  quotaId,
  dimensions,
  preferredValue,
  annotations,
  justification,
}: PreferenceRequest): JsonObject => ({
  service,
  quotaId,
  ...(isEmptyMap(dimensions) ? {} : { dimensions }),
  quotaConfig: { preferredValue, ...(isEmptyMap(annotations) ? {} : { annotations }) },
  ...(justification === '' ? {} : { justification }),
});

/** A preference as callers see it. The contact is never shown (input only). */
export function toPreferenceResource(row: ResourceRow, context: Context): JsonObject {
  const nowMs = context.now();
  const { kept, granted, isPending: reconciling } = readPreference(row, nowMs);
  const { service, quotaId, dimensions, annotations, justification, traceId } = kept;
  const body: JsonObject = {
    name: formatPreferenceName(row),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions: { ...dimensions } }),
    quotaConfig: {
      preferredValue: kept.preferredValue,
      stateDetail: describePreferenceState(kept, findQuota(service, quotaId), nowMs),
      ...(granted === '' ? {} : { grantedValue: granted }),
      ...(traceId === '' ? {} : { traceId }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations: { ...annotations } }),
      requestOrigin: ORIGIN,
    },
    createTime: formatIsoTimestamp(kept.createdMs),
    updateTime: formatIsoTimestamp(kept.updatedMs),
    service,
    quotaId,
    reconciling,
    ...(justification === '' ? {} : { justification }),
  };
  return { ...body, etag: context.etagOf(row.revision, body) };
}

/** Requests come neither from a console nor from an adjuster here. */
export const ORIGIN = 'ORIGIN_UNSPECIFIED';

export const formatPreferenceName = ({ parent, id }: Pick<ResourceRow, 'parent' | 'id'>): string =>
  `${parent}/locations/global/quotaPreferences/${id}`;

/** What is granted of a quota: for the dimensions of preferences, more of them first, and for all the others. */
export function listQuotaValues(row: QuotaRow, preferences: readonly Preference[]): readonly QuotaValue[] {
  const own = preferences
    .filter(({ kept }) => kept.service === row.service && kept.quotaId === row.quotaId)
    .map(({ kept, granted }) => ({ dimensions: kept.dimensions, value: granted }));
  const ofAll = own.find(({ dimensions }) => countDimensions(dimensions) === 0) ?? {
    dimensions: {},
    value: String(row.value),
  };
  const special = own.filter(({ dimensions }) => countDimensions(dimensions) > 0);
  return [...special.toSorted((a, b) => countDimensions(b.dimensions) - countDimensions(a.dimensions)), ofAll];
}

const countDimensions = (dimensions: QuotaValue['dimensions']): number => Object.keys(dimensions).length;

/** A setting of the adjuster; `inherit`: the container gave its own back. */
export const ENABLEMENTS = ['ENABLED', 'DISABLED'] as const;
export type RequestedEnablement = (typeof ENABLEMENTS)[number] | 'inherit';

/** What is stored where a container has its own setting, or gave it back: its etag is never one of before. */
type StoredAdjuster = { enablement: RequestedEnablement; updatedMs: number };

/** The one row of a container's adjuster settings. */
export const ADJUSTER_ID = 'settings';
/** What holds where nothing was set; no container of ours has another above it that is known. */
const DEFAULT_ADJUSTER = { enablement: 'DISABLED', inherited: true, inheritedFrom: 'default' } as const;

/** The container of `projects/p/locations/global/quotaAdjusterSettings`. @throws Refusal */
export function parseSettingsContainer(name: string, field: string): string {
  const [, parent = ''] = /^(.+)\/quotaAdjusterSettings$/.exec(name) ?? [];
  return parseQuotaContainer(parent, field).container;
}

export function toAdjusterResource(container: string, row: ResourceRow | undefined, context: Context): JsonObject {
  const name = `${container}/locations/global/quotaAdjusterSettings`;
  const etag = context.etagOf(row?.revision ?? 0);
  if (row === undefined) return { name, ...DEFAULT_ADJUSTER, etag };
  const { enablement, updatedMs } = row.body as StoredAdjuster; // Written by an update; a restore judges it.
  if (enablement === 'inherit') return { name, ...DEFAULT_ADJUSTER, etag };
  return { name, enablement, updateTime: formatIsoTimestamp(updatedMs), etag, inherited: false, inheritedFrom: '' };
}
