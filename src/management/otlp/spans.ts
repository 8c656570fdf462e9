import { getMember, getObjectList, getObjectMember, getTextMember, type JsonObject } from '../../lib/json.ts';
import { Refusal } from '../../lib/refusal.ts';
import { isWithinBytes } from '../../lib/utf8.ts';
import { formatSpanName, parseSpanId, parseTraceId } from '../interfaces/tracing/rows.ts';
import { SPAN_LIMITS, validateSpan } from '../interfaces/tracing/schemas.ts';
import {
  addRecord,
  type ConvertedExport,
  type ExportProblem,
  findAttributeText,
  formatUnixNanos,
  type OtlpAttribute,
  readAttributes,
  type RecordOrigin,
  toAttributeText,
  walkRecords,
} from './values.ts';

/** By number; any other is as if it were not said. */
const KINDS = ['SPAN_KIND_UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
const STATUS_OK = 1;
const STATUS_ERROR = 2;
/** google.rpc.Code UNKNOWN: the work failed, and OTLP has no word how. */
const FAILED = 2;
/** Flags of a span: whether it is known if its parent is remote, and whether it is. */
const HAS_REMOTE = 0x1_00;
const IS_REMOTE = 0x2_00;
const MAX_COUNT = 2 ** 31 - 1;

/**
 * The spans of a request as tracing v2 keeps them, each judged and cut to its limits, by project.
 * @param fallback id of the project of a resource that names none
 */
export function convertSpans(request: JsonObject, fallback: string | undefined): ConvertedExport | ExportProblem {
  const projects = new Map<string, JsonObject[]>();
  const refused: string[] = [];
  const problem = walkRecords(request, ['resourceSpans', 'scopeSpans', 'spans'], fallback, (span, origin, at) => {
    const kept = convertSpan(span, origin, at);
    if (typeof kept === 'string') refused.push(kept);
    else addRecord(projects, origin.project, kept);
  });
  return problem ?? { projects, rejected: refused.length, message: refused[0] ?? '' };
}

/** The span as it is kept, or why it is not. */
function convertSpan(sent: JsonObject, { project, shared, dropped }: RecordOrigin, at: string): JsonObject | string {
  const [traceId, spanId] = [parseTraceId(getTextMember(sent, 'traceId')), parseSpanId(getTextMember(sent, 'spanId'))];
  if (traceId === undefined || spanId === undefined)
    return `${at}: traceId and spanId must have 16 and 8 bytes, not all zero`;
  const [startTime, endTime] = [formatUnixNanos(sent['startTimeUnixNano']), formatUnixNanos(sent['endTimeUnixNano'])];
  if (startTime === undefined || endTime === undefined) return `${at}: a start and an end are required`;
  const span: JsonObject = {
    name: formatSpanName({ project, traceId, spanId }),
    spanId,
    ...convertParent(sent),
    displayName: { value: getTextMember(sent, 'name') || 'unknown' },
    startTime,
    endTime,
    spanKind: KINDS[Number(sent['kind'] ?? 0)] ?? KINDS[0],
    attributes: convertAttributes(
      sortAttributes(readAttributes(sent), shared),
      SPAN_LIMITS.attributes,
      dropped + readDroppedCount(sent, 'droppedAttributesCount'),
    ),
    ...convertEvents(sent),
    ...convertLinks(sent),
    ...convertStatus(getObjectMember(sent, 'status')),
  };
  try {
    return validateSpan(span, at, project);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** The service first, then what the span says, then what it shares with others: the last are left out where there are too many. */
function sortAttributes(own: readonly OtlpAttribute[], shared: readonly OtlpAttribute[]): readonly OtlpAttribute[] {
  const service = findAttributeText(shared, 'service.name');
  const first: OtlpAttribute[] = service === '' ? [] : [['service.name', { stringValue: service }]];
  const taken = new Set(own.map(([key]) => key));
  return [
    ...first.filter(([key]) => !taken.has(key)),
    ...own,
    ...shared.filter(([key]) => key !== 'service.name' && !taken.has(key)),
  ];
}

/** Attributes of the interface, at most so many, with the count of those left out here and before. */
function convertAttributes(attributes: readonly OtlpAttribute[], max: number, before: number): JsonObject {
  const kept = attributes.filter(([key]) => isWithinBytes(key, SPAN_LIMITS.attributeKeyBytes)).slice(0, max);
  const dropped = attributes.length - kept.length + before;
  return {
    attributeMap: Object.fromEntries(kept.map(([key, value]) => [key, convertAttribute(value)])),
    ...(dropped > 0 && { droppedAttributesCount: Math.min(dropped, MAX_COUNT) }),
  };
}

const convertOwnAttributes = (owner: JsonObject, max: number): JsonObject =>
  convertAttributes(readAttributes(owner), max, readDroppedCount(owner, 'droppedAttributesCount'));

function convertAttribute(value: JsonObject): JsonObject {
  const { boolValue, intValue } = value;
  if (typeof boolValue === 'boolean') return { boolValue };
  return intValue === undefined ? { stringValue: { value: toAttributeText(value) } } : { intValue };
}

function readDroppedCount(owner: JsonObject, name: string): number {
  const count = getMember(owner, name);
  return typeof count === 'number' ? count : 0;
}

/** A parent of zeros is none; one that is no id is refused with the span. */
function convertParent(sent: JsonObject): JsonObject {
  const parentSpanId = getTextMember(sent, 'parentSpanId');
  if (/^0*$/.test(parentSpanId)) return {};
  const flags = Number(sent['flags'] ?? 0);
  const isKnown = (flags & HAS_REMOTE) !== 0;
  return { parentSpanId, ...(isKnown && { sameProcessAsParentSpan: (flags & IS_REMOTE) === 0 }) };
}

function convertEvents(sent: JsonObject): JsonObject {
  const all = getObjectList(sent, 'events');
  const kept = all.slice(0, SPAN_LIMITS.annotations);
  const dropped = Math.min(all.length - kept.length + readDroppedCount(sent, 'droppedEventsCount'), MAX_COUNT);
  if (kept.length === 0 && dropped === 0) return {};
  const timeEvent = kept.map((event): JsonObject => {
    const time = formatUnixNanos(event['timeUnixNano']);
    const attributes = convertOwnAttributes(event, SPAN_LIMITS.annotationAttributes);
    return {
      ...(time !== undefined && { time }),
      annotation: { description: { value: getTextMember(event, 'name') }, attributes },
    };
  });
  return { timeEvents: { timeEvent, ...(dropped > 0 && { droppedAnnotationsCount: dropped }) } };
}

/** A link without ids links to nothing: it counts as left out. */
function convertLinks(sent: JsonObject): JsonObject {
  const all = getObjectList(sent, 'links');
  const kept = all
    .filter((link) => parseTraceId(getTextMember(link, 'traceId')) && parseSpanId(getTextMember(link, 'spanId')))
    .slice(0, SPAN_LIMITS.links);
  const dropped = Math.min(all.length - kept.length + readDroppedCount(sent, 'droppedLinksCount'), MAX_COUNT);
  if (kept.length === 0 && dropped === 0) return {};
  const link = kept.map((each) => ({
    traceId: getTextMember(each, 'traceId'),
    spanId: getTextMember(each, 'spanId'),
    attributes: convertOwnAttributes(each, SPAN_LIMITS.linkAttributes),
  }));
  return { links: { link, ...(dropped > 0 && { droppedLinksCount: dropped }) } };
}

function convertStatus(status: JsonObject): JsonObject {
  if (status['code'] === STATUS_OK) return { status: { code: 0 } };
  if (status['code'] !== STATUS_ERROR) return {};
  const message = getTextMember(status, 'message');
  return { status: { code: FAILED, ...(message !== '' && { message }) } };
}
