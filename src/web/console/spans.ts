import { getObjectMember, getTextMember, type JsonObject, toObjects } from '../../lib/json.ts';
import { parseNanos } from '../../lib/nanos.ts';
import { compareTexts } from '../../lib/text.ts';

/** A span of a trace. Names, kinds and attributes are its writer's. */
export type SpanSeen = {
  id: string;
  parentId: string | undefined;
  name: string;
  kind: string;
  /** After the first span of the trace began. */
  offsetMs: number;
  durationMs: number;
  isFailed: boolean;
  attributes: readonly (readonly [name: string, value: string])[];
};

/** A trace by its first span. */
export type TraceLine = {
  traceId: string;
  name: string;
  startTime: string;
  durationMs: number;
  isFailed: boolean;
  /** Of the answer; undefined for work that no request asked for. */
  status: number | undefined;
};

/** What a span's parent is to its place: `missing` is no span of the trace, in a `cycle` the first one is on top. */
export type Parent = 'none' | 'drawn' | 'missing' | 'cycle';

export type WaterfallRow = {
  span: SpanSeen;
  /** Spans above it. */
  depth: number;
  parent: Parent;
  /** Of `SCALE`: where its bar begins, and how long it is. */
  x: number;
  width: number;
};

export type Waterfall = { rows: readonly WaterfallRow[]; leftOut: number; totalMs: number };

export const SCALE = 1_000;
/** Spans that are drawn; a trace keeps some times as many. */
export const MAX_DRAWN = 300;
/** A bar that takes no time is seen too. */
const MIN_WIDTH = 4;

/**
 * Spans under their parents, siblings in the order of their start, then of their ids: the same for the same spans,
 * however they come. A span without its parent is at the top; of spans that are their own ancestors, the first is.
 */
export function layOutWaterfall(spans: readonly SpanSeen[], maxDrawn = MAX_DRAWN): Waterfall {
  const [startMs, endMs] = findTimeBounds(spans);
  const ordered = sortSpans(spans).slice(0, maxDrawn);
  const rows = ordered.map((place) => ({ ...place, ...computeBar(place.span, startMs, endMs - startMs) }));
  return { rows, leftOut: spans.length - rows.length, totalMs: endMs - startMs };
}

type Placed = Pick<WaterfallRow, 'span' | 'depth' | 'parent'>;

function sortSpans(spans: readonly SpanSeen[]): readonly Placed[] {
  const sorted = spans.toSorted(
    (a, b) => a.offsetMs - b.offsetMs || compareTexts(a.id, b.id) || compareTexts(a.name, b.name),
  );
  const children = Map.groupBy(sorted, ({ parentId }) => parentId);
  const ids = new Set(sorted.map(({ id }) => id));
  const placed: Placed[] = [];
  const seen = new Set<SpanSeen>();
  const descend = (top: Placed): void => {
    const waiting = [top];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next.span)) continue;
      seen.add(next.span);
      placed.push(next);
      const depth = next.depth + 1;
      const below = children.get(next.span.id) ?? [];
      for (const span of below.toReversed()) waiting.push({ span, depth, parent: 'drawn' });
    }
  };
  for (const span of sorted) {
    const { parentId } = span;
    if (parentId === undefined || !ids.has(parentId))
      descend({ span, depth: 0, parent: parentId === undefined ? 'none' : 'missing' });
  }
  for (const span of sorted) descend({ span, depth: 0, parent: 'cycle' }); // Nothing above leads to what is left.
  return placed;
}

function findTimeBounds(spans: readonly SpanSeen[]): [startMs: number, endMs: number] {
  if (spans.length === 0) return [0, 0];
  const starts = spans.map(({ offsetMs }) => offsetMs);
  const ends = spans.map(({ offsetMs, durationMs }) => offsetMs + Math.max(0, durationMs));
  return [Math.min(...starts), Math.max(...ends)];
}

function computeBar(
  { offsetMs, durationMs }: SpanSeen,
  startMs: number,
  totalMs: number,
): { x: number; width: number } {
  if (totalMs <= 0) return { x: 0, width: SCALE };
  const part = (ms: number): number => Math.round((Math.max(0, ms) / totalMs) * SCALE);
  const x = Math.min(part(offsetMs - startMs), SCALE - MIN_WIDTH);
  return { x, width: Math.min(Math.max(part(durationMs), MIN_WIDTH), SCALE - x) };
}

const NANOS_A_MS = 1_000_000;
const NO_ERROR = '0';

/** Spans of a trace as `traces.get` answers them, each at its time after the first began. */
export function readConsoleSpans(trace: JsonObject): readonly SpanSeen[] {
  const spans = toObjects(trace['spans']);
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
  const spans = toObjects(trace['spans']);
  const first = findEarliestStart(spans);
  return getTextMember(spans.find((span) => readSpanTime(span, 'startTime') === first) ?? {}, 'startTime');
};

/** A trace of a list, by the span that it shows. */
export function buildTraceLine(trace: JsonObject): TraceLine {
  const [root = {}] = toObjects(trace['spans']);
  const labels = getObjectMember(root, 'labels');
  const statusText = getTextMember(labels, 'sightline.status') || getTextMember(labels, 'http.response.status_code');
  const status = Number(statusText || Number.NaN);
  return {
    traceId: getTextMember(trace, 'traceId'),
    name: formatRootName(root),
    status: Number.isInteger(status) ? status : undefined,
    startTime: getTextMember(root, 'startTime'),
    durationMs: computeSpanDuration(root),
    isFailed: hasErrorLabel(readSpanLabels(root)),
  };
}

/** Whether a trace is of the console's own pages and files, which an operator who looks makes oneself. */
export function isOwnView(trace: JsonObject): boolean {
  const [root = {}] = toObjects(trace['spans']);
  const labels = getObjectMember(root, 'labels');
  return isOwnRoute(getTextMember(labels, 'http.route'));
}

/** Routes of the console, and of the static files that its pages load. */
const OWN_ROUTES = ['/console', '/web/'] as const;
const isOwnRoute = (route: string): boolean => OWN_ROUTES.some((own) => route.startsWith(own));

/** `POST full_audit 200 0x12ab…`, `tools/call full_audit 402`: a request by what it was for; other work by its own name. */
function formatRootName(root: JsonObject): string {
  const labels = getObjectMember(root, 'labels');
  const label = (name: string): string => getTextMember(labels, name);
  const method = label('mcp.method.name') || label('http.request.method');
  const subject = label('sightline.capability') || label('rpc.method') || label('http.route');
  if (method === '' || subject === '') return getTextMember(root, 'name');
  return formatRequestName({
    method,
    subject,
    status: label('sightline.status') || label('http.response.status_code'),
    payer: label('sightline.payer'),
  });
}

/** What a request was for, in one line; '' for what is not known. `payer`: the beginning of an address. */
export const formatRequestName = ({
  method,
  subject,
  status,
  payer,
  rest = '',
}: {
  method: string;
  subject: string;
  status: string;
  payer: string;
  rest?: string;
}): string => [method, subject, status, payer === '' ? '' : `${payer}…`, rest].filter((part) => part !== '').join(' ');

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
  const labels = getObjectMember(span, 'labels');
  return Object.keys(labels).map((name) => [name, getTextMember(labels, name)]);
}
