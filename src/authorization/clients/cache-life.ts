/** The number of a `max-age` directive (RFC 9111, section 5.2.2.1), quoted or not. */
const MAX_AGE = /^max-age="?(\d{1,10})"?$/;
const NOT_KEPT = ['no-store', 'no-cache', 'private'];

/** How long an answer with this `Cache-Control` may be kept, in milliseconds, within bounds; without one, the least. */
export function cacheLifeMs(header: string | undefined, { minMs, maxMs }: { minMs: number; maxMs: number }): number {
  const directives = (header ?? '').split(',').map((part) => part.trim().toLowerCase());
  if (directives.some((part) => NOT_KEPT.includes(part))) return minMs;
  const seconds = directives.map((part) => MAX_AGE.exec(part)?.[1]).find((digits) => digits !== undefined);
  return Math.min(maxMs, Math.max(minMs, Number(seconds ?? 0) * 1000));
}
