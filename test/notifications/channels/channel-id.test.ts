import { describe, expect, test } from 'vitest';
import { formatChannelId, parseChannelId } from '../../../src/notifications/channels/channel-id.ts';

const UUID = '7d4e3f57-0bd2-4f2b-8a0f-3f8d94f6f0c1';
const HEX = '7d4e3f570bd24f2b8a0f3f8d94f6f0c1';
const UNTIL_MS = 1_795_000_000_000;
const MINUTES = '283qaj';
const claims = { customer: 'C00000001', acceptsUntilMs: UNTIL_MS };

describe('the id of a channel', () => {
  test('states its customer and its end, in whole minutes and never too early', () => {
    const id = formatChannelId(UUID, claims);
    const minutes = Math.ceil(UNTIL_MS / 60_000);
    expect(id).toBe(`${HEX}-${minutes.toString(36)}-C00000001`);
    expect(parseChannelId(id)).toEqual({ customer: 'C00000001', acceptsUntilMs: minutes * 60_000 });
    expect(minutes * 60_000 - UNTIL_MS).toBeLessThan(60_000);
  });

  test.each(['my_customer', 'C', 'a-b', '-', 'C'.repeat(25)])(
    'of %j is at most 64 characters of the vendor',
    (customer) => {
      const id = formatChannelId(UUID, { ...claims, customer });
      expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(parseChannelId(id)?.customer).toBe(customer);
    },
  );

  test.each(['', 'C.1', 'C 1', 'C\n1', 'Ü', 'C'.repeat(26), 'C'.repeat(64)])(
    'is the UUID where the customer %j does not fit in',
    (customer) => expect(formatChannelId(UUID, { ...claims, customer })).toBe(UUID),
  );

  test('is the UUID where the end does not', () => {
    expect(formatChannelId(UUID, { ...claims, acceptsUntilMs: 36 ** 6 * 60_000 })).toBe(UUID);
    expect(formatChannelId(UUID, { ...claims, acceptsUntilMs: -60_000 })).toBe(UUID);
  });

  test.each([
    ['a UUID', UUID],
    ['a UUID without hyphens', HEX],
    ['a probe', 'probe-1795000000000-0123456789abcdef'],
    ['nothing', ''],
    ['no customer', `${HEX}-${MINUTES}-`],
    ['no end', `${HEX}--C1`],
    ['a customer alone', `${HEX}-C1`],
    ['an end in large letters', `${HEX}-283QAJ-C1`],
    ['a letter that is no hex', `${HEX.replace('7', 'g')}-${MINUTES}-C1`],
    ['something in front', `x${HEX}-${MINUTES}-C1`],
    ['a line after it', `${HEX}-${MINUTES}-C1\n`],
  ])('states nothing: %s', (_, id) => expect(parseChannelId(id)).toBeUndefined());
});
