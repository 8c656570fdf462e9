const FORM = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;
const NANOS_A_MS = 1_000_000n;
const NANOS_A_SECOND = 1_000_000_000n;
/** The first and the last second that a timestamp can name (google/protobuf/timestamp.proto). */
const FIRST = BigInt(Date.parse('0001-01-01T00:00:00Z')) * NANOS_A_MS;
const LAST = BigInt(Date.parse('9999-12-31T23:59:59Z')) * NANOS_A_MS + NANOS_A_SECOND - 1n;

/** Nanoseconds since 1970 of an RFC 3339 timestamp; undefined for any other text, and for years before 1 or after 9999. */
export function parseNanos(text: string): bigint | undefined {
  const [, second, fraction = '', zone] = FORM.exec(text) ?? [];
  if (second === undefined || zone === undefined) return undefined;
  const ms = Date.parse(`${second}${zone}`.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  const nanos = BigInt(ms) * NANOS_A_MS + BigInt(fraction.padEnd(9, '0'));
  return nanos >= FIRST && nanos <= LAST ? nanos : undefined;
}

/** The timestamp of fixed width, `2026-11-21T00:00:00.000000000Z`: as text they are in the order of time. */
export function formatNanos(nanos: bigint): string {
  const fraction = ((nanos % NANOS_A_SECOND) + NANOS_A_SECOND) % NANOS_A_SECOND;
  const second = new Date(Number((nanos - fraction) / NANOS_A_MS)).toISOString().slice(0, -'.000Z'.length);
  return `${second}.${String(fraction).padStart(9, '0')}Z`;
}
