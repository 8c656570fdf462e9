import { describe, expect, test } from 'vitest';
import {
  countDueTimes,
  getLeastGapMs,
  judgeInterval,
  listCronFields,
  openSchedule,
} from '../../../src/monitors/book/interval.ts';
import type { MonitorInterval } from '../../../src/monitors/core/monitor.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';

const ID = 'mon_300000000000000000000011';
const iso = (ms: number | undefined): string => (ms === undefined ? 'never' : new Date(ms).toISOString());

/** Due times from a day on. */
function list(interval: MonitorInterval, from: string, count: number): string[] {
  const schedule = openSchedule(interval, ID);
  const found: string[] = [];
  for (
    let ms = schedule.nextAfter(Date.parse(from));
    ms !== undefined && found.length < count;
    ms = schedule.nextAfter(ms)
  )
    found.push(iso(ms));
  return found;
}

describe('a time of day', () => {
  const readOffsetMs = (zone: string, ms: number): number => {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(ms);
    const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second')) - ms;
  };

  /** The first moment of each day of a zone at which its clock shows the time or a later one. No calendar library is asked. */
  function listByClock(zone: string, at: string, fromMs: number, toMs: number): string[] {
    const [hours = 0, minutes = 0] = at.split(':').map(Number);
    const found = new Map<number, number>();
    for (let ms = fromMs; ms < toMs; ms += 15 * MINUTE_MS) {
      const local = ms + readOffsetMs(zone, ms);
      const day = Math.floor(local / DAY_MS);
      if (local % DAY_MS >= hours * HOUR_MS + minutes * MINUTE_MS && !found.has(day)) found.set(day, ms);
    }
    return [...found.values()].map(iso).slice(1); // The day in which the list begins may be past its time.
  }

  test.each([
    ['Europe/Berlin', '02:30'],
    ['America/New_York', '02:00'],
    ['America/Santiago', '00:15'],
    ['Australia/Lord_Howe', '01:45'],
    ['Africa/Casablanca', '02:45'],
    ['Asia/Kolkata', '23:45'],
  ])('in %s at %s comes once a day, also when clocks change', (zone, at) => {
    const fromMs = Date.UTC(2026, 0, 1);
    const expected = listByClock(zone, at, fromMs, Date.UTC(2026, 11, 30));
    expect(expected.length).toBeGreaterThan(360);
    const found = list({ every: 'daily', at, time_zone: zone }, expected[0] ?? '', expected.length - 1);
    expect(found).toEqual(expected.slice(1));
  });

  test('hourly fields follow the time that passes', () => {
    const hourly = { cron: '0 * * * *', time_zone: 'Europe/Berlin' };
    for (const from of ['2026-03-28T22:30:00Z', '2026-10-24T22:30:00Z']) {
      const times = list(hourly, from, 6).map(Date.parse);
      expect(times.slice(1).map((ms, index) => ms - (times[index] ?? 0))).toEqual(
        Array.from({ length: 5 }, () => HOUR_MS),
      );
    }
  });
});

describe('named intervals', () => {
  test('a week begins on Monday where no day is said, a month on its first day', () => {
    expect(list({ every: 'weekly', at: '10:00' }, '2026-02-01T00:00:00Z', 2)).toEqual([
      '2026-02-02T10:00:00.000Z',
      '2026-02-09T10:00:00.000Z',
    ]);
    expect(list({ every: 'weekly', at: '10:00', weekday: 0 }, '2026-02-02T00:00:00Z', 1)).toEqual([
      '2026-02-08T10:00:00.000Z',
    ]);
    expect(list({ every: 'monthly', at: '10:00' }, '2026-02-02T00:00:00Z', 1)).toEqual(['2026-03-01T10:00:00.000Z']);
  });

  test.each([
    [29, '2027-01-30', ['2027-02-28', '2027-03-29', '2027-04-29']],
    [29, '2028-01-30', ['2028-02-29', '2028-03-29', '2028-04-29']],
    [30, '2027-01-31', ['2027-02-28', '2027-03-30', '2027-04-30']],
    [31, '2027-02-01', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ])('day %i of a short month is its last day', (day, from, days) => {
    expect(list({ every: 'monthly', day, at: '12:00' }, from, days.length)).toEqual(
      days.map((one) => `${one}T12:00:00.000Z`),
    );
  });

  test('without a time each monitor has a minute of its own, always the same', () => {
    const minutes = Array.from({ length: 600 }, (_, index) => {
      const id = `mon_3${'0'.repeat(17)}${(index * 7919).toString(16).padStart(6, '0')}`;
      const [fields = ''] = listCronFields({ every: 'daily' }, id);
      expect(listCronFields({ every: 'daily' }, id)).toEqual([fields]);
      return Number(fields.split(' ')[0]);
    });
    const counts = Array.from({ length: 60 }, (_, minute) => minutes.filter((one) => one === minute).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThan(30);
  });
});

describe('how often', () => {
  const nowMs = Date.UTC(2026, 10, 28);
  const site = { subject: { kind: 'site', url: 'https://a.example/' }, payment: 'credits' } as const;
  const brand = {
    subject: { kind: 'brand', capability: 'visibility_check', body: { brand: 'A', niche: 'b' } },
    payment: 'credits',
  } as const;

  test('sites may be hourly, brands and free monitors daily', () => {
    expect(getLeastGapMs(site)).toBe(HOUR_MS);
    expect(getLeastGapMs(brand)).toBe(DAY_MS);
    expect(getLeastGapMs({ ...site, payment: 'operator' })).toBe(DAY_MS);
  });

  test('a named interval is judged by its zone and its time', () => {
    expect(judgeInterval({ every: 'daily', time_zone: 'Europe/Berlin' }, DAY_MS, nowMs)).toEqual({ ok: true });
    expect(judgeInterval({ every: 'monthly', day: 31 }, DAY_MS, nowMs)).toEqual({ ok: true });
    expect(judgeInterval({ every: 'daily', time_zone: 'Mars/Base' }, DAY_MS, nowMs)).toMatchObject({
      reason: 'unknown_time_zone',
    });
    for (const at of ['25:00', '12', '*:*', '12:60'])
      expect([at, judgeInterval({ every: 'daily', at }, DAY_MS, nowMs)]).toMatchObject([
        at,
        { reason: 'unreadable_fields' },
      ]);
  });
});

describe('due times that have come', () => {
  const hourly = openSchedule({ cron: '0 * * * *' }, ID);
  const at = (hour: number, minute = 0): number => Date.UTC(2026, 5, 1, hour, minute);

  test('one is itself, and the next is to come', () => {
    expect(countDueTimes(hourly, at(4), at(4, 59))).toEqual({ dueMs: at(4), missed: 0, nextMs: at(5) });
  });

  test('of several the newest has the run, and the others are counted', () => {
    expect(countDueTimes(hourly, at(4), at(9))).toEqual({ dueMs: at(9), missed: 5, nextMs: at(10) });
  });

  test('of very many the newest is found without the others', () => {
    const nowMs = at(0) + 20_000 * HOUR_MS + 1;
    expect(countDueTimes(hourly, at(0), nowMs)).toEqual({
      dueMs: at(0) + 20_000 * HOUR_MS,
      missed: 10_000,
      nextMs: at(0) + 20_001 * HOUR_MS,
    });
  });
});
