import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from './support/method-cases.ts';

/** `fields` of methods that show nothing by default. */
const ALL = '*';

async function newFile({ drive, fresh }: World): Promise<string> {
  const { data } = await drive.files.create({ requestBody: { name: fresh('file'), mimeType: 'text/plain' } });
  return data.id ?? '';
}

async function newComment(world: World, fileId: string): Promise<string> {
  const { data } = await world.drive.comments.create({ fileId, fields: ALL, requestBody: { content: 'Hello' } });
  return data.id ?? '';
}

/** A fresh file with a comment. */
async function commented(world: World): Promise<{ fileId: string; commentId: string }> {
  const fileId = await newFile(world);
  return { fileId, commentId: await newComment(world, fileId) };
}

const WITHOUT_FIELDS = /^400 required: The 'fields' parameter is required/;

export const cases: readonly MethodCase[] = [
  {
    method: 'drive.files.create',
    right: async (world) => {
      const name = world.fresh('file');
      const { data } = await world.drive.files.create({ requestBody: { name } });
      expect(data).toEqual({ kind: 'drive#file', id: data.id, name, mimeType: 'application/octet-stream' });
      expect((await world.drive.files.get({ fileId: data.id ?? '' })).data).toEqual(data);
    },
    wrong: async (world) => {
      const id = await newFile(world);
      expect(await refusal(world.drive.files.create({ requestBody: { id } }))).toBe(
        '409 duplicate: Entity already exists.',
      );
    },
  },
  {
    method: 'drive.files.get',
    right: async (world) => {
      const fileId = await newFile(world);
      const { data } = await world.drive.files.get({ fileId, fields: 'id,createdTime,owners(kind)' });
      expect(data).toEqual({
        id: fileId,
        createdTime: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) as unknown,
        owners: [{ kind: 'drive#user' }],
      });
    },
    wrong: async ({ drive }) => {
      expect(await refusal(drive.files.get({ fileId: 'none' }))).toBe('404 notFound: File not found: none.');
    },
  },
  {
    method: 'drive.files.list',
    right: async (world) => {
      const id = await newFile(world);
      const { name } = (await world.drive.files.get({ fileId: id })).data;
      const { data } = await world.drive.files.list({ q: `name = '${name}' and trashed = false` });
      expect(data.files).toEqual([{ kind: 'drive#file', id, name, mimeType: 'text/plain' }]);
    },
    wrong: async ({ drive }) => {
      expect(await refusal(drive.files.list({ q: 'colour = red' }))).toBe('400 invalid: Invalid Value');
    },
  },
  {
    method: 'drive.files.delete',
    right: async (world) => {
      const fileId = await newFile(world);
      expect((await world.drive.files.delete({ fileId })).status).toBe(204);
      expect(await refusal(world.drive.files.get({ fileId }))).toBe(`404 notFound: File not found: ${fileId}.`);
    },
    wrong: async ({ drive }) => {
      expect(await refusal(drive.files.delete({ fileId: 'none' }))).toBe('404 notFound: File not found: none.');
    },
  },
  {
    method: 'drive.about.get',
    right: async ({ drive }) => {
      const { data } = await drive.about.get({ fields: 'user(me),storageQuota/usage' });
      expect(data).toEqual({ user: { me: true }, storageQuota: { usage: '0' } });
    },
    wrong: async ({ drive }) => {
      expect(await refusal(drive.about.get())).toMatch(WITHOUT_FIELDS);
    },
  },
  {
    method: 'drive.comments.create',
    right: async (world) => {
      const { fileId, commentId } = await commented(world);
      const { data } = await world.drive.comments.get({ fileId, commentId, fields: 'content,author/me' });
      expect(data).toEqual({ content: 'Hello', author: { me: true } });
    },
    wrong: async (world) => {
      const fileId = await newFile(world);
      const create = world.drive.comments.create({ fileId, fields: ALL, requestBody: {} });
      expect(await refusal(create)).toBe('400 required: Missing required field: content');
    },
  },
  {
    method: 'drive.comments.get',
    right: async (world) => {
      const { fileId, commentId } = await commented(world);
      const { data } = await world.drive.comments.get({ fileId, commentId, fields: 'kind,id' });
      expect(data).toEqual({ kind: 'drive#comment', id: commentId });
    },
    wrong: async (world) => {
      const { fileId, commentId } = await commented(world);
      expect(await refusal(world.drive.comments.get({ fileId, commentId }))).toMatch(WITHOUT_FIELDS);
    },
  },
  {
    method: 'drive.comments.list',
    right: async (world) => {
      const { fileId, commentId } = await commented(world);
      const { data } = await world.drive.comments.list({ fileId, fields: 'comments/id' });
      expect(data).toEqual({ comments: [{ id: commentId }] });
    },
    wrong: async (world) => {
      const fileId = await newFile(world);
      expect(await refusal(world.drive.comments.list({ fileId }))).toMatch(WITHOUT_FIELDS);
    },
  },
  {
    method: 'drive.replies.create',
    right: async (world) => {
      const at = await commented(world);
      await world.drive.replies.create({ ...at, fields: ALL, requestBody: { action: 'resolve' } });
      const { data } = await world.drive.comments.get({ ...at, fields: 'resolved' });
      expect(data).toEqual({ resolved: true });
    },
    wrong: async (world) => {
      const at = await commented(world);
      expect(await refusal(world.drive.replies.create({ ...at, fields: ALL, requestBody: {} }))).toBe(
        '400 required: Missing required field: content',
      );
    },
  },
  {
    method: 'drive.replies.get',
    right: async (world) => {
      const at = await commented(world);
      const made = await world.drive.replies.create({ ...at, fields: 'id', requestBody: { content: 'Yes' } });
      const replyId = made.data.id ?? '';
      const { data } = await world.drive.replies.get({ ...at, replyId, fields: 'id,content' });
      expect(data).toEqual({ id: replyId, content: 'Yes' });
    },
    wrong: async (world) => {
      const at = await commented(world);
      const get = world.drive.replies.get({ ...at, replyId: 'none', fields: ALL });
      expect(await refusal(get)).toBe('404 notFound: Reply not found: none.');
    },
  },
  {
    method: 'drive.replies.list',
    right: async (world) => {
      const at = await commented(world);
      for (const content of ['one', 'two']) {
        await world.drive.replies.create({ ...at, fields: ALL, requestBody: { content } });
      }
      const { data } = await world.drive.replies.list({ ...at, fields: 'replies/content' });
      expect(data.replies?.map(({ content }) => content).toSorted()).toEqual(['one', 'two']);
    },
    wrong: async (world) => {
      const at = await commented(world);
      expect(await refusal(world.drive.replies.list(at))).toMatch(WITHOUT_FIELDS);
    },
  },
];
