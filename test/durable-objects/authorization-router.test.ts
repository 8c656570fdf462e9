import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLIENT_CREDENTIALS, JWT_BEARER } from '../../src/authorization/oauth/resources.ts';
import { CLIENT_ASSERTION_TYPE } from '../../src/authorization/service-accounts/client-assertion.ts';
import { createCreditCaps } from '../../src/authorization/people/client-access.ts';
import { createNotices, type NumberedNotice } from '../../src/authorization/shards/notices.ts';
import { createRoot } from '../../src/authorization/shards/root.ts';
import { readSeal, TOKEN_SHARDS } from '../../src/authorization/shards/sealed-token.ts';
import { createShard } from '../../src/authorization/shards/shard.ts';
import { addKey, type Claims, RESOURCES, signed, TOKEN_ENDPOINT } from '../support/management/machine-world.ts';
import { tokenObjects } from '../support/management/token-objects.ts';
import { exportJWK, generateKeyPair } from 'jose';

type Objects = ReturnType<typeof tokenObjects>;

let objects: Objects;
beforeEach(() => {
  objects = tokenObjects();
});
afterEach(() => {
  vi.useRealTimers();
});

const post = async (
  form: Record<string, string>,
  authorization: string | null = null,
  router = objects.makeRouter(),
) => {
  const body = new URLSearchParams(form).toString();
  const outcome = await router.token({ contentType: 'application/x-www-form-urlencoded', authorization, body });
  if (outcome.kind !== 'answer') throw new Error(outcome.kind);
  return {
    status: outcome.status,
    body: (outcome.body === '' ? {} : JSON.parse(outcome.body)) as Record<string, string>,
  };
};

const nowS = (): number => Math.floor(objects.store.now() / 1000);

async function robot() {
  const made = objects.machine.services.create({ name: 'robot', scopes: ['audit:run'] });
  if (!made.ok) throw new Error(made.reason);
  const { file, key } = await addKey(objects as unknown as Parameters<typeof addKey>[0], made.account.id);
  const assertion = (claims: Claims = {}): Promise<string> =>
    signed({ iss: file.client_email, aud: TOKEN_ENDPOINT, iat: nowS(), exp: nowS() + 3600, ...claims }, key, {
      kid: file.private_key_id,
    });
  return { id: made.account.id, keyId: file.private_key_id, assertion };
}

/** A client that signs assertions. */
async function keyedClient() {
  const pair = await generateKeyPair('RS256', { extractable: true });
  const { kty = '', n = '', e = '' } = await exportJWK(pair.publicKey);
  const made = await objects.machine.clients.create({ name: 'batch', scopes: ['audit:run'], jwks: [{ kty, n, e }] });
  if (!made.ok) throw new Error(made.reason);
  const { id } = made.client;
  const prove = async (jti: string) => ({
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: await signed(
      { iss: id, sub: id, aud: TOKEN_ENDPOINT, iat: nowS(), exp: nowS() + 600, jti },
      pair.privateKey,
      {},
    ),
  });
  return { id, prove };
}

const bearer = (assertion: string) => post({ grant_type: JWT_BEARER, assertion });
const isGood = async (token = ''): Promise<boolean> =>
  (await objects.makeRouter().validate(token, RESOURCES[0])) !== null;

describe('one winner', () => {
  test('A2: an assertion with a jti is used once, though 40 Workers take it at once', async () => {
    const { assertion } = await robot();
    const jwt = await assertion({ jti: 'once' });
    const answers = await Promise.all(Array.from({ length: 40 }, () => bearer(jwt)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body['error'] === 'invalid_grant')).toHaveLength(39);
  });

  test('A2: an assertion that was used before there were shards is used', async () => {
    const { assertion } = await robot();
    const jwt = await assertion({ jti: 'before' });
    const before = await objects.machine.token({
      form: new URLSearchParams({ grant_type: JWT_BEARER, assertion: jwt }),
      authorization: null,
    });
    expect(before.status).toBe(200);
    expect((await bearer(jwt)).body['error']).toBe('invalid_grant');
  });

  test('a client assertion is good for one request: a token or a revocation, wherever the token is', async () => {
    const { prove } = await keyedClient();
    const proof = await prove('one');
    const { body } = await post({ grant_type: CLIENT_CREDENTIALS, ...proof });
    expect(await isGood(body['access_token'])).toBe(true);
    expect((await post({ token: body['access_token'] ?? '', ...proof })).status).toBe(401);
    expect(await isGood(body['access_token'])).toBe(true);
    const other = await prove('two');
    expect((await post({ token: body['access_token'] ?? '', ...other })).status).toBe(200);
    expect(await isGood(body['access_token'])).toBe(false);
    expect((await post({ grant_type: CLIENT_CREDENTIALS, ...other })).status).toBe(401);
  });
});

test.each(['', 'x', 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4IiwianRpIjoiNSJ9.'])(
  'A2: a client assertion is used once, whatever else is sent with it (assertion=%s)',
  async (stray) => {
    const { prove } = await keyedClient();
    const proof = await prove('one');
    expect((await post({ grant_type: CLIENT_CREDENTIALS, ...proof })).status).toBe(200);
    const again = { grant_type: CLIENT_CREDENTIALS, ...proof, assertion: stray };
    const statuses = new Set<number>();
    for (let n = 0; n < 5; n += 1) statuses.add((await post(again)).status);
    expect([...statuses]).toEqual([401]);
  },
);

describe('an end reaches every shard', () => {
  const tokens = async (count: number, assertion: () => Promise<string>): Promise<string[]> => {
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) made.push((await bearer(await assertion())).body['access_token'] ?? '');
    return made;
  };
  const good = async (all: readonly string[]): Promise<number> =>
    (await Promise.all(all.map(isGood))).filter(Boolean).length;

  test.each([
    ['A2: a key', (id: string, keyId: string) => objects.machine.services.revokeKey(id, keyId)],
    ['A2: a service account', (id: string) => objects.machine.services.remove(id)],
  ])('%s', async (_, end) => {
    const one = await robot();
    const other = await robot();
    const [mine, theirs] = [await tokens(60, one.assertion), await tokens(5, other.assertion)];
    expect(new Set(mine.map((token) => JSON.stringify(readSeal(token)).slice(-30))).size).toBeGreaterThan(10);
    expect([await good(mine), await good(theirs)]).toEqual([60, 5]);
    end(one.id, one.keyId);
    await objects.deliver();
    expect([await good(mine), await good(theirs)]).toEqual([0, 5]);
    expect((await bearer(await one.assertion())).body['error']).toBe('invalid_grant');
  });

  test('a shard that is down is said to be, keeps no other waiting, and hears of it later', async () => {
    const one = await robot();
    const mine = await tokens(40, one.assertion);
    const [first = ''] = mine;
    const seal = readSeal(first);
    if (seal.kind !== 'sealed') throw new Error('no seal');
    objects.down.add(seal.shard);
    const before = objects.notices.getNumber();
    objects.machine.services.revokeKey(one.id, one.keyId);
    await objects.deliver();
    expect([objects.notices.countUnreached(before, objects.notices.getNumber()), objects.notices.isWaiting()]).toEqual([
      1,
      true,
    ]);
    objects.down.clear();
    expect(await good(mine)).toBe(
      mine.filter((token) => token.includes(`.00${seal.shard.toString(16).padStart(2, '0')}`)).length,
    );
    await objects.deliver();
    expect([objects.notices.countUnreached(before, objects.notices.getNumber()), objects.notices.isWaiting()]).toEqual([
      0,
      false,
    ]);
    expect(await good(mine)).toBe(0);
  });

  test('a token got from what the root said a moment before is as dead', async () => {
    const one = await robot();
    const jwt = await one.assertion();
    const router = objects.makeRouter();
    const asked = post({ grant_type: JWT_BEARER, assertion: jwt }, null, router);
    objects.machine.services.revokeKey(one.id, one.keyId);
    await objects.deliver();
    const { body } = await asked;
    expect(await isGood(body['access_token'])).toBe(false);
  });

  test('a token ends with the key it was got with, when that expires', async () => {
    const one = await robot();
    objects.store.advance(90 * 86_400_000 - 60_000);
    const [token] = await tokens(1, one.assertion);
    expect(await isGood(token)).toBe(true);
    objects.store.advance(61_000);
    expect(await isGood(token)).toBe(false);
  });
});

describe('nothing waits for ever for a shard, and nothing old wins', () => {
  const never = (): Promise<void> => new Promise<void>(() => undefined);

  test('one that does not answer has not confirmed after five seconds, and the others have', async () => {
    vi.useFakeTimers();
    const notices = createNotices(objects.store);
    notices.putForAll({ is: 'holder_ended', id: 'slc_x' });
    const heard = new Set<number>();
    const delivered = notices.deliver((shard) => (shard === 9 ? never() : (heard.add(shard), Promise.resolve())));
    await vi.advanceTimersByTimeAsync(5_000);
    await delivered;
    expect([heard.size, notices.countUnreached(0, notices.getNumber()), notices.isWaiting()]).toEqual([
      TOKEN_SHARDS - 1,
      1,
      true,
    ]);
  });

  test.each([
    ['does not answer', never],
    ['fails', () => Promise.reject(new Error('down'))],
  ])('a grant whose shard %s is no grant, and the shard is to end it if it has it', async (_, adopt) => {
    vi.useFakeTimers();
    const { store } = objects;
    const notices = createNotices(store);
    const [accountId, clientId, grantId] = ['ab'.repeat(16), 'client', 'grant'];
    const key = `kv:grant:${accountId}:${grantId}`;
    store.rows.put(key, { value: JSON.stringify({ clientId }) }, store.now() + 600_000);
    const placed = createRoot({ tools: store, notices, adopt }).place({ accountId, clientId, grantId });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await placed).toBeUndefined();
    expect(store.rows.get(key)).toBeUndefined();
    const waiting: unknown[] = [];
    await notices.deliver(async (_shard, some) => void waiting.push(...some));
    expect(waiting).toMatchObject([{ is: 'grant_ended', accountId, grantId }]);
  });

  test('A5: a limit of credits that a later one has replaced changes nothing when it arrives late', async () => {
    const { store } = objects;
    const shard = createShard({
      tools: store,
      issuer: TOKEN_ENDPOINT,
      resources: RESOURCES,
      machine: { issuer: TOKEN_ENDPOINT, tokenEndpoint: TOKEN_ENDPOINT, resources: RESOURCES, otherAudiences: [] },
      onRefusal: () => undefined,
    });
    const sent: { shard: number; notices: readonly NumberedNotice[] }[] = [];
    const notices = createNotices(store);
    for (const capMicroUsdc of [5_000_000, 1_000_000]) {
      notices.put(3, { is: 'cap', accountId: 'a', clientId: 'c', capMicroUsdc });
      await notices.deliver(async (to, some) => void sent.push({ shard: to, notices: some }));
    }
    for (const { notices: some } of sent.toReversed()) await shard.heed(some);
    expect(sent).toHaveLength(2);
    expect(createCreditCaps(store).get('a', 'c')).toBe(1_000_000);
  });
});

test('A5: a consent that is taken back leaves the limit that was said since', async () => {
  const { store, notices } = objects;
  const caps = createCreditCaps(store);
  const root = createRoot({ tools: store, notices, adopt: async () => undefined });
  const [accountId, clientId] = ['ab'.repeat(16), 'client'];
  const say = async (grantId: string, capMicroUsdc: number) => {
    const key = `kv:grant:${accountId}:${grantId}`;
    store.rows.put(key, { value: JSON.stringify({ clientId }) }, store.now() + 600_000);
    const placed = await root.place({ accountId, clientId, grantId, capMicroUsdc });
    caps.set(accountId, clientId, capMicroUsdc);
    if (placed === undefined) throw new Error('no grant');
    return placed;
  };
  await say('one', 5);
  await say('two', 900);
  root.takeBack(await say('three', 800));
  expect(caps.get(accountId, clientId)).toBe(900);
  const four = await say('four', 700);
  await say('five', 2);
  root.takeBack(four);
  expect(caps.get(accountId, clientId)).toBe(2);
});

test('a token check is one call of one shard; the root is asked for a token request, and then the shard', async () => {
  const { assertion } = await robot();
  // The first in an hour also says that the key was used.
  await bearer(await assertion());
  expect(objects.calls.get('root')).toBe(2);
  objects.calls.clear();
  const { body } = await bearer(await assertion());
  expect([objects.calls.get('root'), [...objects.calls.values()].reduce((sum, n) => sum + n)]).toEqual([1, 2]);
  objects.calls.clear();
  await isGood(body['access_token']);
  expect([objects.calls.get('root'), [...objects.calls.values()]]).toEqual([undefined, [1]]);
  expect(TOKEN_SHARDS).toBe(64);
});
