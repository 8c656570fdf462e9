import { afterEach, expect, test, vi } from 'vitest';
import {
  createTokenKeyring,
  deriveSealingKey,
  KEYS_REMEMBERED_MS,
} from '../../../src/authorization/oauth/sealing-keys.ts';
import { REFRESH_TOKEN_S } from '../../../src/authorization/oauth/tokens.ts';
import { openToken, sealToken } from '../../../src/authorization/shards/sealed-token.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('each request derives a key for itself until there is one, so that one that is cancelled stops no other', async () => {
  const cancelled = new Promise<never>(() => undefined);
  vi.spyOn(crypto.subtle, 'importKey').mockImplementationOnce(async () => cancelled);
  const key = { id: 0, secret: 'ab'.repeat(32), fromMs: 0 };
  void deriveSealingKey(key, 'sign-in nonce');
  const made = await deriveSealingKey(key, 'sign-in nonce');
  expect(made.algorithm.name).toBe('HMAC');
  expect(await deriveSealingKey(key, 'sign-in nonce')).toBe(made);
});

test('over 100 days and four keys, Workers that asked ten minutes ago open what others sealed, until a refresh token ends', async () => {
  const store = memoryStore();
  const ring = createTokenKeyring(store);
  const made: { token: string; endsAtMs: number }[] = [];
  const isOurs = async (token: string, keys: ReturnType<typeof ring>) =>
    (await openToken(token, keys)).kind === 'sealed';
  const ids = new Set<string | undefined>();
  for (let step = 0; step < 100 * 24; step += 1) {
    const remembered = ring();
    store.advance(KEYS_REMEMBERED_MS);
    const token = await sealToken(`slm_${step}`, step % 64, remembered, store.now());
    ids.add(token.split('.')[1]?.slice(0, 2));
    made.push({ token, endsAtMs: store.now() + REFRESH_TOKEN_S * 1000 });
    expect(await isOurs(token, remembered)).toBe(true);
    while ((made[0]?.endsAtMs ?? Infinity) <= store.now()) {
      const ended = made.shift();
      expect([step, await isOurs(ended?.token ?? '', remembered)]).toEqual([step, true]);
    }
    store.advance(50 * 60_000);
  }
  expect([...ids]).toEqual(['00', '01', '02', '03']);
  expect(ring().length).toBeLessThanOrEqual(3);
});
