import { env, exports } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ConsoleAccessPort } from '../../../../src/console-api/access.ts';
import { deriveCsrfToken } from '../../../../src/authorization/people/sessions.ts';
import { computeSha256Hex } from '../../../../src/lib/digest.ts';
import { person, signInOperator, signInPayer } from './person.ts';

/** As the control Worker has it: the real entrypoint, over the real store. */
const access = (): ConsoleAccessPort => exports.ConsoleAccess;

let values = 0;
/** A session value that no cookie has, and its hash. */
async function newValue(): Promise<{ value: string; hash: string }> {
  values += 1;
  const value = values.toString(16).padStart(64, '0');
  return { value, hash: await computeSha256Hex(value) };
}

let caller = '';
beforeEach(() => {
  caller = `192.0.2.${(values % 200) + 1}`;
});

async function signIn(secret: string, from = caller) {
  const [previous, renewed] = [await newValue(), await newValue()];
  const outcome = await access().signIn({ secret, caller: from, previous: previous.hash, renewed: renewed.hash });
  return { outcome, renewed };
}

test('the operator secret opens a session of eight hours, which the console finds by its hash', async () => {
  const { outcome, renewed } = await signIn(env.OPERATOR_SECRET);
  if (!outcome.ok) throw new Error(outcome.reason);
  const { operator, signedInAtMs, expiresAtMs } = outcome.session;
  expect(operator).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), name: 'operator' });
  expect(expiresAtMs - signedInAtMs).toBe(8 * 3_600_000);
  expect(await access().session(renewed.hash)).toEqual(outcome.session);
  expect(await access().hasOperators()).toBe(true);
});

test('A3: the session that the browser had before is gone', async () => {
  const first = await signIn(env.OPERATOR_SECRET);
  const renewed = await newValue();
  const order = { secret: env.OPERATOR_SECRET, caller, previous: first.renewed.hash, renewed: renewed.hash };
  expect((await access().signIn(order)).ok).toBe(true);
  expect(await access().session(first.renewed.hash)).toBeNull();
  expect(await access().session(renewed.hash)).not.toBeNull();
});

test('a session ends when the operator signs out', async () => {
  const { renewed } = await signIn(env.OPERATOR_SECRET);
  await access().signOut(renewed.hash);
  expect(await access().session(renewed.hash)).toBeNull();
});

test('a session ends after eight hours', async () => {
  const { renewed } = await signIn(env.OPERATOR_SECRET);
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(nowMs + 8 * 3_600_000 + 1);
  const after = await access().session(renewed.hash);
  clock.mockRestore();
  expect(after).toBeNull();
});

test('K10: a cookie of the console is worth nothing at the api, and none of the api opens the console', async () => {
  const { renewed } = await signIn(env.OPERATOR_SECRET);
  const browser = person();
  browser.cookies.set('__Host-sightline-session', renewed.value);
  const headers = { 'x-csrf-token': await deriveCsrfToken(renewed.value) };
  expect((await browser.get('/operator/clients', { headers })).status).toBe(401);
  const { csrf } = await signInOperator(browser);
  expect((await browser.get('/operator/clients', { headers: { 'x-csrf-token': csrf } })).status).toBe(200);
  expect(
    await access().session(await computeSha256Hex(browser.cookies.get('__Host-sightline-session') ?? '')),
  ).toBeNull();
});

test('somebody who pays is nobody at the console', async () => {
  const browser = person();
  await signInPayer(browser);
  expect(
    await access().session(await computeSha256Hex(browser.cookies.get('__Host-sightline-session') ?? '')),
  ).toBeNull();
});

test('A4: guesses at the console and at the api are counted together, and the right secret waits behind them', async () => {
  const browser = person(caller);
  for (let at = 0; at < 3; at += 1)
    expect((await signIn('guess')).outcome).toEqual({ ok: false, reason: 'wrong_secret' });
  for (let at = 0; at < 2; at += 1)
    expect((await browser.json('/signin/operator', { secret: 'guess' })).status).toBe(403);
  expect((await signIn(env.OPERATOR_SECRET)).outcome).toMatchObject({ ok: false, reason: 'too_many_attempts' });
  expect((await browser.json('/signin/operator', { secret: env.OPERATOR_SECRET })).status).toBe(429);
  expect((await signIn(env.OPERATOR_SECRET, '192.0.2.250')).outcome.ok).toBe(true); // Somebody else is not kept out.
});

type Made = { operator: { id: string }; secret: string };

test('A4: a named operator signs in by a secret of its own, and is out when the access ends or the secret changes', async () => {
  const browser = person();
  const { csrf } = await signInOperator(browser);
  const headers = { 'x-csrf-token': csrf };
  const { operator, secret } = await (
    await browser.json('/operator/operators', { name: 'Ada', directory_user_id: '4711' }, { headers })
  ).json<Made>();
  const { outcome, renewed } = await signIn(secret);
  expect(outcome).toMatchObject({ ok: true, session: { operator: { id: operator.id, name: 'Ada' } } });
  expect(await access().session(renewed.hash)).not.toBeNull();
  expect(await env.AUTHORIZATION_STORE.getByName('authorization').directoryUserGone('4711')).toBe('ended');
  expect(await access().session(renewed.hash)).toBeNull();
  const restored = await browser.json(`/operator/operators/${operator.id}/restore`, {}, { headers });
  const { secret: newer } = await restored.json<Made>();
  expect(await access().session(renewed.hash)).toBeNull();
  expect((await signIn(secret)).outcome).toEqual({ ok: false, reason: 'wrong_secret' });
  expect((await signIn(newer)).outcome.ok).toBe(true);
});

test('A4: with another operator secret the sessions of the old one are over', async () => {
  const { renewed } = await signIn(env.OPERATOR_SECRET);
  await runInDurableObject(env.AUTHORIZATION_STORE.getByName('authorization'), (_store, { storage }) => {
    const epoch = JSON.stringify({ secret: 'another', id: 'another' });
    storage.sql.exec("UPDATE rows SET value = ? WHERE key = 'own:operator-epoch'", epoch);
  });
  expect(await access().session(renewed.hash)).toBeNull();
});

test.each([
  ['a hash that is none', { previous: 'x' }],
  ['a secret without end', { secret: 's'.repeat(40_000) }],
  ['something else besides', { more: 1 }],
])('what no console sends signs nobody in: %s', async (_name, changes) => {
  const hash = '1'.repeat(64);
  const order = { secret: env.OPERATOR_SECRET, caller, previous: hash, renewed: hash, ...changes };
  expect(await access().signIn(order)).toEqual({ ok: false, reason: 'wrong_secret' });
  expect(await access().session('own:session:')).toBeNull();
});

test('what the counter objects counted is told by the limit, without who was counted', async () => {
  expect(await access().usage()).toEqual({});
  const take = (shard: string, key: string, needed: number) =>
    env.RATE_COUNTER.getByName(shard).take({ key, quota: 100, needed, ahead: 0 });
  await take('rate-0', 'free 198.51.100.7', 4);
  await take('rate-63', 'free 198.51.100.8', 9);
  await take('rate-5', 'mcp 198.51.100.7', 2);
  expect(await access().usage()).toEqual({
    free: { callers: 2, events: 13, most: 9 },
    mcp: { callers: 1, events: 2, most: 2 },
  });
});
