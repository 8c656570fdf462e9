import { refuseField } from '../../core/conventions/invalid.ts';
import { isWithinBytes, countUtf8Bytes } from '../../core/conventions/names.ts';
import type { Call, Handler } from '../../core/engine/operation.ts';
import { isObject, isText, type JsonObject, getMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { SPAN_LIMITS } from './limits.ts';
import { getObjectList } from './members.ts';
import { formatSpanName, parseTraceId } from './span-names.ts';
import { sendSpans, requireNumber } from './spans.ts';
import { parseNanos } from '../../../lib/nanos.ts';
import { parseTraceQuery } from './trace-query.ts';
import { convertDecimalToHex, fromV1Span, V1_KINDS, refuseV1Id } from './v1-spans.ts';

/** Traces of a project, read from the store of entries and spans. */
export const listProjectTraces: Handler = (call, context) => {
  parseTraceQuery(call); // Refused here, before the store is asked.
  const { salt } = context;
  context.hand({ do: 'listTraces', nowMs: context.now(), project: requireProject(call), salt });
  return {};
};

/** One trace with all its spans. */
export const getTrace: Handler = (call, context) => {
  const traceId = parseTraceId(call.path['traceId'] ?? '');
  if (traceId === undefined) throw refuseField('traceId', 'must be 32 hexadecimal digits that are not all zero');
  context.hand({ do: 'getTrace', project: requireProject(call), traceId });
  return {};
};

/** Keeps spans of new and known traces; what is sent of a known span is laid over it. All of them or none. */
export const patchTraces: Handler = (call, context) => {
  const project = requireProject(call);
  // As sent: what a stored body would be cleaned of, `kind`, is a field of these spans.
  const spans = getObjectList(call.body, 'traces').flatMap((trace, index) =>
    readTraceSpans(trace, `traces[${index}]`, project),
  );
  requireNumber(spans.length);
  sendSpans(project, spans, call, context, true);
  return {};
};

function requireProject({ path }: Call): string {
  const id = path['projectId'] ?? '';
  if (id.includes('/')) throw vendorRefusals.invalidInput('projectId');
  return `projects/${id}`;
}

function readTraceSpans(trace: JsonObject, at: string, project: string): JsonObject[] {
  if (`projects/${getTextMember(trace, 'projectId')}` !== project)
    throw refuseField(`${at}.projectId`, 'must be the project in the path');
  const traceId = parseTraceId(getTextMember(trace, 'traceId'));
  if (traceId === undefined) throw refuseField(`${at}.traceId`, 'must be 32 hexadecimal digits that are not all zero');
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
    if (isText(text) && parseNanos(text) === undefined)
      throw refuseField(`${at}.${time}`, 'must be a timestamp of RFC 3339');
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
