import { createClfTime, readIsoTime, readUnixTime } from './dates.ts';

/**
 * The value of a line of JSON; undefined for what is none. nginx without `escape=json` writes `\x22`, which JSON has not:
 * such a line is read too.
 */
export function parseJsonLine(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return line.includes(String.raw`\x`) && line.endsWith('}') ? parseEscaped(line) : undefined;
  }
}

function parseEscaped(line: string): unknown {
  try {
    return JSON.parse(line.replaceAll(/\\x([\da-fA-F]{2})/g, String.raw`\u00$1`)) as unknown;
  } catch {
    return undefined;
  }
}

/** A text, or the first of a list; undefined for nothing, and for the hyphen that logs write for it. */
export function readLogText(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'string') return one === '' || one === '-' ? undefined : one;
  return typeof one === 'number' ? String(one) : undefined;
}

/** A number of zero or more, or one that is written as a text. */
export function readLogCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined;
}

/** A status of HTTP; undefined for none, such as the -1 of a function that crashed. */
export function readStatus(value: unknown): number | undefined {
  const status = readLogCount(value);
  return status !== undefined && status >= 100 && status <= 999 ? Math.floor(status) : undefined;
}

const readClfTime = createClfTime();

/** A time as JSON logs write it: ISO 8601, that of the common format, or a Unix time in any unit. NaN for what is none. */
export function readAnyTime(value: unknown): number {
  if (typeof value === 'number') return readUnixTime(value);
  if (typeof value !== 'string') return Number.NaN;
  if (/^\d+(?:\.\d+)?$/.test(value)) return readUnixTime(Number(value));
  if (value.startsWith('[')) return readClfTime(value, 1);
  const text = value.replaceAll('/', '-');
  return /^\d{4}[-/]/.test(value) ? readIsoTime(text, 0) : readClfTime(value, 0);
}
