import { beforeEach, describe, expect, test } from 'vitest';
import {
  forgetTokens,
  MAX_REMEMBERED_TOKENS,
  findRemembered,
  REMEMBERED_MS,
  rememberToken,
} from '../../../src/authorization/oauth/remembered-tokens.ts';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';

const RESOURCE = 'https://control.sightline.test';

/** Each test lives at a time of its own, after all that were before. */
let nowMs = 1_000_000_000;
beforeEach(() => {
  nowMs += 1_000_000;
  forgetTokens({}, nowMs - 1);
});

const key = (hash: string, resource = RESOURCE) => ({ hash, resource });
const good = (changes: Partial<ValidToken> = {}): { valid: ValidToken; askedAtMs: number } => ({
  valid: {
    props: { kind: 'service' },
    audience: RESOURCE,
    expiresAt: nowMs / 1000 + 3600,
    scope: ['ai-search'],
    userId: 'ada',
    clientId: 'robot',
    ...changes,
  },
  askedAtMs: nowMs,
});

test('W7: a good token is remembered for ten seconds from when it was asked about, and for its resource only', () => {
  rememberToken(key('a'), good());
  expect(findRemembered(key('a'), nowMs + REMEMBERED_MS - 1)?.valid.userId).toBe('ada');
  expect(findRemembered(key('a', 'https://sightline.test/mcp-account'), nowMs)).toBeUndefined();
  expect(findRemembered(key('b'), nowMs)).toBeUndefined();
  expect(findRemembered(key('a'), nowMs + REMEMBERED_MS)).toBeUndefined();
});

test('W7: never past its end, and not from the future', () => {
  rememberToken(key('a'), good({ expiresAt: nowMs / 1000 + 2 }));
  expect(findRemembered(key('a'), nowMs + 1_999)).toBeDefined();
  expect(findRemembered(key('a'), nowMs + 2_000)).toBeUndefined();
  rememberToken(key('b'), good());
  expect(findRemembered(key('b'), nowMs - 1)).toBeUndefined();
});

test('at most 10,000 tokens are remembered, the newest', () => {
  for (let n = 0; n <= MAX_REMEMBERED_TOKENS; n += 1) rememberToken(key(`t${n}`), good());
  expect(findRemembered(key('t0'), nowMs)).toBeUndefined();
  expect(findRemembered(key('t1'), nowMs)).toBeDefined();
  expect(findRemembered(key(`t${MAX_REMEMBERED_TOKENS}`), nowMs)).toBeDefined();
});

test('what is too old to be taken again is held no longer than until the next token comes', () => {
  for (let n = 0; n < 100; n += 1) rememberToken(key(`old${n}`), good());
  rememberToken(key('new'), { ...good(), askedAtMs: nowMs + REMEMBERED_MS });
  // Asked as of before the end of its ten seconds: what is still held would be found.
  expect(findRemembered(key('old0'), nowMs)).toBeUndefined();
  expect(findRemembered(key('old99'), nowMs)).toBeUndefined();
  expect(findRemembered(key('new'), nowMs + REMEMBERED_MS)).toBeDefined();
});

describe('what has ended is forgotten', () => {
  test.each([
    ['by account', { userId: 'ada' }, [false, true]],
    ['by client', { clientId: 'robot' }, [false, true]],
    ['by hash', { hash: 'a' }, [false, true]],
    ['by account and client', { userId: 'ada', clientId: 'other' }, [true, true]],
    ['all', {}, [false, false]],
  ] as const)('%s', (_, ended, left) => {
    rememberToken(key('a'), good());
    rememberToken(key('b'), good({ userId: 'bob', clientId: 'other' }));
    forgetTokens(ended, nowMs);
    expect([key('a'), key('b')].map((one) => findRemembered(one, nowMs) !== undefined)).toEqual(left);
  });

  test('also where the answer was still on its way, and no other answer is lost', () => {
    const onItsWay = good();
    forgetTokens({ userId: 'ada' }, nowMs + 1);
    rememberToken(key('a'), onItsWay);
    rememberToken(key('b'), good({ userId: 'bob' }));
    expect([key('a'), key('b')].map((one) => findRemembered(one, nowMs + 2) !== undefined)).toEqual([false, true]);
    rememberToken(key('a'), { ...good(), askedAtMs: nowMs + 2 });
    expect(findRemembered(key('a'), nowMs + 2)).toBeDefined();
  });
});
