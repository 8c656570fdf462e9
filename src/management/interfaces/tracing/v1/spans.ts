import { parseNanos } from '../../../../lib/nanos.ts';
import { refuseField } from '../../../core/conventions/invalid.ts';
import {
  isObject,
  isText,
  type Json,
  type JsonObject,
  getMember,
  getObjectMember,
  getTextMember,
  getObjectList,
} from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { countUtf8Bytes, isWithinBytes } from '../../../../lib/utf8.ts';
import { refuseTimestamp, refuseTraceId, refuseV1Id } from '../refusals.ts';
import { formatSpanName, parseTraceId, splitSpanName } from '../rows.ts';
import { requireSpanRoom, requireTimes, SPAN_LIMITS } from '../schemas.ts';

/** A span as v1 shows it, a TraceSpan; no null in it. */
export type V1Span = { name: string; spanId: string; labels: Readonly<Record<string, string>> } & JsonObject;

/** Kinds of v1 by those of v2. The others have no word in v1. */
const KINDS: ReadonlyMap<Json | undefined, string> = new Map([
  ['SERVER', 'RPC_SERVER'],
  ['CLIENT', 'RPC_CLIENT'],
]);
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * A kept span as v1 shows it: ids are decimal, attributes are labels, and so is its status (`status.code`,
 * `status.message`). Links, events and stack traces have no place in v1.
 */
export function toV1Span(span: JsonObject): V1Span {
  const { startTime = '', endTime = '', parentSpanId } = span;
  const kind = KINDS.get(span['spanKind']);
  return {
    spanId: convertHexToDecimal(getTextMember(span, 'spanId')),
    ...(kind !== undefined && { kind }),
    name: getTextMember(getObjectMember(span, 'displayName'), 'value'),
    startTime,
    endTime,
    ...(isText(parentSpanId) && { parentSpanId: convertHexToDecimal(parentSpanId) }),
    labels: { ...buildStatusLabels(getObjectMember(span, 'status')), ...toLabels(getObjectMember(span, 'attributes')) },
  };
}

/** What a span of v1 says, as a span of v2 that lacks what was not sent. @param kind judged already */
function fromV1Span(sent: JsonObject, name: string): JsonObject {
  const [kind] = [...KINDS].find(([, word]) => word === sent['kind']) ?? [];
  const { startTime, endTime, parentSpanId } = sent;
  const labels = Object.entries(getObjectMember(sent, 'labels')).filter(([, value]) => isText(value));
  const attributeMap = Object.fromEntries(
    labels.map(([key, value]): [string, Json] => [key, { stringValue: { value } }]),
  );
  const isChild = isText(parentSpanId) && convertDecimalToHex(parentSpanId) !== undefined;
  return {
    name,
    spanId: splitSpanName(name, 'name').spanId,
    ...(isText(kind) && { spanKind: kind }),
    ...(isText(sent['name']) && { displayName: { value: sent['name'] } }),
    ...(isText(startTime) && { startTime }),
    ...(isText(endTime) && { endTime }),
    ...(isChild && { parentSpanId: convertDecimalToHex(parentSpanId) ?? '' }),
    ...(labels.length > 0 && { attributes: { attributeMap } }),
  };
}

/**
 * A span with what was sent later laid over it: attributes one by one, all else whole. Attributes above their number are
 * left out and counted.
 * @param before none for a new one
 * @throws Refusal for a span that is not complete then, or too large
 */
export function mergeSpan(before: JsonObject | undefined, sent: JsonObject, at: string): JsonObject {
  const attributes = mergeAttributes(getObjectMember(before ?? {}, 'attributes'), getObjectMember(sent, 'attributes'));
  const span = { ...before, ...sent, ...(attributes !== undefined && { attributes }) };
  if (!isObject(getMember(span, 'displayName'))) throw vendorRefusals.required(`${at}.name`);
  requireTimes(span, at);
  requireSpanRoom(span, at);
  return span;
}

/** The 16 hexadecimal digits of a decimal 64-bit number that is not 0; undefined for any other text. */
function convertDecimalToHex(decimal: string): string | undefined {
  if (!/^\d{1,20}$/.test(decimal)) return undefined;
  const number = BigInt(decimal);
  return number > 0n && number <= MAX_UINT64 ? number.toString(16).padStart(16, '0') : undefined;
}

/** Words of `kind` in v1. */
const V1_KINDS: readonly string[] = ['SPAN_KIND_UNSPECIFIED', ...KINDS.values()];

const convertHexToDecimal = (hex: string): string => BigInt(`0x${hex}`).toString();

function mergeAttributes(before: JsonObject, sent: JsonObject): JsonObject | undefined {
  const all = Object.entries({ ...getObjectMember(before, 'attributeMap'), ...getObjectMember(sent, 'attributeMap') });
  if (all.length === 0) return undefined;
  const kept = all.slice(0, SPAN_LIMITS.attributes);
  const { droppedAttributesCount } = before;
  const dropped = all.length - kept.length + (typeof droppedAttributesCount === 'number' ? droppedAttributesCount : 0);
  return { attributeMap: Object.fromEntries(kept), ...(dropped > 0 && { droppedAttributesCount: dropped }) };
}

function toLabels(attributes: JsonObject): Record<string, string> {
  const all = Object.entries(getObjectMember(attributes, 'attributeMap'));
  return Object.fromEntries(all.map(([key, value]) => [key, isObject(value) ? toLabelText(value) : '']));
}

function toLabelText(value: JsonObject): string {
  const { intValue, boolValue } = value;
  if (isText(intValue)) return intValue;
  if (typeof boolValue === 'boolean') return String(boolValue);
  return getTextMember(getObjectMember(value, 'stringValue'), 'value');
}

function buildStatusLabels({ code, message }: JsonObject): Record<string, string> {
  return {
    ...(typeof code === 'number' && code !== 0 && { 'status.code': String(code) }),
    ...(isText(message) && message !== '' && { 'status.message': message }),
  };
}

/** The spans of one sent trace, as spans of v2. @throws Refusal for a trace of another project, for ids and values that are none */
export function readTraceSpans(trace: JsonObject, at: string, project: string): JsonObject[] {
  if (`projects/${getTextMember(trace, 'projectId')}` !== project)
    throw refuseField(`${at}.projectId`, 'must be the project in the path');
  const traceId = parseTraceId(getTextMember(trace, 'traceId'));
  if (traceId === undefined) throw refuseTraceId(`${at}.traceId`);
  return getObjectList(trace, 'spans').map((span, index) => {
    const field = `${at}.spans[${index}]`;
    const spanId = convertDecimalToHex(getTextMember(span, 'spanId'));
    if (spanId === undefined) throw refuseV1Id(`${field}.spanId`);
    requireV1Span(span, field);
    return fromV1Span(span, formatSpanName({ project, traceId, spanId }));
  });
}

/** Judges what is there: a span that is known need not be sent whole. */
function requireV1Span(span: JsonObject, at: string): void {
  const parent = getTextMember(span, 'parentSpanId');
  if (!['', '0'].includes(parent) && convertDecimalToHex(parent) === undefined) throw refuseV1Id(`${at}.parentSpanId`);
  const kind = getTextMember(span, 'kind');
  if (kind !== '' && !V1_KINDS.includes(kind)) throw refuseField(`${at}.kind`, `must be one of ${V1_KINDS.join(', ')}`);
  const name = getMember(span, 'name');
  if (isText(name) && (name === '' || !isWithinBytes(name, SPAN_LIMITS.displayNameBytes)))
    throw refuseField(`${at}.name`, `must have 1 to ${SPAN_LIMITS.displayNameBytes} bytes`);
  for (const time of ['startTime', 'endTime']) {
    const text = getMember(span, time);
    if (isText(text) && parseNanos(text) === undefined) throw refuseTimestamp(`${at}.${time}`);
  }
  requireLabels(getMember(span, 'labels'), `${at}.labels`);
}

function requireLabels(labels: unknown, at: string): void {
  for (const [key, value] of Object.entries(isObject(labels) ? labels : {})) {
    const isShort = key !== '' && isWithinBytes(key, SPAN_LIMITS.attributeKeyBytes);
    if (!isShort) throw refuseField(at, `must have keys of 1 to ${SPAN_LIMITS.attributeKeyBytes} bytes`);
    if (isText(value) && countUtf8Bytes(value) > SPAN_LIMITS.labelValueBytes)
      throw refuseField(at, `must have values of at most ${SPAN_LIMITS.labelValueBytes} bytes`);
  }
}
