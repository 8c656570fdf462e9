import { type CollectionDefinition, refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { getTextMember, isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../lib/time.ts';
import { refuseTagAccess } from './refusals.ts';
import { isDryRun, parseBindingName } from './schemas.ts';

/** Names in the store. Parents are full names: of a container, a tag key, or of any resource for bindings. */
export const TAGS = {
  /** parent = `organizations/1` or `projects/p`, id = digits. */
  keys: 'tags.keys',
  /** parent = `tagKeys/1`, id = digits. */
  values: 'tags.values',
  /** parent = full resource name, id = the tag key's: one value of a key for each resource; ref = the tag value's id. */
  bindings: 'tags.bindings',
  /** id = the operation's; s1 = when it was done. */
  operations: 'tags.operations',
} as const;

/** Namespaces of names. */
const TAG_NAMESPACES = {
  /** `tagKeys/1`, `tagValues/2`. */
  ids: 'tags.ids',
  /** `<parent>/<short name>`: unique below each parent. */
  shortNames: 'tags.short-names',
} as const;

/** Tag keys of one organization or project. */
export const MAX_TAG_KEYS = 1_000;
/** Tag values of one key. */
export const MAX_TAG_VALUES = 1_000;
/** Tags of one resource (the vendor's limit). */
export const MAX_BINDINGS = 50;
/** Operations that a tenant can ask for afterwards: the oldest go. */
export const MAX_TAG_OPERATIONS = 1_000;
/** Limits of a page. */
const TAG_PAGE = { default: 100, max: 300 } as const;
/** Makes ids as long as the vendor's: fifteen digits. */
const FIRST_ID = 2n ** 48n;
const TAG_ID_BYTES = 6;
const OPERATION_ID_BYTES = 16;

/** Tag keys, below organizations and projects. */
export const KEYS = defineTags(TAGS.keys, 'TagKey', 'tagKeys');
/** Tag values, below tag keys. */
export const VALUES = defineTags(TAGS.values, 'TagValue', 'tagValues');

/** A tag key or value is shown as it is stored, with its name and entity tag. */
function defineTags(name: string, schema: TagSchema, items: string): TagCollection {
  return {
    name,
    schema,
    items,
    page: TAG_PAGE,
    view: ({ id, body, revision }, _call, context) => ({
      name: `${items}/${id}`,
      ...body,
      etag: context.etagOf(revision),
    }),
  };
}

type TagSchema = 'TagKey' | 'TagValue';
export type TagCollection = CollectionDefinition & { schema: TagSchema };

export const bindings: CollectionDefinition = {
  name: TAGS.bindings,
  schema: 'TagBinding',
  items: 'tagBindings',
  page: TAG_PAGE,
  view: ({ parent, body }) => toBindingResource(parent, body),
};

export const toBindingResource = (parent: string, body: JsonObject): JsonObject => ({
  name: formatBindingName(parent, getTextMember(body, 'tagValue')),
  parent,
  ...body,
});

export const formatBindingName = (parent: string, tagValue: string): string =>
  `tagBindings/${encodeURIComponent(parent)}/${tagValue}`;

/** The row of `tagKeys/1` or `tagValues/2`. @throws Refusal, in the same words for what is another's and what is not there */
export function requireTagRow({ name: collection }: CollectionDefinition, name: string, context: Context): ResourceRow {
  const row = context.store.named(TAG_NAMESPACES.ids, name)?.row;
  if (row?.collection !== collection) throw refuseTagAccess(name);
  return row;
}

/** The key of a namespaced name, `<id of organization or project>/<short name>`; undefined where there is none. */
export function findTagKey(name: string, { store }: Context): ResourceRow | undefined {
  const found = (parents: string): ResourceRow | undefined =>
    store.named(TAG_NAMESPACES.shortNames, `${parents}/${name}`)?.row;
  const row = found('organizations') ?? found('projects');
  return row?.collection === TAGS.keys ? row : undefined;
}

/** The value of a namespaced name, `<id of organization or project>/<key>/<value>`, of short names. */
export function findTagValue(name: string, context: Context): ResourceRow | undefined {
  const end = Math.max(name.lastIndexOf('/'), 0);
  const key = findTagKey(name.slice(0, end), context);
  return key && context.store.named(TAG_NAMESPACES.shortNames, `tagKeys/${key.id}/${name.slice(end + 1)}`)?.row;
}

/** The binding of `tagBindings/<encoded resource>/tagValues/1`, or `.../tagKeys/1`. @throws Refusal */
export function requireBinding(name: string, context: Context): ResourceRow {
  const { resource, isValue, tag } = parseBindingName(name);
  const row = requireTagRow(isValue ? VALUES : KEYS, tag, context);
  const bound = context.store.get(TAGS.bindings, resource, isValue ? extractKeyId(row) : row.id);
  if (bound === undefined || (isValue && bound.body['tagValue'] !== `tagValues/${row.id}`))
    throw refuseMissingName(name);
  return bound;
}

/** The id of a value's key. */
export const extractKeyId = ({ parent }: ResourceRow): string => parent.slice('tagKeys/'.length);

/** @throws Refusal 409 ABORTED for the entity tag of another version; none fits all */
export function requireTagEtag(etag: unknown, row: ResourceRow, context: Context): void {
  if (!isText(etag) || etag === '' || etag === context.etagOf(row.revision)) return;
  throw vendorRefusals.aborted('The etag is not that of the resource: it was changed meanwhile');
}

/**
 * Stores a new tag below its parent, with its names.
 * @param namespace what its namespaced name begins with: the id of a container, and for a value its key's short name
 * @returns as it is shown; when the call only asks whether it would work, without name and entity tag
 * @throws Refusal 409 when the parent has one of that short name
 */
export function insertTag(
  collection: CollectionDefinition,
  { parent, namespace, body: judged }: { parent: string; namespace: string; body: JsonObject },
  call: Call,
  context: Context,
): JsonObject {
  const { store } = context;
  const shortName = getTextMember(judged, 'shortName');
  const unique = `${parent}/${shortName}`;
  if (store.named(TAG_NAMESPACES.shortNames, unique) !== undefined)
    throw vendorRefusals.duplicate(
      `A ${collection.schema} with short name '${shortName}' already exists under parent '${parent}'`,
    );
  const time = formatIsoTimestamp(context.now());
  const namespacedName = `${namespace}/${shortName}`;
  const body = { parent, ...judged, namespacedName, createTime: time, updateTime: time };
  if (isDryRun(call)) return body;
  const id = String(FIRST_ID + BigInt(`0x${context.random(TAG_ID_BYTES)}`));
  const row = store.insert({ collection: collection.name, parent, id, body });
  const isNamed =
    row !== undefined &&
    store.name(TAG_NAMESPACES.ids, `${collection.items}/${id}`, row) &&
    store.name(TAG_NAMESPACES.shortNames, unique, row, false);
  if (!isNamed) throw vendorRefusals.aborted('The new id is taken: ask again');
  return collection.view(row, call, context);
}

const TYPES = 'type.googleapis.com/google.cloud.resourcemanager.v3';
const EMPTY = 'type.googleapis.com/google.protobuf.Empty';

/** What operations are about, by their words in the vendor's types. */
export type OperationVerb = `${'Create' | 'Update' | 'Delete'}${TagSchema}` | `${'Create' | 'Delete'}TagBinding`;

/**
 * A finished operation, kept to be asked for. Each of these methods is done when it answers.
 * @param response of the type that `type` names; `{}` of none is Empty
 */
export function finishTagOperation(
  verb: OperationVerb,
  type: TagSchema | 'TagBinding' | 'Empty',
  response: JsonObject,
  context: Context,
): JsonObject {
  const id = context.random(OPERATION_ID_BYTES);
  const operation: JsonObject = {
    name: `operations/${id}`,
    metadata: { '@type': `${TYPES}.${verb}Metadata` },
    done: true,
    response: { '@type': type === 'Empty' ? EMPTY : `${TYPES}.${type}`, ...response },
  };
  const { store } = context;
  if (store.count(TAGS.operations, '') >= MAX_TAG_OPERATIONS) forgetOldest(context);
  store.insert({
    collection: TAGS.operations,
    parent: '',
    id,
    body: operation,
    s1: new Date(context.now()).toISOString(),
  });
  return operation;
}

function forgetOldest({ store }: Context): void {
  const [oldest] = store.list({ collection: TAGS.operations, parent: '', order: { by: 's1' }, limit: 1 });
  if (oldest !== undefined) store.remove(oldest.row);
}
