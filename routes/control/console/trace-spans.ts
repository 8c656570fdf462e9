import { isObject, isText, type JsonObject } from '../../../src/lib/json.ts';
import { parseNanos } from '../../../src/management/interfaces/tracing/rows.ts';
import type { TraceLine } from '../../../src/web/console/traces.tsx';
import type { SpanSeen } from '../../../src/web/console/waterfall.ts';
import { listObjectMembers } from './own-projects.ts';

const NANOS_A_MS = 1_000_000;
const NO_ERROR = '0';

/** Spans of a trace as `traces.get` answers them, each at its time after the first began. */
export function readConsoleSpans(trace: JsonObject): readonly SpanSeen[] {
  const spans = listObjectMembers(trace['spans']);
  const first = findEarliestStart(spans);
  return spans.map((span) => {
    const labels = readSpanLabels(span);
    return {
      id: getTextMember(span, 'spanId'),
      parentId: getTextMember(span, 'parentSpanId') || undefined,
      name: getTextMember(span, 'name'),
      kind: getTextMember(span, 'kind'),
      offsetMs: toMilliseconds(readSpanTime(span, 'startTime') - first),
      durationMs: computeSpanDuration(span),
      isFailed: hasErrorLabel(labels),
      attributes: labels,
    };
  });
}

/** When a trace began, as its first span says; '' without spans. */
export const readTraceStart = (trace: JsonObject): string => {
  const spans = listObjectMembers(trace['spans']);
  const first = findEarliestStart(spans);
  return getTextMember(spans.find((span) => readSpanTime(span, 'startTime') === first) ?? {}, 'startTime');
};

/** A trace of a list, by the span that it shows. */
export function buildTraceLine(trace: JsonObject): TraceLine {
  const [root = {}] = listObjectMembers(trace['spans']);
  return {
    traceId: getTextMember(trace, 'traceId'),
    name: getTextMember(root, 'name'),
    startTime: getTextMember(root, 'startTime'),
    durationMs: computeSpanDuration(root),
    isFailed: hasErrorLabel(readSpanLabels(root)),
  };
}

const findEarliestStart = (spans: readonly JsonObject[]): bigint =>
  spans
    .map((span) => readSpanTime(span, 'startTime'))
    .reduce((least, time) => (time < least ? time : least), readSpanTime(spans[0] ?? {}, 'startTime'));

const computeSpanDuration = (span: JsonObject): number =>
  Math.max(0, toMilliseconds(readSpanTime(span, 'endTime') - readSpanTime(span, 'startTime')));

/** Differences are exact before they are numbers. */
const toMilliseconds = (nanos: bigint): number => Number(nanos) / NANOS_A_MS;

const readSpanTime = (span: JsonObject, name: string): bigint => parseNanos(getTextMember(span, name)) ?? 0n;

/** The interface shows a status as a label, and none for success. */
const hasErrorLabel = (labels: SpanSeen['attributes']): boolean =>
  labels.some(([name, value]) => name === 'status.code' && value !== NO_ERROR);

function readSpanLabels(span: JsonObject): SpanSeen['attributes'] {
  const { labels } = span;
  return Object.entries(isObject(labels) ? labels : {}).map(([name, value]) => [name, isText(value) ? value : '']);
}

function getTextMember(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isText(value) ? value : '';
}
