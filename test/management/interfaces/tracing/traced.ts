import type { CallAnswer, Call, QueryValue } from '../../../../src/management/core/engine/operation.ts';
import type { EntryOrder } from '../../../../src/management/log-store/order.ts';
import { type SpanStore, createSpanStore } from '../../../../src/management/log-store/spans/spans.ts';
import { isText, type Json, type JsonObject } from '../../../../src/lib/json.ts';
import type { Sql } from '../../../../src/lib/sqlite.ts';
import { CALLER, testTenant, type TestTenant } from '../../../support/management/management.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';

export const PROJECT = 'projects/local';
export const TRACE = '0af7651916cd43dd8448eb211c80319c';
/** The id of a trace or span by a number. */
export const traceId = (number: number): string => number.toString(16).padStart(32, '0');
export const spanId = (number: number): string => number.toString(16).padStart(16, '0');

type Sent = { path?: Record<string, string>; query?: Record<string, QueryValue>; body?: JsonObject; isOwn?: true };

/** A tenant with its store of spans, asked as the Worker asks them: the order's answer takes the place of the first. */
export type Traced = {
  tenant: TestTenant;
  spans: SpanStore;
  sql: Sql;
  /** What the last call handed over; undefined where it was refused. */
  handed: () => EntryOrder | undefined;
  ok: (method: string, sent: Sent) => JsonObject;
  refused: (method: string, sent: Sent) => string;
  /** `batchWrite`. */
  write: (...spans: JsonObject[]) => JsonObject;
  /** Ids of listed traces, in order, with the answer's token. */
  list: (query?: Record<string, QueryValue>) => { ids: Json[]; traces: JsonObject[]; token: string };
  /** Spans of a trace as v1 shows them. */
  get: (trace: string) => JsonObject[];
  databaseBytes: (bytes: number) => void;
};

export function traced(): Traced {
  const tenant = testTenant();
  const { sql, transaction } = memorySqlite();
  let bytes = 0;
  let order: EntryOrder | undefined;
  tenant.engine.hand = (handed) => {
    order = handed;
  };
  const spans = createSpanStore({ sql, transaction, now: tenant.engine.realNow, databaseBytes: () => bytes });
  const handed = (): EntryOrder | undefined => order;
  const answer = (method: string, sent: Sent): CallAnswer => {
    order = undefined;
    const first = tenant.call(method, sent);
    const given = handed();
    if (!first.ok || given === undefined) return first;
    if (given.do !== 'writeSpans' && given.do !== 'listTraces' && given.do !== 'getTrace') throw new Error(given.do);
    const call: Call = { method, path: {}, query: {}, body: {}, caller: CALLER, ...sent };
    return spans.run(call, given) ?? first;
  };
  const ok: Traced['ok'] = (method, sent) => {
    const given = answer(method, sent);
    if (!given.ok) throw new Error(`${method}: ${textOf(given)}`);
    return given.status === 200 ? given.body : {};
  };
  const list: Traced['list'] = (query = {}) => {
    const body = ok('cloudtrace.v1.projects.traces.list', { path: { projectId: 'local' }, query });
    const traces = objects(body['traces']);
    return { ids: traces.map((trace) => trace['traceId'] ?? ''), traces, token: text(body['nextPageToken'] ?? '') };
  };
  return {
    tenant,
    spans,
    sql,
    handed,
    ok,
    refused: (method, sent) => {
      const given = answer(method, sent);
      if (given.ok) throw new Error(`${method} was not refused`);
      return textOf(given);
    },
    write: (...written) =>
      ok('cloudtrace.projects.traces.batchWrite', { path: { name: PROJECT }, body: { spans: written } }),
    list,
    get: (trace) =>
      objects(ok('cloudtrace.v1.projects.traces.get', { path: { projectId: 'local', traceId: trace } })['spans']),
    databaseBytes: (now) => {
      bytes = now;
    },
  };
}

/** A span of v2 that is right: the first second of a day, as long as asked. */
export function span(trace: string, id: string, more: JsonObject = {}): JsonObject {
  return {
    name: `${PROJECT}/traces/${trace}/spans/${id}`,
    spanId: id,
    displayName: { value: 'GET /' },
    startTime: '2026-11-21T00:00:00Z',
    endTime: '2026-11-21T00:00:01Z',
    ...more,
  };
}

export const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

const textOf = ({ refusal }: Extract<CallAnswer, { ok: false }>): string =>
  `${refusal.status} ${refusal.word}: ${refusal.message}`;

/** A text of an answer. @throws Error when it is none */
export function text(value: Json | undefined): string {
  if (!isText(value)) throw new Error('Not a text');
  return value;
}
