import { fitsBytes, utf8Bytes } from '../../core/conventions/names.ts';
import { isObject, isText, type Json, type JsonObject, memberOf } from '../../../lib/json.ts';
import { SPAN_LIMITS } from './limits.ts';
import { objectIn, objectsIn } from './members.ts';
import { invalidField } from './refusals.ts';
import { spanIdOf, traceIdOf } from './span-names.ts';

/** Cuts a part of a span to its limits. `at` is where it stands, for errors. */
type Trim = (value: JsonObject, at: string) => JsonObject;

const MAX_INT32 = 2 ** 31 - 1;
/** Events of one span, by kind. */
const EVENTS = { annotation: SPAN_LIMITS.annotations, messageEvent: SPAN_LIMITS.messageEvents };

/**
 * A span cut to the vendor's limits: long texts are shortened and say by how many bytes, attributes, events, links and
 * frames above their number are left out and counted.
 * @throws Refusal for what is no limit but wrong: two values in one attribute, ids that are none
 */
export const trimmedSpan: Trim = (span, at) =>
  trimmed(
    span,
    {
      displayName: shortened(SPAN_LIMITS.displayNameBytes),
      attributes: attributes(SPAN_LIMITS.attributes),
      timeEvents,
      links,
      stackTrace: (value, path) => trimmed(value, { stackFrames }, path),
    },
    at,
  );

function trimmed(body: JsonObject, trims: Readonly<Record<string, Trim>>, at: string): JsonObject {
  const changed = Object.entries(trims).flatMap(([name, trim]): [string, Json][] => {
    const value = memberOf(body, name);
    return isObject(value) ? [[name, trim(value, `${at}.${name}`)]] : [];
  });
  return { ...body, ...Object.fromEntries(changed) };
}

/** A TruncatableString: cut between characters. What was cut before it came is counted in. */
const shortened =
  (maxBytes: number): Trim =>
  (body) => {
    const { value } = body;
    if (!isText(value) || fitsBytes(value, maxBytes)) return body;
    const { read } = new TextEncoder().encodeInto(value, new Uint8Array(maxBytes));
    const kept = value.slice(0, read);
    return { value: kept, ...counted(body, 'truncatedByteCount', utf8Bytes(value) - utf8Bytes(kept)) };
  };

/** A count with what was left out now; none where there is nothing to count. */
function counted(body: JsonObject, name: string, more: number): JsonObject {
  const before = memberOf(body, name);
  const total = Math.min(more + (typeof before === 'number' ? Math.max(before, 0) : 0), MAX_INT32);
  return total > 0 ? { [name]: total } : {};
}

const attributes =
  (max: number): Trim =>
  (body, at) => {
    const all = Object.entries(objectIn(body, 'attributeMap'));
    const kept = all.filter(([key]) => fitsBytes(key, SPAN_LIMITS.attributeKeyBytes)).slice(0, max);
    const attributeMap = Object.fromEntries(
      kept.map(([key, value]) => [key, isObject(value) ? attributeValue(value, `${at}.attributeMap`) : {}]),
    );
    return { attributeMap, ...counted(body, 'droppedAttributesCount', all.length - kept.length) };
  };

const attributeValue: Trim = (value, at) => {
  if (Object.keys(value).length > 1) throw invalidField(at, 'must have one value for each key');
  return trimmed(value, { stringValue: shortened(SPAN_LIMITS.attributeValueBytes) }, at);
};

const timeEvents: Trim = (body, at) => {
  const all = objectsIn(body, 'timeEvent');
  const seen = { annotation: 0, messageEvent: 0 };
  const timeEvent = all.flatMap((event, index): JsonObject[] => {
    const kind = eventKind(event, `${at}.timeEvent[${index}]`);
    seen[kind] += 1;
    if (seen[kind] > EVENTS[kind]) return [];
    return [trimmed(event, { annotation }, `${at}.timeEvent[${index}]`)];
  });
  return {
    timeEvent,
    ...counted(body, 'droppedAnnotationsCount', Math.max(seen.annotation - EVENTS.annotation, 0)),
    ...counted(body, 'droppedMessageEventsCount', Math.max(seen.messageEvent - EVENTS.messageEvent, 0)),
  };
};

function eventKind(event: JsonObject, at: string): 'annotation' | 'messageEvent' {
  const isMessage = isObject(memberOf(event, 'messageEvent'));
  if (isMessage && isObject(memberOf(event, 'annotation')))
    throw invalidField(at, 'must have an annotation or a messageEvent, not both');
  return isMessage ? 'messageEvent' : 'annotation';
}

const annotation: Trim = (body, at) =>
  trimmed(
    body,
    {
      description: shortened(SPAN_LIMITS.annotationBytes),
      attributes: attributes(SPAN_LIMITS.annotationAttributes),
    },
    at,
  );

const links: Trim = (body, at) => {
  const all = objectsIn(body, 'link');
  const kept = all.slice(0, SPAN_LIMITS.links);
  const link = kept.map((each, index) => linkOf(each, `${at}.link[${index}]`));
  return { link, ...counted(body, 'droppedLinksCount', all.length - kept.length) };
};

function linkOf(link: JsonObject, at: string): JsonObject {
  const { traceId, spanId } = link;
  if (isText(traceId) && traceIdOf(traceId) === undefined)
    throw invalidField(`${at}.traceId`, 'must be 32 hexadecimal digits that are not all zero');
  if (isText(spanId) && spanIdOf(spanId) === undefined)
    throw invalidField(`${at}.spanId`, 'must be 16 hexadecimal digits that are not all zero');
  return trimmed(link, { attributes: attributes(SPAN_LIMITS.linkAttributes) }, at);
}

const stackFrames: Trim = (body, at) => {
  const all = objectsIn(body, 'frame');
  const kept = all.slice(0, SPAN_LIMITS.frames);
  const frame = kept.map((each, index) => frameOf(each, `${at}.frame[${index}]`));
  return { frame, ...counted(body, 'droppedFramesCount', all.length - kept.length) };
};

const frameOf: Trim = (frame, at) =>
  trimmed(
    frame,
    {
      functionName: shortened(SPAN_LIMITS.functionNameBytes),
      originalFunctionName: shortened(SPAN_LIMITS.functionNameBytes),
      fileName: shortened(SPAN_LIMITS.fileNameBytes),
      sourceVersion: shortened(SPAN_LIMITS.sourceVersionBytes),
      loadModule: (value, path) =>
        trimmed(
          value,
          { module: shortened(SPAN_LIMITS.moduleBytes), buildId: shortened(SPAN_LIMITS.buildIdBytes) },
          path,
        ),
    },
    at,
  );
