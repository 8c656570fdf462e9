import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  computeChannelToken,
  isChannelToken,
  parseChannelKeys,
} from '../../../src/notifications/channels/channel-token.ts';

const FIRST = 'the-first-channel-secret-of-32-characters';
const SECOND = 'the-second-channel-secret-of-32-chars';
const CHANNEL = '7d4e3f57-0bd2-4f2b-8a0f-3f8d94f6f0c1';
const PATH = '/notifications/w1';
const keys = (text: string) => parseChannelKeys(text) ?? [];
const both = keys(`2:${SECOND},1:${FIRST}`);
const good = computeChannelToken(CHANNEL, PATH, both);
const isGood = (token: string, channelId = CHANNEL, path = PATH, of = both): boolean =>
  isChannelToken(token, { channelId, path }, of);

describe('W1: the token of a channel', () => {
  test('is v<key>. and base64url of HMAC-SHA256 over channel id and path', () => {
    const mac = createHmac('sha256', SECOND).update(`${CHANNEL}\n${PATH}`).digest('base64url');
    expect(good).toBe(`v2.${mac}`);
  });

  test('fits into the 256 characters that the vendor allows, with the highest key number too', () => {
    expect(computeChannelToken(CHANNEL, PATH, keys(`999999:${FIRST}`))).toHaveLength(51);
  });

  test('is taken for its channel and path', () => expect(isGood(good)).toBe(true));

  test.each([
    ['another channel', 'other-channel', PATH],
    ['another path', CHANNEL, '/notifications/w2'],
    ['a path with a slash more', CHANNEL, `${PATH}/`],
    ['a path in other letters', CHANNEL, '/notifications/W1'],
    ['the channel in other letters', CHANNEL.toUpperCase(), PATH],
    ['a line break that moves', `${CHANNEL}\n${PATH}`, ''],
    ['no channel', '', PATH],
  ])('is not taken for %s', (_, channelId, path) => expect(isGood(good, channelId, path)).toBe(false));

  test.each([
    ['nothing', ''],
    ['a point', '.'],
    ['its key alone', 'v2.'],
    ['its code alone', good.slice(3)],
    ['the number of the other key', good.replace('v2.', 'v1.')],
    ['the number of no key', good.replace('v2.', 'v3.')],
    ['a number in other digits', good.replace('v2.', 'v02.')],
    ['no number', good.replace('v2.', 'v.')],
    ['the number of the key that nobody has', good.replace('v2.', 'v-1.')],
    ['the large letter', good.replace('v2.', 'V2.')],
    ['the last character missing', good.slice(0, -1)],
    ['a character more', `${good}A`],
    ['padding', `${good}=`],
    ['NUL at its end', `${good}\0`],
    ['a space before it', ` ${good}`],
    ['itself twice', `${good}, ${good}`],
    ['a letter that UTF-8 writes in two bytes', `${good.slice(0, -1)}é`],
    ['128 KB', 'v2.'.padEnd(131_072, 'A')],
    ['itself, filled to the length of the buffer', good.padEnd(64, '\0')],
    ['itself, filled beyond the length of the buffer', good.padEnd(65, '\0')],
  ])('is not taken with %s', (_, token) => expect(isGood(token)).toBe(false));

  test('made with no key is taken by nobody', () => {
    const unsigned = computeChannelToken(CHANNEL, PATH, []);
    expect(unsigned).toMatch(/^v-1\./);
    expect([isGood(unsigned), isGood(unsigned, CHANNEL, PATH, [])]).toEqual([false, false]);
  });

  test('is taken by its first 46 characters and nothing else: each single change of it fails', () => {
    const changed = good
      .split('')
      .flatMap((_, at) =>
        ['A', 'b', '0', '-', '\0', 'ÿ'].map((letter) => good.slice(0, at) + letter + good.slice(at + 1)),
      );
    expect(changed.filter((token) => token !== good && isGood(token))).toEqual([]);
  });
});

describe('W1: while keys rotate', () => {
  const old = computeChannelToken(CHANNEL, PATH, keys(`1:${FIRST}`));

  test('the first key signs, tokens of both are taken', () => {
    expect(good.startsWith('v2.')).toBe(true);
    expect([isGood(good), isGood(old)]).toEqual([true, true]);
  });

  test('a token of a key that was removed is not', () => {
    expect(isGood(old, CHANNEL, PATH, keys(`2:${SECOND}`))).toBe(false);
  });

  test('nor one that claims the number of a key with another secret', () => {
    expect(isGood(old, CHANNEL, PATH, keys(`1:${SECOND}`))).toBe(false);
  });
});

describe('channel keys', () => {
  test.each([
    [`1:${FIRST}`, [1]],
    [`2:${SECOND},1:${FIRST}`, [2, 1]],
    [`999999:${FIRST}`, [999_999]],
    [`1:${'x'.repeat(32)}`, [1]],
    [`1:a:b${FIRST}`, [1]],
  ])('%s', (text, numbers) => expect(parseChannelKeys(text)?.map(({ number }) => number)).toEqual(numbers));

  test.each([
    '',
    FIRST,
    `:${FIRST}`,
    `one:${FIRST}`,
    `1:${'x'.repeat(31)}`,
    `1:${'x'.repeat(257)}`,
    `1:${FIRST},`,
    `1:${FIRST},1:${SECOND}`,
    `1:${FIRST},01:${SECOND}`,
    `1:${FIRST},2:${SECOND},3:${SECOND}`,
    `1:${FIRST} ,2:${SECOND}`,
    `1000000:${FIRST}`,
  ])('refused: %j', (text) => expect(parseChannelKeys(text)).toBeUndefined());
});
