import { isObject, isText, getMember, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { requireShort } from '../../core/engine/execute.ts';
import type { CallAnswer, Call } from '../../core/engine/operation.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import type { Begun, EntryCalls, EntryObject, ShardWrite } from '../entry-object.ts';
import type { EntryOrder } from '../order.ts';
import { type OwnOutcome, type OwnRecords, serializeOwnRecords } from '../self-telemetry.ts';
import type { ShardRow } from './directory.ts';
import type { ShardAddress } from './lease.ts';
import { listShardEntries, listShardLogs } from './list-shards.ts';
import type { ShardPlacement, ShardName } from './placement.ts';
import {
  getShardTrace,
  groupSpansByStore,
  joinSpanAnswers,
  listShardTraces,
  listTraceIds,
  type WrittenSpans,
} from './span-shards.ts';

/** Stores that are asked at the same time. */
const STORES_AT_ONCE = 32;
/** How long it is remembered whether the tenant's own object has spans. */
const OWN_SPANS_MS = 10 * MINUTE_MS;

/** What the Worker remembers of all tenants, in the memory of its isolate. */
export type ShardMemory = {
  placement: ShardPlacement;
  /** By tenant: whether its own object has spans, and until when that is good. */
  ownSpans: Map<string, { has: boolean; untilMs: number }>;
};
/** Tenants that are remembered. */
const MAX_REMEMBERED = 10_000;

export type EntryShardsTools = {
  tenant: Tenant;
  /** Shards that its writes spread over; with 1 they all go to its own object. */
  parts: number;
  object: (name: ShardName) => EntryObject;
  memory: ShardMemory;
  /** Real time, Unix milliseconds. */
  now: () => number;
  random: (bytes: number) => string;
};

/**
 * The entries and spans of a tenant. Its own object knows buckets, sinks' deliveries, copies and tails, and where everything is;
 * entries lie in shards by the time at which they came, spans by their trace.
 */
export function openEntryShards(tools: EntryShardsTools): EntryCalls {
  const { tenant, parts, object } = tools;
  const home = object('');
  return {
    run: (_tenant, call, order) => runOrder(call, order, tools),
    keepOwn: (_tenant, records) =>
      parts === 1 ? home.keepOwn(tenant, serializeOwnRecords(records)) : keepOwnRecords(records, tools),
    follow: (_tenant, call, order) => home.follow(tenant, call, order),
    async isEmpty(_tenant, bucket) {
      // The tenant's own object has all files, also where no entry lies in it.
      if (!(await object('').isEmpty(tenant, bucket))) return false;
      const shards = (await object('').lanes(tenant, 'entries')).filter(({ name }) => name !== '');
      const answers = await askAll(shards, (name) => object(name).isEmpty(tenant, bucket));
      return answers.every((isEmpty) => isEmpty);
    },
    webhookIdentity: () => home.webhookIdentity(tenant),
  };
}

async function runOrder(call: Call, order: EntryOrder, tools: EntryShardsTools): Promise<CallAnswer | null> {
  const { tenant, parts, object } = tools;
  if (parts > 1 && order.do === 'write') return writeEntries(call, order, tools);
  if (parts > 1 && order.do === 'writeSpans') return writeSpanOrder(call, order, tools);
  if (!HAS_LANES.has(order.do)) return object('').run(tenant, call, order);
  const { answer, lanes } = await object('').begin(tenant, call, order);
  return lanes === undefined ? answer : runOnShards(call, order, { answer, lanes }, tools);
}

/** Orders that every store may have a part in. */
const HAS_LANES: ReadonlySet<string> = new Set<EntryOrder['do']>([
  'list',
  'logs',
  'deleteLog',
  'buckets',
  'doubtBuckets',
  'reset',
  'listTraces',
  'getTrace',
]);

/** Does the part of an order that is about the stores beside the tenant's own. */
async function runOnShards(
  call: Call,
  order: EntryOrder,
  { answer, lanes }: Required<Begun>,
  tools: EntryShardsTools,
): Promise<CallAnswer | null> {
  const { tenant, object } = tools;
  const asked = { call, nowMs: tools.now() };
  switch (order.do) {
    case 'list':
      return captureRefusal(call, () => listShardEntries(tenant, { ...asked, order }, { lanes, object }));
    case 'logs':
      return captureRefusal(call, () => listShardLogs(tenant, { ...asked, order }, { lanes, object }));
    case 'listTraces':
      return captureRefusal(call, () => listShardTraces(tenant, { ...asked, order }, { lanes, object }));
    case 'getTrace':
      return getShardTrace(tenant, { call, order }, { lanes, object });
    default: {
      const answers = await askAll(lanes, (name) => object(name).run(tenant, call, order));
      return joinAnswers([answer, ...answers]);
    }
  }
}

/** A log that is missing in one store is missing only where all miss it. */
function joinAnswers(answers: readonly (CallAnswer | null)[]): CallAnswer | null {
  const refused = answers.filter((answer) => answer?.ok === false);
  const other = refused.find((answer) => answer.refusal.status !== 404);
  return other ?? (refused.length === answers.length ? (refused[0] ?? null) : null);
}

async function captureRefusal(call: Call, work: () => Promise<JsonObject>): Promise<CallAnswer> {
  try {
    const body = await work();
    requireShort(body, call);
    return { ok: true, status: 200, body };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

async function askAll<T>(lanes: readonly ShardRow[], ask: (name: ShardName) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let at = 0; at < lanes.length; at += STORES_AT_ONCE)
    answers.push(...(await Promise.all(lanes.slice(at, at + STORES_AT_ONCE).map(({ name }) => ask(name)))));
  return answers;
}

async function writeEntries(call: Call, order: EntryOrder, tools: EntryShardsTools): Promise<CallAnswer | null> {
  const { object } = tools;
  return writeToShard(call.body, tools, (address, isQuiet) =>
    object(address.name).writeShard(address, { call, order, isQuiet }),
  );
}

/** A whole call goes to one shard, in one transaction: it is kept or not. */
async function writeToShard<T>(
  body: JsonObject,
  { tenant, parts, memory: { placement }, now, random }: EntryShardsTools,
  write: (address: ShardAddress, isQuiet: boolean) => Promise<ShardWrite<T>>,
): Promise<T> {
  const entries = getMember(body, 'entries');
  const weight = Array.isArray(entries) ? entries.length : 0;
  const asked = { key: findPlacementKey(entries) ?? random(8), parts, nowMs: now(), weight };
  const first = placement.choose(tenant.id, asked);
  const written = await write({ tenant, name: first.name }, first.isQuiet);
  if (written.isMoved !== true) return written.outcome;
  placement.spread(tenant.id, asked.nowMs);
  const second = placement.choose(tenant.id, asked);
  const again = await write({ tenant, name: second.name }, false);
  if (again.isMoved === true) throw new Error('A shard that was chosen sends the call on');
  return again.outcome;
}

/** By its first entry, so that the same call mostly comes to the same shard. Undefined where it has no id of its own. */
function findPlacementKey(entries: unknown): string | undefined {
  const first: unknown = Array.isArray(entries) ? entries[0] : undefined;
  if (!isObject(first)) return undefined;
  const [insertId, timestamp] = [getMember(first, 'insertId'), getMember(first, 'timestamp')];
  return isText(insertId) && insertId !== '' ? `${isText(timestamp) ? timestamp : ''} ${insertId}` : undefined;
}

/** Each store keeps its part or none of it: where one refuses, the others have theirs. */
async function writeSpanOrder(
  call: Call,
  order: Extract<EntryOrder, { do: 'writeSpans' }>,
  tools: EntryShardsTools,
): Promise<CallAnswer | null> {
  const { tenant, parts, object } = tools;
  return captureAnswer(async () => {
    const groups = groupSpansByStore(order, parts, await findOwnTraces(order, tools));
    const written = await Promise.all(
      [...groups].map(async ([name, part]): Promise<WrittenSpans> => {
        if (name === '') return { part, answer: await object('').run(tenant, call, part) };
        const done = await object(name).writeShard({ tenant, name }, { call, order: part, isQuiet: false });
        return { part, answer: done.isMoved === true ? null : done.outcome };
      }),
    );
    return joinSpanAnswers(written);
  });
}

async function captureAnswer(work: () => Promise<CallAnswer | null>): Promise<CallAnswer | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

/** Traces that lie in the tenant's own object, from before there were shards: what comes of them joins them there. */
async function findOwnTraces(
  order: Extract<EntryOrder, { do: 'writeSpans' }>,
  { tenant, object, memory: { ownSpans }, now }: EntryShardsTools,
): Promise<ReadonlySet<string>> {
  const nowMs = now();
  const known = ownSpans.get(tenant.id);
  if (known !== undefined && known.untilMs > nowMs && !known.has) return new Set();
  const traceIds = listTraceIds(order);
  if (known === undefined || known.untilMs <= nowMs) {
    const lanes = await object('').lanes(tenant, 'spans');
    if (ownSpans.size >= MAX_REMEMBERED) ownSpans.clear();
    const has = lanes.some(({ name }) => name === '');
    ownSpans.set(tenant.id, { has, untilMs: nowMs + OWN_SPANS_MS });
    if (!has) return new Set();
  }
  return new Set(await object('').ownTraces(tenant, order.project, traceIds));
}

/** Entries go to one shard, spans to those of their traces. What a store does not take is not kept, and counted. */
async function keepOwnRecords(records: OwnRecords, tools: EntryShardsTools): Promise<OwnOutcome> {
  const { tenant, object } = tools;
  const { project, body, spans, order } = records;
  const { nowMs } = order;
  const entries = getMember(body, 'entries');
  const count = Array.isArray(entries) ? entries.length : 0;
  const text = count === 0 ? '' : serializeOwnRecords({ ...records, spans: [] });
  const onEntries: Promise<OwnOutcome> =
    count === 0
      ? Promise.resolve(NOTHING_REFUSED)
      : writeToShard(body, tools, (address, isQuiet) => object(address.name).keepOwnShard(address, text, isQuiet));
  const caller: Call['caller'] = { tenant: tenant.id, kind: 'service', userId: '', clientId: '', scopes: [] };
  const call: Call = { method: '', path: {}, query: {}, body: {}, caller, isOwn: true };
  const onSpans: Promise<CallAnswer | null> =
    spans.length === 0
      ? Promise.resolve(null)
      : writeSpanOrder(call, { do: 'writeSpans', nowMs, project, spans, isOwn: true }, tools);
  const [one, other] = await Promise.allSettled([onEntries, onSpans]);
  if (one.status === 'rejected' && (other.status === 'rejected' || spans.length === 0)) throw one.reason;
  const ofEntries =
    one.status === 'fulfilled' ? one.value : { refused: ['entries UNAVAILABLE'], entries: count, spans: 0 };
  return { ...ofEntries, ...describeSpans(other, spans.length, ofEntries.refused) };
}

const NOTHING_REFUSED: OwnOutcome = { refused: [], entries: 0, spans: 0 };

function describeSpans(
  settled: PromiseSettledResult<CallAnswer | null>,
  all: number,
  refused: readonly string[],
): Pick<OwnOutcome, 'refused' | 'spans'> {
  if (settled.status === 'rejected') return { refused: [...refused, 'spans UNAVAILABLE'], spans: all };
  const answer = settled.value;
  if (answer === null) return { refused, spans: 0 };
  if (!answer.ok) return { refused: [...refused, `spans ${answer.refusal.word}`], spans: all };
  return { refused, spans: 'body' in answer ? Number(answer.body['leftOut'] ?? 0) : 0 };
}
