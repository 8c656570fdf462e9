import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeAuthorizationDigest,
  formatPaymentKey,
  computeShardName,
  computeTransferDigest,
} from '../../../src/payment/ledger/payment-key.ts';

const FROM = `0x${'0a'.repeat(20)}`;
const NONCE = `0x${'00'.repeat(31)}7f`;
const HASH = `0x${'c0'.repeat(32)}`;

test('a signed payload has the key eip3009:<network>:<asset>:<from>:<nonce>', () => {
  expect(formatPaymentKey({ method: 'x402', from: FROM, nonce: NONCE })).toBe(
    `eip3009:eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${FROM}:${NONCE}`,
  );
});

test('P20: a transfer has the key tx:<network>:<hash>:<log index>, so that each log is a payment of its own', () => {
  expect(formatPaymentKey({ method: 'transfer', hash: HASH, logIndex: 12 })).toBe(`tx:eip155:8453:${HASH}:12`);
  expect(formatPaymentKey({ method: 'transfer', hash: HASH, logIndex: 13 })).not.toBe(
    formatPaymentKey({ method: 'transfer', hash: HASH, logIndex: 12 }),
  );
});

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => Buffer.from(b).toString('hex'));

/** The same number spelled otherwise: letters in any case, leading zeros dropped. */
const respelled = (digits: string) =>
  fc
    .tuple(fc.boolean(), fc.array(fc.boolean(), { minLength: digits.length, maxLength: digits.length }))
    .map(([stripped, upper]) => {
      const mixed = Array.from(digits, (digit, index) => (upper[index] ? digit.toUpperCase() : digit)).join('');
      return `0x${stripped ? mixed.replace(/^0+(?=.)/, '') : mixed}`;
    });

const withVariant = (bytes: number) =>
  hex(bytes).chain((digits) => respelled(digits).map((variant) => ({ plain: `0x${digits}`, variant })));

test('P21: every spelling of a signed payload gives one key', () => {
  fc.assert(
    fc.property(withVariant(20), withVariant(32), (from, nonce) => {
      const key = formatPaymentKey({ method: 'x402', from: from.plain, nonce: nonce.plain });
      expect(formatPaymentKey({ method: 'x402', from: from.variant, nonce: nonce.variant })).toBe(key);
      expect(key).toBe(key.toLowerCase());
    }),
  );
});

test('P21: every spelling of a transaction hash gives one key', () => {
  fc.assert(
    fc.property(withVariant(32), fc.nat(), (hash, logIndex) => {
      const key = formatPaymentKey({ method: 'transfer', hash: hash.plain, logIndex });
      expect(formatPaymentKey({ method: 'transfer', hash: hash.variant, logIndex })).toBe(key);
    }),
  );
});

test('P21: letter case does not change the shard', async () => {
  await fc.assert(
    fc.asyncProperty(hex(20), async (digits) => {
      const shard = await computeShardName('secret', `0x${digits}`);
      expect(shard).toMatch(/^[0-9a-f]{2}$/);
      expect(await computeShardName('secret', `0x${digits.toUpperCase()}`)).toBe(shard);
    }),
    { numRuns: 25 },
  );
});

test.each([
  ['an address of 21 bytes', /longer than 20 bytes/, { method: 'x402', from: `0x01${'0a'.repeat(20)}`, nonce: NONCE }],
  ['no nonce', /hexadecimal/, { method: 'x402', from: FROM, nonce: 'undefined' }],
  ['a fractional log index', /integer/, { method: 'transfer', hash: HASH, logIndex: 1.5 }],
] as const)('P7: %s makes no key', (_what, message, id) => {
  expect(() => formatPaymentKey(id)).toThrow(message);
});

test('P12: a shard is the first byte of HMAC-SHA-256 under the secret', async () => {
  // RFC 4231, test case 2: key "Jefe", data "what do ya want for nothing?", MAC 5bdcc146...
  expect(await computeShardName('Jefe', 'what do ya want for nothing?')).toBe('5b');
});

test('P12: another secret spreads the same payers otherwise', async () => {
  const payers = Array.from({ length: 64 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
  const shardsUnder = async (secret: string) =>
    Promise.all(payers.map(async (payer) => computeShardName(secret, payer)));
  const [one, other] = [await shardsUnder('secret one'), await shardsUnder('secret two')];
  expect(one).not.toEqual(other);
  expect(new Set(one).size).toBeGreaterThan(40);
});

const TERMS = {
  from: FROM,
  to: HASH.slice(0, 42),
  value: 60_000n,
  validAfter: 0n,
  validBefore: 1_790_000_300n,
  nonce: NONCE,
};

test.each([
  ['value', { value: 60_001n }],
  ['recipient', { to: FROM }],
  ['expiry', { validBefore: 1_790_000_301n }],
  ['start', { validAfter: 1n }],
])('P24: an authorization with another %s under the same nonce has another digest', async (_what, change) => {
  expect(await computeAuthorizationDigest({ ...TERMS, ...change })).not.toBe(await computeAuthorizationDigest(TERMS));
});

test('P24: digests do not depend on letter case and tell logs apart', async () => {
  expect(await computeAuthorizationDigest({ ...TERMS, from: FROM.toUpperCase().replace('X', 'x') })).toBe(
    await computeAuthorizationDigest(TERMS),
  );
  expect(await computeTransferDigest(HASH, 1, FROM, 5n)).toBe(
    await computeTransferDigest(HASH.toUpperCase(), 1, FROM, 5n),
  );
  expect(await computeTransferDigest(HASH, 1, FROM, 5n)).not.toBe(await computeTransferDigest(HASH, 2, FROM, 5n));
});
