import { expect, test } from 'vitest';
import {
  chooseShard,
  getShardName,
  isShardName,
  openToken,
  readSeal,
  sealToken,
  TOKEN_SHARDS,
} from '../../../src/authorization/shards/sealed-token.ts';
import { isTokenForm } from '../../../src/authorization/oauth/tokens.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';

const keys = [{ id: 7, secret: 'ab'.repeat(32), fromMs: 0 }];
const MACHINE = `slm_${'x'.repeat(43)}`;
const LIBRARY = `${'0a'.repeat(16)}:grant:secret`;

test.each([MACHINE, LIBRARY])(
  '%s: every shard is written and read, and the text keeps the form of a token',
  async (text) => {
    for (let shard = 0; shard < TOKEN_SHARDS; shard += 1) {
      const token = await sealToken(text, shard, keys, 1);
      expect(isTokenForm(token)).toBe(true);
      expect(await openToken(token, keys)).toEqual({ kind: 'sealed', text, shard });
    }
  },
);

test('no change of one character opens', async () => {
  const token = await sealToken(MACHINE, 9, keys, 1);
  for (let at = 0; at < token.length; at += 1) {
    if (token[at] === '.') continue;
    const other = token[at] === 'a' ? 'b' : 'a';
    const { kind } = await openToken(token.slice(0, at) + other + token.slice(at + 1), keys);
    expect([at, kind]).toEqual([at, 'forged']);
  }
});

test.each([
  '.',
  '..',
  'a.',
  `.${'0'.repeat(26)}`,
  `a.${'0'.repeat(25)}`,
  'eyJhbGciOiJub25lIn0.e30.',
  `x.07FF${'A'.repeat(22)}`,
])('%s has no seal of ours', async (text) => {
  expect(await openToken(text, keys)).toEqual({ kind: 'forged' });
});

test('what has no place for a seal was made before there were shards', async () => {
  for (const text of [MACHINE, LIBRARY, '', 'x']) expect(await openToken(text, keys)).toEqual({ kind: 'old' });
});

test('an object reads a seal without keys', async () => {
  expect(readSeal(await sealToken(LIBRARY, 63, keys, 1))).toEqual({
    kind: 'sealed',
    text: LIBRARY,
    shard: 63,
    keyId: 7,
  });
});

test('names of shards are no name of the root', () => {
  expect([getShardName(0), getShardName(63)]).toEqual(['authorization/00', 'authorization/3f']);
  expect([isShardName('authorization/00'), isShardName('authorization'), isShardName(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('10,000 grants are spread within twice of even', () => {
  const counts = new Map<number, number>();
  for (let n = 0; n < 10_000; n += 1) {
    const shard = chooseShard(generateRandomHex(4));
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  const even = 10_000 / TOKEN_SHARDS;
  expect(counts.size).toBe(TOKEN_SHARDS);
  expect(Math.max(...counts.values())).toBeLessThan(2 * even);
  expect(Math.min(...counts.values())).toBeGreaterThan(even / 2);
});
