import { alreadyExists, changedBody, notFound, splitName } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import { isSame, writable } from '../../core/engine/write.ts';
import { type Json, type JsonObject, isText } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { quotaNamed } from './catalogue.ts';
import { requireTag } from './etag.ts';
import { type Kept, keptOf, REVIEW_MS } from './grants.ts';
import { containerOf, requirePreferenceId, wrong } from './names.ts';
import { MAX_PREFERENCES, nameOf, preferenceOf, QUOTA, shownPreference, TARGETS, targetOf } from './preference-rows.ts';
import { judgeChange, type Wish, wishOf } from './preference-request.ts';

const SCHEMA = 'QuotaPreference';
const NAME = 'quotaPreference.name';
/** What a PATCH without a mask overwrites; what a preference is for never changes. */
const SETTABLE = ['quotaConfig', 'justification'];
const IMMUTABLE = ['service', 'quotaId', 'dimensions'] as const;
/** Random bytes of an id that the caller leaves to us. */
const ID_BYTES = 16;
const TRACE_BYTES = 16;

export function create(call: Call, context: Context): JsonObject {
  const { container } = containerOf(call.path['parent'] ?? '');
  const asked = call.query['quotaPreferenceId'];
  const id = isText(asked) && asked !== '' ? asked : context.random(ID_BYTES);
  requirePreferenceId(id);
  return shownPreference(store(madeOf(container, id, call, context), context), context);
}

export function get(call: Call, context: Context): JsonObject {
  return shownPreference(rowOf(call.path['name'] ?? '', 'name', context), context);
}

/** PATCH: validates, and writes unless `validateOnly`. `allowMissing` makes what is not there, whatever the mask, but not for a caller who knew it. */
export function patch(call: Call, context: Context): JsonObject {
  const name = call.path[NAME] ?? '';
  const { container, id } = addressIn(name, NAME);
  const found = context.store.get(QUOTA.preferences, container, id);
  const isDry = call.query['validateOnly'] === true;
  if (found === undefined && call.query['allowMissing'] === true) {
    requirePreferenceId(id);
    requireTag(0, call.body['etag'], context);
    const made = madeOf(container, id, call, context);
    return shownPreference(isDry ? { ...made, revision: 0 } : store(made, context), context);
  }
  const row = found ?? rowOf(name, NAME, context);
  requireTag(row.revision, call.body['etag'], context);
  const body = changed(row, call, context);
  if (isDry || isSame(row.body, body)) return shownPreference({ ...row, body }, context);
  const { collection, parent } = row;
  return shownPreference(context.store.put({ collection, parent, id, body }), context);
}

type Made = Omit<StoredRow, 'revision'>;

function madeOf(container: string, id: string, call: Call, context: Context): Made {
  const wish = wishOf(writable(SCHEMA, call.body, context.row));
  const before = String(quotaNamed(wish.service, wish.quotaId)?.value ?? '');
  const isRequest = judgeChange({ wish, before, contactEmail: call.body['contactEmail'] }, call);
  const fresh = { before, dueMs: 0, traceId: '', createdMs: context.now() };
  const body = keptAs(wish, fresh, isRequest, context);
  const owner = context.store.named(TARGETS, targetOf(container, body));
  if (owner !== undefined) {
    throw refuse.duplicate(`Quota preference ${owner.row.id} is there for the same service, quota and dimensions`);
  }
  return { collection: QUOTA.preferences, parent: container, id, body: { ...body } };
}

function store(made: Made, context: Context): StoredRow {
  if (context.store.count(made.collection, made.parent) >= MAX_PREFERENCES) {
    throw refuse.limitExceeded(`A container has at most ${MAX_PREFERENCES} quota preferences`);
  }
  const row = context.store.insert(made);
  if (row === undefined) throw alreadyExists(nameOf(made));
  context.store.name(TARGETS, targetOf(made.parent, keptOf(made.body)), row);
  return row;
}

/** The stored body after a PATCH. A body that says what is there already starts no request. */
function changed(row: StoredRow, call: Call, context: Context): JsonObject {
  const { kept, granted } = preferenceOf(row, context.now());
  const sent = changedBody({ schema: SCHEMA }, wireOf(kept), withoutName(call.body), call, context, SETTABLE);
  for (const field of IMMUTABLE) requireAsBefore(field, kept, call, sent);
  const wish = wishOf(sent);
  if (isSame(wireOf({ ...kept, ...wish }), wireOf(kept))) return row.body;
  if (wish.preferredValue === kept.preferredValue) return { ...kept, ...wish, updatedMs: context.now() };
  const isRequest = judgeChange({ wish, before: granted, contactEmail: call.body['contactEmail'] }, call);
  return { ...keptAs(wish, { ...kept, before: granted }, isRequest, context) };
}

/** Refuses what would make it the preference of something else, whether sent with the body or named by the mask. */
function requireAsBefore(field: (typeof IMMUTABLE)[number], kept: Kept, { body }: Call, after: JsonObject): void {
  const given = body[field];
  const isOther = given !== undefined && given !== '' && !isSame(given, kept[field]) && !isEmptyMap(given);
  const isCleared = !isSame(after[field] ?? {}, wireOf(kept)[field] ?? {});
  if (isOther || isCleared) throw wrong(`quotaPreference.${field}`, `The field ${field} cannot be changed`);
}

/** Clients that send every field send a map that was not set as an empty one. */
const isEmptyMap = (value: Json): boolean => isSame(value, {});

const withoutName = ({ name: _name, ...body }: JsonObject): JsonObject => body;

/** A preference in the vendor's fields, as far as callers set them. */
const wireOf = ({ service, quotaId, dimensions, preferredValue, annotations, justification }: Wish): JsonObject => ({
  service,
  quotaId,
  ...(isEmptyMap(dimensions) ? {} : { dimensions }),
  quotaConfig: { preferredValue, ...(isEmptyMap(annotations) ? {} : { annotations }) },
  ...(justification === '' ? {} : { justification }),
});

type Past = Pick<Kept, 'before' | 'dueMs' | 'traceId' | 'createdMs'>;

function keptAs(wish: Wish, { before, traceId, createdMs }: Past, isRequest: boolean, context: Context): Kept {
  const updatedMs = context.now();
  const { service, quotaId, dimensions, preferredValue, annotations, justification } = wish;
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

function rowOf(name: string, field: string, context: Context): StoredRow {
  const { container, id } = addressIn(name, field);
  const row = context.store.get(QUOTA.preferences, container, id);
  if (row === undefined) throw notFound(name);
  return row;
}

/** `projects/p` and the id of `projects/p/locations/global/quotaPreferences/id`. @throws Refusal */
function addressIn(name: string, field: string): { container: string; id: string } {
  const { parent, id } = splitName(name);
  return { container: containerOf(parent, field).container, id };
}
