import { parseNanos } from '../../../lib/nanos.ts';
import * as z from 'zod';
import { refuseField } from '../../core/conventions/invalid.ts';
import {
  isObject,
  isText,
  type Json,
  type JsonObject,
  getMember,
  getObjectMember,
  getTextMember,
  getObjectList,
} from '../../../lib/json.ts';
import { splitName } from '../../core/engine/named-collection.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { countUtf8Bytes, isWithinBytes } from '../../../lib/utf8.ts';
import { refuseSpanId, refuseTimestamp, refuseTraceId } from './refusals.ts';
import { formatSpanName, parseSpanId, parseTraceId, type SpanName, splitSpanName } from './rows.ts';

/** Limits of tracing: those of a span are the vendor's (documentation of cloudtrace v2; docs/trace/quotas). */
export const SPAN_LIMITS = {
  displayNameBytes: 128,
  attributes: 32,
  attributeKeyBytes: 128,
  attributeValueBytes: 256,
  annotations: 32,
  annotationAttributes: 4,
  annotationBytes: 256,
  messageEvents: 128,
  links: 128,
  linkAttributes: 32,
  frames: 128,
  functionNameBytes: 1_024,
  fileNameBytes: 256,
  moduleBytes: 256,
  buildIdBytes: 128,
  sourceVersionBytes: 128,
  /** v1 only: labels are longer there. */
  labelValueBytes: 16_384,
} as const;

/** Spans of one `batchWrite`, and of all traces of one `patchTraces`. The vendor takes 25,000; a body is 4 MiB here. */
export const MAX_SPANS_A_CALL = 2_000;
/** Of one span as it is kept, in characters of JSON: a row is read with others. */
export const MAX_STORED_SPAN_CHARS = 262_144;

/** @throws Refusal for more spans than a call may have */
export function requireSpanCount(spans: number): void {
  if (spans > MAX_SPANS_A_CALL) throw refuseField('spans', `must have at most ${MAX_SPANS_A_CALL} spans`);
}

/** @throws Refusal for a span that is too large to be kept */
export function requireSpanRoom(span: JsonObject, at: string): void {
  if (JSON.stringify(span).length > MAX_STORED_SPAN_CHARS)
    throw refuseField(at, `must have at most ${MAX_STORED_SPAN_CHARS} characters of JSON`);
}

/** Start not after end. @throws Refusal */
export function requireTimes(span: JsonObject, at: string): void {
  const [start, end] = [requireTime(span, 'startTime', at), requireTime(span, 'endTime', at)];
  if (end < start) throw refuseField(`${at}.endTime`, 'must not be before startTime');
}

/** A span as it is kept: judged, with ids in lower case, cut to the limits. @throws Refusal */
export function validateSpan(sent: JsonObject, at: string, project: string): JsonObject {
  const name = splitSpanName(getTextMember(sent, 'name'), `${at}.name`);
  if (name.project !== project) throw refuseField(`${at}.name`, `must be a span of ${project}`);
  requireOwnId(sent, name, at);
  const parentSpanId = parseParentSpanId(sent, at);
  requireTimes(sent, at);
  const displayName = getMember(sent, 'displayName');
  if (!isObject(displayName) || getTextMember(displayName, 'value') === '')
    throw vendorRefusals.required(`${at}.displayName`);
  const { parentSpanId: _sent, ...rest } = sent;
  const span = trimSpan(
    { ...rest, name: formatSpanName(name), spanId: name.spanId, ...(parentSpanId !== undefined && { parentSpanId }) },
    at,
  );
  requireSpanRoom(span, at);
  return span;
}

/** @throws Refusal for an id of its own that is missing or another, and for a negative number of children */
function requireOwnId(sent: JsonObject, { spanId }: SpanName, at: string): void {
  const own = getTextMember(sent, 'spanId');
  if (own === '') throw vendorRefusals.required(`${at}.spanId`);
  if (parseSpanId(own) !== spanId) throw refuseField(`${at}.spanId`, 'must be the last part of the name');
  const { childSpanCount } = sent;
  if (typeof childSpanCount === 'number' && childSpanCount < 0)
    throw refuseField(`${at}.childSpanCount`, 'must not be negative');
}

/** The id of the parent; undefined for a root. */
function parseParentSpanId(sent: JsonObject, at: string): string | undefined {
  const text = getTextMember(sent, 'parentSpanId');
  if (text === '') return undefined;
  const parent = parseSpanId(text);
  if (parent === undefined)
    throw refuseField(`${at}.parentSpanId`, 'must be 16 hexadecimal digits that are not all zero, or empty');
  return parent;
}

function requireTime(span: JsonObject, name: string, at: string): bigint {
  const text = getTextMember(span, name);
  if (text === '') throw vendorRefusals.required(`${at}.${name}`);
  const nanos = parseNanos(text);
  if (nanos === undefined) throw refuseTimestamp(`${at}.${name}`);
  return nanos;
}

/** Cuts a part of a span to its limits. `at` is its path, for errors. */
type Trim = (value: JsonObject, at: string) => JsonObject;

const MAX_INT32 = 2 ** 31 - 1;
/** Events of one span, by kind. */
const EVENTS = { annotation: SPAN_LIMITS.annotations, messageEvent: SPAN_LIMITS.messageEvents };

/**
 * A span cut to the vendor's limits: long texts are shortened and say by how many bytes, attributes, events, links and
 * frames above their number are left out and counted.
 * @throws Refusal for what is no limit but wrong: two values in one attribute, ids that are none
 */
const trimSpan: Trim = (span, at) =>
  trimMembers(
    span,
    {
      displayName: createTextTrim(SPAN_LIMITS.displayNameBytes),
      attributes: createAttributesTrim(SPAN_LIMITS.attributes),
      timeEvents: trimTimeEvents,
      links: trimLinks,
      stackTrace: (value, path) => trimMembers(value, { stackFrames: trimStackFrames }, path),
    },
    at,
  );

function trimMembers(body: JsonObject, trims: Readonly<Record<string, Trim>>, at: string): JsonObject {
  const changed = Object.entries(trims).flatMap(([name, trim]): [string, Json][] => {
    const value = getMember(body, name);
    return isObject(value) ? [[name, trim(value, `${at}.${name}`)]] : [];
  });
  return { ...body, ...Object.fromEntries(changed) };
}

/** A TruncatableString: cut between characters. What was cut before it came is counted in. */
const createTextTrim =
  (maxBytes: number): Trim =>
  (body) => {
    const { value } = body;
    if (!isText(value) || isWithinBytes(value, maxBytes)) return body;
    const { read } = new TextEncoder().encodeInto(value, new Uint8Array(maxBytes));
    const kept = value.slice(0, read);
    return {
      value: kept,
      ...buildDroppedCount(body, 'truncatedByteCount', countUtf8Bytes(value) - countUtf8Bytes(kept)),
    };
  };

/** A count with what was left out now; none where there is nothing to count. */
function buildDroppedCount(body: JsonObject, name: string, more: number): JsonObject {
  const before = getMember(body, name);
  const total = Math.min(more + (typeof before === 'number' ? Math.max(before, 0) : 0), MAX_INT32);
  return total > 0 ? { [name]: total } : {};
}

const createAttributesTrim =
  (max: number): Trim =>
  (body, at) => {
    const all = Object.entries(getObjectMember(body, 'attributeMap'));
    const kept = all.filter(([key]) => isWithinBytes(key, SPAN_LIMITS.attributeKeyBytes)).slice(0, max);
    const attributeMap = Object.fromEntries(
      kept.map(([key, value]) => [key, isObject(value) ? trimAttributeValue(value, `${at}.attributeMap`) : {}]),
    );
    return { attributeMap, ...buildDroppedCount(body, 'droppedAttributesCount', all.length - kept.length) };
  };

const trimAttributeValue: Trim = (value, at) => {
  if (Object.keys(value).length > 1) throw refuseField(at, 'must have one value for each key');
  return trimMembers(value, { stringValue: createTextTrim(SPAN_LIMITS.attributeValueBytes) }, at);
};

const trimTimeEvents: Trim = (body, at) => {
  const all = getObjectList(body, 'timeEvent');
  const seen = { annotation: 0, messageEvent: 0 };
  const timeEvent = all.flatMap((event, index): JsonObject[] => {
    const kind = getEventKind(event, `${at}.timeEvent[${index}]`);
    seen[kind] += 1;
    if (seen[kind] > EVENTS[kind]) return [];
    return [trimMembers(event, { annotation: trimAnnotation }, `${at}.timeEvent[${index}]`)];
  });
  return {
    timeEvent,
    ...buildDroppedCount(body, 'droppedAnnotationsCount', Math.max(seen.annotation - EVENTS.annotation, 0)),
    ...buildDroppedCount(body, 'droppedMessageEventsCount', Math.max(seen.messageEvent - EVENTS.messageEvent, 0)),
  };
};

function getEventKind(event: JsonObject, at: string): 'annotation' | 'messageEvent' {
  const isMessage = isObject(getMember(event, 'messageEvent'));
  if (isMessage && isObject(getMember(event, 'annotation')))
    throw refuseField(at, 'must have an annotation or a messageEvent, not both');
  return isMessage ? 'messageEvent' : 'annotation';
}

const trimAnnotation: Trim = (body, at) =>
  trimMembers(
    body,
    {
      description: createTextTrim(SPAN_LIMITS.annotationBytes),
      attributes: createAttributesTrim(SPAN_LIMITS.annotationAttributes),
    },
    at,
  );

const trimLinks: Trim = (body, at) => {
  const all = getObjectList(body, 'link');
  const kept = all.slice(0, SPAN_LIMITS.links);
  const link = kept.map((each, index) => trimLink(each, `${at}.link[${index}]`));
  return { link, ...buildDroppedCount(body, 'droppedLinksCount', all.length - kept.length) };
};

function trimLink(link: JsonObject, at: string): JsonObject {
  const { traceId, spanId } = link;
  if (isText(traceId) && parseTraceId(traceId) === undefined) throw refuseTraceId(`${at}.traceId`);
  if (isText(spanId) && parseSpanId(spanId) === undefined) throw refuseSpanId(`${at}.spanId`);
  return trimMembers(link, { attributes: createAttributesTrim(SPAN_LIMITS.linkAttributes) }, at);
}

const trimStackFrames: Trim = (body, at) => {
  const all = getObjectList(body, 'frame');
  const kept = all.slice(0, SPAN_LIMITS.frames);
  const frame = kept.map((each, index) => trimFrame(each, `${at}.frame[${index}]`));
  return { frame, ...buildDroppedCount(body, 'droppedFramesCount', all.length - kept.length) };
};

const trimFrame: Trim = (frame, at) =>
  trimMembers(
    frame,
    {
      functionName: createTextTrim(SPAN_LIMITS.functionNameBytes),
      originalFunctionName: createTextTrim(SPAN_LIMITS.functionNameBytes),
      fileName: createTextTrim(SPAN_LIMITS.fileNameBytes),
      sourceVersion: createTextTrim(SPAN_LIMITS.sourceVersionBytes),
      loadModule: (value, path) =>
        trimMembers(
          value,
          { module: createTextTrim(SPAN_LIMITS.moduleBytes), buildId: createTextTrim(SPAN_LIMITS.buildIdBytes) },
          path,
        ),
    },
    at,
  );

const SINK_NAME = /^projects\/[^/]+\/traceSinks\/[A-Za-z0-9_.-]{1,256}$/;
const DESTINATION = /^bigquery\.googleapis\.com\/projects\/[^/]{1,256}\/datasets\/\w{1,1024}$/;

/** The name of a new sink. @throws Refusal for one that is missing, or is not of this parent */
export function requireSinkName(name: Json | undefined, parent: string): string {
  if (!isText(name) || name === '') throw vendorRefusals.required('traceSink.name');
  if (SINK_NAME.test(name) && splitName(name).parent === parent) return name;
  throw refuseField(
    'traceSink.name',
    `must be ${parent}/traceSinks/[SINK_ID] with an id of 1 to 256 of A-Z a-z 0-9 _ . -`,
  );
}

/** @throws Refusal for a sink without a destination, or with one that is no dataset */
export function requireSinkDataset(body: JsonObject): void {
  const destination = getTextMember(getObjectMember(body, 'outputConfig'), 'destination');
  if (destination === '') throw vendorRefusals.required('traceSink.outputConfig.destination');
  if (!DESTINATION.test(destination))
    throw refuseField(
      'traceSink.outputConfig.destination',
      'must be bigquery.googleapis.com/projects/[PROJECT_ID]/datasets/[DATASET]',
    );
}

const storedSink = z.strictObject({
  outputConfig: z.strictObject({ destination: z.string().min(1) }),
  writerIdentity: z.string().min(1),
});

/** Whether a row of a snapshot is a trace sink as it is kept (rule K3). */
export const isStoredTraceSink = (body: JsonObject): boolean => storedSink.safeParse(body).success;
