import { expect, test } from 'vitest';
import { toHex, computeHmacSha256, computeSha256Hex } from '../../src/lib/digest.ts';

test('bytes are written as two lower-case hex digits each', () => {
  expect(toHex(new Uint8Array([0, 1, 15, 16, 171, 255]))).toBe('00010f10abff');
  expect(toHex(new Uint8Array())).toBe('');
});

// FIPS 180-2, appendix B.1, and the empty message.
test.each([
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
])('the SHA-256 of %j is that of its UTF-8 bytes', async (text, expected) => {
  expect(await computeSha256Hex(text)).toBe(expected);
});

test('HMAC-SHA-256 is that of RFC 4231, also when the secret changes and changes back', async () => {
  const second = 'what do ya want for nothing?';
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(toHex(await computeHmacSha256('Jefe', second))).toBe(expected);
  expect(toHex(await computeHmacSha256('another', second))).not.toBe(expected);
  expect(toHex(await computeHmacSha256('Jefe', second))).toBe(expected);
});
