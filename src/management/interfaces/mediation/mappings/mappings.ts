import { isObject, isText, type Json, type JsonObject, memberOf } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { shownText } from '../../../core/conventions/invalid.ts';
import { type NamedCollection, newBody } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import {
  type Adapter,
  adapterOf,
  exhausted,
  invalidField,
  MEDIATION,
  MEDIATION_PAGE,
  type Publisher,
  publisherOf,
  requireShort,
  textIn,
} from '../rows.ts';
import { type FilterCall, readFilter } from '../filter-text.ts';
import { insertFresh } from '../groups/fresh-id.ts';
import { listMatching } from '../matching-list.ts';

/** Characters of one value. */
const MAX_VALUE_CHARS = 1_024;

/**
 * The `adUnitConfigurations` of a mapping, judged by what its adapter asks for.
 * @throws Refusal 400 for a key that the adapter has not, an empty or long value, a required key that is missing
 */
function judgedSettings(sent: Json | undefined, adapter: Adapter, field: string): JsonObject {
  const values = isObject(sent) ? sent : {};
  for (const [key, value] of Object.entries(values)) {
    if (!adapter.settings.some(({ id }) => id === key))
      throw invalidField(field, `"${shownText(key)}" is none of ${knownKeys(adapter)}`);
    if (!isText(value) || value.trim() === '') throw invalidField(field, `the value of "${key}" is empty`);
    requireShort(value, field, MAX_VALUE_CHARS);
  }
  const missing = adapter.settings.find(({ id, isRequired }) => isRequired && !Object.hasOwn(values, id));
  if (missing !== undefined) throw invalidField(field, `"${missing.id}" (${missing.label}) is missing`);
  return { ...values };
}

const knownKeys = ({ id, settings }: Adapter): string =>
  `the settings of adapter ${id}: ${settings.map((setting) => setting.id).join(', ')}`;

/** Fields of mappings that a list can be filtered by, beside the vendor's DISPLAY_NAME also the adapter. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['DISPLAY_NAME', 'displayName'],
  ['ADAPTER_ID', 'adapterId'],
]);
const FIELDS: ReadonlyMap<string, FilterCall> = new Map([...MEMBERS.keys()].map((field) => [field, 'IN']));

/**
 * What a list's filter lets through: `IN(DISPLAY_NAME, "a", "b") AND IN(ADAPTER_ID, "107")`.
 * @throws Refusal 400 for anything else
 */
function mappingMatcher(filter: unknown): (row: StoredRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', FIELDS).map(({ field, values }) => ({
    member: MEMBERS.get(field) ?? '',
    wanted: new Set(values),
  }));
  return ({ body }) => terms.every(({ member, wanted }) => wanted.has(textIn(body, member)));
}

/** Ad unit mappings of one publisher. */
export const MAX_MAPPINGS = 10_000;
/** Mappings of one batchCreate (the vendor's limit). */
export const MAX_BATCH = 100;
const MAX_NAME_CHARS = 255;
const ID_DIGITS = 10;

const UNIT_NAME = /^accounts\/pub-\d+\/adUnits\/(\d{10})$/;
const MAPPING_NAME = /^(accounts\/pub-\d+)\/adUnits\/\d{10}\/adUnitMappings\/(\d{1,20})$/;

/** What mappings belong to: an ad unit of a publisher, which need not have been made here. */
type Unit = { name: string; publisher: Publisher; fragment: string };

const mappings: NamedCollection = {
  name: MEDIATION.mappings,
  schema: 'AdUnitMapping',
  items: 'adUnitMappings',
  page: MEDIATION_PAGE,
  view: ({ body }) => body,
};

/** Ad unit mappings: what an ad unit tells the network of an adapter. Lines of groups refer to them by their names. */
export const mappingHandlers: Handlers = {
  'admob.accounts.adUnits.adUnitMappings.create': create,
  'admob.accounts.adUnits.adUnitMappings.list': (call, context) => {
    const { publisher, fragment } = unitOf(call.path['parent'] ?? '', 'parent');
    const matches = mappingMatcher(call.query['filter']);
    const place = { parent: publisher.name, order: { by: 's1' }, prefix: fragment } as const;
    return listMatching(mappings, place, call, context, matches);
  },
  'admob.accounts.adUnitMappings.batchCreate': batchCreate,
};

/** The mapping of a name, whose body has `name` and `adapterId`; undefined for one that is not there, and for no such name. */
export function mappingNamed(name: string, { store }: Context): StoredRow | undefined {
  const [, publisher = '', id = ''] = MAPPING_NAME.exec(name) ?? [];
  const row = store.get(MEDIATION.mappings, publisher, id);
  return row?.body['name'] === name ? row : undefined;
}

function create({ path, body: sent }: Call, context: Context): JsonObject {
  const unit = unitOf(path['parent'] ?? '', 'parent');
  const body = judgedMapping(sent, '', context);
  requireRoom(unit.publisher, 1, context);
  return inserted(unit, body, context);
}

/** All of them, or none: what is wrong with one of them is told by its place. */
function batchCreate({ path, body }: Call, context: Context): JsonObject {
  const publisher = publisherOf(path['parent'] ?? '');
  const sent = memberOf(body, 'requests');
  const requests = Array.isArray(sent) ? sent : [];
  if (requests.length === 0) throw refuse.required('requests');
  if (requests.length > MAX_BATCH)
    throw invalidField('requests', `at most ${MAX_BATCH} ad unit mappings can be created at once`);
  const judged = requests.map((request, at) => {
    const each = isObject(request) ? request : {};
    const unit = unitOf(textIn(each, 'parent'), `requests[${at}].parent`);
    if (unit.publisher.name !== publisher.name)
      throw invalidField(`requests[${at}].parent`, `it must be an ad unit of ${publisher.name}`);
    const mapping = memberOf(each, 'adUnitMapping');
    if (!isObject(mapping)) throw refuse.required(`requests[${at}].adUnitMapping`);
    return { unit, body: judgedMapping(mapping, `requests[${at}].adUnitMapping.`, context) };
  });
  requireRoom(publisher, judged.length, context);
  return { adUnitMappings: judged.map(({ unit, body: mapping }) => inserted(unit, mapping, context)) };
}

/** The ad unit of a parent's name. @throws Refusal 400 for another form */
function unitOf(name: string, field: string): Unit {
  const [, fragment] = UNIT_NAME.exec(name) ?? [];
  if (fragment === undefined)
    throw invalidField(field, `"${shownText(name)}" is not accounts/pub-[PUBLISHER_DIGITS]/adUnits/[10 DIGITS]`);
  return { name, publisher: publisherOf(name), fragment };
}

/** What of a sent mapping is kept. Its name is ours, whatever was sent (seed 2). @param at the path of its fields */
function judgedMapping(sent: JsonObject, at: string, context: Context): JsonObject {
  const { name: _ours, state: _ourState, ...body } = newBody(mappings, sent, context);
  const adapterId = textIn(body, 'adapterId');
  if (adapterId === '') throw refuse.required(`${at}adapterId`);
  const adapter = adapterOf(adapterId);
  if (adapter === undefined) throw invalidField(`${at}adapterId`, `"${shownText(adapterId)}" is the id of no adapter`);
  requireShort(textIn(body, 'displayName'), `${at}displayName`, MAX_NAME_CHARS);
  const field = `${at}adUnitConfigurations`;
  const adUnitConfigurations = judgedSettings(memberOf(body, 'adUnitConfigurations'), adapter, field);
  return { ...body, adUnitConfigurations };
}

function requireRoom({ name }: Publisher, more: number, { store }: Context): void {
  if (store.count(MEDIATION.mappings, name) + more > MAX_MAPPINGS)
    throw exhausted(`A publisher has at most ${MAX_MAPPINGS} ad unit mappings`);
}

function inserted(unit: Unit, body: JsonObject, context: Context): JsonObject {
  const rowOf = (id: string) => ({
    collection: MEDIATION.mappings,
    parent: unit.publisher.name,
    id,
    s1: unit.fragment,
    body: { name: `${unit.name}/adUnitMappings/${id}`, ...body, state: 'ENABLED' },
  });
  return insertFresh(rowOf, ID_DIGITS, context).body;
}
