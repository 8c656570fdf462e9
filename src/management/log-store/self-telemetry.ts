import type { CallAnswer, Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import type { RefusalData } from '../../lib/refusal.ts';
import type { EntryOrder } from './order.ts';

/**
 * What the service writes of itself at a time, made by its own code: the body of an `entries:write`, and spans as they are
 * kept. `order` is what the tenant's resources said of such a write a moment ago: sinks and buckets seldom change.
 */
export type OwnRecords = {
  project: string;
  body: JsonObject;
  spans: readonly JsonObject[];
  order: Extract<EntryOrder, { do: 'write' }>;
};

/** How it crosses to the object: many small objects take far longer to copy than one text. */
export const serializeOwnRecords = (records: OwnRecords): string => JSON.stringify(records);

/** What was refused, each its sort and the word of the refusal, and how many entries and spans are not kept. */
export type OwnOutcome = { refused: readonly string[]; entries: number; spans: number };

type Done = (call: Call, order: EntryOrder) => CallAnswer | null;

/** Keeps entries and spans of `serializeOwnRecords`; the spans also where the entries are refused. */
export function keepOwn(text: string, { id }: Tenant, done: Done): OwnOutcome {
  const { project, body, spans, order } = JSON.parse(text) as OwnRecords; // Written above.
  const caller: Call['caller'] = { tenant: id, kind: 'service', userId: '', clientId: '', scopes: [] };
  const call: Call = { method: 'logging.entries.write', path: {}, query: {}, body, caller, isOwn: true };
  const { nowMs } = order;
  const entries = countItems(body['entries']);
  const onEntries = entries === 0 ? null : done(call, { ...order, isOwn: true });
  const onSpans = spans.length === 0 ? null : done(call, { do: 'writeSpans', nowMs, project, spans, isOwn: true });
  return {
    refused: [...describeRefusal('entries', onEntries), ...describeRefusal('spans', onSpans)],
    entries: countRefusedRecords(onEntries, entries),
    spans: findLeftOutCount(onSpans) ?? countRefusedRecords(onSpans, spans.length),
  };
}

/** What comes of the entries of `serializeOwnRecords` where there is no room for any. */
export function refuseOwn(text: string, { word }: RefusalData): OwnOutcome {
  const { body } = JSON.parse(text) as OwnRecords; // Written above.
  return { refused: [`entries ${word}`], entries: countItems(body['entries']), spans: 0 };
}

const countItems = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const describeRefusal = (sort: string, answer: CallAnswer | null): readonly string[] =>
  answer === null || answer.ok ? [] : [`${sort} ${answer.refusal.word}`];

/** How many a refusal is about: those that it names, else all. */
function countRefusedRecords(answer: CallAnswer | null, all: number): number {
  if (answer === null || answer.ok) return 0;
  const named = answer.refusal.details?.[0]?.['logEntryErrors'];
  return isObject(named) ? Object.keys(named).length : all;
}

/** How many spans a trace had no room for. */
function findLeftOutCount(answer: CallAnswer | null): number | undefined {
  if (answer?.ok !== true || !('body' in answer)) return undefined;
  const { leftOut } = answer.body;
  return typeof leftOut === 'number' ? leftOut : undefined;
}
