import type { Call } from '../../core/engine/operation.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { findQuota } from './catalogue.ts';
import { computeGrant, isMore, isMuchLess, isQuotaValue, type StoredPreference } from './grants.ts';
import { requireQuotaId, requireService, refuseQuotaField } from './names.ts';
import { OWN_SERVICE } from '../../../rate-limits/own-quotas.ts';

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

/** What a caller wants: the fields of a preference that it sets, judged. */
export type PreferenceRequest = Pick<
  StoredPreference,
  'service' | 'quotaId' | 'dimensions' | 'preferredValue' | 'annotations' | 'justification'
>;

/** The wish that a whole body says. @throws Refusal for what is missing or too much */
export function parsePreferenceRequest(body: JsonObject): PreferenceRequest {
  const { service, quotaId, justification = '' } = body;
  if (!isText(service) || service === '') throw vendorRefusals.required('quotaPreference.service');
  if (!isText(quotaId) || quotaId === '') throw vendorRefusals.required('quotaPreference.quotaId');
  requireService(service, 'quotaPreference.service');
  requireQuotaId(quotaId, 'quotaPreference.quotaId');
  const dimensions = parseDimensions(body['dimensions'], service, quotaId);
  if (!isText(justification) || justification.length > MAX_JUSTIFICATION_CHARS) {
    throw refuseQuotaField(
      'quotaPreference.justification',
      `A justification has at most ${MAX_JUSTIFICATION_CHARS} characters`,
    );
  }
  return { service, quotaId, dimensions, justification, ...parseQuotaConfig(body['quotaConfig']) };
}

function parseQuotaConfig(config: Json | undefined): Pick<PreferenceRequest, 'preferredValue' | 'annotations'> {
  const { preferredValue, annotations } = isObject(config) ? config : {};
  if (preferredValue === undefined) throw vendorRefusals.required('quotaPreference.quotaConfig.preferredValue');
  if (!isQuotaValue(preferredValue)) {
    const field = 'quotaPreference.quotaConfig.preferredValue';
    throw refuseQuotaField(field, 'The preferred value must be greater than or equal to -1');
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
  if (whole !== undefined) throw refuseQuotaField(field, `A preference holds for every ${whole}`);
  const row = findQuota(service, quotaId);
  if (row === undefined && service === OWN_SERVICE) {
    throw refuseQuotaField('quotaPreference.quotaId', `The service ${OWN_SERVICE} has no such quota`);
  }
  const known = row && (row.dimensions ?? []);
  const strange = Object.keys(dimensions).find((name) => known?.includes(name) === false);
  if (strange !== undefined) throw refuseQuotaField(field, `The quota ${quotaId} has no such dimension`);
  return dimensions;
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
    throw refuseQuotaField(field, `Invalid value in ${field}`);
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
      throw refuseQuotaField('quotaPreference.contactEmail', 'A contact email is required to request more quota');
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
  if (!isEmail) throw refuseQuotaField('quotaPreference.contactEmail', 'Invalid contact email');
}
