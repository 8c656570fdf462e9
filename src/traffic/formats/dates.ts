import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts';

/** Reads the time at a place of a text: Unix milliseconds, NaN for a time that does not exist. */
export type ReadTime = (text: string, at: number) => number;

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const ZERO = 48;

/** The number of so many digits at a place; NaN where something else is among them. */
export function readDigits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = text.charCodeAt(index) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Unix milliseconds of the start of a minute in UTC; NaN for a day or minute that does not exist. */
function computeMinute(year: number, month: number, day: number, hour: number, minute: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && hour <= 23 && minute <= 59
    ? Math.floor(date.getTime() / DAY_MS) * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS
    : Number.NaN;
}

/** `+0200` or `+02:00` at a place, in milliseconds; NaN for anything else. */
function readOffset(text: string, at: number): number {
  const sign = text[at] === '+' ? 1 : text[at] === '-' ? -1 : Number.NaN;
  const minutes = text[at + 3] === ':' ? at + 4 : at + 3;
  const offset = readDigits(text, at + 1, 2) * HOUR_MS + readDigits(text, minutes, 2) * MINUTE_MS;
  return offset <= MAX_OFFSET_MS ? sign * offset : Number.NaN;
}

/** No place on earth is further from UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS;

/** Seconds at a place, leap seconds too; NaN for anything else. */
function readSeconds(text: string, at: number): number {
  const seconds = readDigits(text, at, 2);
  return seconds <= 60 ? seconds * SECOND_MS : Number.NaN;
}

/** Characters of `10/Oct/2025:13:55:`, and where the offset begins. */
const MINUTE_CHARS = 18;
const OFFSET_AT = 20;
const OFFSET_CHARS = 6;

/**
 * A reader of `10/Oct/2025:13:55:36 -0700`. It remembers the minute of before, which most lines share, so that only
 * seconds are read.
 */
export function createClfTime(): ReadTime {
  let minute = '';
  let offset = '';
  let minuteMs = Number.NaN;
  return (text, at) => {
    if (minute === '' || !text.startsWith(minute, at) || !text.startsWith(offset, at + OFFSET_AT)) {
      minute = text.slice(at, at + MINUTE_CHARS);
      offset = text.slice(at + OFFSET_AT, at + OFFSET_AT + OFFSET_CHARS);
      minuteMs = readClfMinute(minute) - (offset === '' ? Number.NaN : readOffset(offset, 1));
    }
    return minuteMs + readSeconds(text, at + MINUTE_CHARS);
  };
}

function readClfMinute(text: string): number {
  const month = MONTHS.indexOf(text.slice(3, 6));
  if (text.length < MINUTE_CHARS || month % 3 !== 0 || text[2] !== '/' || text[6] !== '/') return Number.NaN;
  return computeMinute(
    readDigits(text, 7, 4),
    month / 3 + 1,
    readDigits(text, 0, 2),
    readDigits(text, 12, 2),
    readDigits(text, 15, 2),
  );
}

/** `2025-10-10T13:55:36.123Z`, with `+02:00`, or with a space for the `T`; UTC where no offset follows. NaN for others. */
export function readIsoTime(text: string, at: number): number {
  const divider = text[at + 10];
  if (text[at + 4] !== '-' || text[at + 7] !== '-' || (divider !== 'T' && divider !== ' ')) return Number.NaN;
  const minuteMs = computeMinute(
    readDigits(text, at, 4),
    readDigits(text, at + 5, 2),
    readDigits(text, at + 8, 2),
    readDigits(text, at + 11, 2),
    readDigits(text, at + 14, 2),
  );
  let end = at + 19;
  let fraction = 0;
  if (text[end] === '.' || text[end] === ',') {
    const start = ++end;
    while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= ZERO + 9) end += 1;
    fraction = Math.floor(Number(`0.${text.slice(start, Math.min(end, start + 9))}`) * SECOND_MS);
  }
  if (text[end] === ' ' && (text[end + 1] === '+' || text[end + 1] === '-')) end += 1;
  const offset = text[end] === '+' || text[end] === '-' ? readOffset(text, end) : 0;
  return minuteMs + readSeconds(text, at + 17) + fraction - offset;
}

/** Bounds between Unix seconds, milliseconds, microseconds and nanoseconds: seconds reach the year 5138. */
const MAX_SECONDS = 1e11;
const MAX_MILLISECONDS = 1e14;
const MAX_MICROSECONDS = 1e17;

/** A Unix time in the unit that its size says, as milliseconds; NaN for what is none. */
export function readUnixTime(value: number): number {
  if (!(value >= 0) || !Number.isFinite(value)) return Number.NaN;
  if (value < MAX_SECONDS) return Math.floor(value * SECOND_MS);
  if (value < MAX_MILLISECONDS) return Math.floor(value);
  return Math.floor(value < MAX_MICROSECONDS ? value / 1e3 : value / 1e6);
}
