/** What parseNanoTimestamp gives. */
const CANONICAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}Z$/;
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DURATION = /^([+-]?)(\d{1,15})(?:\.(\d{1,15}))?(ns|us|ms|s|m|h)$/;
const FRACTION_DIGITS = 9;
/** 0001-01-01T00:00:00Z */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);
const LAST_NANO = '9999-12-31T23:59:59.999999999Z';
/** Nanoseconds. */
const UNITS = { ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n, h: 3_600_000_000_000n };
const NANOS_PER_SECOND = 1_000_000_000n;
const FRACTION_SCALE = 10n ** 15n;

/**
 * An RFC 3339 timestamp in UTC, 30 characters wide (`2026-01-02T03:04:05.000000006Z`): such texts sort as their instants do.
 * @returns undefined for anything else, and outside of the years 1 to 9999 (google.protobuf.Timestamp)
 */
export function parseNanoTimestamp(text: string): string | undefined {
  const found = INSTANT.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = found;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59)
    return undefined;
  const nanos = `${fraction.padEnd(FRACTION_DIGITS, '0')}Z`;
  if (sign === undefined)
    return isDay(year, month, day) ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${nanos}` : undefined;
  if (!isDay(year, month, day)) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`) - offset * 60_000;
  return ms < FIRST_MS || ms > LAST_MS ? undefined : `${new Date(ms).toISOString().slice(0, 19)}.${nanos}`;
}

/** A timestamp or a date (its midnight, UTC) of a filter, 30 characters wide. */
export const parseFilterInstant = (text: string): string | undefined =>
  DATE.test(text) ? parseNanoTimestamp(`${text}T00:00:00Z`) : parseNanoTimestamp(text);

/** The instant of an entry, which is 30 characters wide mostly: it is not judged again. */
export const parseStoredInstant = (text: string): string | undefined =>
  CANONICAL.test(text) ? text : parseNanoTimestamp(text);

/** The nanosecond after an instant; undefined after the last one. */
export function computeNextNanosecond(instant: string): string | undefined {
  if (instant >= LAST_NANO) return undefined;
  const nanos = Number(instant.slice(20, 29)) + 1;
  if (nanos < 1_000_000_000) return `${instant.slice(0, 20)}${String(nanos).padStart(FRACTION_DIGITS, '0')}Z`;
  const seconds = new Date(Date.parse(`${instant.slice(0, 19)}Z`) + 1_000).toISOString().slice(0, 19);
  return `${seconds}.000000000Z`;
}

/** Nanoseconds of a duration: a signed decimal and a unit, `3.2s`. What is finer than a nanosecond is cut off. */
export function parseDurationNanos(text: string): bigint | undefined {
  const found = DURATION.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '0', fraction = '', unit = 's'] = found;
  const nanos = UNITS[unit as keyof typeof UNITS] ?? NANOS_PER_SECOND;
  const parts = (BigInt(fraction.padEnd(15, '0')) * nanos) / FRACTION_SCALE;
  const total = BigInt(whole) * nanos + parts;
  return sign === '-' ? -total : total;
}

/** Whether the calendar has a day, from the year 1 on. */
function isDay(year = '', month = '', day = ''): boolean {
  const number = Number(day);
  if (year === '0000' || month === '00' || month > '12' || number === 0) return false;
  return number <= 28 || number <= new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
}
