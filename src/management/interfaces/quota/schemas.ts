import { OWN_SERVICE } from '../../../rate-limits/service-limits.ts';
import { refuseViolation } from '../../core/conventions/invalid.ts';
import { maskPaths } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import { isSameJson } from '../../core/engine/write.ts';
import type { Expression } from '../../core/filter/ast.ts';
import { createFilterMatcher, parseFilter } from '../../core/filter/index.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../lib/time.ts';
import { refuseChangedEtag } from './refusals.ts';
import {
  computeGrant,
  ENABLEMENTS,
  findQuota,
  formatPreferenceName,
  isEmptyMap,
  isMore,
  isMuchLess,
  ORIGIN,
  type Preference,
  type PreferenceRequest,
  type RequestedEnablement,
  requireQuotaId,
  requireService,
  type StoredPreference,
  toSettableFields,
  UNLIMITED,
} from './rows.ts';

/** @throws Refusal, ABORTED, where a body names another version than the one of this revision (AIP-134) */
export function requireQuotaEtag(revision: number, given: Json | undefined, context: Context): void {
  if (!isText(given) || given === '') return;
  const current = context.etagOf(revision);
  // The part after the dot depends on how the resource was shown.
  if (given === current || given.startsWith(`${current.slice(0, -1)}.`)) return;
  throw refuseChangedEtag();
}

const MAX_DIMENSIONS = 10;
const MAX_DIMENSION_KEY_CHARS = 64;
const MAX_DIMENSION_CHARS = 256;
const MAX_ANNOTATIONS = 64;
const MAX_ANNOTATION_KEY_CHARS = 256;
const MAX_ANNOTATION_CHARS = 1_024;
const MAX_JUSTIFICATION_CHARS = 1_000;
const MAX_EMAIL_CHARS = 254;
/** Preferences hold for all values of these (resources.proto). */
const WHOLE_DIMENSIONS = ['user', 'resource'];

/** What a whole body asks for. @throws Refusal for what is missing or too much */
export function parsePreferenceRequest(body: JsonObject): PreferenceRequest {
  const { service, quotaId, justification = '' } = body;
  if (!isText(service) || service === '') throw vendorRefusals.required('quotaPreference.service');
  if (!isText(quotaId) || quotaId === '') throw vendorRefusals.required('quotaPreference.quotaId');
  requireService(service, 'quotaPreference.service');
  requireQuotaId(quotaId, 'quotaPreference.quotaId');
  const dimensions = parseDimensions(body['dimensions'], service, quotaId);
  if (!isText(justification) || justification.length > MAX_JUSTIFICATION_CHARS) {
    throw refuseViolation(
      'quotaPreference.justification',
      `A justification has at most ${MAX_JUSTIFICATION_CHARS} characters`,
    );
  }
  const { preferredValue, annotations } = parseQuotaConfig(body['quotaConfig']);
  return { service, quotaId, dimensions, preferredValue, annotations, justification };
}

function parseQuotaConfig(config: Json | undefined): Pick<PreferenceRequest, 'preferredValue' | 'annotations'> {
  const { preferredValue, annotations } = isObject(config) ? config : {};
  if (preferredValue === undefined) throw vendorRefusals.required('quotaPreference.quotaConfig.preferredValue');
  if (!isQuotaValue(preferredValue)) {
    const field = 'quotaPreference.quotaConfig.preferredValue';
    throw refuseViolation(field, 'The preferred value must be greater than or equal to -1');
  }
  const found = parseTextMap(annotations, 'quotaPreference.quotaConfig.annotations', {
    entries: MAX_ANNOTATIONS,
    key: MAX_ANNOTATION_KEY_CHARS,
    value: MAX_ANNOTATION_CHARS,
  });
  return { preferredValue: String(BigInt(preferredValue)), annotations: found };
}

function parseDimensions(sent: Json | undefined, service: string, quotaId: string): Record<string, string> {
  const field = 'quotaPreference.dimensions';
  const limits = { entries: MAX_DIMENSIONS, key: MAX_DIMENSION_KEY_CHARS, value: MAX_DIMENSION_CHARS };
  const dimensions = parseTextMap(sent, field, limits);
  const whole = WHOLE_DIMENSIONS.find((name) => Object.hasOwn(dimensions, name));
  if (whole !== undefined) throw refuseViolation(field, `A preference holds for every ${whole}`);
  const row = findQuota(service, quotaId);
  if (row === undefined && service === OWN_SERVICE) {
    throw refuseViolation('quotaPreference.quotaId', `The service ${OWN_SERVICE} has no such quota`);
  }
  const known = row && (row.dimensions ?? []);
  const strange = Object.keys(dimensions).find((name) => known?.includes(name) === false);
  if (strange !== undefined) throw refuseViolation(field, `The quota ${quotaId} has no such dimension`);
  return dimensions;
}

/** What a preference is for never changes. */
const IMMUTABLE = ['service', 'quotaId', 'dimensions'] as const;

/** @throws Refusal for a change that would make it the preference of something else */
export function requireSamePurpose(kept: StoredPreference, call: Call, after: JsonObject): void {
  for (const field of IMMUTABLE) requireAsBefore(field, kept, call, after);
}

/** Judges what is sent with the body as well as what the mask names. */
function requireAsBefore(
  field: (typeof IMMUTABLE)[number],
  kept: StoredPreference,
  { body }: Call,
  after: JsonObject,
): void {
  const given = body[field];
  const isOther = given !== undefined && given !== '' && !isSameJson(given, kept[field]) && !isEmptyMap(given);
  const isCleared = !isSameJson(after[field] ?? {}, toSettableFields(kept)[field] ?? {});
  if (isOther || isCleared) throw refuseViolation(`quotaPreference.${field}`, `The field ${field} cannot be changed`);
}

type MapLimits = { entries: number; key: number; value: number };

function parseTextMap(sent: Json | undefined, field: string, limits: MapLimits): Record<string, string> {
  const entries = isObject(sent) ? Object.entries(sent) : [];
  const read = entries.flatMap(([key, value]) =>
    isText(value) && key !== '' && key.length <= limits.key && value.length <= limits.value
      ? [[key, value] as const]
      : [],
  );
  if (read.length < entries.length || read.length > limits.entries)
    throw refuseViolation(field, `Invalid value in ${field}`);
  return Object.fromEntries(read);
}

/** What of a change needs a person or is dangerous. */
type PreferenceChange = {
  requested: Pick<PreferenceRequest, 'preferredValue' | 'service' | 'quotaId'>;
  /** What holds until now; '' where nothing is known of it. */
  before: string;
  contactEmail: Json | undefined;
};

/**
 * Judges a value against the one before it: an increase needs a contact, a large decrease the caller's confirmation.
 * Use of a quota is not measured, so that QUOTA_DECREASE_BELOW_USAGE refuses nothing.
 * @returns whether it is a request for more
 * @throws Refusal
 */
export function judgeChange({ requested, before, contactEmail }: PreferenceChange, call: Call): boolean {
  requireEmail(contactEmail);
  if (before === '') return false;
  const granted = computeGrant(requested.preferredValue, findQuota(requested.service, requested.quotaId));
  if (isMore(requested.preferredValue, before)) {
    if (!isText(contactEmail) || contactEmail === '') {
      throw refuseViolation('quotaPreference.contactEmail', 'A contact email is required to request more quota');
    }
    return true;
  }
  const ignored = call.query['ignoreSafetyChecks'];
  const checks = Array.isArray(ignored) ? ignored : [ignored];
  if (isMuchLess(granted, before) && !checks.includes(PERCENTAGE_CHECK)) {
    throw vendorRefusals.failedPrecondition(
      `The effective limit would decrease from ${before} to ${granted}, by more than 10 percent: ignore the safety check ${PERCENTAGE_CHECK} to do it anyway`,
    );
  }
  return false;
}

const PERCENTAGE_CHECK = 'QUOTA_DECREASE_PERCENTAGE_TOO_HIGH';

function requireEmail(sent: Json | undefined): void {
  if (sent === undefined || sent === '') return;
  const isEmail = isText(sent) && sent.length <= MAX_EMAIL_CHARS && /^[^\s@]+@[^\s@]+$/.test(sent);
  if (!isEmail) throw refuseViolation('quotaPreference.contactEmail', 'Invalid contact email');
}

/** Whether a body can be a stored preference: a restore takes no other (rule K3). */
export function isStoredPreference(body: JsonObject): boolean {
  const texts = ['service', 'quotaId', 'justification', 'traceId'].every((name) => isText(body[name]));
  const times = ['createdMs', 'updatedMs', 'dueMs'].every((name) => isTime(body[name]));
  const maps = [body['dimensions'], body['annotations']].every(isTextMap);
  const { preferredValue, before } = body;
  return texts && times && maps && isQuotaValue(preferredValue) && (before === '' || isQuotaValue(before));
}

const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isTextMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

/** The most that an int64 holds. */
const MAX_VALUE = (1n << 63n) - 1n;

/** Whether a value is one of a quota: -1 or more, as JSON spells an int64. */
function isQuotaValue(value: unknown): value is string {
  if (!isText(value) || !/^-?\d{1,19}$/.test(value)) return false;
  const number = BigInt(value);
  return number >= UNLIMITED && number <= MAX_VALUE;
}

const isEnablement = (value: unknown): boolean => value === 'inherit' || ENABLEMENTS.some((each) => each === value);

/** What the named fields ask for; undefined: nothing. @throws Refusal for an enablement that is none */
export function parseEnablement(call: Call, context: Context): RequestedEnablement | undefined {
  const paths = maskPaths(call, 'QuotaAdjusterSettings', context);
  const takes = (field: string): boolean => paths === undefined || paths.some(([name]) => name === field);
  const { enablement, inherited } = call.body;
  if (takes('inherited') && inherited === true) return 'inherit';
  if (!takes('enablement')) return undefined;
  const known = ENABLEMENTS.find((each) => each === enablement);
  if (known === undefined)
    throw refuseViolation('quotaAdjusterSettings.enablement', 'The enablement must be ENABLED or DISABLED');
  return known;
}

/** Whether a body can be a stored setting of the adjuster: a restore takes no other (rule K3). */
export const isStoredAdjuster = ({ enablement, updatedMs }: JsonObject): boolean =>
  isEnablement(enablement) && isTime(updatedMs);

const MAX_ORDER_FIELDS = 5;
const MAX_ORDER_CHARS = 256;

/** What `buildFilterSubject` gives. */
const FILTER_FIELDS = new Set([
  'name',
  'service',
  'quotaId',
  'quota_id',
  'dimensions',
  'reconciling',
  'requestType',
  'request_type',
  'createTime',
  'create_time',
  'creation_time',
  'updateTime',
  'update_time',
  'quotaConfig',
  'quota_config',
]);

/** What a list can be ordered by, as texts and numbers that compare as the values do. */
const ORDERS: Readonly<Record<string, (preference: Preference) => string | number>> = {
  name: ({ row }) => row.id,
  service: ({ kept }) => kept.service,
  quota_id: ({ kept }) => kept.quotaId,
  create_time: ({ kept }) => kept.createdMs,
  update_time: ({ kept }) => kept.updatedMs,
};

/** Values of the order's fields, and the id at the end, so that no two preferences have the same. */
type Place = readonly (string | number)[];
type Ordered = { field: string; isDescending: boolean };

export function createPreferenceComparer(order: readonly Ordered[]) {
  return {
    placeOf: (preference: Preference): Place => [
      ...order.map(({ field }) => ORDERS[field]?.(preference) ?? ''),
      preference.row.id,
    ],
    places: (a: Place, b: Place): number => {
      const at = a.findIndex((value, index) => value !== b[index]);
      if (at < 0) return 0;
      const isLess = (a[at] ?? '') < (b[at] ?? '');
      return isLess === (order[at]?.isDescending ?? false) ? 1 : -1;
    },
  };
}

/** Ours: the token that held it was sealed. */
export const parsePlace = (sort: string | undefined): Place | undefined =>
  sort === undefined ? undefined : (JSON.parse(sort) as Place);

/** `service, create_time desc`. @throws Refusal for what no list is ordered by */
export function parsePreferenceOrder(text: unknown): readonly Ordered[] {
  if (!isText(text) || text.trim() === '') return [{ field: 'create_time', isDescending: false }];
  const parts = text.slice(0, MAX_ORDER_CHARS + 1).split(',');
  if (text.length > MAX_ORDER_CHARS || parts.length > MAX_ORDER_FIELDS)
    throw refuseViolation('orderBy', 'The order is too long');
  return parts.map((part) => {
    const [field = '', direction = 'asc', ...rest] = part
      .trim()
      .split(' ')
      .filter((word) => word !== '');
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const isOrder = Object.hasOwn(ORDERS, name) && rest.length === 0 && (direction === 'asc' || direction === 'desc');
    if (!isOrder)
      throw refuseViolation('orderBy', `Quota preferences cannot be ordered by "${part.trim().slice(0, 64)}"`);
    return { field: name, isDescending: direction === 'desc' };
  });
}

export function parsePreferenceFilter(text: unknown): (subject: JsonObject) => boolean {
  const parsed = parseFilter(isText(text) ? text : '', { profile: 'aip' });
  if (!parsed.ok) throw refuseViolation('filter', parsed.message);
  const { expression } = parsed.filter;
  const strange = expression === undefined ? undefined : findUnknownField(expression);
  if (strange !== undefined)
    throw refuseViolation('filter', `Quota preferences have no field "${strange.slice(0, 64)}"`);
  return createFilterMatcher(parsed.filter);
}

/** The first field of a filter that no preference has. */
function findUnknownField(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.terms.map(findUnknownField).find((name) => name !== undefined);
    case 'not':
      return findUnknownField(expression.term);
    case 'compare': {
      const [name = ''] = expression.written;
      return FILTER_FIELDS.has(name) ? undefined : name;
    }
    case 'bare':
    case 'call':
      return undefined;
  }
}

/** A preference as filters see it: by the fields of the resource in both spellings, and by the vendor's own words. */
export function buildFilterSubject({ row, kept, granted, isPending }: Preference): JsonObject {
  const { service, quotaId, dimensions, createdMs, updatedMs } = kept;
  const [created, updated] = [formatIsoTimestamp(createdMs), formatIsoTimestamp(updatedMs)];
  const [preferred, value] = [Number(kept.preferredValue), Number(granted)];
  const config = { preferredValue: preferred, preferred_value: preferred, grantedValue: value, granted_value: value };
  return {
    name: formatPreferenceName(row),
    service,
    quotaId,
    quota_id: quotaId,
    dimensions: { ...dimensions },
    reconciling: isPending,
    requestType: ORIGIN,
    request_type: ORIGIN,
    createTime: created,
    create_time: created,
    creation_time: created,
    updateTime: updated,
    update_time: updated,
    quotaConfig: config,
    quota_config: config,
  };
}
