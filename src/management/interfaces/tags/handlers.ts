import { refuseExhausted, refuseField } from '../../core/conventions/invalid.ts';
import { listNamed, putChanged, refuseExistingName, refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { selectWritable } from '../../core/engine/write.ts';
import { getMember, getTextMember, isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../lib/time.ts';
import { refuseTagAccess } from './refusals.ts';
import {
  bindings,
  extractKeyId,
  findTagKey,
  findTagValue,
  finishTagOperation,
  formatBindingName,
  insertTag,
  KEYS,
  MAX_BINDINGS,
  MAX_TAG_KEYS,
  MAX_TAG_VALUES,
  requireBinding,
  requireTagEtag,
  requireTagRow,
  type TagCollection,
  TAGS,
  toBindingResource,
  VALUES,
} from './rows.ts';
import {
  getQueryText,
  isDryRun,
  isTagValueName,
  listChangedTagFields,
  parseContainer,
  requireTagDescription,
  requireTagKeyName,
  requirePurpose,
  requireResourceName,
  validateTag,
} from './schemas.ts';

/** Tag keys, the values that belong to them, and bindings of values to resources, which need not be known here. */
export const handlers: Handlers = {
  ...defineTagHandlers(KEYS, findTagKey, requireNoValues),
  'cloudresourcemanager.tagKeys.create': createKey,
  'cloudresourcemanager.tagKeys.list': (call, context) =>
    listNamed(KEYS, parseContainer(getQueryText(call, 'parent')).parent, call, context),
  ...defineTagHandlers(VALUES, findTagValue, requireNoBindings),
  'cloudresourcemanager.tagValues.create': createValue,
  'cloudresourcemanager.tagValues.list': listValues,
  'cloudresourcemanager.tagBindings.create': createBinding,
  'cloudresourcemanager.tagBindings.list': (call, context) =>
    listNamed(bindings, requireResourceName(getQueryText(call, 'parent')), call, context),
  'cloudresourcemanager.tagBindings.delete': (call, context) => {
    context.store.remove(requireBinding(call.path['name'] ?? '', context));
    return finishTagOperation('DeleteTagBinding', 'Empty', {}, context);
  },
  'cloudresourcemanager.operations.get': getOperation,
};

/**
 * What keys and values have alike. A delete with `validateOnly` is judged in the same way, and the tag stays. Its body must
 * be empty: the table says that the method has none, and any member of one is refused before.
 * @param requireUnused throws a Refusal for a tag that others hang on
 */
function defineTagHandlers(
  collection: TagCollection,
  find: (name: string, context: Context) => ResourceRow | undefined,
  requireUnused: (row: ResourceRow, context: Context) => void,
): Handlers {
  const { schema, items, view } = collection;
  const requireRow = ({ path }: Call, context: Context): ResourceRow =>
    requireTagRow(collection, path['name'] ?? '', context);
  return {
    [`cloudresourcemanager.${items}.get`]: (call, context) => view(requireRow(call, context), call, context),
    [`cloudresourcemanager.${items}.getNamespaced`]: (call, context) => {
      const name = getQueryText(call, 'name');
      if (name === '') throw vendorRefusals.required('name');
      const row = find(name, context);
      if (row === undefined) throw refuseTagAccess(name);
      return view(row, call, context);
    },
    [`cloudresourcemanager.${items}.patch`]: (call, context) => {
      const shown = patchTag(collection, requireRow(call, context), call, context);
      return finishTagOperation(`Update${schema}`, schema, shown, context);
    },
    [`cloudresourcemanager.${items}.delete`]: (call, context) => {
      const row = requireRow(call, context);
      requireTagEtag(call.query['etag'], row, context);
      requireUnused(row, context);
      if (!isDryRun(call)) context.store.remove(row);
      return finishTagOperation(`Delete${schema}`, schema, view(row, call, context), context);
    },
  };
}

function requireNoValues({ id }: ResourceRow, { store }: Context): void {
  const name = `tagKeys/${id}`;
  if (store.count(TAGS.values, name) > 0)
    throw vendorRefusals.failedPrecondition(`Cannot delete ${name}: it still has tag values. Delete them first.`);
}

function requireNoBindings({ id }: ResourceRow, { store }: Context): void {
  if (store.byRef(TAGS.bindings, id, 1).length > 0)
    throw vendorRefusals.failedPrecondition(
      `Cannot delete tagValues/${id}: it is still bound to resources. Delete its tag bindings first.`,
    );
}

/** A tag after an update: its description is replaced, where the mask names it. @returns as it is shown @throws Refusal */
function patchTag(collection: TagCollection, row: ResourceRow, call: Call, context: Context): JsonObject {
  const fields = listChangedTagFields(collection, call, context);
  if (fields.includes('etag')) requireTagEtag(getMember(call.body, 'etag'), row, context);
  const sent = getMember(call.body, 'description');
  requireTagDescription(sent);
  const { description: before, ...rest } = row.body;
  const description = fields.includes('description') ? sent : before;
  const body = { ...rest, ...(isText(description) && description !== '' && { description }) };
  const isSame = getTextMember(body, 'description') === getTextMember(row.body, 'description');
  if (isDryRun(call) || isSame) return collection.view({ ...row, body }, call, context);
  const changed = { ...body, updateTime: formatIsoTimestamp(context.now()) };
  return collection.view(putChanged(row, changed, context), call, context);
}

function createKey(call: Call, context: Context): JsonObject {
  const body = validateTag(KEYS, call.body, context);
  const { parent, id } = parseContainer(getTextMember(call.body, 'parent'));
  requirePurpose(body);
  if (context.store.count(TAGS.keys, parent) >= MAX_TAG_KEYS)
    throw refuseExhausted(`${parent} has at most ${MAX_TAG_KEYS} tag keys`);
  const shown = insertTag(KEYS, { parent, namespace: id, body }, call, context);
  return finishTagOperation('CreateTagKey', 'TagKey', shown, context);
}

function createValue(call: Call, context: Context): JsonObject {
  const body = validateTag(VALUES, call.body, context);
  const parent = getTextMember(call.body, 'parent');
  requireTagKeyName(parent);
  const key = requireTagRow(KEYS, parent, context);
  if (context.store.count(TAGS.values, parent) >= MAX_TAG_VALUES)
    throw refuseExhausted(`${parent} has at most ${MAX_TAG_VALUES} tag values`);
  const namespace = getTextMember(key.body, 'namespacedName');
  const shown = insertTag(VALUES, { parent, namespace, body }, call, context);
  return finishTagOperation('CreateTagValue', 'TagValue', shown, context);
}

/** Values of a key. Of a value, which has none, the list is empty. */
function listValues(call: Call, context: Context): JsonObject {
  const parent = getQueryText(call, 'parent');
  requireTagKeyName(parent, true);
  requireTagRow(isTagValueName(parent) ? VALUES : KEYS, parent, context);
  return listNamed(VALUES, parent, call, context);
}

function createBinding(call: Call, context: Context): JsonObject {
  const sent = selectWritable('TagBinding', call.body, context.row);
  const parent = requireResourceName(getTextMember(sent, 'parent'));
  const value = requireBoundValue(sent, context);
  const body = {
    tagValue: `tagValues/${value.id}`,
    tagValueNamespacedName: getTextMember(value.body, 'namespacedName'),
  };
  const id = extractKeyId(value);
  requireUnbound(context.store.get(TAGS.bindings, parent, id), formatBindingName(parent, body.tagValue), body.tagValue);
  if (context.store.count(TAGS.bindings, parent) >= MAX_BINDINGS)
    throw refuseExhausted(`A resource has at most ${MAX_BINDINGS} tags`);
  if (!isDryRun(call)) context.store.insert({ collection: TAGS.bindings, parent, id, body, ref: value.id });
  return finishTagOperation('CreateTagBinding', 'TagBinding', toBindingResource(parent, body), context);
}

/** The value that a binding names, in one of two ways. */
function requireBoundValue(sent: JsonObject, context: Context): ResourceRow {
  const [name, namespaced] = [getTextMember(sent, 'tagValue'), getTextMember(sent, 'tagValueNamespacedName')];
  if ((name === '') === (namespaced === ''))
    throw refuseField('tag_value', 'must be given, or tag_value_namespaced_name, and not both');
  if (name !== '') return requireTagRow(VALUES, name, context);
  const row = findTagValue(namespaced, context);
  if (row === undefined) throw refuseTagAccess(namespaced);
  return row;
}

/** A resource has one value of a key at most. */
function requireUnbound(bound: ResourceRow | undefined, name: string, tagValue: string): void {
  if (bound === undefined) return;
  if (bound.body['tagValue'] === tagValue) throw refuseExistingName(name);
  throw vendorRefusals.failedPrecondition(
    'A binding already exists between the given resource and a TagValue parented by the same TagKey as the given TagValue.',
  );
}

/** An operation that was answered lately. */
function getOperation({ path }: Call, { store }: Context): JsonObject {
  const name = path['name'] ?? '';
  const row = store.get(TAGS.operations, '', name.slice('operations/'.length));
  if (row === undefined) throw refuseMissingName(name);
  return row.body;
}
