import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getTokenKeys, getTokenRouter, sealCode } from '../../routes/api/bindings/token-router.ts';
import { createSqlRows } from '../../src/authorization/oauth/rows.ts';
import { CLIENT_CREDENTIALS, JWT_BEARER } from '../../src/authorization/oauth/resources.ts';
import { createMachineGrants } from '../../src/authorization/service-accounts/machine.ts';
import { createTokenRouter, type RouterParts } from '../../src/authorization/shards/router.ts';
import {
  getShardName,
  openToken,
  readSeal,
  ROOT_PLACE,
  sealToken,
  TOKEN_SHARDS,
} from '../../src/authorization/shards/sealed-token.ts';
import { AuthorizationStore } from '../support/workers/worker.ts';
import {
  approve,
  codeForm,
  inside,
  isAlive,
  json,
  MCP,
  post,
  publicClient,
  refreshForm,
  revokeGrant,
  signedIn,
  tokensOf,
  useShards,
  verdict,
} from './authorization-world.ts';

beforeEach(() => useShards(true));
afterAll(() => useShards(false));

const root = () => env.AUTHORIZATION_STORE.getByName('authorization');
const shardOf = (token: string): number => {
  const seal = readSeal(token);
  if (seal.kind !== 'sealed') throw new Error('no seal');
  return seal.shard;
};
/** As this Worker remembers them. */
const keys = () => getTokenKeys(env);

/** The Worker's way to the objects, with every call of one counted by its name and method. */
function counted(mayBeOld = true) {
  const calls: string[] = [];
  const watch = <T extends object>(name: string, object: T): T =>
    new Proxy(object, {
      get: (target, method) => {
        const called: unknown = Reflect.get(target, method);
        if (typeof called !== 'function') return called;
        return (...args: unknown[]) => {
          calls.push(`${name} ${String(method)}`);
          return Reflect.apply(called, target, args) as unknown;
        };
      },
    });
  const parts: RouterParts = {
    root: watch('root', root()),
    shardOf: (shard) => watch(getShardName(shard), env.AUTHORIZATION_STORE.getByName(getShardName(shard))),
    open: async (token) => openToken(token, await keys()),
    seal: async (text, shard) => sealToken(text, shard, await keys(), Date.now()),
    random: (bytes) => '0'.repeat(2 * bytes),
    mayBeOld: () => mayBeOld,
  };
  return { calls, router: createTokenRouter(parts) };
}

const ask = (form: Record<string, string>) => ({
  contentType: 'application/x-www-form-urlencoded',
  authorization: null,
  body: new URLSearchParams(form).toString(),
});

describe('a token is asked of the object that its seal names, and of no other', () => {
  test('a good access token is one call of its shard', async () => {
    const { access } = await signedIn();
    const { calls, router } = counted();
    expect(await router.validate(access, MCP)).toMatchObject({ scope: ['audit:run'] });
    expect(calls).toEqual([`${getShardName(shardOf(access))} shardValidate`]);
  });

  test.each([
    [
      'another shard',
      (token: string) => token.replace(/\.(..)../, `.$1${(shardOf(token) + 1) % 64 < 16 ? '0f' : '2f'}`),
    ],
    ['another key', (token: string) => token.replace(/\.../, '.7f')],
    ['another secret under the same seal', (token: string) => token.replace(/:[^:]{6}/, ':forged')],
    ['a cut seal', (token: string) => token.slice(0, -1)],
    ['a seal of zeros', (token: string) => `${token.slice(0, -22)}${'A'.repeat(22)}`],
    ['a shard that there is none of', (token: string) => token.replace(/\.(..)../, '.$1ff')],
  ])('%s costs no call of any object, as access token, code, refresh token or in a revocation', async (_, forge) => {
    const { access, refresh, clientId } = await signedIn();
    const { calls, router } = counted();
    expect(forge(access)).not.toBe(access);
    expect(await router.validate(forge(access), MCP)).toBeNull();
    const refused = await router.token(ask(refreshForm(forge(refresh), clientId)));
    const code = await router.token(ask(codeForm(forge(refresh), clientId)));
    const revoked = await router.token(ask({ token: forge(refresh), client_id: clientId }));
    expect([refused, code, revoked].map((outcome) => 'status' in outcome && outcome.status)).toEqual([400, 400, 200]);
    expect(calls).toEqual([]);
    expect(await isAlive(access)).toBe(true);
  });

  test('a token of before there were shards is asked of the root', async () => {
    useShards(false);
    const { access } = await signedIn();
    const { calls, router } = counted();
    expect(await router.validate(access, MCP)).not.toBeNull();
    expect(calls).toEqual(['root validate']);
  });

  test('a machine token of before is good for its hour, and ends with its client', async () => {
    const made = await inside(async (tools) => {
      const machine = createMachineGrants(tools, {
        issuer: 'https://sightline.test',
        tokenEndpoint: 'https://sightline.test/oauth/token',
        resources: [MCP],
        otherAudiences: [],
      });
      const client = await machine.clients.create({ name: 'batch', scopes: ['audit:run'] });
      if (!client.ok) throw new Error(client.reason);
      const { id } = client.client;
      const form = new URLSearchParams({ grant_type: 'client_credentials' });
      const { body } = await machine.token({ form, authorization: `Basic ${btoa(`${id}:${client.secret}`)}` });
      return { token: String(json({ body })['access_token']), end: id };
    });
    const { calls, router } = counted();
    expect(made.token).toMatch(/^slm_[\w-]{43}$/);
    expect(await router.validate(made.token, MCP)).toMatchObject({ clientId: made.end, scope: ['audit:run'] });
    await inside(({ rows }) => rows.delete(`own:machine:client:${made.end}`));
    expect(await router.validate(made.token, MCP)).toBeNull();
    expect(calls).toEqual(['root validate', 'root validate']);
  });

  test('once no access token of before can be good, one costs no call of any object; its refresh token is still good', async () => {
    useShards(false);
    const { access, refresh, clientId } = await signedIn();
    const { calls, router } = counted(false);
    expect(await router.validate(access, MCP)).toBeNull();
    expect(calls).toEqual([]);
    expect(await router.token(ask(refreshForm(refresh, clientId)))).toMatchObject({ status: 200 });
    expect(calls).toEqual(['root token']);
  });

  test('tokens that the root makes for a grant of before have a seal too, and live and end as before', async () => {
    useShards(false);
    const { refresh, clientId } = await signedIn();
    const { calls, router } = counted(false);
    const answered = async (form: Record<string, string>) => {
      const outcome = await router.token(ask(form));
      if (outcome.kind !== 'answer') throw new Error(outcome.kind);
      return outcome;
    };
    const first = tokensOf(await answered(refreshForm(refresh, clientId)));
    expect([shardOf(first.access), shardOf(first.refresh)]).toEqual([ROOT_PLACE, ROOT_PLACE]);
    expect(await router.validate(first.access, MCP)).toMatchObject({ scope: ['audit:run'] });
    const second = tokensOf(await answered(refreshForm(first.refresh, clientId)));
    expect(second.access).not.toBe(first.access);
    expect(await answered(refreshForm(first.refresh, clientId))).toMatchObject({ status: 200 });
    expect(await answered({ token: second.refresh, client_id: clientId })).toMatchObject({ status: 200 });
    expect(await router.validate(second.access, MCP)).toBeNull();
    expect(calls.every((call) => call.startsWith('root '))).toBe(true);
  });

  test('the root says once until when access tokens of before can be good: an hour and what clocks and Workers lag', async () => {
    const said = await root().tokenKeys();
    expect(said.oldUntilMs - Date.now()).toBeGreaterThan(60 * 60_000);
    expect(said.oldUntilMs - Date.now()).toBeLessThanOrEqual(80 * 60_000);
    expect((await root().tokenKeys()).oldUntilMs).toBe(said.oldUntilMs);
  });

  test('a seal made with the key before the newest one still opens', async () => {
    const [first] = await keys();
    if (first === undefined) throw new Error('no key');
    const ring = [first, { id: 1, secret: 'cd'.repeat(32), fromMs: Date.now() - 1 }];
    const old = await sealToken('slm_x', 5, [first], Date.now());
    expect(await openToken(old, ring)).toMatchObject({ kind: 'sealed', shard: 5, text: 'slm_x' });
    expect(await openToken(await sealToken('slm_x', 5, ring, Date.now()), [first])).toEqual({ kind: 'forged' });
  });
});

describe('one winner in each shard', () => {
  test('40 redemptions of one code through routers of their own are one success', async () => {
    const clientId = await publicClient();
    const { code } = await approve({ clientId });
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => counted().router.token(ask(codeForm(code, clientId)))),
    );
    const statuses = outcomes.map((outcome) => ('status' in outcome ? outcome.status : 0));
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, ...Array.from({ length: 39 }, () => 400)]);
  });

  test('40 refreshes of one token at once are one rotation with 40 same answers', async () => {
    const { refresh, clientId } = await signedIn();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => counted().router.token(ask(refreshForm(refresh, clientId)))),
    );
    expect(new Set(outcomes.map((outcome) => ('body' in outcome ? outcome.body : outcome.kind))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ status: 200 });
  });
});

describe('what the root ends, shards hear of', () => {
  /** The grant as the root lists it. */
  const pointer = (access: string): Promise<unknown> => {
    const [userId, grantId] = access.split(':');
    return runInDurableObject(root(), (_, { storage }) =>
      createSqlRows(storage.sql, Date.now).get(`kv:grant:${userId}:${grantId}`),
    );
  };

  test('the root keeps a pointer without code, token or what they open', async () => {
    const { access, refresh, code } = await signedIn();
    const text = JSON.stringify(await pointer(access));
    expect(text).toContain('\\"shard\\":');
    expect(text).not.toMatch(/authCode|encryptedProps|refreshToken|codeChallenge/);
    for (const secret of [access, refresh, code]) expect(text).not.toContain(secret.split(':')[2]);
  });

  test('a revoked grant has no token in its shard', async () => {
    const { access, code, refresh, clientId } = await signedIn();
    await revokeGrant(code);
    expect(await isAlive(access)).toBe(false);
    expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  });

  test('a refresh token is good for nothing once the root has ended its grant, though the shard has not heard of it', async () => {
    const { access, refresh, clientId } = await signedIn();
    const [userId = '', grantId = ''] = access.split(':');
    await inside(({ rows }) => {
      if (rows.get<{ value: string }>(`kv:grant:${userId}:${grantId}`)?.value.includes('"shard":') === true)
        rows.delete(`kv:grant:${userId}:${grantId}`);
    });
    expect(await isAlive(access)).toBe(true);
    expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  });

  test('a grant that ends in its shard is in no list of the root any more', async () => {
    const { access, refresh, clientId, userId } = await signedIn();
    expect(await pointer(access)).toBeDefined();
    const outcome = await getTokenRouter(env).token(ask({ token: refresh, client_id: clientId }));
    expect(outcome).toMatchObject({ status: 200, ended: { accountId: userId, clientId } });
    expect(await pointer(access)).toBeUndefined();
  });

  test('A5: a grant whose end the root did not hear of from its shard ends there when the same request comes again', async () => {
    const { access, refresh, clientId, userId } = await signedIn();
    const end = () => getTokenRouter(env).token(ask({ token: refresh, client_id: clientId }));
    const down = vi.spyOn(AuthorizationStore.prototype, 'forgetGrant').mockRejectedValue(new Error('down'));
    await expect(end()).rejects.toThrow('down');
    down.mockRestore();
    expect([await isAlive(access), (await pointer(access)) === undefined]).toEqual([false, false]);
    expect(await end()).toMatchObject({ status: 200, ended: { accountId: userId, clientId } });
    expect(await pointer(access)).toBeUndefined();
    expect(await end()).not.toHaveProperty('ended');
  });

  test.each(['code', 'refresh_token', 'token'])(
    'a request of a machine client that names the grant of another as %s changes nothing of it',
    async (name) => {
      const { access, refresh, clientId } = await signedIn();
      const before = JSON.stringify(await pointer(access));
      const [text = ''] = access.split('.');
      for (const named of [text, access, `${text.split(':').slice(0, 2).join(':')}:x`])
        for (const grant_type of [CLIENT_CREDENTIALS, JWT_BEARER])
          await getTokenRouter(env).token(ask({ grant_type, [name]: named, client_id: 'slc_x', client_secret: 'x' }));
      expect(JSON.stringify(await pointer(access))).toBe(before);
      expect((await post(refreshForm(refresh, clientId))).status).toBe(200);
    },
  );

  test('a notice that a shard did not confirm waits, and the alarm delivers it', async () => {
    const { access } = await signedIn();
    const [userId = '', grantId = ''] = access.split(':');
    await runInDurableObject(root(), (_, { storage }) => {
      const rows = createSqlRows(storage.sql, Date.now);
      const shard = String(shardOf(access)).padStart(2, '0');
      rows.put(`own:notice:${shard}:000000000001`, { is: 'grant_ended', accountId: userId, grantId });
    });
    expect(await isAlive(access)).toBe(true);
    await runDurableObjectAlarm(root());
    expect(await isAlive(access)).toBe(false);
    expect(await inside(({ rows }) => rows.count('own:notice:'))).toBe(0);
  });

  test('an unredeemed code is listed no longer than it lives, a redeemed grant for its 30 days', async () => {
    const clientId = await publicClient();
    const { code, userId } = await approve({ clientId });
    const endOf = (): Promise<number> =>
      runInDurableObject(root(), (_, { storage }) =>
        Number(
          createSqlRows(storage.sql, Date.now).list(`kv:grant:${userId}:${code.split(':')[1]}`, 1)[0]?.expiresAtMs,
        ),
      );
    expect((await endOf()) - Date.now()).toBeLessThan(30 * 60_000);
    await getTokenRouter(env).token(
      ask({ grant_type: CLIENT_CREDENTIALS, code, client_id: 'slc_x', client_secret: 'x' }),
    );
    expect((await endOf()) - Date.now()).toBeLessThan(30 * 60_000);
    expect((await post(codeForm(code, clientId))).status).toBe(200);
    expect((await endOf()) - Date.now()).toBeGreaterThan(30 * 86_400_000);
  });
});

test('codes and tokens carry a seal, and the code of another shard than its grant’s is refused', async () => {
  const clientId = await publicClient();
  const { code } = await approve({ clientId });
  const plain = readSeal(code);
  if (plain.kind !== 'sealed') throw new Error('no seal');
  const other = (plain.shard + 1) % TOKEN_SHARDS;
  const url = `https://app.example/callback?code=${encodeURIComponent(plain.text)}`;
  const moved = new URL(await sealCode(env, url, other)).searchParams.get('code') ?? '';
  expect(verdict(await post(codeForm(moved, clientId)))).toBe('400 invalid_grant');
  const answer = await post(codeForm(code, clientId));
  const { access, refresh } = tokensOf(answer);
  expect(json(answer)['resource']).toBe(MCP);
  expect([shardOf(access), shardOf(refresh)]).toEqual([plain.shard, plain.shard]);
});
