import { expect, test } from 'vitest';
import { openSealed, seal } from '../../../src/authorization/oauth/store-protocol.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"access_token":"tök:en"}' };
const lock = { secret: 'the-presented-token', request: 'the-request' };
const { random } = memoryStore();

test('a sealed answer opens to the same bytes with its secret and its request', async () => {
  expect(await openSealed(await seal(answer, { ...lock, random }), lock)).toEqual(answer);
});

test('it shows nothing, and no two boxes are alike', async () => {
  const [one, two] = [await seal(answer, { ...lock, random }), await seal(answer, { ...lock, random })];
  expect(JSON.stringify(one)).not.toContain('access_token');
  expect(one.box).not.toBe(two.box);
});

test.each([
  ['another secret', { secret: 'another' }],
  ['no secret', { secret: '' }],
  ['another request', { request: 'another' }],
])('with %s it does not open', async (_, over) => {
  expect(await openSealed(await seal(answer, { ...lock, random }), { ...lock, ...over })).toBeUndefined();
});

test('a box that was tampered with does not open', async () => {
  const { nonce, box } = await seal(answer, { ...lock, random });
  const flipped = box.startsWith('0') ? `1${box.slice(1)}` : `0${box.slice(1)}`;
  expect(await openSealed({ nonce, box: flipped }, lock)).toBeUndefined();
  expect(await openSealed({ nonce, box: '' }, lock)).toBeUndefined();
});
