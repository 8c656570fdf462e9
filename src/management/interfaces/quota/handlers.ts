import { readPageSize } from '../../core/engine/collection.ts';
import {
  buildChangedBody,
  refuseExistingName,
  refuseMissingName,
  splitName,
} from '../../core/engine/named-collection.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isSameJson, selectWritable } from '../../core/engine/write.ts';
import { methods } from '../../core/table/method-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { refuseSecondPreference } from './refusals.ts';
import {
  ADJUSTER_ID,
  buildQuotaInfo,
  findQuota,
  formatPreferenceName,
  hashPreferenceTarget,
  listContainerPreferences,
  listQuotaValues,
  listServiceQuotas,
  MAX_PREFERENCES,
  parsePreferenceName,
  parseQuotaContainer,
  parseServiceParent,
  parseSettingsContainer,
  type PreferenceRequest,
  QUOTA,
  readPreference,
  readStoredPreference,
  requirePreferenceId,
  requirePreferenceRow,
  REVIEW_MS,
  type StoredPreference,
  TARGETS,
  toAdjusterResource,
  toPreferenceResource,
  toSettableFields,
} from './rows.ts';
import {
  buildFilterSubject,
  createPreferenceComparer,
  judgeChange,
  parseEnablement,
  parsePlace,
  parsePreferenceFilter,
  parsePreferenceOrder,
  parsePreferenceRequest,
  requireQuotaEtag,
  requireSamePurpose,
} from './schemas.ts';

const SCHEMA = 'QuotaPreference';
/** The parameter that names what a call is about. */
const NAME = 'name';
/** What a PATCH without a mask overwrites. */
const SETTABLE = ['quotaConfig', 'justification'];
/** Random bytes of an id that the caller leaves to us. */
const ID_BYTES = 16;
const TRACE_BYTES = 16;
const PAGE = { parameter: 'pageSize', default: 100, max: 1_000 };

/** By the end of a method's id: each is served for projects, folders and organizations alike. */
const OPERATIONS: Readonly<Record<string, Handler>> = {
  'quotaPreferences.create': createQuotaPreference,
  'quotaPreferences.get': getQuotaPreference,
  'quotaPreferences.list': listQuotaPreferences,
  'quotaPreferences.patch': patchQuotaPreference,
  'quotaInfos.get': getQuotaInfo,
  'quotaInfos.list': listQuotaInfos,
  'quotaAdjusterSettings.getQuotaAdjusterSettings': getAdjusterSettings,
  'quotaAdjusterSettings.updateQuotaAdjusterSettings': updateAdjusterSettings,
};

/** The handlers of one version: both serve the same resources. */
export function createVersionHandlers(version: string): Handlers {
  const rows = methods.filter((row) => row.interface === 'quota' && row.version === version);
  const served = rows.flatMap(({ id }): [string, Handler][] => {
    const handler = OPERATIONS[id.split('.').slice(-2).join('.')];
    return handler === undefined ? [] : [[id, handler]];
  });
  return Object.fromEntries(served);
}

function createQuotaPreference(call: Call, context: Context): JsonObject {
  const { container } = parseQuotaContainer(call.path['parent'] ?? '');
  const asked = call.query['quotaPreferenceId'];
  const id = isText(asked) && asked !== '' ? asked : context.random(ID_BYTES);
  requirePreferenceId(id);
  return toPreferenceResource(storePreference(buildNewPreference(container, id, call, context), context), context);
}

function getQuotaPreference(call: Call, context: Context): JsonObject {
  return toPreferenceResource(requirePreferenceRow(call.path['name'] ?? '', 'name', context), context);
}

/** PATCH: validates, and writes unless `validateOnly`. `allowMissing` makes what is not there, whatever the mask, but not for a caller who knew it. */
function patchQuotaPreference(call: Call, context: Context): JsonObject {
  const name = call.path[NAME] ?? '';
  const { container, id } = parsePreferenceName(name, NAME);
  const found = context.store.get(QUOTA.preferences, container, id);
  const isDry = call.query['validateOnly'] === true;
  if (found === undefined && call.query['allowMissing'] === true) {
    requirePreferenceId(id);
    requireQuotaEtag(0, call.body['etag'], context);
    const made = buildNewPreference(container, id, call, context);
    return toPreferenceResource(isDry ? { ...made, revision: 0 } : storePreference(made, context), context);
  }
  const row = found ?? requirePreferenceRow(name, NAME, context);
  requireQuotaEtag(row.revision, call.body['etag'], context);
  const body = buildChangedPreference(row, call, context);
  if (isDry || isSameJson(row.body, body)) return toPreferenceResource({ ...row, body }, context);
  const { collection, parent } = row;
  return toPreferenceResource(context.store.put({ collection, parent, id, body }), context);
}

/** One page of a container's preferences, by the time of their making unless asked otherwise. */
function listQuotaPreferences(call: Call, context: Context): JsonObject {
  const { container } = parseQuotaContainer(call.path['parent'] ?? '');
  const keep = parsePreferenceFilter(call.query['filter']);
  const compare = createPreferenceComparer(parsePreferenceOrder(call.query['orderBy']));
  const limit = readPageSize(call.query['pageSize'], PAGE);
  const after = parsePlace(context.pages.open()?.sort);
  const left = listContainerPreferences(container, context)
    .filter((preference) => keep(buildFilterSubject(preference)))
    .map((preference) => ({ preference, place: compare.placeOf(preference) }))
    .filter(({ place }) => after === undefined || compare.places(place, after) > 0)
    .toSorted((a, b) => compare.places(a.place, b.place));
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1) : undefined;
  return {
    ...(page.length > 0 && {
      quotaPreferences: page.map(({ preference: { row } }) => toPreferenceResource(row, context)),
    }),
    ...(last !== undefined && {
      nextPageToken: context.pages.seal({ sort: JSON.stringify(last.place), id: last.preference.row.id }),
    }),
  };
}

function getQuotaInfo(call: Call, context: Context): JsonObject {
  const name = call.path['name'] ?? '';
  const { parent, id } = splitName(name);
  const place = parseServiceParent(parent);
  const row = findQuota(place.service, id);
  if (row === undefined) throw refuseMissingName(name);
  return buildQuotaInfo(row, place, listQuotaValues(row, listContainerPreferences(place.container, context)));
}

/** The quotas of a service by their ids; an empty list for a service that the catalogue lacks. */
function listQuotaInfos(call: Call, context: Context): JsonObject {
  const place = parseServiceParent(call.path['parent'] ?? '');
  const after = context.pages.open()?.id ?? '';
  const limit = readPageSize(call.query['pageSize'], PAGE);
  const left = listServiceQuotas(place.service).filter(({ quotaId }) => quotaId > after);
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1)?.quotaId : undefined;
  const preferences = page.length === 0 ? [] : listContainerPreferences(place.container, context);
  return {
    ...(page.length > 0 && {
      quotaInfos: page.map((row) => buildQuotaInfo(row, place, listQuotaValues(row, preferences))),
    }),
    ...(last !== undefined && { nextPageToken: context.pages.seal({ sort: last, id: last }) }),
  };
}

function getAdjusterSettings(call: Call, context: Context): JsonObject {
  const container = parseSettingsContainer(call.path['name'] ?? '', 'name');
  return toAdjusterResource(container, context.store.get(QUOTA.adjuster, container, ADJUSTER_ID), context);
}

/** Sets the container's own enablement, or, with `inherited`, gives it back. */
function updateAdjusterSettings(call: Call, context: Context): JsonObject {
  const container = parseSettingsContainer(call.path[NAME] ?? '', NAME);
  const before = context.store.get(QUOTA.adjuster, container, ADJUSTER_ID);
  requireQuotaEtag(before?.revision ?? 0, call.body['etag'], context);
  const wanted = parseEnablement(call, context);
  const isDry = call.query['validateOnly'] === true;
  const isInherited = before === undefined || before.body['enablement'] === 'inherit';
  if (wanted === undefined || (wanted === 'inherit' && isInherited))
    return toAdjusterResource(container, before, context);
  const row = { collection: QUOTA.adjuster, parent: container, id: ADJUSTER_ID };
  const body = { enablement: wanted, updatedMs: context.now() };
  if (isDry) return toAdjusterResource(container, { ...row, body, revision: before?.revision ?? 0 }, context);
  return toAdjusterResource(
    container,
    before ? context.store.put({ ...row, body }) : context.store.insert({ ...row, body }),
    context,
  );
}

type NewPreferenceRow = Omit<ResourceRow, 'revision'>;

function buildNewPreference(container: string, id: string, call: Call, context: Context): NewPreferenceRow {
  const requested = parsePreferenceRequest(selectWritable(SCHEMA, call.body, context.row));
  const before = String(findQuota(requested.service, requested.quotaId)?.value ?? '');
  const isRequest = judgeChange({ requested, before, contactEmail: call.body['contactEmail'] }, call);
  const fresh = { before, dueMs: 0, traceId: '', createdMs: context.now() };
  const body = buildStoredPreference(requested, fresh, isRequest, context);
  const owner = context.store.named(TARGETS, hashPreferenceTarget(container, body));
  if (owner !== undefined) throw refuseSecondPreference(owner.row.id);
  return { collection: QUOTA.preferences, parent: container, id, body: { ...body } };
}

function storePreference(made: NewPreferenceRow, context: Context): ResourceRow {
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
  requireSamePurpose(kept, call, sent);
  const requested = parsePreferenceRequest(sent);
  if (isSameJson(toSettableFields({ ...kept, ...requested }), toSettableFields(kept))) return row.body;
  if (requested.preferredValue === kept.preferredValue) return { ...kept, ...requested, updatedMs: context.now() };
  const isRequest = judgeChange({ requested, before: granted, contactEmail: call.body['contactEmail'] }, call);
  return { ...buildStoredPreference(requested, { ...kept, before: granted }, isRequest, context) };
}

const withoutName = ({ name: _name, ...body }: JsonObject): JsonObject => body;

type Past = Pick<StoredPreference, 'before' | 'dueMs' | 'traceId' | 'createdMs'>;

function buildStoredPreference(
  requested: PreferenceRequest,
  { before, traceId, createdMs }: Past,
  isRequest: boolean,
  context: Context,
): StoredPreference {
  const updatedMs = context.now();
  return {
    ...requested,
    createdMs,
    updatedMs,
    before,
    dueMs: isRequest ? updatedMs + REVIEW_MS : 0,
    traceId: isRequest ? context.random(TRACE_BYTES) : traceId,
  };
}
