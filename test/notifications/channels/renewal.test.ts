import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeLeadMs,
  computeLongestWaitMs,
  renewAtMs,
  measureClockSkewMs,
  computeRenewalWaitMs,
} from '../../../src/notifications/channels/renewal.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('lead', () => {
  test.each([
    ['15 % of two days', 48 * HOUR_MS, 432 * MINUTE_MS],
    ['15 % of six hours', 6 * HOUR_MS, 54 * MINUTE_MS],
    ['15 % of two hours', 2 * HOUR_MS, 18 * MINUTE_MS],
    ['ten minutes of one hour', HOUR_MS, 10 * MINUTE_MS],
    ['half of a life that is shorter', 12 * MINUTE_MS, 6 * MINUTE_MS],
    ['nothing of a life that is over', -HOUR_MS, 0],
  ])('is %s', (_what, grantedMs, lead) => {
    expect(computeLeadMs(grantedMs)).toBe(lead);
  });

  test.each([
    [0, 1_000_000 - 100_000],
    [0.5, 1_000_000 - 105_000],
    [1, 1_000_000 - 110_000],
  ])('renewal comes up to a tenth of it earlier: chance %d', (chance, renewMs) => {
    expect(renewAtMs(1_000_000, 100_000, chance)).toBe(renewMs);
  });
});

describe('wait after failures', () => {
  test.each([
    [1, 30_000],
    [2, 60_000],
    [3, 120_000],
    [4, 240_000],
    [5, 270_000],
    [500, 270_000],
  ])('after %d of them is at most %d ms of a lead of 18 min', (tries, most) => {
    const longestMs = computeLongestWaitMs(18 * MINUTE_MS, 18 * MINUTE_MS);
    expect(computeRenewalWaitMs({ tries, longestMs }, 1)).toBe(most);
    expect(computeRenewalWaitMs({ tries, longestMs }, 0.5)).toBe(most / 2);
    expect(computeRenewalWaitMs({ tries, longestMs }, 0)).toBe(1_000);
  });

  test.each([
    ['a quarter of the lead', 54 * MINUTE_MS, 60 * MINUTE_MS, 13.5 * MINUTE_MS],
    ['a quarter of what is left', 54 * MINUTE_MS, 8 * MINUTE_MS, 2 * MINUTE_MS],
    ['half a minute in the end', 54 * MINUTE_MS, MINUTE_MS, 30_000],
    ['a minute while nothing covers the watch', 54 * MINUTE_MS, 0, MINUTE_MS],
    ['a quarter of a lead that is short', 2 * MINUTE_MS, -MINUTE_MS, 30_000],
  ])('is at most %s', (_what, lead, leftMs, longestMs) => {
    expect(computeLongestWaitMs(lead, leftMs)).toBe(longestMs);
  });

  test.each([
    ['Retry-After is honoured', 90_000, 90_000],
    ['a shorter one than the backoff changes nothing', 10_000, 30_000],
    ['one of a month counts as an hour', 30 * 24 * HOUR_MS, HOUR_MS],
  ])('%s', (_what, retryAfterMs, waited) => {
    expect(computeRenewalWaitMs({ tries: 1, longestMs: 270_000, retryAfterMs }, 1)).toBe(waited);
  });

  test('is a second or more and no longer than allowed, for all numbers', () => {
    const input = [
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 1_000, max: HOUR_MS }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ] as const;
    fc.assert(
      fc.property(...input, (tries, longestMs, chance) => {
        const waited = computeRenewalWaitMs({ tries, longestMs }, chance);
        expect(waited).toBeGreaterThanOrEqual(1_000);
        expect(waited).toBeLessThanOrEqual(longestMs);
      }),
    );
  });
});

describe('skew', () => {
  test.each([
    ['the Date header stands for the middle of its second and of the request', 10_000, 12_000, 11_000, 500],
    ['a vendor that is five minutes ahead', 10_000, 10_000, 310_000, 300_500],
    ['a vendor that is five minutes behind', 400_000, 401_000, 100_000, -300_000],
  ])('%s', (_what, askedAtMs, answeredAtMs, vendorNowMs, skew) => {
    expect(measureClockSkewMs({ askedAtMs, answeredAtMs, vendorNowMs })).toBe(skew);
  });

  test('is not known without a Date header', () => {
    expect(measureClockSkewMs({ askedAtMs: 0, answeredAtMs: 0, vendorNowMs: undefined })).toBeUndefined();
  });

  test('is wrong by no more than half a second and half of the request', () => {
    const ms = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), ms, ms, ms, (skew, thereMs, backMs, startMs) => {
        const askedAtMs = 5 * HOUR_MS + startMs;
        const writtenAtMs = askedAtMs + thereMs;
        const vendorNowMs = Math.floor((writtenAtMs + skew) / 1_000) * 1_000;
        const seen = measureClockSkewMs({ askedAtMs, answeredAtMs: writtenAtMs + backMs, vendorNowMs }) ?? Number.NaN;
        expect(Math.abs(seen - skew)).toBeLessThanOrEqual(501 + (thereMs + backMs) / 2);
      }),
    );
  });
});
