import * as z from 'zod';
import {
  type AttributeValue,
  type HttpFacts,
  type LineRecord,
  MAX_ATTRIBUTE_CHARS,
  MAX_ATTRIBUTES,
  MAX_BATCH_RECORDS,
  MAX_LINE_CHARS,
  MAX_TELEMETRY_NAME_CHARS,
  SERVICES,
  SPAN_KINDS,
  type SpanContext,
  type SpanRecord,
  type TelemetryBatch,
} from './wire.ts';

/** The last moment that a date can hold. */
const MAX_MS = 8_640_000_000_000_000;
const MAX_METHOD_CHARS = 16;
const MAX_STATUS = 999;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const KINDS: ReadonlySet<unknown> = new Set(SPAN_KINDS);

type Checks<T> = { readonly [Name in keyof T]-?: (value: unknown) => boolean };

const isTextUpTo =
  (max: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= max;
const isIntUpTo =
  (max: number) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
const isForm =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isName = isTextUpTo(MAX_TELEMETRY_NAME_CHARS);
const isSaid = (value: unknown): boolean => isName(value) && value !== '';
const isMoment = isIntUpTo(MAX_MS);
const acceptOrNone =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || check(value);
const isTrue = acceptOrNone((value) => value === true);

const TRACE: Checks<SpanContext> = { traceId: isForm(TRACE_ID), spanId: isForm(SPAN_ID), isSampled: isFlag };
const HTTP: Checks<HttpFacts> = {
  method: isTextUpTo(MAX_METHOD_CHARS),
  route: isName,
  status: isIntUpTo(MAX_STATUS),
  latencyMs: isMoment,
};
const LINE: Checks<LineRecord> = {
  atMs: isMoment,
  line: isTextUpTo(MAX_LINE_CHARS),
  insertId: acceptOrNone(isSaid),
  trace: acceptOrNone((value) => isOnly(value, TRACE)),
  http: acceptOrNone((value) => isOnly(value, HTTP)),
};
const SPAN: Checks<SpanRecord> = {
  traceId: isForm(TRACE_ID),
  spanId: isForm(SPAN_ID),
  parentSpanId: acceptOrNone(isForm(SPAN_ID)),
  isRemoteChild: isTrue,
  name: isSaid,
  kind: (value) => KINDS.has(value),
  startMs: isMoment,
  endMs: isMoment,
  attributes: hasValidAttributes,
  isError: isTrue,
};

/**
 * Whether what another Worker sent is a line. By hand: a schema takes some ten times as long, and a batch has hundreds.
 * Nothing else may be in it.
 */
const isLine = (value: unknown): value is LineRecord => isOnly(value, LINE);

/** The same for a span. */
const isSpan = (value: unknown): value is SpanRecord => isOnly(value, SPAN);

function isOnly<T>(value: unknown, checks: Checks<T>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const sent = value as Readonly<Record<string, unknown>>; // Whatever it is, its members can be looked at.
  for (const name in checks) if (!checks[name](sent[name])) return false;
  for (const name in sent) if (!Object.hasOwn(checks, name)) return false;
  return true;
}

function hasValidAttributes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= MAX_ATTRIBUTES && entries.every(([name, each]) => isName(name) && isAttribute(each));
}

const isAttribute = (value: unknown): value is AttributeValue =>
  isFlag(value) || (typeof value === 'number' && Number.isFinite(value)) || isTextUpTo(MAX_ATTRIBUTE_CHARS)(value);

const count = z.int().min(0);

/** What another Worker may hand over. Only what it says of itself is in it, so anything else is a fault of ours. */
export const batchSchema = z.strictObject({
  service: z.enum(SERVICES),
  instance: z.string().regex(/^[0-9a-f]{8}$/),
  lines: z.array(z.custom<LineRecord>(isLine)).max(MAX_BATCH_RECORDS),
  spans: z.array(z.custom<SpanRecord>(isSpan)).max(MAX_BATCH_RECORDS),
  dropped: z.strictObject({ lines: count, spans: count }),
}) satisfies z.ZodType<TelemetryBatch>;
