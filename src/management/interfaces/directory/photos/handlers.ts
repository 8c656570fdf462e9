import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireMatch } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS, requireUser } from '../rows.ts';
import { getPrimaryEmail, putUser, reportUserChange } from '../users/rows.ts';
import { detectMimeType } from '../users/schemas.ts';

/** A user has one photo. */
const PHOTO_ID = 'thumbnail';
/** Photos are shown in this size, whatever was sent. */
const SIDE_PIXELS = 96;

/** The one photo of a user. */
export const handlers: Handlers = {
  'directory.users.photos.get': get,
  'directory.users.photos.patch': write,
  'directory.users.photos.update': write,
  'directory.users.photos.delete': remove,
};

function get(call: Call, context: Context): JsonObject {
  const user = requireUser(call.path['userKey'] ?? '', context);
  return toPhotoResource(requirePhoto(user, context), user, context);
}

/** PATCH and PUT: there is one field that counts, and without it only a photo that is there can be kept. */
function write(call: Call, context: Context): JsonObject {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const address = { collection: COLLECTIONS.photos, parent: user.id, id: PHOTO_ID };
  const before = context.store.get(address.collection, address.parent, address.id);
  requireSeen(before, call, context);
  const isPatch = context.row.httpMethod === 'PATCH';
  const photoData = call.body['photoData'] ?? (isPatch ? before?.body['photoData'] : undefined);
  if (!isText(photoData) || photoData === '') throw vendorRefusals.required('photoData');
  const mimeType = detectMimeType(photoData, call.body['mimeType']);
  const body = { mimeType, width: SIDE_PIXELS, height: SIDE_PIXELS, photoData: toUrlSafeBase64(photoData) };
  const row =
    before === undefined ? context.store.insert({ ...address, body }) : context.store.put({ ...address, body });
  if (row === undefined) throw vendorRefusals.duplicate();
  const photo = toPhotoResource(row, user, context);
  const { etag: thumbnailPhotoEtag = '' } = photo;
  reportUserChange(context, 'update', putUser(user, { ...user.body, thumbnailPhotoEtag }, context));
  return photo;
}

function remove(call: Call, context: Context): undefined {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const photo = requirePhoto(user, context);
  requireMatch(photo, call, context);
  context.store.remove(photo);
  const { thumbnailPhotoEtag: _, ...rest } = user.body;
  reportUserChange(context, 'update', putUser(user, rest, context));
}

/** @throws Refusal 412 for a photo that was changed, or is not there, where the call says which one it saw */
function requireSeen(before: ResourceRow | undefined, call: Call, context: Context): void {
  if (before !== undefined) requireMatch(before, call, context);
  else if (call.ifMatch !== undefined) throw vendorRefusals.conditionNotMet('Precondition Failed: there is no photo');
}

function requirePhoto(user: ResourceRow, { store }: Context): ResourceRow {
  const photo = store.get(COLLECTIONS.photos, user.id, PHOTO_ID);
  if (photo === undefined) throw vendorRefusals.notFound('photo');
  return photo;
}

/**
 * Whatever form was sent or stored, URL-safe Base64 with `=` is shown. The vendor's description pads with `*`, which its
 * own Ruby client and GAM cannot decode.
 */
function toUrlSafeBase64(base64: string): string {
  const digits = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll(/[=*]/g, '');
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

function toPhotoResource(row: ResourceRow, user: ResourceRow, context: Context): JsonObject {
  const view: JsonObject = { id: user.id, primaryEmail: getPrimaryEmail(user.body), ...row.body };
  const etag = context.etagOf(row.revision, view); // Of what is stored: the user's row has the same one.
  return {
    kind: 'admin#directory#user#photo',
    etag,
    ...view,
    photoData: toUrlSafeBase64(getTextMember(view, 'photoData')),
  };
}
