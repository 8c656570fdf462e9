import { isObject, isText, type Json, type JsonObject, getMember, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { truncateSentText, refuseExhausted } from '../../../core/conventions/invalid.ts';
import { type CollectionDefinition, buildNewBody } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import {
  type Adapter,
  findAdapter,
  refuseMediationField,
  MEDIATION,
  MEDIATION_PAGE,
  type Publisher,
  parsePublisher,
  requireMaxChars,
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
function validateSettings(sent: Json | undefined, adapter: Adapter, field: string): JsonObject {
  const values = isObject(sent) ? sent : {};
  for (const [key, value] of Object.entries(values)) {
    if (!adapter.settings.some(({ id }) => id === key))
      throw refuseMediationField(field, `"${truncateSentText(key)}" is none of ${formatKnownKeys(adapter)}`);
    if (!isText(value) || value.trim() === '') throw refuseMediationField(field, `the value of "${key}" is empty`);
    requireMaxChars(value, field, MAX_VALUE_CHARS);
  }
  const missing = adapter.settings.find(({ id, isRequired }) => isRequired && !Object.hasOwn(values, id));
  if (missing !== undefined) throw refuseMediationField(field, `"${missing.id}" (${missing.label}) is missing`);
  return { ...values };
}

const formatKnownKeys = ({ id, settings }: Adapter): string =>
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
function createMappingTest(filter: unknown): (row: ResourceRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', FIELDS).map(({ field, values }) => ({
    member: MEMBERS.get(field) ?? '',
    wanted: new Set(values),
  }));
  return ({ body }) => terms.every(({ member, wanted }) => wanted.has(getTextMember(body, member)));
}

/** Ad unit mappings of one publisher. */
export const MAX_MAPPINGS = 10_000;
/** Mappings of one createMappingBatch (the vendor's limit). */
export const MAX_MAPPING_BATCH = 100;
const MAX_NAME_CHARS = 255;
const ID_DIGITS = 10;

const UNIT_NAME = /^accounts\/pub-\d+\/adUnits\/(\d{10})$/;
const MAPPING_NAME = /^(accounts\/pub-\d+)\/adUnits\/\d{10}\/adUnitMappings\/(\d{1,20})$/;

/** What mappings belong to: an ad unit of a publisher, which need not have been made here. */
type Unit = { name: string; publisher: Publisher; fragment: string };

const mappings: CollectionDefinition = {
  name: MEDIATION.mappings,
  schema: 'AdUnitMapping',
  items: 'adUnitMappings',
  page: MEDIATION_PAGE,
  view: ({ body }) => body,
};

/** Ad unit mappings: what an ad unit sends to the network of an adapter. Lines of groups refer to them by name. */
export const mappingHandlers: Handlers = {
  'admob.accounts.adUnits.adUnitMappings.create': create,
  'admob.accounts.adUnits.adUnitMappings.list': (call, context) => {
    const { publisher, fragment } = parseAdUnitName(call.path['parent'] ?? '', 'parent');
    const matches = createMappingTest(call.query['filter']);
    const place = { parent: publisher.name, order: { by: 's1' }, prefix: fragment } as const;
    return listMatching(mappings, place, call, context, matches);
  },
  'admob.accounts.adUnitMappings.batchCreate': createMappingBatch,
};

/** The mapping of a name, whose body has `name` and `adapterId`; undefined for one that is not there, and for no such name. */
export function findAdUnitMapping(name: string, { store }: Context): ResourceRow | undefined {
  const [, publisher = '', id = ''] = MAPPING_NAME.exec(name) ?? [];
  const row = store.get(MEDIATION.mappings, publisher, id);
  return row?.body['name'] === name ? row : undefined;
}

function create({ path, body: sent }: Call, context: Context): JsonObject {
  const unit = parseAdUnitName(path['parent'] ?? '', 'parent');
  const body = validateMapping(sent, '', context);
  requireRoom(unit.publisher, 1, context);
  return insertMapping(unit, body, context);
}

/** Creates all or none; an error names the place of the request that caused it. */
function createMappingBatch({ path, body }: Call, context: Context): JsonObject {
  const publisher = parsePublisher(path['parent'] ?? '');
  const sent = getMember(body, 'requests');
  const requests = Array.isArray(sent) ? sent : [];
  if (requests.length === 0) throw vendorRefusals.required('requests');
  if (requests.length > MAX_MAPPING_BATCH)
    throw refuseMediationField('requests', `at most ${MAX_MAPPING_BATCH} ad unit mappings can be created at once`);
  const judged = requests.map((request, at) => {
    const each = isObject(request) ? request : {};
    const unit = parseAdUnitName(getTextMember(each, 'parent'), `requests[${at}].parent`);
    if (unit.publisher.name !== publisher.name)
      throw refuseMediationField(`requests[${at}].parent`, `it must be an ad unit of ${publisher.name}`);
    const mapping = getMember(each, 'adUnitMapping');
    if (!isObject(mapping)) throw vendorRefusals.required(`requests[${at}].adUnitMapping`);
    return { unit, body: validateMapping(mapping, `requests[${at}].adUnitMapping.`, context) };
  });
  requireRoom(publisher, judged.length, context);
  return { adUnitMappings: judged.map(({ unit, body: mapping }) => insertMapping(unit, mapping, context)) };
}

/** The ad unit of a parent's name. @throws Refusal 400 for another form */
function parseAdUnitName(name: string, field: string): Unit {
  const [, fragment] = UNIT_NAME.exec(name) ?? [];
  if (fragment === undefined)
    throw refuseMediationField(
      field,
      `"${truncateSentText(name)}" is not accounts/pub-[PUBLISHER_DIGITS]/adUnits/[10 DIGITS]`,
    );
  return { name, publisher: parsePublisher(name), fragment };
}

/**
 * The part of a sent mapping that is stored. Its name is ours, whatever was sent.
 * @param at the path of its fields
 */
function validateMapping(sent: JsonObject, at: string, context: Context): JsonObject {
  const { name: _ours, state: _ourState, ...body } = buildNewBody(mappings, sent, context);
  const adapterId = getTextMember(body, 'adapterId');
  if (adapterId === '') throw vendorRefusals.required(`${at}adapterId`);
  const adapter = findAdapter(adapterId);
  if (adapter === undefined)
    throw refuseMediationField(`${at}adapterId`, `"${truncateSentText(adapterId)}" is the id of no adapter`);
  requireMaxChars(getTextMember(body, 'displayName'), `${at}displayName`, MAX_NAME_CHARS);
  const field = `${at}adUnitConfigurations`;
  const adUnitConfigurations = validateSettings(getMember(body, 'adUnitConfigurations'), adapter, field);
  return { ...body, adUnitConfigurations };
}

function requireRoom({ name }: Publisher, more: number, { store }: Context): void {
  if (store.count(MEDIATION.mappings, name) + more > MAX_MAPPINGS)
    throw refuseExhausted(`A publisher has at most ${MAX_MAPPINGS} ad unit mappings`);
}

function insertMapping(unit: Unit, body: JsonObject, context: Context): JsonObject {
  const rowOf = (id: string) => ({
    collection: MEDIATION.mappings,
    parent: unit.publisher.name,
    id,
    s1: unit.fragment,
    body: { name: `${unit.name}/adUnitMappings/${id}`, ...body, state: 'ENABLED' },
  });
  return insertFresh(rowOf, ID_DIGITS, context).body;
}
