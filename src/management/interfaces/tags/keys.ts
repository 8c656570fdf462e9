import { refuseExhausted, refuseField } from '../../core/conventions/invalid.ts';
import { listNamed } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject, getMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { finishTagOperation } from './operations.ts';
import { refuseTagAccess, isDryRun, KEYS, TAG_NAMESPACES, requireTagEtag, requireTagRow, TAGS } from './rows.ts';
import { insertTag, validateTag, patchTag } from './tag-changes.ts';

/** Tag keys of one organization or project. */
export const MAX_TAG_KEYS = 1_000;

const PARENT = /^(?:organizations|projects)\/([^/]{1,256})$/;
/** What a key can be for, and what the vendor wants to know of it then. */
const PURPOSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['PURPOSE_UNSPECIFIED', []],
  ['GCE_FIREWALL', ['network', 'organization']],
  ['DATA_GOVERNANCE', []],
]);
const MAX_PURPOSE_CHARS = 1_024;

/** Tag keys: what values belong to. */
export const keyHandlers: Handlers = {
  'cloudresourcemanager.tagKeys.create': create,
  'cloudresourcemanager.tagKeys.get': (call, context) => KEYS.view(requireKeyRow(call, context), call, context),
  'cloudresourcemanager.tagKeys.getNamespaced': (call, context) => {
    const name = getQueryText(call, 'name');
    if (name === '') throw vendorRefusals.required('name');
    const row = findTagKey(name, context);
    if (row === undefined) throw refuseTagAccess(name);
    return KEYS.view(row, call, context);
  },
  'cloudresourcemanager.tagKeys.list': (call, context) =>
    listNamed(KEYS, parseParent(getQueryText(call, 'parent')).parent, call, context),
  'cloudresourcemanager.tagKeys.patch': (call, context) => {
    const shown = patchTag(KEYS, requireKeyRow(call, context), call, context);
    return finishTagOperation('UpdateTagKey', 'TagKey', shown, context);
  },
  'cloudresourcemanager.tagKeys.delete': remove,
};

/** The key of a namespaced name, `<id of organization or project>/<short name>`; undefined where there is none. */
export function findTagKey(name: string, { store }: Context): ResourceRow | undefined {
  const found = (parents: string): ResourceRow | undefined =>
    store.named(TAG_NAMESPACES.shortNames, `${parents}/${name}`)?.row;
  const row = found('organizations') ?? found('projects');
  return row?.collection === TAGS.keys ? row : undefined;
}

function create(call: Call, context: Context): JsonObject {
  const body = validateTag(KEYS, call.body, context);
  const { parent, id } = parseParent(getTextMember(call.body, 'parent'));
  requirePurpose(body);
  if (context.store.count(TAGS.keys, parent) >= MAX_TAG_KEYS)
    throw refuseExhausted(`${parent} has at most ${MAX_TAG_KEYS} tag keys`);
  const shown = insertTag(KEYS, { parent, namespace: id, body }, call, context);
  return finishTagOperation('CreateTagKey', 'TagKey', shown, context);
}

function remove(call: Call, context: Context): JsonObject {
  const row = requireKeyRow(call, context);
  const name = `tagKeys/${row.id}`;
  requireTagEtag(call.query['etag'], row, context);
  if (context.store.count(TAGS.values, name) > 0)
    throw vendorRefusals.failedPrecondition(`Cannot delete ${name}: it still has tag values. Delete them first.`);
  if (!isDryRun(call)) context.store.remove(row);
  return finishTagOperation('DeleteTagKey', 'TagKey', KEYS.view(row, call, context), context);
}

const requireKeyRow = ({ path }: Call, context: Context): ResourceRow =>
  requireTagRow(KEYS, path['name'] ?? '', context);

/** A text of the query; '' where it is not there. */
function getQueryText({ query }: Call, name: string): string {
  const value = query[name];
  return isText(value) ? value : '';
}

function parseParent(parent: string): { parent: string; id: string } {
  if (parent === '') throw vendorRefusals.required('parent');
  const [, id] = PARENT.exec(parent) ?? [];
  if (id === undefined) throw refuseField('parent', 'must be organizations/[ORG_ID] or projects/[PROJECT_ID]');
  return { parent, id };
}

/** Free-form values are not served: a key that says they are allowed would say what is not so. */
function requirePurpose(body: JsonObject): void {
  if (getTextMember(body, 'allowedValuesRegex') !== '')
    throw refuseField('allowed_values_regex', 'must be empty: values without a tag value are not supported');
  const members = PURPOSES.get(getTextMember(body, 'purpose') || 'PURPOSE_UNSPECIFIED');
  if (members === undefined) throw refuseField('purpose', `must be one of ${[...PURPOSES.keys()].join(', ')}`);
  const data = getMember(body, 'purposeData');
  const sent = Object.entries(isObject(data) ? data : {});
  const fits = sent.every(([name]) => members.includes(name)) && sent.length === Math.min(members.length, 1);
  if (!fits)
    throw refuseField('purpose_data', members.length > 0 ? `must have one of ${members.join(', ')}` : 'must be empty');
  if (sent.some(([, value]) => !isText(value) || value.length > MAX_PURPOSE_CHARS))
    throw refuseField('purpose_data', `must have values of at most ${MAX_PURPOSE_CHARS} characters`);
}
