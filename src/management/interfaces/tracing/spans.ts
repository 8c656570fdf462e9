import { refuseField } from '../../core/conventions/invalid.ts';
import type { Call, Context, Handler } from '../../core/engine/operation.ts';
import { selectWritable } from '../../core/engine/write.ts';
import { isObject, type JsonObject, getMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { MAX_STORED_SPAN_CHARS, MAX_SPANS_A_CALL } from './limits.ts';
import { getObjectList } from './members.ts';
import { type SpanName, parseSpanId, formatSpanName, splitSpanName } from './span-names.ts';
import { trimSpan } from './span-trim.ts';
import { parseNanos } from '../../../lib/nanos.ts';

/** Keeps spans of new and known traces of one project: all of them or none. */
export const writeSpanBatch: Handler = (call, context) => {
  const project = call.path['name'] ?? '';
  const sent = getObjectList(selectWritable('BatchWriteSpansRequest', call.body, context.row), 'spans');
  requireNumber(sent.length);
  const kept = sent.map((span, index) => validateSpan(span, `spans[${index}]`, project));
  sendSpans(project, kept, call, context);
  return {};
};

/** Keeps one span. @returns it as it is kept */
export const createSpan: Handler = (call, context) => {
  const path = splitSpanName(call.path['name'] ?? '', 'name');
  const sent = selectWritable('Span', call.body, context.row);
  const span = validateSpan({ ...sent, name: getMember(sent, 'name') ?? formatSpanName(path) }, 'span', path.project);
  if (span['name'] !== formatSpanName(path)) throw refuseField('span.name', 'must be the name in the path');
  sendSpans(path.project, [span], call, context);
  return span;
};

/** @throws Refusal for more spans than a call may have */
export function requireNumber(spans: number): void {
  if (spans > MAX_SPANS_A_CALL) throw refuseField('spans', `must have at most ${MAX_SPANS_A_CALL} spans`);
}

/** Hands spans to the store of entries and spans. */
export function sendSpans(
  project: string,
  spans: readonly JsonObject[],
  call: Call,
  context: Context,
  merges?: true,
): void {
  context.hand({
    do: 'writeSpans',
    nowMs: context.now(),
    project,
    spans,
    ...(merges === true && { merges }),
    ...(call.isOwn === true && { isOwn: true }),
  });
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
function validateSpan(sent: JsonObject, at: string, project: string): JsonObject {
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
  if (nanos === undefined) throw refuseField(`${at}.${name}`, 'must be a timestamp of RFC 3339');
  return nanos;
}
