import { beforeEach, describe, expect, test } from 'vitest';
import { text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const webSafe = (bytes: number[]): string =>
  Buffer.from(bytes).toString('base64').replaceAll('/', '_').replaceAll('+', '-');
const PNG = webSafe([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const JPEG = webSafe([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8]);

const path = { userKey: 'ann@example.com' };
let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
  const body = {
    primaryEmail: 'ann@example.com',
    password: 'correct horse',
    name: { givenName: 'Ann', familyName: 'Lee' },
  };
  tenant.ok('directory.users.insert', { body });
});

const NO_PHOTO = '404 notFound: Resource Not Found: photo';

describe('the photo of a user', () => {
  test.each(['patch', 'update'])('is set by %s, shown and taken away', (verb) => {
    const photo = tenant.ok(`directory.users.photos.${verb}`, { path, body: { photoData: PNG, mimeType: 'PNG' } });
    const user = tenant.ok('directory.users.get', { path });
    expect(photo).toEqual({
      kind: 'admin#directory#user#photo',
      id: user['id'],
      etag: expect.stringMatching(/^".+"$/),
      primaryEmail: 'ann@example.com',
      mimeType: 'image/png',
      width: 96,
      height: 96,
      photoData: PNG,
    });
    expect(tenant.ok('directory.users.photos.get', { path })).toEqual(photo);
    expect(user['thumbnailPhotoEtag']).toBe(photo['etag']);
    expect(user['thumbnailPhotoUrl']).toMatch(/^\/admin\/directory\/v1\/users\/[0-9]{21}\/photos\/thumbnail$/);
    expect(tenant.ok('directory.users.photos.delete', { path })).toEqual({});
    expect(tenant.refused('directory.users.photos.get', { path })).toBe(NO_PHOTO);
    expect(tenant.ok('directory.users.get', { path })).not.toHaveProperty('thumbnailPhotoUrl');
  });

  test.each(['/9j/++++/w==', '_9j_----_w==', '_9j_----_w**', '_9j_----_w', '/9j/++++/w**'])(
    'is shown URL-safe and padded with = when it was sent as %s',
    (photoData) => {
      const photo = tenant.ok('directory.users.photos.update', { path, body: { photoData } });
      expect(photo['photoData']).toBe('_9j_----_w==');
      expect(tenant.ok('directory.users.photos.get', { path })['photoData']).toBe('_9j_----_w==');
    },
  );

  test('that an earlier version stored with * is shown with =', () => {
    const { id } = tenant.ok('directory.users.get', { path });
    const body = { mimeType: 'image/jpeg', width: 96, height: 96, photoData: '_9j_----_w**' };
    const { store } = tenant.context('directory.users.photos.update');
    store.insert({ collection: 'directory.photos', parent: text(id), id: 'thumbnail', body });
    expect(tenant.ok('directory.users.photos.get', { path })['photoData']).toBe('_9j_----_w==');
  });

  test.each(['patch', 'update', 'delete'])('is not overwritten by a %s that saw another one', (verb) => {
    const method = `directory.users.photos.${verb}`;
    const body = verb === 'delete' ? {} : { photoData: JPEG };
    const changed = '412 conditionNotMet: Precondition Failed: the resource was changed meanwhile';
    const { etag } = tenant.ok('directory.users.photos.update', { path, body: { photoData: PNG } });
    tenant.ok('directory.users.photos.update', { path, body: { photoData: PNG } });
    expect(tenant.refused(method, { path, body, ifMatch: text(etag) })).toBe(changed);
    const now = tenant.ok('directory.users.photos.get', { path });
    expect(now['photoData']).toBe(PNG);
    tenant.ok(method, { path, body, ifMatch: text(now['etag']) });
  });

  test('that is not there cannot have been seen', () => {
    expect(tenant.refused('directory.users.photos.update', { path, body: { photoData: PNG }, ifMatch: '*' })).toBe(
      '412 conditionNotMet: Precondition Failed: there is no photo',
    );
  });

  test('replaces the one before; a patch without data keeps it', () => {
    tenant.ok('directory.users.photos.update', { path, body: { photoData: PNG } });
    tenant.ok('directory.users.photos.update', { path, body: { photoData: JPEG, mimeType: 'image/jpeg' } });
    expect(tenant.ok('directory.users.photos.patch', { path, body: {} })).toMatchObject({ photoData: JPEG });
    expect(tenant.refused('directory.users.photos.update', { path, body: {} })).toBe(
      '400 required: Missing required field: photoData',
    );
    expect(tenant.ok('directory.users.photos.get', { path })['mimeType']).toBe('image/jpeg');
  });

  test.each([
    ['gif', [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
    ['bmp', [0x42, 0x4d, 1, 2]],
    ['tiff', [0x49, 0x49, 0x2a, 0]],
    ['tiff', [0x4d, 0x4d, 0, 0x2a]],
  ])('may be %s', (format, bytes) => {
    const photo = tenant.ok('directory.users.photos.update', { path, body: { photoData: webSafe(bytes) } });
    expect(photo['mimeType']).toBe(`image/${format}`);
  });

  test.each([
    ['no photo at all', { photoData: webSafe([1, 2, 3, 4]) }, 'photoData'],
    ['what is no Base64', { photoData: '<svg onload=x>' }, 'photoData'],
    ['one character', { photoData: '_' }, 'photoData'],
    ['another format than it is said to be', { photoData: PNG, mimeType: 'image/gif' }, 'mimeType'],
    ['SVG', { photoData: webSafe([0x3c, 0x73, 0x76, 0x67]), mimeType: 'image/svg+xml' }, 'photoData'],
    ['more than 1 MiB', { photoData: PNG + 'A'.repeat(1_398_104) }, 'photoData'],
  ])('is refused when it is %s', (_case, body, field) => {
    expect(tenant.refused('directory.users.photos.update', { path, body })).toBe(
      `400 invalid: Invalid Input: ${field}`,
    );
    expect(tenant.refused('directory.users.photos.get', { path })).toBe(NO_PHOTO);
  });

  test('there is none to show or delete at first, or after the user came back', () => {
    expect(tenant.refused('directory.users.photos.get', { path })).toBe(NO_PHOTO);
    expect(tenant.refused('directory.users.photos.delete', { path })).toBe(NO_PHOTO);
    tenant.ok('directory.users.photos.update', { path, body: { photoData: PNG } });
    const { id } = tenant.ok('directory.users.get', { path });
    tenant.ok('directory.users.delete', { path });
    tenant.ok('directory.users.undelete', { path: { userKey: id as string } });
    expect(tenant.refused('directory.users.photos.get', { path })).toBe(NO_PHOTO);
  });
});
