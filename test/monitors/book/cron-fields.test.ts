import { expect, test } from 'vitest';
import { isTimeZone, judgeCronFields, MAX_CRON_CHARS } from '../../../src/monitors/book/cron-fields.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';

const NOW_MS = Date.UTC(2026, 10, 28, 12);
const judge = (fields: string, leastGapMs = HOUR_MS, zone = 'Europe/Berlin') => {
  const verdict = judgeCronFields(fields, zone, leastGapMs, NOW_MS);
  return verdict.ok ? 'ok' : verdict.reason;
};

test.each([
  ['0 * * * *', HOUR_MS],
  ['17 */6 * * *', HOUR_MS],
  ['30 2 * * *', DAY_MS],
  ['0 9 1,15 * *', DAY_MS],
  ['0 9 * * MON-FRI', DAY_MS],
  ['0 9 1 * 1', DAY_MS],
  ['0 0 29 2 *', DAY_MS],
  ['0 5 L * *', DAY_MS],
])('%s comes no more often than it may', (fields, gapMs) => {
  expect(judge(fields, gapMs)).toBe('ok');
});

test.each([
  ['*/30 * * * *', HOUR_MS],
  ['0,59 * 29 2 *', HOUR_MS],
  ['* * * * *', HOUR_MS],
  ['0 9,17 * * *', DAY_MS],
  ['0 * 29 2 *', DAY_MS],
  ['0 0,23 1 * *', DAY_MS],
])('%s comes too often', (fields, gapMs) => {
  expect(judge(fields, gapMs)).toBe('too_often');
});

test.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *'])('%s never comes', (fields) => {
  expect(judge(fields)).toBe('never_due');
});

test.each(['0 0 9 * * *', '0 0 9 1 1 * 2030', '@daily', '0 9 * *', '', `${' '.repeat(MAX_CRON_CHARS)}0 9 * * *`])(
  '%j is not five fields',
  (fields) => {
    expect(judge(fields)).toBe('not_five_fields');
  },
);

test.each([
  '61 * * * *',
  '0 24 * * *',
  '0 9 0 * *',
  '0 9 * 13 *',
  '0 9 * * 8',
  'a b c d e',
  '0 9 * * *;x',
  '*/0 * * * *',
  '9-1/ * * * *',
])('%s has a field that cannot be read', (fields) => {
  expect(judge(fields)).toBe('unreadable_fields');
});

test.each(['Mars/Base', '', '+01:00', 'Europe/Berlin\n', '../etc', 'a'.repeat(100)])('%j is no time zone', (zone) => {
  expect(isTimeZone(zone)).toBe(false);
  expect(judge('0 9 * * *', HOUR_MS, zone)).toBe('unknown_time_zone');
});

test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Calcutta'])(
  '%s is a time zone',
  (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  },
);
