import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';
import { newUser, nobody, NO_USER } from './users.ts';

const NO_PHOTO = '404 notFound: Resource Not Found: photo';
/** The first bytes of a PNG and of a JPEG picture, in URL-safe Base64. */
const PNG = 'iVBORw0KGgo_-w==';
const JPEG = '_9j_4AEC';

async function pictured(world: World): Promise<string> {
  const { id } = await newUser(world);
  await world.admin.users.photos.update({ userKey: id, requestBody: { photoData: PNG } });
  return id;
}

export const userPhotoCases: readonly MethodCase[] = [
  {
    method: 'directory.users.photos.update',
    right: async (world) => {
      const { id, email } = await newUser(world);
      const requestBody = { photoData: PNG, mimeType: 'PNG' };
      const { data } = await world.admin.users.photos.update({ userKey: email, requestBody });
      expect(data).toMatchObject({ kind: 'admin#directory#user#photo', id, photoData: PNG, width: 96, height: 96 });
      const read = await world.admin.users.photos.get({ userKey: id });
      expect(read.data).toEqual(data);
    },
    wrong: async (world) => {
      const { id } = await newUser(world);
      const update = (requestBody: object) => refusal(world.admin.users.photos.update({ userKey: id, requestBody }));
      expect(await update({})).toBe('400 required: Missing required field: photoData');
      expect(await update({ photoData: 'PHN2Zz4*' })).toBe('400 invalid: Invalid Input: photoData');
      expect(await refusal(world.admin.users.photos.get({ userKey: id }))).toBe(NO_PHOTO);
    },
  },
  {
    method: 'directory.users.photos.patch',
    right: async (world) => {
      const userKey = await pictured(world);
      await world.admin.users.photos.patch({ userKey, requestBody: { photoData: JPEG } });
      const { data } = await world.admin.users.photos.get({ userKey });
      expect(data).toMatchObject({ photoData: JPEG, mimeType: 'image/jpeg' });
    },
    wrong: async (world) => {
      const userKey = await pictured(world);
      const requestBody = { photoData: JPEG, mimeType: 'GIF' };
      expect(await refusal(world.admin.users.photos.patch({ userKey, requestBody }))).toBe(
        '400 invalid: Invalid Input: mimeType',
      );
    },
  },
  {
    method: 'directory.users.photos.get',
    right: async (world) => {
      const userKey = await pictured(world);
      const { data } = await world.admin.users.photos.get({ userKey });
      const user = await world.admin.users.get({ userKey });
      expect(user.data.thumbnailPhotoEtag).toBe(data.etag);
    },
    wrong: async (world) => {
      const { id } = await newUser(world);
      expect(await refusal(world.admin.users.photos.get({ userKey: id }))).toBe(NO_PHOTO);
      expect(await refusal(world.admin.users.photos.get({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.photos.delete',
    right: async (world) => {
      const userKey = await pictured(world);
      expect((await world.admin.users.photos.delete({ userKey })).status).toBe(204);
      expect(await refusal(world.admin.users.photos.get({ userKey }))).toBe(NO_PHOTO);
    },
    wrong: async (world) => {
      const { id } = await newUser(world);
      expect(await refusal(world.admin.users.photos.delete({ userKey: id }))).toBe(NO_PHOTO);
    },
  },
];
