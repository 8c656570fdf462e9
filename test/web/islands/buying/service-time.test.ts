import { describe, expect, test } from 'vitest';
import { computeServiceNowS, readServiceTime } from '../../../../src/web/islands/buying/service-time.ts';

const SERVICE_MS = Date.parse('Fri, 27 Nov 2026 20:00:00 GMT');
const HEADER = 'Fri, 27 Nov 2026 20:00:00 GMT';
const TWO_HOURS_MS = 7_200_000;

describe('the time of the service', () => {
  test.each([
    ['two hours behind', -TWO_HOURS_MS],
    ['two hours ahead', TWO_HOURS_MS],
    ['a day ahead', 86_400_000],
  ])('is used where the local clock is %s', (_what, offMs) => {
    const localMs = SERVICE_MS + offMs;
    const time = readServiceTime(HEADER, localMs);
    expect(time.aheadMs).toBe(-offMs);
    expect(computeServiceNowS(time, localMs)).toBe(SERVICE_MS / 1000);
    expect(computeServiceNowS(time, localMs + 30_000)).toBe(SERVICE_MS / 1000 + 30);
  });

  test.each([0, 900, -900, 59_000])('differs by %i ms: that is of the network and of rounding', (offMs) => {
    expect(readServiceTime(HEADER, SERVICE_MS + offMs)).toEqual({ aheadMs: 0 });
  });

  test.each([null, '', 'yesterday'])('is the local one where the header is %j', (header) => {
    expect(readServiceTime(header, SERVICE_MS)).toEqual({ aheadMs: 0 });
  });
});
