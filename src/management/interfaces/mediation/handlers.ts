import { getMember, getTextMember, isObject, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import {
  buildNewBody,
  type CollectionDefinition,
  listAtHand,
  listNamed,
  refuseMissingName,
} from '../../core/engine/named-collection.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import { refuseMediationField } from './refusals.ts';
import {
  adUnits,
  apps,
  asV1,
  findAdSource,
  formatAdUnitId,
  insertFresh,
  listAllAdSources,
  listMatching,
  listSourceAdapters,
  mappings,
  MEDIATION_PAGE,
  parsePublisher,
  publishers,
  rememberPublisher,
  requirePublisherRoom,
  toAdapterResource,
  toPublisherResource,
} from './rows.ts';
import {
  type AdUnitPlace,
  createMappingTest,
  parseAdUnitName,
  validateAdUnit,
  validateApp,
  validateMapping,
} from './schemas.ts';

/** Mappings of one createMappingBatch (the vendor's limit). */
export const MAX_MAPPING_BATCH = 100;

const SOURCE_NAME = /^accounts\/pub-\d+\/adSources\/([^/]+)$/;

/**
 * Publisher accounts, their apps, ad units and mappings, and the catalogue of ad sources. An account that the caller may use
 * is there; lists have those that a call named which was not refused.
 */
export const handlers: Handlers = {
  'admob.accounts.get': ({ path }) => toPublisherResource(parsePublisher(path['name'] ?? '')),
  'admob.accounts.list': (call, context) => listNamed(publishers, '', call, context),
  'admob.accounts.adSources.list': listAdSources,
  'admob.accounts.adSources.adapters.list': listAdapters,
  'admob.accounts.apps.create': createApp,
  'admob.accounts.apps.list': createListHandler(apps),
  'admob.accounts.adUnits.create': createAdUnit,
  'admob.accounts.adUnits.list': createListHandler(adUnits),
  'admob.accounts.adUnits.adUnitMappings.create': createMapping,
  'admob.accounts.adUnits.adUnitMappings.list': listMappings,
  'admob.accounts.adUnitMappings.batchCreate': createMappingBatch,
};

/** What the older version reads of the same rows: its resources have fewer fields. */
export const v1Handlers: Handlers = {
  'admob.v1.accounts.get': ({ path }) => toPublisherResource(parsePublisher(path['name'] ?? '')),
  'admob.v1.accounts.list': (call, context) => listNamed(publishers, '', call, context),
  'admob.v1.accounts.apps.list': createListHandler(asV1(apps)),
  'admob.v1.accounts.adUnits.list': createListHandler(asV1(adUnits)),
};

/** The same methods; what they answer puts the publisher of the path into the list of accounts. */
export function wrapWithPublisherRecord(methods: Handlers): Handlers {
  const made = Object.entries(methods).map(([id, handler]): [string, Handler] => [
    id,
    (call, context) => {
      const answer = handler(call, context);
      const { name, parent = name } = call.path;
      if (parent !== undefined) rememberPublisher(parent, context);
      return answer;
    },
  ]);
  return Object.fromEntries(made);
}

/** A catalogue that is the same for every publisher, under the name of the one asked for. */
function listAdSources(call: Call, context: Context): JsonObject {
  const { name } = parsePublisher(call.path['parent'] ?? '');
  const found = listAllAdSources().map(({ id, title }) => ({
    id,
    body: { name: `${name}/adSources/${id}`, adSourceId: id, title },
  }));
  return listAtHand({ items: 'adSources', page: MEDIATION_PAGE }, found, call, context);
}

function listAdapters(call: Call, context: Context): JsonObject {
  const parent = call.path['parent'] ?? '';
  parsePublisher(parent);
  const [, id = ''] = SOURCE_NAME.exec(parent) ?? [];
  if (findAdSource(id) === undefined) throw refuseMissingName(parent);
  const found = listSourceAdapters(id).map((adapter) => ({
    id: adapter.id,
    body: toAdapterResource(adapter, parent),
  }));
  return listAtHand({ items: 'adapters', page: MEDIATION_PAGE }, found, call, context);
}

function createListHandler(collection: CollectionDefinition): Handler {
  return (call, context) =>
    listMatching(collection, { parent: parsePublisher(call.path['parent'] ?? '').name }, call, context);
}

function createApp(call: Call, context: Context): JsonObject {
  const publisher = parsePublisher(call.path['parent'] ?? '');
  const { name: parent, digits } = publisher;
  const body = validateApp(buildNewBody(apps, call.body, context));
  requirePublisherRoom(apps, publisher, 1, context);
  const rowOf = (id: string) => ({
    collection: apps.name,
    parent,
    id,
    body: { name: `${parent}/apps/${id}`, appId: `ca-app-pub-${digits}~${id}`, ...body },
  });
  return insertFresh(rowOf, context).body;
}

function createAdUnit(call: Call, context: Context): JsonObject {
  const publisher = parsePublisher(call.path['parent'] ?? '');
  const { name: parent, digits } = publisher;
  const body = validateAdUnit(buildNewBody(adUnits, call.body, context), publisher, context);
  requirePublisherRoom(adUnits, publisher, 1, context);
  const rowOf = (id: string) => ({
    collection: adUnits.name,
    parent,
    id,
    ref: getTextMember(body, 'appId'),
    body: { name: `${parent}/adUnits/${id}`, adUnitId: formatAdUnitId(digits, id), ...body },
  });
  return insertFresh(rowOf, context).body;
}

function createMapping({ path, body: sent }: Call, context: Context): JsonObject {
  const unit = parseAdUnitName(path['parent'] ?? '', 'parent');
  const body = validateMapping(sent, '', context);
  requirePublisherRoom(mappings, unit.publisher, 1, context);
  return insertMapping(unit, body, context);
}

function listMappings(call: Call, context: Context): JsonObject {
  const { publisher, fragment } = parseAdUnitName(call.path['parent'] ?? '', 'parent');
  const matches = createMappingTest(call.query['filter']);
  const place = { parent: publisher.name, order: { by: 's1' }, prefix: fragment } as const;
  return listMatching(mappings, place, call, context, { matches });
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
  requirePublisherRoom(mappings, publisher, judged.length, context);
  return { adUnitMappings: judged.map(({ unit, body: mapping }) => insertMapping(unit, mapping, context)) };
}

function insertMapping(unit: AdUnitPlace, body: JsonObject, context: Context): JsonObject {
  const rowOf = (id: string) => ({
    collection: mappings.name,
    parent: unit.publisher.name,
    id,
    s1: unit.fragment,
    body: { name: `${unit.name}/adUnitMappings/${id}`, ...body, state: 'ENABLED' },
  });
  return insertFresh(rowOf, context).body;
}
