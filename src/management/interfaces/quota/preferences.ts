import {
  refuseExistingName,
  buildChangedBody,
  refuseMissingName,
  splitName,
} from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isSameJson, selectWritable } from '../../core/engine/write.ts';
import { type Json, type JsonObject, isText } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { findQuota } from './catalogue.ts';
import { requireQuotaEtag } from './etag.ts';
import { type StoredPreference, readStoredPreference, REVIEW_MS } from './grants.ts';
import { parseQuotaContainer, requirePreferenceId, refuseQuotaField } from './names.ts';
import {
  MAX_PREFERENCES,
  formatPreferenceName,
  readPreference,
  QUOTA,
  toPreferenceResource,
  TARGETS,
  hashPreferenceTarget,
} from './preference-rows.ts';
import { judgeChange, type PreferenceRequest, parsePreferenceRequest } from './preference-request.ts';

const SCHEMA = 'QuotaPreference';
const NAME = 'quotaPreference.name';
/** What a PATCH without a mask overwrites; what a preference is for never changes. */
const SETTABLE = ['quotaConfig', 'justification'];
const IMMUTABLE = ['service', 'quotaId', 'dimensions'] as const;
/** Random bytes of an id that the caller leaves to us. */
const ID_BYTES = 16;
const TRACE_BYTES = 16;

export function create(call: Call, context: Context): JsonObject {
  const { container } = parseQuotaContainer(call.path['parent'] ?? '');
  const asked = call.query['quotaPreferenceId'];
  const id = isText(asked) && asked !== '' ? asked : context.random(ID_BYTES);
  requirePreferenceId(id);
  return toPreferenceResource(store(buildNewPreference(container, id, call, context), context), context);
}

export function getQuotaPreference(call: Call, context: Context): JsonObject {
  return toPreferenceResource(requirePreferenceRow(call.path['name'] ?? '', 'name', context), context);
}

/** PATCH: validates, and writes unless `validateOnly`. `allowMissing` makes what is not there, whatever the mask, but not for a caller who knew it. */
export function patchQuotaPreference(call: Call, context: Context): JsonObject {
  const name = call.path[NAME] ?? '';
  const { container, id } = parsePreferenceName(name, NAME);
  const found = context.store.get(QUOTA.preferences, container, id);
  const isDry = call.query['validateOnly'] === true;
  if (found === undefined && call.query['allowMissing'] === true) {
    requirePreferenceId(id);
    requireQuotaEtag(0, call.body['etag'], context);
    const made = buildNewPreference(container, id, call, context);
    return toPreferenceResource(isDry ? { ...made, revision: 0 } : store(made, context), context);
  }
  const row = found ?? requirePreferenceRow(name, NAME, context);
  requireQuotaEtag(row.revision, call.body['etag'], context);
  const body = buildChangedPreference(row, call, context);
  if (isDry || isSameJson(row.body, body)) return toPreferenceResource({ ...row, body }, context);
  const { collection, parent } = row;
  return toPreferenceResource(context.store.put({ collection, parent, id, body }), context);
}

type NewPreferenceRow = Omit<ResourceRow, 'revision'>;

function buildNewPreference(container: string, id: string, call: Call, context: Context): NewPreferenceRow {
  const requested = parsePreferenceRequest(selectWritable(SCHEMA, call.body, context.row));
  const before = String(findQuota(requested.service, requested.quotaId)?.value ?? '');
  const isRequest = judgeChange({ requested, before, contactEmail: call.body['contactEmail'] }, call);
  const fresh = { before, dueMs: 0, traceId: '', createdMs: context.now() };
  const body = buildStoredPreference(requested, fresh, isRequest, context);
  const owner = context.store.named(TARGETS, hashPreferenceTarget(container, body));
  if (owner !== undefined) {
    throw vendorRefusals.duplicate(
      `Quota preference ${owner.row.id} is there for the same service, quota and dimensions`,
    );
  }
  return { collection: QUOTA.preferences, parent: container, id, body: { ...body } };
}

function store(made: NewPreferenceRow, context: Context): ResourceRow {
  if (context.store.count(made.collection, made.parent) >= MAX_PREFERENCES) {
    throw vendorRefusals.limitExceeded(`A container has at most ${MAX_PREFERENCES} quota preferences`);
  }
  const row = context.store.insert(made);
  if (row === undefined) throw refuseExistingName(formatPreferenceName(made));
  context.store.name(TARGETS, hashPreferenceTarget(made.parent, readStoredPreference(made.body)), row);
  return row;
}

/** The stored body after a PATCH. A body that says what is there already starts no request. */
function buildChangedPreference(row: ResourceRow, call: Call, context: Context): JsonObject {
  const { kept, granted } = readPreference(row, context.now());
  const sent = buildChangedBody(
    { schema: SCHEMA },
    toSettableFields(kept),
    withoutName(call.body),
    call,
    context,
    SETTABLE,
  );
  for (const field of IMMUTABLE) requireAsBefore(field, kept, call, sent);
  const requested = parsePreferenceRequest(sent);
  if (isSameJson(toSettableFields({ ...kept, ...requested }), toSettableFields(kept))) return row.body;
  if (requested.preferredValue === kept.preferredValue) return { ...kept, ...requested, updatedMs: context.now() };
  const isRequest = judgeChange({ requested, before: granted, contactEmail: call.body['contactEmail'] }, call);
  return { ...buildStoredPreference(requested, { ...kept, before: granted }, isRequest, context) };
}

/** Refuses what would make it the preference of something else, whether sent with the body or named by the mask. */
function requireAsBefore(
  field: (typeof IMMUTABLE)[number],
  kept: StoredPreference,
  { body }: Call,
  after: JsonObject,
): void {
  const given = body[field];
  const isOther = given !== undefined && given !== '' && !isSameJson(given, kept[field]) && !isEmptyMap(given);
  const isCleared = !isSameJson(after[field] ?? {}, toSettableFields(kept)[field] ?? {});
  if (isOther || isCleared) throw refuseQuotaField(`quotaPreference.${field}`, `The field ${field} cannot be changed`);
}

/** Clients that send every field send a map that was not set as an empty one. */
const isEmptyMap = (value: Json): boolean => isSameJson(value, {});

const withoutName = ({ name: _name, ...body }: JsonObject): JsonObject => body;

/** A preference in the vendor's fields, as far as callers set them. */
const toSettableFields = ({
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

type Past = Pick<StoredPreference, 'before' | 'dueMs' | 'traceId' | 'createdMs'>;

function buildStoredPreference(
  requested: PreferenceRequest,
  { before, traceId, createdMs }: Past,
  isRequest: boolean,
  context: Context,
): StoredPreference {
  const updatedMs = context.now();
  const { service, quotaId, dimensions, preferredValue, annotations, justification } = requested;
  return {
    service,
    quotaId,
    dimensions,
    preferredValue,
    annotations,
    justification,
    createdMs,
    updatedMs,
    before,
    dueMs: isRequest ? updatedMs + REVIEW_MS : 0,
    traceId: isRequest ? context.random(TRACE_BYTES) : traceId,
  };
}

function requirePreferenceRow(name: string, field: string, context: Context): ResourceRow {
  const { container, id } = parsePreferenceName(name, field);
  const row = context.store.get(QUOTA.preferences, container, id);
  if (row === undefined) throw refuseMissingName(name);
  return row;
}

/** `projects/p` and the id of `projects/p/locations/global/quotaPreferences/id`. @throws Refusal */
function parsePreferenceName(name: string, field: string): { container: string; id: string } {
  const { parent, id } = splitName(name);
  return { container: parseQuotaContainer(parent, field).container, id };
}
