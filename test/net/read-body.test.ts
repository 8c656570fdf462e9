import { describe, expect, test } from 'vitest';
import { releaseBytes } from '../../src/net/read-body.ts';

describe('memory that is given back', () => {
  test('is gone at once where the bytes have it to themselves', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    releaseBytes(bytes);
    expect([bytes.byteLength, bytes.buffer.detached]).toEqual([0, true]);
  });

  test.each([
    [1, 3],
    [0, 3],
    [1, 4],
  ])('is left alone where others see it too: bytes %i to %i of four', (from, to) => {
    const all = new Uint8Array([1, 2, 3, 4]);
    releaseBytes(all.subarray(from, to));
    expect([...all]).toEqual([1, 2, 3, 4]);
  });
});
