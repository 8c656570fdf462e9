import { isObject, type JsonObject, getTextMember } from '../../../lib/json.ts';
import type { RefusalData } from '../../../lib/refusal.ts';
import type { CallAnswer, Call } from '../../core/engine/operation.ts';
import type { ListCursor } from '../../core/engine/stored-row.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import { splitSpanName } from '../../interfaces/tracing/rows.ts';
import type { EntryObject, TraceRow } from '../entry-object.ts';
import type { EntryOrder } from '../order.ts';
import { readTracesCall, refuseMissingTrace } from '../spans/read.ts';
import type { ShardRow } from './directory.ts';
import { type LaneTools, MAX_ASKS_A_STORE } from './list-shards.ts';
import { type MergeLane, mergeLanes } from './merge.ts';
import { computeTracePart, formatSpanShard, parseShardName, type ShardName } from './placement.ts';

type WriteOrder = Extract<EntryOrder, { do: 'writeSpans' }>;
/** Characters of the traces of one page. */
const MAX_PAGE_CHARS = 8_388_608;

/** The spans of an order by the store that they go to: those of one trace are together. */
export function groupSpansByStore(
  order: WriteOrder,
  parts: number,
  ownTraces: ReadonlySet<string>,
): ReadonlyMap<ShardName, WriteOrder> {
  const groups = new Map<ShardName, { spans: JsonObject[]; indexes: number[] }>();
  for (const [index, span] of order.spans.entries()) {
    const { traceId } = splitSpanName(getTextMember(span, 'name'), `spans[${index}].name`);
    const name = ownTraces.has(traceId) ? '' : formatSpanShard(parts, computeTracePart(order.project, traceId, parts));
    const group = groups.get(name) ?? { spans: [], indexes: [] };
    group.spans.push(span);
    group.indexes.push(index);
    groups.set(name, group);
  }
  return new Map([...groups].map(([name, group]) => [name, { ...order, ...group }]));
}

export const listTraceIds = ({ spans }: WriteOrder): readonly string[] => [
  ...new Set(spans.map((span, index) => splitSpanName(getTextMember(span, 'name'), `spans[${index}].name`).traceId)),
];

/** A part of an order, and what its store answered. */
export type WrittenSpans = { part: WriteOrder; answer: CallAnswer | null };
/** Traces that one refusal names. */
const MAX_NAMED_TRACES = 10;

/** A refusal is about the parts that were refused, and names them where others were kept. */
export function joinSpanAnswers(written: readonly WrittenSpans[]): CallAnswer | null {
  const missing: string[] = [];
  let refusal: RefusalData | undefined;
  let [refused, leftOut] = [0, 0];
  for (const { part, answer } of written) {
    // Of the service's own spans: how many found no room (spans.ts).
    if (answer?.ok === true && 'body' in answer) leftOut += Number(answer.body['leftOut'] ?? 0);
    if (answer?.ok !== false) continue;
    refusal ??= answer.refusal;
    refused += 1;
    missing.push(...listTraceIds(part));
  }
  if (refusal === undefined) return leftOut === 0 ? null : { ok: true, status: 200, body: { leftOut } };
  if (refused === written.length) return { ok: false, refusal };
  const others = missing.length > MAX_NAMED_TRACES ? ` and ${missing.length - MAX_NAMED_TRACES} more` : '';
  const named = `${missing.slice(0, MAX_NAMED_TRACES).join(', ')}${others}`;
  const message = `${refusal.message}. Spans of these traces were not stored, those of the other traces were: ${named}`;
  return { ok: false, refusal: { ...refusal, message } };
}

/** `traces.list` over all stores. @throws Refusal for a call that is none, Error where a store does not answer */
export async function listShardTraces(
  tenant: Tenant,
  { call, order, nowMs }: { call: Call; order: Extract<EntryOrder, { do: 'listTraces' }>; nowMs: number },
  { lanes, object }: LaneTools,
): Promise<JsonObject> {
  const { query, after, answer } = readTracesCall(call, order, nowMs);
  const { by, isDescending } = query.order;
  const sign = isDescending ? -1 : 1;
  const compareSorts = by === 'duration' ? compareNumbers : compareTexts;
  const compare = (a: ListCursor, b: ListCursor): number =>
    sign * (compareSorts(a.sort, b.sort) || compareTexts(a.id, b.id));
  const { items, end } = await mergeLanes(
    lanes.map(({ name }): MergeLane<TraceRow, ListCursor> => ({
      after,
      ask: (from, limit) => object(name).traceRows(tenant, { call, order, after: from, limit }),
    })),
    {
      compare,
      placeOf: ({ key }) => key,
      limit: query.size,
      maxAsks: lanes.length * MAX_ASKS_A_STORE,
      charsOf: ({ trace }) => JSON.stringify(trace).length,
      maxChars: MAX_PAGE_CHARS,
    },
  );
  const traces = items.map(({ trace }) => trace);
  if (end.kind === 'all') return answer(traces, undefined);
  if (end.kind === 'full') return answer(traces, items.at(-1)?.key);
  return answer(traces, end.stops.map(({ place }) => place).toSorted(compare)[0]);
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const compareNumbers = (a: string, b: string): number => Number(a) - Number(b);

/** One trace, from the stores that may have it. */
export async function getShardTrace(
  tenant: Tenant,
  { call, order }: { call: Call; order: Extract<EntryOrder, { do: 'getTrace' }> },
  { lanes, object }: LaneTools,
): Promise<CallAnswer | null> {
  const asked = lanes.filter((lane) => canHaveTrace(lane, order));
  const answers = await Promise.all(asked.map(({ name }) => runOn(object(name), tenant, call, order)));
  const refused = answers.find((answer) => answer?.ok === false && answer.refusal.status !== 404);
  const found = answers.filter((answer) => answer?.ok === true);
  if (refused !== undefined) return refused;
  if (found.length > 1) return joinTraces(found);
  // There may be no store to say that it has none.
  return found[0] ?? answers[0] ?? { ok: false, refusal: refuseMissingTrace(order).data };
}

const runOn = (store: EntryObject, tenant: Tenant, call: Call, order: EntryOrder): Promise<CallAnswer | null> =>
  store.run(tenant, call, order);

/** There may be shards of another number of parts: the setting changed. */
function canHaveTrace({ name }: ShardRow, { project, traceId }: { project: string; traceId: string }): boolean {
  if (name === '') return true;
  const { group, part } = parseShardName(name);
  return computeTracePart(project, traceId, group) === part;
}

/** A trace that was going on when the number of parts changed lies in two stores. */
function joinTraces(answers: readonly CallAnswer[]): CallAnswer {
  const bodies = answers.flatMap((answer) => (answer.ok && 'body' in answer ? [answer.body] : []));
  const spans = bodies.flatMap(({ spans: some }) => (Array.isArray(some) ? some.filter(isObject) : []));
  const byId = new Map(spans.map((span) => [getTextMember(span, 'spanId'), span]));
  const sorted = [...byId.values()].toSorted((a, b) =>
    compareTexts(getTextMember(a, 'startTime'), getTextMember(b, 'startTime')),
  );
  return { ok: true, status: 200, body: { ...bodies[0], spans: sorted } };
}
