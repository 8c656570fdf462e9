import { requireMatch } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { requireUser } from '../keys.ts';
import { getPrimaryEmail, putUser, reportUserChange } from './rows.ts';

/** A user has one photo. */
const PHOTO_ID = 'thumbnail';
/** Photos are shown in this size, whatever was sent. */
const SIDE_PIXELS = 96;
const MAX_PHOTO_BYTES = 1_048_576;
/** Web-safe Base64 of the vendor (`_ - *` for `/ + =`), and the plain one that clients also send. */
const BASE64 = /^[A-Za-z0-9+/_-]*[=*]{0,2}$/;
/** Of the first characters of the data so many are enough to tell the format. */
const HEAD_CHARS = 16;

/** Formats by their first bytes, in hex. */
const FORMATS = [
  { name: 'jpeg', magic: ['ffd8ff'] },
  { name: 'png', magic: ['89504e470d0a1a0a'] },
  { name: 'gif', magic: ['474946383761', '474946383961'] },
  { name: 'bmp', magic: ['424d'] },
  { name: 'tiff', magic: ['49492a00', '4d4d002a'] },
] as const;

export const userPhotoHandlers: Handlers = {
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
  const body = { mimeType, width: SIDE_PIXELS, height: SIDE_PIXELS, photoData: toWebSafeBase64(photoData) };
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

/** The media type of a photo by its bytes. @throws Refusal for data that is no photo, too large, or not what it is said to be */
function detectMimeType(photoData: string, said: unknown): string {
  const maxChars = Math.ceil(MAX_PHOTO_BYTES / 3) * 4;
  if (photoData.length > maxChars || !BASE64.test(photoData)) throw vendorRefusals.invalidInput('photoData');
  const head = toHex(photoData.slice(0, HEAD_CHARS));
  const format = FORMATS.find(({ magic }) => magic.some((bytes) => head.startsWith(bytes)));
  if (format === undefined) throw vendorRefusals.invalidInput('photoData');
  const isSaid = isText(said) && said !== '';
  if (isSaid && said.toLowerCase().replace('image/', '').replace('jpg', 'jpeg') !== format.name) {
    throw vendorRefusals.invalidInput('mimeType');
  }
  return `image/${format.name}`;
}

/** Whatever form was sent, the vendor's is stored and shown. */
const toWebSafeBase64 = (base64: string): string =>
  base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '*');

function toHex(base64: string): string {
  const plain = base64.replaceAll(/[=*]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain; // One character alone is no byte.
  return Array.from(atob(whole), (char) => (char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')).join('');
}

function toPhotoResource(row: ResourceRow, user: ResourceRow, context: Context): JsonObject {
  const view = { id: user.id, primaryEmail: getPrimaryEmail(user.body), ...row.body };
  return { kind: 'admin#directory#user#photo', etag: context.etagOf(row.revision, view), ...view };
}
