import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

/** A text of an answer. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('Not a text');
  return value;
}

const file = (tenant: TestTenant, body: JsonObject = {}): string =>
  text(tenant.ok('drive.files.create', { body })['id']);
const names = (tenant: TestTenant, query: Record<string, string | number> = {}): unknown[] => {
  const { files } = tenant.ok('drive.files.list', { query });
  return Array.isArray(files) ? files.map((each) => (each as JsonObject)['name']) : [];
};

test('a file is created, read, listed and deleted', () => {
  const tenant = testTenant();
  const fileId = file(tenant, { name: 'Plan', mimeType: 'text/plain' });
  expect(tenant.ok('drive.files.get', { path: { fileId } })).toMatchObject({
    kind: 'drive#file',
    id: fileId,
    name: 'Plan',
    mimeType: 'text/plain',
    trashed: false,
    createdTime: '2026-11-21T00:00:00.000Z',
  });
  expect(names(tenant)).toEqual(['Plan']);
  expect(tenant.ok('drive.files.delete', { path: { fileId } })).toEqual({});
  expect(tenant.refused('drive.files.get', { path: { fileId } })).toBe(`404 notFound: File not found: ${fileId}.`);
  expect(tenant.refused('drive.files.delete', { path: { fileId } })).toBe(`404 notFound: File not found: ${fileId}.`);
});

test('a file without name is Untitled; an id that is taken or impossible is refused', () => {
  const tenant = testTenant();
  file(tenant, { id: 'abcdefghij' });
  expect(names(tenant)).toEqual(['Untitled']);
  expect(tenant.refused('drive.files.create', { body: { id: 'abcdefghij' } })).toBe(
    '409 duplicate: Entity already exists.',
  );
  expect(tenant.refused('drive.files.create', { body: { id: '../x' } })).toBe(
    '400 invalid: The provided file ID is not usable.',
  );
});

test.each([
  ["name = 'Beta'", ['Beta']],
  ["name contains 'ta' and mimeType != 'text/plain'", ['Beta']],
  ["mimeType='text/plain'", ["It's and more", 'Alpha']],
  ["name = 'It\\'s and more'", ["It's and more"]],
  ['trashed = true', []],
  ['starred=true', ['Alpha']],
  ["'root1' in parents", ['Beta']],
])('files.list q %s', (q, found) => {
  expect(names(library(), { q })).toEqual(found);
});

test.each(['name', "name = 'x", "owner = 'x'", "name = 'x' or name = 'y'", "name = 'x' and", 'x'.repeat(2_001)])(
  'files.list refuses the q %s',
  (q) => {
    expect(library().refused('drive.files.list', { query: { q } })).toBe('400 invalid: Invalid Value');
  },
);

test('files are listed newest first, or by name, page by page', () => {
  const tenant = library();
  expect(names(tenant)).toEqual(["It's and more", 'Beta', 'Alpha']);
  expect(names(tenant, { orderBy: 'name' })).toEqual(['Alpha', 'Beta', "It's and more"]);
  expect(names(tenant, { orderBy: 'name desc' })).toEqual(["It's and more", 'Beta', 'Alpha']);
  const { nextPageToken } = tenant.ok('drive.files.list', { query: { orderBy: 'name', pageSize: 2 } });
  expect(names(tenant, { orderBy: 'name', pageSize: 2, pageToken: text(nextPageToken) })).toEqual(["It's and more"]);
  expect(tenant.refused('drive.files.list', { query: { orderBy: 'size' } })).toBe('400 invalid: Invalid Value');
});

test('about says who asks, and how much there is', () => {
  const tenant = testTenant();
  expect(tenant.ok('drive.about.get')).toMatchObject({
    kind: 'drive#about',
    user: { kind: 'drive#user', me: true, permissionId: 'a'.repeat(32) },
    storageQuota: { limit: '16106127360', usage: '0' },
  });
});

test('a comment has replies; one resolves it, another opens it again', () => {
  const tenant = testTenant();
  const fileId = file(tenant);
  const commentId = text(
    tenant.ok('drive.comments.create', { path: { fileId }, body: { content: '<b>Hi</b>' } })['id'],
  );
  const path = { fileId, commentId };
  const comment = () => tenant.ok('drive.comments.get', { path });
  expect(comment()).toMatchObject({
    kind: 'drive#comment',
    content: '<b>Hi</b>',
    htmlContent: '&lt;b&gt;Hi&lt;/b&gt;',
    resolved: false,
    replies: [],
  });
  tenant.later(1_000);
  const replyId = text(tenant.ok('drive.replies.create', { path, body: { action: 'resolve' } })['id']);
  expect(comment()).toMatchObject({
    resolved: true,
    modifiedTime: '2026-11-21T00:00:01.000Z',
    replies: [{ kind: 'drive#reply', id: replyId, action: 'resolve' }],
  });
  tenant.ok('drive.replies.create', { path, body: { action: 'reopen', content: 'no' } });
  expect(comment()['resolved']).toBe(false);
  expect(tenant.ok('drive.replies.get', { path: { ...path, replyId } })).toMatchObject({ action: 'resolve' });
  expect(tenant.ok('drive.replies.list', { path })['replies']).toHaveLength(2);
});

test('comments are listed from a time on, the last changed first', () => {
  const tenant = testTenant();
  const path = { fileId: file(tenant) };
  for (const content of ['one', 'two']) {
    tenant.ok('drive.comments.create', { path, body: { content } });
    tenant.later(60_000);
  }
  const contents = (query: Record<string, string>) =>
    (tenant.ok('drive.comments.list', { path, query })['comments'] as JsonObject[]).map(({ content }) => content);
  expect(contents({})).toEqual(['two', 'one']);
  expect(contents({ startModifiedTime: '2026-11-21T00:01:00Z' })).toEqual(['two']);
  expect(tenant.refused('drive.comments.list', { path, query: { startModifiedTime: 'now' } })).toBe(
    '400 invalid: Invalid Value',
  );
});

test.each([
  ['drive.comments.create', {}, {}, '400 required: Missing required field: content'],
  ['drive.comments.create', {}, { content: 'x'.repeat(4_097) }, '400 invalid: Invalid Value'],
  ['drive.comments.create', { fileId: 'none' }, { content: 'x' }, '404 notFound: File not found: none.'],
  ['drive.comments.get', { commentId: 'none' }, {}, '404 notFound: Comment not found: none.'],
  ['drive.comments.list', { fileId: 'none' }, {}, '404 notFound: File not found: none.'],
  ['drive.replies.create', { commentId: 'none' }, { content: 'x' }, '404 notFound: Comment not found: none.'],
  ['drive.replies.list', { commentId: 'none' }, {}, '404 notFound: Comment not found: none.'],
])('%s %j %j is refused: %s', (method, path, body, refusal) => {
  const tenant = testTenant();
  expect(tenant.refused(method, { path: { fileId: file(tenant), ...path }, body })).toBe(refusal);
});

test.each([
  ['drive.replies.create', { action: 'explode' }, '400 invalid: Invalid Value'],
  ['drive.replies.create', {}, '400 required: Missing required field: content'],
  ['drive.replies.get', {}, '404 notFound: Reply not found: none.'],
])('%s of %j is refused: %s', (method, body, refusal) => {
  const tenant = testTenant();
  const fileId = file(tenant);
  const commentId = text(tenant.ok('drive.comments.create', { path: { fileId }, body: { content: 'x' } })['id']);
  expect(tenant.refused(method, { path: { fileId, commentId, replyId: 'none' }, body })).toBe(refusal);
});

test('a deleted file takes its comments with it', () => {
  const tenant = testTenant();
  const fileId = file(tenant, { id: 'abcdefghij' });
  tenant.ok('drive.comments.create', { path: { fileId }, body: { content: 'x' } });
  tenant.ok('drive.files.delete', { path: { fileId } });
  file(tenant, { id: 'abcdefghij' });
  expect(tenant.ok('drive.comments.list', { path: { fileId } })).not.toHaveProperty('comments');
});

function library(): TestTenant {
  const tenant = testTenant();
  file(tenant, { name: 'Alpha', mimeType: 'text/plain', starred: true });
  tenant.later(1_000);
  file(tenant, { name: 'Beta', parents: ['root1'] });
  tenant.later(1_000);
  file(tenant, { name: "It's and more", mimeType: 'text/plain' });
  return tenant;
}
