import { beforeEach, expect, test } from 'vitest';
import { onboard } from './onboard.js';

const directory = process.env.SIGHTLINE_EMULATOR;
const get = async (path) => (await fetch(`${directory}${path}`)).json();
const post = async (path, body = {}) =>
  (await fetch(`${directory}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
const begin = (name) => onboard({ directory, token: 'any', name, group: 'everybody@example.com' });

beforeEach(() => post('/v1/reset'));

test('a new colleague gets an account and joins the group', async () => {
  const user = await begin('Ada Lovelace');
  expect(user.primaryEmail).toBe('ada.lovelace@example.com');
  const { members } = await get('/admin/directory/v1/groups/everybody@example.com/members');
  expect(members.map(({ email }) => email)).toEqual(['ada.lovelace@example.com']);
});

test('an existing account is not added to the group again', async () => {
  expect(await begin('Grace Hopper')).toBeUndefined();
  const { calls } = await get('/v1/calls?method=directory.members.insert');
  expect(calls).toEqual([]);
});

test('a directory that is down is an error, not a half account', async () => {
  await post('/v1/faults', { method: 'directory.users.insert', status: 503, times: 1 });
  await expect(begin('Ada Lovelace')).rejects.toThrow('503');
  const { users } = await get('/admin/directory/v1/users?customer=my_customer');
  expect(users).toHaveLength(1);
});
