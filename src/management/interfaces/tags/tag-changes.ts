import { refuseField } from '../../core/conventions/invalid.ts';
import {
  maskPaths,
  type CollectionDefinition,
  buildNewBody,
  putChanged,
  formatIsoTimestamp,
} from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject, getMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { TAG_NAMESPACES, isDryRun, generateTagId, requireTagEtag } from './rows.ts';

/** Characters of a description. */
const MAX_DESCRIPTION_CHARS = 256;
const SHORT_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,254}[A-Za-z0-9])?$/;
/** Fields that an update may name. */
const CHANGEABLE = ['description', 'etag'];

/** What of a sent tag may be kept, judged, without its name and parent. @throws Refusal */
export function validateTag({ schema }: CollectionDefinition, sent: JsonObject, context: Context): JsonObject {
  const { name: _ours, parent: _named, ...body } = buildNewBody({ schema }, sent, context);
  if (!SHORT_NAME.test(getTextMember(body, 'shortName')))
    throw refuseField(
      'short_name',
      'must have 1 to 256 characters: letters and digits, and _ - . between the first and the last',
    );
  requireDescription(getMember(body, 'description'));
  return body;
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
  const id = generateTagId(context);
  const row = store.insert({ collection: collection.name, parent, id, body });
  const isNamed =
    row !== undefined &&
    store.name(TAG_NAMESPACES.ids, `${collection.items}/${id}`, row) &&
    store.name(TAG_NAMESPACES.shortNames, unique, row, false);
  if (!isNamed) throw vendorRefusals.aborted('The new id is taken: ask again');
  return collection.view(row, call, context);
}

/** A tag after an update: its description is replaced, where the mask names it. @returns as it is shown @throws Refusal */
export function patchTag(collection: CollectionDefinition, row: ResourceRow, call: Call, context: Context): JsonObject {
  const fields = listChangedFields(collection, call, context);
  if (fields.includes('etag')) requireTagEtag(getMember(call.body, 'etag'), row, context);
  const sent = getMember(call.body, 'description');
  requireDescription(sent);
  const { description: before, ...rest } = row.body;
  const description = fields.includes('description') ? sent : before;
  const body = { ...rest, ...(isText(description) && description !== '' && { description }) };
  const isSame = getTextMember(body, 'description') === getTextMember(row.body, 'description');
  if (isDryRun(call) || isSame) return collection.view({ ...row, body }, call, context);
  return collection.view(
    putChanged(row, { ...body, updateTime: formatIsoTimestamp(context.now()) }, context),
    call,
    context,
  );
}

/** Without a mask, and with `*`, all that can be changed. */
function listChangedFields({ schema }: CollectionDefinition, call: Call, context: Context): readonly string[] {
  const paths = maskPaths(call, schema, context);
  if (paths === undefined || call.query['updateMask'] === '*') return CHANGEABLE;
  const fields = paths.map((path) => path.join('.'));
  if (!fields.every((field) => CHANGEABLE.includes(field)))
    throw refuseField('update_mask', 'may only have description and etag');
  return fields;
}

function requireDescription(description: unknown): void {
  if (isText(description) && description.length > MAX_DESCRIPTION_CHARS)
    throw refuseField('description', `must have at most ${MAX_DESCRIPTION_CHARS} characters`);
}
