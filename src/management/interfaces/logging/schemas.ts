import * as z from 'zod';
import { truncateSentText, refuseViolation } from '../../core/conventions/invalid.ts';
import type { Call } from '../../core/engine/operation.ts';
import { type ParsedFilter, createFilterMatcher, parseFilter } from '../../core/filter/index.ts';
import { isObject, isText, type Json, type JsonObject, toObjects } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { LOCATIONS } from './locations-data.ts';

/** Longest id that a caller may give a resource, in characters. */
const MAX_ID_CHARS = 100;
/** Longest filter, in characters. */
const MAX_FILTER_CHARS = 20_000;
/** Of a description of anything (the vendor's documents). */
const MAX_DESCRIPTION_CHARS = 8_000;
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** The text of a member; '' where it has none. */
export const toTextOrEmpty = (value: unknown): string => (isText(value) ? value : '');

/** @throws Refusal for what is no id: at most 100 letters, digits, `_`, `-` and `.`, the first a letter or digit */
export function requireId(id: unknown, field: string): string {
  if (isText(id) && id.length <= MAX_ID_CHARS && ID.test(id)) return id;
  const what = 'at most 100 letters, digits, underscores, hyphens and periods, beginning with a letter or digit';
  const said = isText(id) ? ` ${JSON.stringify(truncateSentText(id))}` : '';
  throw refuseViolation(field, `Invalid ${field}${said}: it must be ${what}.`);
}

/** A filter of the filter language, parsed. Nothing is the filter that takes everything. @throws Refusal with what is wrong */
export function requireFilter(filter: Json | undefined, field = 'filter'): ParsedFilter {
  const text = isText(filter) ? filter : '';
  if (text.length > MAX_FILTER_CHARS)
    throw refuseViolation(field, `${field} has more than ${MAX_FILTER_CHARS} characters.`);
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  throw refuseViolation(field, `${parsed.message} (at character ${parsed.at})`);
}

/** @throws Refusal for a description that is too long */
export function requireDescription(description: Json | undefined): void {
  if (isText(description) && description.length > MAX_DESCRIPTION_CHARS)
    throw refuseViolation('description', `description has more than ${MAX_DESCRIPTION_CHARS} characters.`);
}

/**
 * What the `filter` of a list of resources lets through (AIP-160): judged on them as they are shown.
 * @throws Refusal for a text that is no filter
 */
export function requireListFilter(call: Call): (resource: JsonObject) => boolean {
  const text = toTextOrEmpty(call.query['filter']);
  if (text.length > MAX_FILTER_CHARS)
    throw refuseViolation('filter', `filter has more than ${MAX_FILTER_CHARS} characters.`);
  const parsed = parseFilter(text, { profile: 'aip' });
  if (parsed.ok) return createFilterMatcher(parsed.filter, { isLogEntry: false });
  throw refuseViolation('filter', `Unparseable filter: ${parsed.message} (at character ${parsed.at})`);
}

/** @throws Refusal 400 for a location that no bucket can be in */
export function requireLocation(location: string): void {
  if (!Object.hasOwn(LOCATIONS, location))
    throw vendorRefusals.invalid(`Location ${truncateSentText(location)} is not found or access is unauthorized.`);
}

const KEY_NAME =
  /^projects\/[^/]{1,64}\/locations\/[a-z0-9-]{1,32}\/keyRings\/[A-Za-z0-9_-]{1,63}\/cryptoKeys\/[A-Za-z0-9_-]{1,63}$/;

/** @throws Refusal for what is no name of a key: its form is judged, not whether there is one */
export function requireKeyName(name: string, field: string): void {
  if (KEY_NAME.test(name)) return;
  const form = 'projects/[PROJECT_ID]/locations/[LOCATION]/keyRings/[KEYRING]/cryptoKeys/[KEY]';
  throw refuseViolation(field, `${field} must have the form ${form}.`);
}

/** Exclusions of one sink, and of the settings for one (the vendor's). */
export const MAX_EXCLUSIONS = 50;
/** Characters of what settings say of a `_Default` sink: each write of entries reads it (rule K9). */
const MAX_CONFIG_CHARS = 100_000;
const MODES = new Set<unknown>(['APPEND', 'OVERWRITE']);

/** Settings as they are stored: without what says nothing. @throws Refusal */
export function validateSettings(sent: JsonObject): JsonObject {
  const { kmsKeyName, storageLocation, defaultSinkConfig } = sent;
  if (toTextOrEmpty(kmsKeyName) !== '') requireKeyName(toTextOrEmpty(kmsKeyName), 'kmsKeyName');
  if (toTextOrEmpty(storageLocation) !== '') requireLocation(toTextOrEmpty(storageLocation));
  requireSinkConfig(defaultSinkConfig);
  const said = Object.entries(sent).filter(([, value]) => value !== '' && value !== false);
  return Object.fromEntries(said);
}

/** @throws Refusal without a mode, for a filter that is none, for OVERWRITE without one, for an exclusion without filter */
function requireSinkConfig(config: Json | undefined): void {
  if (!isObject(config)) return;
  const { mode, filter, exclusions } = config;
  if (JSON.stringify(config).length > MAX_CONFIG_CHARS)
    throw refuseViolation('defaultSinkConfig', `defaultSinkConfig has more than ${MAX_CONFIG_CHARS} characters.`);
  if (!MODES.has(mode)) throw refuseViolation('defaultSinkConfig.mode', 'mode must be APPEND or OVERWRITE.');
  if (mode === 'OVERWRITE' && toTextOrEmpty(filter) === '')
    throw refuseViolation('defaultSinkConfig.filter', 'filter must not be empty where mode is OVERWRITE.');
  requireFilter(filter, 'defaultSinkConfig.filter');
  const listed = toObjects(exclusions);
  if (listed.length > MAX_EXCLUSIONS)
    throw refuseViolation('defaultSinkConfig.exclusions', `A sink has at most ${MAX_EXCLUSIONS} exclusions.`);
  for (const exclusion of listed) {
    requireId(exclusion['name'], 'defaultSinkConfig.exclusions.name');
    const field = 'defaultSinkConfig.exclusions.filter';
    if (!isText(exclusion['filter']) || exclusion['filter'] === '') throw refuseViolation(field, 'filter is required.');
    requireFilter(exclusion['filter'], field);
  }
}

/** Whether a body has a form; for the rows that a restore takes (rule K3). */
export const createSchemaTest =
  (schema: z.ZodType) =>
  (body: JsonObject): boolean =>
    schema.safeParse(body).success;

/** Unix milliseconds. */
export const timeSchema = z.int();
export const objectSchema = z.record(z.string(), z.json());

/** Whether a row of a snapshot is an operation as it is stored (rule K3). */
export const isStoredOperation = createSchemaTest(
  z.strictObject({
    startMs: timeSchema,
    doneMs: timeSchema,
    metadata: objectSchema,
    response: objectSchema,
    target: z.string().optional(),
    cancelledMs: timeSchema.optional(),
  }),
);
