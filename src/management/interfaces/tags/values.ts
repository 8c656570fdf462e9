import { refuseExhausted, refuseField } from '../../core/conventions/invalid.ts';
import { listNamed } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { findTagKey } from './keys.ts';
import { finishTagOperation } from './operations.ts';
import {
  refuseTagAccess,
  isDryRun,
  KEYS,
  TAG_NAMESPACES,
  requireTagEtag,
  requireTagRow,
  TAGS,
  VALUES,
} from './rows.ts';
import { insertTag, validateTag, patchTag } from './tag-changes.ts';

/** Tag values of one key. */
export const MAX_VALUES = 1_000;

const KEY_NAME = /^tagKeys\/[^/]+$/;
const VALUE_NAME = /^tagValues\/[^/]+$/;

/** Tag values, which are bound to resources. */
export const valueHandlers: Handlers = {
  'cloudresourcemanager.tagValues.create': create,
  'cloudresourcemanager.tagValues.get': (call, context) => VALUES.view(requireValueRow(call, context), call, context),
  'cloudresourcemanager.tagValues.getNamespaced': (call, context) => {
    const { name } = call.query;
    if (!isText(name) || name === '') throw vendorRefusals.required('name');
    return VALUES.view(requireNamespacedTagValue(name, context), call, context);
  },
  'cloudresourcemanager.tagValues.list': list,
  'cloudresourcemanager.tagValues.patch': (call, context) => {
    const shown = patchTag(VALUES, requireValueRow(call, context), call, context);
    return finishTagOperation('UpdateTagValue', 'TagValue', shown, context);
  },
  'cloudresourcemanager.tagValues.delete': remove,
};

/** The value of a namespaced name, `<id of organization or project>/<key>/<value>`, of short names. @throws Refusal */
export function requireNamespacedTagValue(name: string, context: Context): ResourceRow {
  const end = Math.max(name.lastIndexOf('/'), 0);
  const key = findTagKey(name.slice(0, end), context);
  const row = key && context.store.named(TAG_NAMESPACES.shortNames, `tagKeys/${key.id}/${name.slice(end + 1)}`)?.row;
  if (row === undefined) throw refuseTagAccess(name);
  return row;
}

function create(call: Call, context: Context): JsonObject {
  const body = validateTag(VALUES, call.body, context);
  const parent = getTextMember(call.body, 'parent');
  if (parent === '') throw vendorRefusals.required('parent');
  if (!KEY_NAME.test(parent)) throw refuseField('parent', 'must be tagKeys/[TAG_KEY_ID]');
  const key = requireTagRow(KEYS, parent, context);
  if (context.store.count(TAGS.values, parent) >= MAX_VALUES)
    throw refuseExhausted(`${parent} has at most ${MAX_VALUES} tag values`);
  const namespace = getTextMember(key.body, 'namespacedName');
  const shown = insertTag(VALUES, { parent, namespace, body }, call, context);
  return finishTagOperation('CreateTagValue', 'TagValue', shown, context);
}

/** Values of a key. Of a value, which has none, the list is empty. */
function list(call: Call, context: Context): JsonObject {
  const { parent } = call.query;
  if (!isText(parent) || parent === '') throw vendorRefusals.required('parent');
  const isValue = VALUE_NAME.test(parent);
  if (!isValue && !KEY_NAME.test(parent)) throw refuseField('parent', 'must be tagKeys/[TAG_KEY_ID]');
  requireTagRow(isValue ? VALUES : KEYS, parent, context);
  return listNamed(VALUES, parent, call, context);
}

/**
 * Deletes a value that is bound to nothing: an operation, done. With `validateOnly` it is judged in the same way, and
 * stays. The body must be empty: the table says that the method has none, and any member of one is refused before.
 */
function remove(call: Call, context: Context): JsonObject {
  const row = requireValueRow(call, context);
  requireTagEtag(call.query['etag'], row, context);
  if (context.store.byRef(TAGS.bindings, row.id, 1).length > 0)
    throw vendorRefusals.failedPrecondition(
      `Cannot delete tagValues/${row.id}: it is still bound to resources. Delete its tag bindings first.`,
    );
  if (!isDryRun(call)) context.store.remove(row);
  return finishTagOperation('DeleteTagValue', 'TagValue', VALUES.view(row, call, context), context);
}

const requireValueRow = ({ path }: Call, context: Context): ResourceRow =>
  requireTagRow(VALUES, path['name'] ?? '', context);
