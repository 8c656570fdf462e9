import { isKey } from '../../core/engine/stored-row.ts';
import { decodePercent } from '../../../lib/percent.ts';
import { refuseField } from '../../core/conventions/invalid.ts';
import { buildNewBody, type CollectionDefinition, maskPaths } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import { getMember, getTextMember, isObject, isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** Characters of a description. */
const MAX_DESCRIPTION_CHARS = 256;
const SHORT_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,254}[A-Za-z0-9])?$/;
/** Fields that an update may name. */
const CHANGEABLE = ['description', 'etag'];

const CONTAINER = /^(?:organizations|projects)\/([^/]{1,256})$/;
const KEY_NAME = /^tagKeys\/[^/]+$/;
const VALUE_NAME = /^tagValues\/[^/]+$/;
/** The full name of a resource of a service in a project, folder or organization. */
const RESOURCE =
  /^\/\/[a-z][a-z0-9-]{0,62}\.googleapis\.com\/(?:projects|folders|organizations)\/[^/]+(?:\/[^/]+){0,20}$/;
const BINDING_NAME = /^tagBindings\/([^/]+)\/(tagValues|tagKeys)\/([^/]+)$/;

/** What a key can be for, and what the vendor wants to know of it then. */
const PURPOSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['PURPOSE_UNSPECIFIED', []],
  ['GCE_FIREWALL', ['network', 'organization']],
  ['DATA_GOVERNANCE', []],
]);
const MAX_PURPOSE_CHARS = 1_024;

/** Whether the call only asks if it would work. */
export const isDryRun = ({ query }: Call): boolean => query['validateOnly'] === true;

/** A text of the query; '' where it is not there. */
export function getQueryText({ query }: Call, name: string): string {
  const value = query[name];
  return isText(value) ? value : '';
}

/** What of a sent tag may be kept, judged, without its name and parent. @throws Refusal */
export function validateTag({ schema }: CollectionDefinition, sent: JsonObject, context: Context): JsonObject {
  const { name: _ours, parent: _named, ...body } = buildNewBody({ schema }, sent, context);
  if (!SHORT_NAME.test(getTextMember(body, 'shortName')))
    throw refuseField(
      'short_name',
      'must have 1 to 256 characters: letters and digits, and _ - . between the first and the last',
    );
  requireTagDescription(getMember(body, 'description'));
  return body;
}

export function requireTagDescription(description: unknown): void {
  if (isText(description) && description.length > MAX_DESCRIPTION_CHARS)
    throw refuseField('description', `must have at most ${MAX_DESCRIPTION_CHARS} characters`);
}

/** Without a mask, and with `*`, all that can be changed. */
export function listChangedTagFields(
  { schema }: CollectionDefinition,
  call: Call,
  context: Context,
): readonly string[] {
  const paths = maskPaths(call, schema, context);
  if (paths === undefined || call.query['updateMask'] === '*') return CHANGEABLE;
  const fields = paths.map((path) => path.join('.'));
  if (!fields.every((field) => CHANGEABLE.includes(field)))
    throw refuseField('update_mask', 'may only have description and etag');
  return fields;
}

/** The parent of tag keys, and its id. */
export function parseContainer(parent: string): { parent: string; id: string } {
  if (parent === '') throw vendorRefusals.required('parent');
  const [, id] = CONTAINER.exec(parent) ?? [];
  if (id === undefined) throw refuseField('parent', 'must be organizations/[ORG_ID] or projects/[PROJECT_ID]');
  return { parent, id };
}

/** @throws Refusal 400 for a parent of tag values that is no key, nor, where one is allowed, a value */
export function requireTagKeyName(parent: string, allowsValue = false): void {
  if (parent === '') throw vendorRefusals.required('parent');
  if (!KEY_NAME.test(parent) && !(allowsValue && isTagValueName(parent)))
    throw refuseField('parent', 'must be tagKeys/[TAG_KEY_ID]');
}

export const isTagValueName = (name: string): boolean => VALUE_NAME.test(name);

/** Free-form values are not served: a key that says they are allowed would say what is not so. */
export function requirePurpose(body: JsonObject): void {
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

export function requireResourceName(parent: string): string {
  if (parent === '') throw vendorRefusals.required('parent');
  if (!isKey(parent) || !RESOURCE.test(parent))
    throw refuseField(
      'parent',
      'must be a full resource name: //cloudresourcemanager.googleapis.com/projects/[PROJECT_ID]',
    );
  return parent;
}

/** `tagBindings/<encoded resource>/tagValues/1`, or `.../tagKeys/1`, in its parts. */
export function parseBindingName(name: string): { resource: string; isValue: boolean; tag: string } {
  const [, encoded, kind, id] = BINDING_NAME.exec(name) ?? [];
  const resource = decodePercent(encoded ?? '');
  if (resource === undefined || !RESOURCE.test(resource))
    throw refuseField('name', 'must be tagBindings/[ENCODED_FULL_RESOURCE_NAME]/tagValues/[TAG_VALUE_ID]');
  return { resource, isValue: kind === 'tagValues', tag: `${kind}/${id}` };
}
