import { describe, expect, test } from 'vitest';
import { findQuietEndMs } from '../../../src/monitors/receivers/quiet-hours.ts';

const findEnd = (from: string, to: string, at: string, time_zone?: string): string | undefined => {
  const endMs = findQuietEndMs({ from, to, time_zone }, Date.parse(at));
  return endMs === undefined ? undefined : new Date(endMs).toISOString();
};

describe('when quiet hours end', () => {
  test.each([
    ['within one day', '12:00', '14:00', '2026-11-25T12:30:45Z', undefined, '2026-11-25T14:00:00.000Z'],
    ['before midnight', '22:00', '07:00', '2026-11-25T23:10:00Z', undefined, '2026-11-26T07:00:00.000Z'],
    ['after midnight', '22:00', '07:00', '2026-11-26T06:59:59Z', undefined, '2026-11-26T07:00:00.000Z'],
    ['their first minute', '22:00', '07:00', '2026-11-25T22:00:00Z', undefined, '2026-11-26T07:00:00.000Z'],
    ['in their own time zone', '22:00', '07:00', '2026-11-25T21:30:00Z', 'Europe/Berlin', '2026-11-26T06:00:00.000Z'],
    [
      'with an offset of 45 minutes',
      '22:00',
      '07:00',
      '2026-11-25T18:00:00Z',
      'Asia/Kathmandu',
      '2026-11-26T01:15:00.000Z',
    ],
    [
      'a night with an hour less',
      '22:00',
      '07:00',
      '2026-03-28T22:00:00Z',
      'Europe/Berlin',
      '2026-03-29T05:00:00.000Z',
    ],
    [
      'a night with an hour more',
      '22:00',
      '07:00',
      '2026-10-24T21:00:00Z',
      'Europe/Berlin',
      '2026-10-25T06:00:00.000Z',
    ],
    [
      'an end that the clock skips',
      '22:00',
      '02:30',
      '2026-03-28T22:00:00Z',
      'Europe/Berlin',
      '2026-03-29T01:00:00.000Z',
    ],
  ])('%s', (_name, from, to, at, zone, end) => expect(findEnd(from, to, at, zone)).toBe(end));

  test.each([
    ['before them', '22:00', '07:00', '2026-11-25T21:59:59Z'],
    ['at their end', '22:00', '07:00', '2026-11-26T07:00:00Z'],
    ['where they begin and end at once', '07:00', '07:00', '2026-11-26T07:00:00Z'],
  ])('not %s', (_name, from, to, at) => expect(findEnd(from, to, at)).toBeUndefined());

  test('none are set', () => expect(findQuietEndMs(null, Date.now())).toBeUndefined());

  test('whatever the minute of a year, the end is the first minute outside of them', () => {
    const hours = { from: '23:30', to: '02:15', time_zone: 'America/New_York' };
    const startMs = Date.parse('2026-01-01T00:00:00Z');
    // A step that is no divisor of a day: it meets each time of day.
    for (let at = startMs; at < startMs + 365 * 86_400_000; at += 97 * 60_000) {
      const endMs = findQuietEndMs(hours, at);
      if (endMs === undefined) continue;
      expect(findQuietEndMs(hours, endMs)).toBeUndefined();
      expect(findQuietEndMs(hours, endMs - 60_000)).toBe(endMs);
    }
  });
});
