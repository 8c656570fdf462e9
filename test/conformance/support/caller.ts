let callers = 0;

/** A caller of its own (198.18.0.0/15 is for tests, RFC 2544), so that limits per caller do not meet between requests. */
export function freshCaller(): string {
  callers += 1;
  return `198.18.${Math.floor(callers / 250) % 250}.${callers % 250}`;
}

/** The header by which the platform tells who calls. */
export const fromFreshCaller = (): { 'cf-connecting-ip': string } => ({ 'cf-connecting-ip': freshCaller() });
