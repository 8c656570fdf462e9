import { refuseMissingName, formatIsoTimestamp } from '../../core/engine/named-collection.ts';
import type { Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';

export const OPERATIONS = 'logging.operations';
/** So long a change takes that is asked for as an operation, by the tenant's clock: time enough to cancel it. */
export const OPERATION_MS = 1_000;
/** Operations are kept so long, and so many of one location. */
export const OPERATION_LIFE_MS = 30 * 86_400_000;
export const MAX_LOG_OPERATIONS = 1_000;
/** Old operations that one new one makes room for: more than ever are too many. */
const SWEPT_ROWS = 10;
/** Digits of a time in an id: ids sort by time. */
const TIME_DIGITS = 12;
const RANDOM_BYTES = 8;
/** google.rpc.Code */
const CANCELLED = { code: 1, message: 'The operation was cancelled.' };

/** An operation as it is stored: what it has come to follows from the time (google.longrunning.Operation). */
export type StoredOperation = {
  /** Unix milliseconds by the tenant's clock. */
  startMs: number;
  doneMs: number;
  /** Its metadata without times and state; with `@type`. */
  metadata: JsonObject;
  /** What it answers when it is done; with `@type`. */
  response: JsonObject;
  /** The bucket or link that it works on, by full name: a cancel takes that back. */
  target?: string;
  cancelledMs?: number;
};

/** What a new operation is to say. */
export type NewOperation = Pick<StoredOperation, 'metadata' | 'response' | 'target'>;

/** The name of a new operation of a location (`projects/p/locations/global`). */
export const generateOperationName = (location: string, context: Context): string =>
  `${location}/operations/${formatTimeDigits(context.now())}${context.random(RANDOM_BYTES)}`;

/** Stores an operation that begins now and is done a second later. @returns it as callers see it: not done */
export function beginOperation(name: string, begun: NewOperation, context: Context): JsonObject {
  const [parent, id] = splitOperation(name);
  sweep(parent, context);
  const startMs = context.now();
  const kept: StoredOperation = { startMs, doneMs: startMs + OPERATION_MS, ...begun };
  context.store.insert({ collection: OPERATIONS, parent, id, body: kept });
  return toOperationResource(name, kept, startMs);
}

/** An operation by its full name. @throws Refusal 404 for one that is not there, or is no longer kept */
export function requireOperation(name: string, context: Context): { kept: StoredOperation; row: ResourceRow } {
  const [parent, id] = splitOperation(name);
  const row = context.store.get(OPERATIONS, parent, id);
  if (row === undefined || !isLive(row, context)) throw refuseMissingName(name);
  return { row, kept: readStoredOperation(row) };
}

/** Whether an operation is still kept. */
export const isLive = (row: ResourceRow, context: Context): boolean =>
  readStoredOperation(row).startMs + OPERATION_LIFE_MS > context.now();

export const readStoredOperation = (row: ResourceRow): StoredOperation => row.body as StoredOperation; // Written here; judged by a restore.

/** Ids of what began before this time come before it. */
export const formatTimeDigits = (ms: number): string => Math.max(0, ms).toString(16).padStart(TIME_DIGITS, '0');

/** An operation as callers see it at a time. */
export function toOperationResource(name: string, kept: StoredOperation, nowMs: number): JsonObject {
  const { startMs, doneMs, cancelledMs, response } = kept;
  const metadata = { ...kept.metadata, startTime: formatIsoTimestamp(startMs) };
  const ended = (state: string, endMs: number) => ({
    name,
    metadata: { ...metadata, endTime: formatIsoTimestamp(endMs), state: `OPERATION_STATE_${state}` },
    done: true,
  });
  if (cancelledMs !== undefined) return { ...ended('CANCELLED', cancelledMs), error: CANCELLED };
  if (nowMs >= doneMs) return { ...ended('SUCCEEDED', doneMs), response };
  return { name, metadata: { ...metadata, state: 'OPERATION_STATE_RUNNING' } };
}

/** The oldest make room: those that are no longer kept, and one where there are as many as may be. */
function sweep(parent: string, context: Context): void {
  const isFull = context.store.count(OPERATIONS, parent) >= MAX_LOG_OPERATIONS;
  const oldest = context.store.list({ collection: OPERATIONS, parent, limit: SWEPT_ROWS });
  for (const [place, { row }] of oldest.entries())
    if (!isLive(row, context) || (isFull && place === 0)) context.store.remove(row);
}

function splitOperation(name: string): [parent: string, id: string] {
  const at = name.lastIndexOf('/operations/');
  return [name.slice(0, at), name.slice(at + '/operations/'.length)];
}
