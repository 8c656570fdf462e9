/** The position of a piece of work in its trace. Ids are lower-case hex, 32 and 16 digits, never all zeros. */
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

/** The Workers that write telemetry. */
export const SERVICES = ['api', 'webhook', 'control'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Kinds of spans, as OpenTelemetry and the tracing interface name them. */
export const SPAN_KINDS = ['INTERNAL', 'SERVER', 'CLIENT', 'CONSUMER'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** A request that was answered. `route` is the template, '' where there is none: never the path (rule X9). */
export type HttpFacts = { method: string; route: string; status: number; latencyMs: number };

/** One log line: a JSON object as text. */
export type LineRecord = {
  atMs: number;
  line: string;
  trace?: SpanContext;
  http?: HttpFacts;
  /** The same for entries that may be sent twice; others are given one. */
  insertId?: string;
};

export type AttributeValue = string | number | boolean;

/** One finished span. Times are Unix milliseconds; attributes have the names of OpenTelemetry's semantic conventions. */
export type SpanRecord = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** The parent was another service's. */
  isRemoteChild?: true;
  name: string;
  kind: SpanKind;
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, AttributeValue>>;
  isError?: true;
};

/** What a Worker hands to the control Worker at a time. It names no project: that is the control Worker's to know. */
export type TelemetryBatch = {
  service: ServiceName;
  /** Eight hex digits of the isolate that wrote. */
  instance: string;
  lines: readonly LineRecord[];
  spans: readonly SpanRecord[];
  /** What was left out since the batch before: the buffer was full, or a batch could not be sent. */
  dropped: Dropped;
};

export type Dropped = { lines: number; spans: number };

/**
 * What of a batch was not kept. It includes what the batch itself reported as dropped, where that report was lost too.
 */
export type NotKept = Dropped | 'all';

/** `Telemetry` of the control Worker, as a service binding has it. It answers `NotKept`; an older one nothing. */
export type TelemetryPort = { write: (batch: TelemetryBatch) => Promise<unknown> };

/** Records of each sort in a batch. */
export const MAX_BATCH_RECORDS = 250;
export const MAX_LINE_CHARS = 8_192;
export const MAX_TELEMETRY_NAME_CHARS = 256;
export const MAX_ATTRIBUTES = 16;
export const MAX_ATTRIBUTE_CHARS = 256;
