import { afterEach, expect, test, vi } from 'vitest';
import { deriveSealingKey } from '../../../src/authorization/oauth/sealing-keys.ts';

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
