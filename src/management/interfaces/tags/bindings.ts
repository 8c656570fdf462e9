import { refuseExhausted, refuseField } from '../../core/conventions/invalid.ts';
import {
  refuseExistingName,
  listNamed,
  type CollectionDefinition,
  refuseMissingName,
} from '../../core/engine/named-collection.ts';
import { isKey } from '../../core/engine/keys.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { selectWritable } from '../../core/engine/write.ts';
import { isText, type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { finishTagOperation } from './operations.ts';
import { isDryRun, KEYS, requireTagRow, TAG_PAGE, TAGS, VALUES } from './rows.ts';
import { requireNamespacedTagValue } from './values.ts';

/** Tags of one resource (the vendor's limit). */
export const MAX_BINDINGS = 50;

/** The full name of a resource of a service in a project, folder or organization. */
const RESOURCE =
  /^\/\/[a-z][a-z0-9-]{0,62}\.googleapis\.com\/(?:projects|folders|organizations)\/[^/]+(?:\/[^/]+){0,20}$/;
const BINDING_NAME = /^tagBindings\/([^/]+)\/(tagValues|tagKeys)\/([^/]+)$/;

const bindings: CollectionDefinition = {
  name: TAGS.bindings,
  schema: 'TagBinding',
  items: 'tagBindings',
  page: TAG_PAGE,
  view: ({ parent, body }) => toBindingResource(parent, body),
};

/** Bindings of tag values to resources. The resources themselves need not be known here. */
export const bindingHandlers: Handlers = {
  'cloudresourcemanager.tagBindings.create': create,
  'cloudresourcemanager.tagBindings.list': (call, context) => {
    const { parent } = call.query;
    return listNamed(bindings, requireResourceName(isText(parent) ? parent : ''), call, context);
  },
  'cloudresourcemanager.tagBindings.delete': (call, context) => {
    context.store.remove(requireBinding(call.path['name'] ?? '', context));
    return finishTagOperation('DeleteTagBinding', 'Empty', {}, context);
  },
};

function create(call: Call, context: Context): JsonObject {
  const sent = selectWritable('TagBinding', call.body, context.row);
  const parent = requireResourceName(getTextMember(sent, 'parent'));
  const value = requireTagValue(sent, context);
  const body = {
    tagValue: `tagValues/${value.id}`,
    tagValueNamespacedName: getTextMember(value.body, 'namespacedName'),
  };
  const id = value.parent.slice('tagKeys/'.length);
  requireUnbound(context.store.get(TAGS.bindings, parent, id), formatBindingName(parent, body.tagValue), body.tagValue);
  if (context.store.count(TAGS.bindings, parent) >= MAX_BINDINGS)
    throw refuseExhausted(`A resource has at most ${MAX_BINDINGS} tags`);
  if (!isDryRun(call)) context.store.insert({ collection: TAGS.bindings, parent, id, body, ref: value.id });
  return finishTagOperation('CreateTagBinding', 'TagBinding', toBindingResource(parent, body), context);
}

/** The value that a binding names, in one of two ways. */
function requireTagValue(sent: JsonObject, context: Context): ResourceRow {
  const [name, namespaced] = [getTextMember(sent, 'tagValue'), getTextMember(sent, 'tagValueNamespacedName')];
  if ((name === '') === (namespaced === ''))
    throw refuseField('tag_value', 'must be given, or tag_value_namespaced_name, and not both');
  return name === '' ? requireNamespacedTagValue(namespaced, context) : requireTagRow(VALUES, name, context);
}

/** A resource has one value of a key at most. */
function requireUnbound(bound: ResourceRow | undefined, name: string, tagValue: string): void {
  if (bound === undefined) return;
  if (bound.body['tagValue'] === tagValue) throw refuseExistingName(name);
  throw vendorRefusals.failedPrecondition(
    'A binding already exists between the given resource and a TagValue parented by the same TagKey as the given TagValue.',
  );
}

/** The binding of `tagBindings/<encoded resource>/tagValues/1`, or `.../tagKeys/1`. @throws Refusal */
function requireBinding(name: string, context: Context): ResourceRow {
  const [, encoded, kind, tag] = BINDING_NAME.exec(name) ?? [];
  const parent = decodePercent(encoded ?? '');
  if (parent === undefined || !RESOURCE.test(parent))
    throw refuseField('name', 'must be tagBindings/[ENCODED_FULL_RESOURCE_NAME]/tagValues/[TAG_VALUE_ID]');
  const isValue = kind === 'tagValues';
  const row = requireTagRow(isValue ? VALUES : KEYS, `${kind}/${tag}`, context);
  const key = isValue ? row.parent.slice('tagKeys/'.length) : row.id;
  const bound = context.store.get(TAGS.bindings, parent, key);
  if (bound === undefined || (isValue && bound.body['tagValue'] !== `tagValues/${row.id}`))
    throw refuseMissingName(name);
  return bound;
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // No URL encoding: said by the caller.
  }
}

function requireResourceName(parent: string): string {
  if (parent === '') throw vendorRefusals.required('parent');
  if (!isKey(parent) || !RESOURCE.test(parent))
    throw refuseField(
      'parent',
      'must be a full resource name: //cloudresourcemanager.googleapis.com/projects/[PROJECT_ID]',
    );
  return parent;
}

const toBindingResource = (parent: string, body: JsonObject): JsonObject => ({
  name: formatBindingName(parent, getTextMember(body, 'tagValue')),
  parent,
  ...body,
});

const formatBindingName = (parent: string, tagValue: string): string =>
  `tagBindings/${encodeURIComponent(parent)}/${tagValue}`;
