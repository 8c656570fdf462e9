import { DAY_MS } from '../../../lib/time.ts';
import type { CallAnswer } from '../../core/engine/operation.ts';
import { createTables, type RunStatement, type Sql, type SqlRow } from '../../../lib/sqlite.ts';
import { isText, type JsonObject, isObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import type { Files } from './files.ts';
import type { ListPlace } from '../list.ts';
import { requireCompiledFilter } from '../matchers.ts';
import { createRetry } from '../retry.ts';
import type { EntryOrder } from '../order.ts';
import type { EntryQuery, EntryPage } from '../page.ts';
import { createFilterMatcher, parseFilter } from '../../core/filter/index.ts';

/**
 * Copies of log entries to files. `wanted` is the order; a copy goes on after the place `seen`. `failure` is why it ended
 * without having all.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS copy (id INTEGER PRIMARY KEY, operation TEXT NOT NULL UNIQUE, wanted TEXT NOT NULL,
     seen TEXT, copied INTEGER NOT NULL DEFAULT 0, failure TEXT, started_ms INTEGER NOT NULL, ended_ms INTEGER)`,
  'CREATE INDEX IF NOT EXISTS copy_running ON copy (id) WHERE ended_ms IS NULL',
];

/** Entries that one step copies. */
const STEP_ENTRIES = 1_000;
/** Copies of a tenant that run at a time, one after the other. */
export const MAX_RUNNING = 10;
/** A copy is remembered as long as its operation. */
const LIFE_MS = 30 * DAY_MS;
const CANCEL = 'UPDATE copy SET ended_ms = ?, failure = ? WHERE operation = ? AND ended_ms IS NULL';

type CopyOrder = Extract<EntryOrder, { do: 'copy' }>;
type ShowOrder = Extract<EntryOrder, { do: 'operation' }>;
type ListOrder = Extract<EntryOrder, { do: 'operations' }>;

type CopyTools = {
  sql: Sql;
  /** Real time, Unix milliseconds. */
  now: () => number;
  transaction: <T>(work: () => T) => T;
  /** One page of what is kept. */
  page: (ask: CopyQuery, order: CopyOrder) => EntryPage | Promise<CopyPage>;
  files: Files;
};

/** What a step asks for, and gets: it may come from many stores. */
export type CopyQuery = Omit<EntryQuery, 'after'> & { after: ListPlace | undefined };
export type CopyPage = Omit<EntryPage, 'next'> & { next?: ListPlace };

/** `entries:copy`: entries go to files in steps, by the object's alarm. Each call but `step` runs in a transaction of its caller. */
export type Copies = {
  begin: (order: CopyOrder) => void;
  /** Copies the next entries of the oldest copy that runs. */
  step: () => Promise<void>;
  /** When a step is due, Unix milliseconds; undefined when no copy runs. */
  nextMs: () => number | undefined;
  /** The operation of a copy as it is by now. Null for one that is not known here. */
  shown: (order: ShowOrder) => CallAnswer | null;
  /** A page of operations, with the copies of it as they are by now. */
  listed: (order: ListOrder) => CallAnswer;
  /** Ends a copy that runs; one that has ended stays as it is. */
  cancel: (operation: string) => void;
  reset: () => void;
};

export function createLogCopies(tools: CopyTools): Copies {
  const { sql, now } = tools;
  const run = createTables(sql, SCHEMA);
  const running = (limit: number): SqlRow[] =>
    run('SELECT * FROM copy WHERE ended_ms IS NULL ORDER BY id LIMIT ?', limit);
  const reading = createRetry(now);
  const find = (operation: string): SqlRow | undefined => run('SELECT * FROM copy WHERE operation = ?', operation)[0];
  return {
    begin(order) {
      run('DELETE FROM copy WHERE started_ms < ?', now() - LIFE_MS);
      const isFull = running(MAX_RUNNING).length >= MAX_RUNNING;
      run(
        'INSERT INTO copy (operation, wanted, started_ms, failure, ended_ms) VALUES (?, ?, ?, ?, ?)',
        order.operation,
        JSON.stringify(order),
        now(),
        isFull ? `At most ${MAX_RUNNING} copies run at a time` : null,
        isFull ? now() : null,
      );
    },
    async step() {
      const [copy] = running(1);
      if (copy !== undefined) await reading.attempt(() => runCopyStep(copy, run, tools));
    },
    nextMs: () => (running(1).length > 0 ? reading.delay(now()) : undefined),
    shown({ operation, shown }) {
      const copy = find(operation);
      return copy === undefined ? null : { ok: true, status: 200, body: buildCopyOperation(shown, copy) };
    },
    listed: ({ page, filter }) => ({ ok: true, status: 200, body: buildOperationsPage(page, filter, find) }),
    cancel: (operation) => void run(CANCEL, now(), CANCELLED, operation),
    reset: () => void run('DELETE FROM copy'),
  };
}

async function runCopyStep(copy: SqlRow, run: RunStatement, tools: CopyTools): Promise<void> {
  const { now, page, files, transaction } = tools;
  const { id, seen } = copy as { id: number; seen: string | null };
  const end = (failure: string | null): void => {
    run('UPDATE copy SET ended_ms = ?, failure = ? WHERE id = ?', now(), failure, id);
  };
  const order = JSON.parse(String(copy['wanted'])) as CopyOrder; // Written by `begin`.
  const ask = buildCopyQuery(order, seen);
  if (!('limit' in ask)) {
    end(ask.failure);
    return;
  }
  const { entries, next } = await page(ask, order);
  transaction(() => {
    const stillRuns = 'SELECT id FROM copy WHERE id = ? AND ended_ms IS NULL AND seen IS ?';
    if (run(stillRuns, id, seen).length === 0) return; // It was cancelled meanwhile.
    const kept = files.append(order.bucket, entries.map(buildFileLine));
    run('UPDATE copy SET copied = copied + ?, seen = ? WHERE id = ?', kept, next ? JSON.stringify(next) : null, id);
    if (kept < entries.length) end('The tenant keeps as many bytes of files as it may');
    else if (next === undefined) end(null);
  });
}

function buildCopyQuery(
  { sources, buckets, nowMs, filter }: CopyOrder,
  seen: unknown,
): CopyQuery | { failure: string } {
  try {
    const after = isText(seen) ? (JSON.parse(seen) as ListPlace) : undefined; // Written by the step before.
    return {
      sources,
      buckets,
      nowMs,
      filter: requireCompiledFilter(filter),
      isDescending: false,
      limit: STEP_ENTRIES,
      after,
    };
  } catch (error) {
    if (error instanceof Refusal) return { failure: error.data.message };
    throw error;
  }
}

/** Of a kept entry. */
const buildFileLine = (entry: JsonObject) => ({
  logName: isText(entry['logName']) ? entry['logName'] : '',
  ts: isText(entry['timestamp']) ? entry['timestamp'] : '',
  entry,
});

/** Why a copy ended that was cancelled. */
export const CANCELLED = 'The operation was cancelled.';
/** google.rpc.Code */
const CODES = { cancelled: 1, resourceExhausted: 8 } as const;
const COPIED = 'type.googleapis.com/google.logging.v2.CopyLogEntriesResponse';

/**
 * An operation as the tenant's resources show it, with what has come of it (CopyLogEntriesMetadata, CopyLogEntriesResponse).
 * @param copy its row
 */
export function buildCopyOperation(shown: JsonObject, copy: SqlRow): JsonObject {
  const { done: _done, response, error: _error, ...rest } = shown;
  const metadata = isObject(rest['metadata']) ? rest['metadata'] : {};
  const { endTime: _end, ...begun } = metadata;
  if (copy['ended_ms'] === null) return { ...rest, metadata: { ...begun, state: 'OPERATION_STATE_RUNNING' } };
  const ended = (state: string) => ({
    ...rest,
    metadata: { ...begun, endTime: computeCopyEndTime(begun, copy), state: `OPERATION_STATE_${state}` },
    done: true,
  });
  const { failure } = copy;
  if (failure === CANCELLED) return { ...ended('CANCELLED'), error: { code: CODES.cancelled, message: CANCELLED } };
  if (isText(failure)) return { ...ended('FAILED'), error: { code: CODES.resourceExhausted, message: failure } };
  const { metadata: whole, ...succeeded } = ended('SUCCEEDED');
  return {
    ...succeeded,
    metadata: { ...whole, progress: 100 },
    response: {
      ...(isObject(response) ? response : {}),
      '@type': COPIED,
      logEntriesCopiedCount: String(copy['copied']),
    },
  };
}

/** As long after the start, which is by the tenant's clock, as the copy took by the real one. */
function computeCopyEndTime({ startTime }: JsonObject, copy: SqlRow): string {
  const startMs = isText(startTime) ? Date.parse(startTime) : Number.NaN;
  const tookMs = Number(copy['ended_ms']) - Number(copy['started_ms']);
  return new Date(Number.isNaN(startMs) ? Number(copy['ended_ms']) : startMs + tookMs).toISOString();
}

/**
 * A page of operations: copies as they are by now, and of those only what the filter lets through. The others were judged
 * before.
 * @param find the row of a copy by its operation
 */
export function buildOperationsPage(
  page: JsonObject,
  filter: string,
  find: (operation: string) => SqlRow | undefined,
): JsonObject {
  const { operations, ...rest } = page;
  const parsed = parseFilter(filter, { profile: 'aip' });
  const fits = parsed.ok ? createFilterMatcher(parsed.filter, { isLogEntry: false }) : () => false;
  const shown = (Array.isArray(operations) ? operations : []).filter(isObject).flatMap((operation) => {
    if (!isCopy(operation)) return [operation];
    const copy = find(isText(operation['name']) ? operation['name'] : '');
    const now = copy === undefined ? operation : buildCopyOperation(operation, copy);
    return fits(now) ? [now] : [];
  });
  return { ...(shown.length > 0 && { operations: shown }), ...rest };
}

/** Whether an operation is that of a copy, by the type of its metadata. */
export const isCopy = ({ metadata }: JsonObject): boolean => {
  const type = isObject(metadata) ? metadata['@type'] : undefined;
  return isText(type) && type.endsWith('.CopyLogEntriesMetadata');
};
