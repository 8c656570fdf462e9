import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/lib/cursor.ts';

test('a cursor names its place in its own list, and in no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), fc.integer({ min: 0, max: 1_000_000 }), async (scope, other, offset) => {
      fc.pre(scope !== other);
      const cursor = await encodeCursor(scope, offset);
      expect(await decodeCursor(cursor, scope)).toBe(offset);
      expect(await decodeCursor(cursor, other)).toBeUndefined();
    }),
  );
});

test.each(['', 'x', `${'0'.repeat(16)}-0`, `${'0'.repeat(16)}--1`, `${'0'.repeat(16)}-zzzzz`])(
  '%j is no cursor',
  async (text) => {
    expect(await decodeCursor(text, 'list')).toBeUndefined();
  },
);
