import { describe, expect, test } from 'vitest';
import { isNonceOf, makeNonce } from '../../../src/authorization/oauth/nonce.ts';
import {
  getCurrentSealingKey,
  deriveSealingKey,
  createSealingKeyring,
} from '../../../src/authorization/oauth/sealing-keys.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

function world() {
  const store = memoryStore();
  const keysOf = createSealingKeyring(store);
  return { ...store, keysOf, make: (session = 'one') => makeNonce(keysOf(), session, store.now()) };
}

describe('a nonce', () => {
  test('A3: holds 128 bits that nobody can guess, in letters and digits, and no two are the same', async () => {
    const { make } = world();
    const nonces = await Promise.all(Array.from({ length: 50 }, async () => (await make()).nonce));
    expect(new Set(nonces).size).toBe(50);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{58}$/);
  });

  test('B6: issuing 30,000 stores nothing', async () => {
    const { make, rows, keysOf } = world();
    keysOf();
    for (let count = 0; count < 30_000; count += 1) await make();
    expect(rows.count('')).toBe(1);
  });

  test('A3: is good for its session and for five minutes', async () => {
    const { make, keysOf, now, advance } = world();
    const { nonce, expiresAtMs } = await make();
    expect(expiresAtMs).toBe(now() + 5 * MINUTE);
    expect(await isNonceOf(keysOf(), 'one', nonce, now())).toBe(true);
    expect(await isNonceOf(keysOf(), 'two', nonce, now())).toBe(false);
    advance(5 * MINUTE - 1);
    expect(await isNonceOf(keysOf(), 'one', nonce, now())).toBe(true);
    advance(1);
    expect(await isNonceOf(keysOf(), 'one', nonce, now())).toBe(false);
  });

  test('B6: no digit of it can be changed', async () => {
    const { make, keysOf, now } = world();
    const { nonce } = await make();
    for (let index = 0; index < nonce.length; index += 1) {
      const digit = nonce[index] === '0' ? '1' : '0';
      const forged = nonce.slice(0, index) + digit + nonce.slice(index + 1);
      expect(await isNonceOf(keysOf(), 'one', forged, now())).toBe(false);
    }
  });

  test.each(['', '0'.repeat(32), '0'.repeat(58), 'A'.repeat(58), `${'0'.repeat(58)}0`])(
    'B6: %j, which was never given, is refused',
    async (nonce) => {
      const { keysOf, now } = world();
      expect(await isNonceOf(keysOf(), 'one', nonce, now())).toBe(false);
    },
  );

  test('B6: of another deployment is refused', async () => {
    const { make } = world();
    const other = world();
    expect(await isNonceOf(other.keysOf(), 'one', (await make()).nonce, other.now())).toBe(false);
  });
});

describe('the sealing keys', () => {
  test('are made once, and replaced after 30 days by keys that are known an hour before they are used', () => {
    const { keysOf, now, advance } = world();
    const [first] = keysOf();
    expect(keysOf()).toEqual([first]);
    advance(30 * DAY);
    const both = keysOf();
    expect(both).toHaveLength(2);
    expect(getCurrentSealingKey(both, now())).toEqual(first);
    advance(60 * MINUTE);
    expect(getCurrentSealingKey(keysOf(), now())).toEqual(both[1]);
    expect(both[1]?.id).toBe(1);
    advance(26 * 60 * MINUTE);
    expect(keysOf()).toEqual([both[1]]);
  });

  test('a nonce that was made with the key before is still good', async () => {
    const { make, keysOf, now, advance } = world();
    keysOf();
    advance(30 * DAY);
    keysOf();
    advance(59 * MINUTE);
    const { nonce } = await make();
    advance(2 * MINUTE);
    expect(getCurrentSealingKey(keysOf(), now()).id).toBe(1);
    expect(await isNonceOf(keysOf(), 'one', nonce, now())).toBe(true);
  });

  test('each purpose has a key of its own', async () => {
    const { keysOf, now } = world();
    const key = getCurrentSealingKey(keysOf(), now());
    const made = await Promise.all(
      (['sign-in nonce', 'client id nonce', 'client secret'] as const).map(async (purpose) => {
        const signed = await crypto.subtle.sign('HMAC', await deriveSealingKey(key, purpose), new Uint8Array([1]));
        return Buffer.from(signed).toString('hex');
      }),
    );
    expect(new Set(made).size).toBe(3);
  });
});
