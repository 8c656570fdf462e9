import type { SqlRow } from '../../../lib/sqlite.ts';
import { createFilterMatcher, parseFilter } from '../../core/filter/index.ts';
import { isObject, isText, type JsonObject } from '../../../lib/json.ts';

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
