/** Years that a timestamp has: those of google.protobuf.Timestamp. */
const MAX_MS = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);
const MIN_MS = -62_135_596_800_000;

/** Unix milliseconds as the 30 characters that are stored. Kept within the years 1 to 9999. */
export const formatNanoTime = (ms: number): string =>
  new Date(Math.min(Math.max(Math.floor(ms), MIN_MS), MAX_MS)).toISOString().replace('Z', '000000Z');

/** A stored time as it is shown: with no, three, six or nine digits of a second. */
export function formatShownTime(ts: string): string {
  const [seconds = '', fraction = ''] = ts.slice(0, -1).split('.');
  const digits = fraction.replace(/(?:000){1,3}$/, '');
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`;
}
