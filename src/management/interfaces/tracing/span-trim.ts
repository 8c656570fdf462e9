import { refuseField } from '../../core/conventions/invalid.ts';
import { isWithinBytes, countUtf8Bytes } from '../../core/conventions/names.ts';
import { isObject, isText, type Json, type JsonObject, getMember, getObjectMember } from '../../../lib/json.ts';
import { SPAN_LIMITS } from './limits.ts';
import { getObjectList } from './members.ts';
import { parseSpanId, parseTraceId } from './span-names.ts';

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
export const trimSpan: Trim = (span, at) =>
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
  if (isText(traceId) && parseTraceId(traceId) === undefined)
    throw refuseField(`${at}.traceId`, 'must be 32 hexadecimal digits that are not all zero');
  if (isText(spanId) && parseSpanId(spanId) === undefined)
    throw refuseField(`${at}.spanId`, 'must be 16 hexadecimal digits that are not all zero');
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
