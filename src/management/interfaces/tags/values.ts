import { listNamed } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { keyCalled } from './keys.ts';
import { finished } from './operations.ts';
import { exhausted, invalidField } from './refusals.ts';
import { denied, isDryRun, KEYS, NAMES, requireTag, tagOf, TAGS, textIn, VALUES } from './rows.ts';
import { insertTag, judgedTag, patchTag } from './tag-changes.ts';

/** Tag values of one key. */
export const MAX_VALUES = 1_000;

const KEY_NAME = /^tagKeys\/[^/]+$/;
const VALUE_NAME = /^tagValues\/[^/]+$/;

/** Tag values: what is bound to resources (seed 3, "Tag value deletion"; the rest is beyond the seed). */
export const valueHandlers: Handlers = {
  'cloudresourcemanager.tagValues.create': create,
  'cloudresourcemanager.tagValues.get': (call, context) => VALUES.view(valueOf(call, context), call, context),
  'cloudresourcemanager.tagValues.getNamespaced': (call, context) => {
    const { name } = call.query;
    if (!isText(name) || name === '') throw refuse.required('name');
    return VALUES.view(valueCalled(name, context), call, context);
  },
  'cloudresourcemanager.tagValues.list': list,
  'cloudresourcemanager.tagValues.patch': (call, context) => {
    const shown = patchTag(VALUES, valueOf(call, context), call, context);
    return finished('UpdateTagValue', 'TagValue', shown, context);
  },
  'cloudresourcemanager.tagValues.delete': remove,
};

/** The value of a namespaced name, `<id of organization or project>/<key>/<value>`, of short names. @throws Refusal */
export function valueCalled(name: string, context: Context): StoredRow {
  const end = Math.max(name.lastIndexOf('/'), 0);
  const key = keyCalled(name.slice(0, end), context);
  const row = key && context.store.named(NAMES.shortNames, `tagKeys/${key.id}/${name.slice(end + 1)}`)?.row;
  if (row === undefined) throw denied(name);
  return row;
}

function create(call: Call, context: Context): JsonObject {
  const body = judgedTag(VALUES, call.body, context);
  const parent = textIn(call.body, 'parent');
  if (parent === '') throw refuse.required('parent');
  if (!KEY_NAME.test(parent)) throw invalidField('parent', 'must be tagKeys/[TAG_KEY_ID]');
  const key = tagOf(KEYS, parent, context);
  if (context.store.count(TAGS.values, parent) >= MAX_VALUES)
    throw exhausted(`${parent} has at most ${MAX_VALUES} tag values`);
  const namespace = textIn(key.body, 'namespacedName');
  const shown = insertTag(VALUES, { parent, namespace, body }, call, context);
  return finished('CreateTagValue', 'TagValue', shown, context);
}

/** Values of a key. Of a value, which has none, the list is empty. */
function list(call: Call, context: Context): JsonObject {
  const { parent } = call.query;
  if (!isText(parent) || parent === '') throw refuse.required('parent');
  const isValue = VALUE_NAME.test(parent);
  if (!isValue && !KEY_NAME.test(parent)) throw invalidField('parent', 'must be tagKeys/[TAG_KEY_ID]');
  tagOf(isValue ? VALUES : KEYS, parent, context);
  return listNamed(VALUES, parent, call, context);
}

/**
 * Deletes a value that is bound to nothing: an operation, done. With `validateOnly` it is judged in the same way, and
 * stays. The body must be empty: the table says that the method has none, and any member of one is refused before.
 */
function remove(call: Call, context: Context): JsonObject {
  const row = valueOf(call, context);
  requireTag(call.query['etag'], row, context);
  if (context.store.byRef(TAGS.bindings, row.id, 1).length > 0)
    throw refuse.failedPrecondition(
      `Cannot delete tagValues/${row.id}: it is still bound to resources. Delete its tag bindings first.`,
    );
  if (!isDryRun(call)) context.store.remove(row);
  return finished('DeleteTagValue', 'TagValue', VALUES.view(row, call, context), context);
}

const valueOf = ({ path }: Call, context: Context): StoredRow => tagOf(VALUES, path['name'] ?? '', context);
