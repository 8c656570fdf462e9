import type { NewMessage } from '../../../src/notifications/inbox/message.ts';

/** A notification about a user; null: its body does not tell. The number makes its key. */
export const messageOf = (userId: string | null, number: number, changes: Partial<NewMessage> = {}): NewMessage => ({
  channel: 'channel-1',
  watch: 'watch-1',
  key: `n:${number}`,
  number: String(number),
  state: 'update',
  receivedAtMs: Date.parse('2026-11-22T00:00:00Z'),
  userId,
  body: userId === null ? 'none' : 'read',
  raw: null,
  ...changes,
});

/** A user as the directory answers. */
export const userBody = (id: string, changes: object = {}) => ({
  kind: 'admin#directory#user',
  id,
  etag: `"${id}"`,
  primaryEmail: `${id}@example.com`,
  name: { givenName: 'A', familyName: 'B' },
  isAdmin: false,
  suspended: false,
  archived: false,
  orgUnitPath: '/',
  ...changes,
});
