import { KEYS_REMEMBERED_MS, type SealingKey } from '../../../src/authorization/oauth/sealing-keys.ts';
import { authorizationStore } from './authorization-store.ts';
import type { Env } from './env.ts';

type Remembered = { keys: readonly SealingKey[]; untilMs: number };

/** The keys by the store that made them. Not the promise of them: a request must not wait for one of another request. */
const remembered = new WeakMap<object, Remembered>();

/**
 * The keys that nonces and client ids are made with. An isolate asks the store once in ten minutes, so that those who ask
 * for nonces or register clients all the time do not stand in front of the store.
 * @throws what the call of the store throws; the next request asks again
 */
export async function sealingKeys(env: Pick<Env, 'AUTHORIZATION_STORE'>): Promise<readonly SealingKey[]> {
  const known = remembered.get(env.AUTHORIZATION_STORE);
  if (known !== undefined && Date.now() < known.untilMs) return known.keys;
  const keys = await authorizationStore(env).sealingKeys();
  remembered.set(env.AUTHORIZATION_STORE, { keys, untilMs: Date.now() + KEYS_REMEMBERED_MS });
  return keys;
}
