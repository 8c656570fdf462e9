import { KEYS_REMEMBERED_MS, type SealingKey } from '../../../src/authorization/oauth/sealing-keys.ts';
import { AUTHORIZATION_STORE_NAME } from '../../../src/authorization/oauth/store-protocol.ts';
import { waitForStore } from '../../../src/authorization/oauth/store-wait.ts';
import type { TokenKeys } from '../../../src/authorization/shards/root.ts';
import { createTokenRouter, type TokenRouter } from '../../../src/authorization/shards/router.ts';
import { getShardName, openToken, sealToken } from '../../../src/authorization/shards/sealed-token.ts';
import { createUseMemory } from '../../../src/authorization/service-accounts/last-uses.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import type { Env } from './env.ts';

/** Of this isolate. */
const isNewUse = createUseMemory(Date.now);

type StoreEnv = Pick<Env, 'AUTHORIZATION_STORE'>;

/** The token endpoint, and what a token says: each asked of the object that holds the token. */
export const getTokenRouter = (env: StoreEnv): TokenRouter =>
  createTokenRouter({
    root: env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME),
    shardOf: (shard) => env.AUTHORIZATION_STORE.getByName(getShardName(shard)),
    open: async (token) => openToken(token, await getTokenKeys(env)),
    seal: async (text, shard) => sealToken(text, shard, await getTokenKeys(env), Date.now()),
    random: generateRandomHex,
    mayBeOld: async () => Date.now() < (await readTokenKeys(env)).oldUntilMs,
    isNewUse,
  });

/** A redirect to a client, with the shard that holds its grant in the code. */
export async function sealCode(env: StoreEnv, to: string, shard: number): Promise<string> {
  const url = new URL(to);
  const code = url.searchParams.get('code') ?? '';
  url.searchParams.set('code', await sealToken(code, shard, await getTokenKeys(env), Date.now()));
  return url.href;
}

type Remembered = { said: TokenKeys; untilMs: number };

/** The keys by the store that made them. Not the promise of them: a request must not wait for one of another request. */
const remembered = new WeakMap<object, Remembered>();

/** The keys that seal tokens. */
export const getTokenKeys = async (env: StoreEnv): Promise<readonly SealingKey[]> => (await readTokenKeys(env)).keys;

/** An isolate asks the root once in ten minutes, so that no token does. */
async function readTokenKeys({ AUTHORIZATION_STORE: store }: StoreEnv): Promise<TokenKeys> {
  const known = remembered.get(store);
  if (known !== undefined && Date.now() < known.untilMs) return known.said;
  const said = await waitForStore(async () => store.getByName(AUTHORIZATION_STORE_NAME).tokenKeys());
  remembered.set(store, { said, untilMs: Date.now() + KEYS_REMEMBERED_MS });
  return said;
}
