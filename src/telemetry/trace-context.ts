/** Where a piece of work stands in its trace. Ids are lower-case hex, 32 and 16 digits, never all zeros. */
export type SpanContext = {
  traceId: string;
  spanId: string;
  /** Whether its spans are kept. */
  isSampled: boolean;
};

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Longest header that is looked at; ours is 55 characters long. */
const MAX_CHARS = 512;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;

/**
 * The caller's span, as a `traceparent` header names it; undefined where there is none or it is not well formed, which
 * begins a new trace. Later versions may be longer; `tracestate` is other vendors' and is not read.
 * @see https://www.w3.org/TR/trace-context-1/#traceparent-header
 */
export function parseTraceparent(header: string | null): SpanContext | undefined {
  if (header === null || header.length > MAX_CHARS) return undefined;
  const [, version, traceId, spanId, flags = '', more] = FORM.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === undefined || traceId === NO_TRACE || spanId === undefined || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
