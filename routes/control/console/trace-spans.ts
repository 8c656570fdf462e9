import { isObject, isText, type JsonObject } from '../../../src/lib/json.ts';
import { parseNanos } from '../../../src/management/interfaces/tracing/times.ts';
import type { TraceLine } from '../../../src/web/console/traces.tsx';
import type { SpanSeen } from '../../../src/web/console/waterfall.ts';
import { objectsIn } from './own-projects.ts';

const NANOS_A_MS = 1_000_000;
const NO_ERROR = '0';

/** Spans of a trace as `traces.get` answers them, each at its time after the first began. */
export function spansIn(trace: JsonObject): readonly SpanSeen[] {
  const spans = objectsIn(trace['spans']);
  const first = startOf(spans);
  return spans.map((span) => {
    const labels = labelsOf(span);
    return {
      id: textIn(span, 'spanId'),
      parentId: textIn(span, 'parentSpanId') || undefined,
      name: textIn(span, 'name'),
      kind: textIn(span, 'kind'),
      offsetMs: msOf(timeIn(span, 'startTime') - first),
      durationMs: durationOf(span),
      isFailed: hasErrorLabel(labels),
      attributes: labels,
    };
  });
}

/** When a trace began, as its first span says; '' without spans. */
export const beginningOf = (trace: JsonObject): string => {
  const spans = objectsIn(trace['spans']);
  const first = startOf(spans);
  return textIn(spans.find((span) => timeIn(span, 'startTime') === first) ?? {}, 'startTime');
};

/** A trace of a list, by the span that it shows. */
export function traceLineOf(trace: JsonObject): TraceLine {
  const [root = {}] = objectsIn(trace['spans']);
  return {
    traceId: textIn(trace, 'traceId'),
    name: textIn(root, 'name'),
    startTime: textIn(root, 'startTime'),
    durationMs: durationOf(root),
    isFailed: hasErrorLabel(labelsOf(root)),
  };
}

const startOf = (spans: readonly JsonObject[]): bigint =>
  spans
    .map((span) => timeIn(span, 'startTime'))
    .reduce((least, time) => (time < least ? time : least), timeIn(spans[0] ?? {}, 'startTime'));

const durationOf = (span: JsonObject): number => Math.max(0, msOf(timeIn(span, 'endTime') - timeIn(span, 'startTime')));

/** Differences are exact before they are numbers. */
const msOf = (nanos: bigint): number => Number(nanos) / NANOS_A_MS;

const timeIn = (span: JsonObject, name: string): bigint => parseNanos(textIn(span, name)) ?? 0n;

/** The interface shows a status as a label, and none for success. */
const hasErrorLabel = (labels: SpanSeen['attributes']): boolean =>
  labels.some(([name, value]) => name === 'status.code' && value !== NO_ERROR);

function labelsOf(span: JsonObject): SpanSeen['attributes'] {
  const { labels } = span;
  return Object.entries(isObject(labels) ? labels : {}).map(([name, value]) => [name, isText(value) ? value : '']);
}

function textIn(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isText(value) ? value : '';
}
