import type { Answer, Call, Tenant } from '../engine/operation.ts';
import type { JsonObject } from '../json.ts';
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
export const ownText = (records: OwnRecords): string => JSON.stringify(records);

type Done = (call: Call, order: EntryOrder) => Answer | null;

/**
 * Keeps entries and spans of `ownText`; the spans also where the entries are refused.
 * @returns what was refused: its sort and the word of the refusal
 */
export function keepOwn(text: string, { id }: Tenant, done: Done): readonly string[] {
  const { project, body, spans, order } = JSON.parse(text) as OwnRecords; // Written above.
  const caller: Call['caller'] = { tenant: id, kind: 'service', userId: '', clientId: '', scopes: [] };
  const call: Call = { method: 'logging.entries.write', path: {}, query: {}, body, caller, isOwn: true };
  const { nowMs } = order;
  const answers = [
    ['entries', isEmpty(body['entries']) ? null : done(call, { ...order, isOwn: true })],
    ['spans', isEmpty(spans) ? null : done(call, { do: 'writeSpans', nowMs, project, spans, isOwn: true })],
  ] as const;
  return answers.flatMap(([sort, answer]) => (answer === null || answer.ok ? [] : [`${sort} ${answer.refusal.word}`]));
}

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;
