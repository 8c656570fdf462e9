import type { Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { createPageTokens } from '../core/engine/page-token.ts';
import type { JsonObject } from '../../lib/json.ts';
import { vendorRefusals } from '../../lib/refusal.ts';
import { refuseMissingName } from '../core/engine/named-collection.ts';
import { parseLogName } from './log-name.ts';
import { requireCompiledFilter } from './matchers.ts';
import type { EntryOrder } from './order.ts';
import { MAX_READS_PER_PAGE, type PageTools } from './page.ts';
import type { StreamRange } from './stream-merge.ts';
import { readLanes } from './reading.ts';
import { createEntryJudge, listStreamRanges, type Views, buildSourceViews } from './visible.ts';

/** Names of one page: as many as it may have where the caller says nothing. */
const MAX_PAGE = 1_000;
/** Entries of a log that are looked at, to see whether a view shows one; and of all logs of a page. */
const MAX_LOOKED = 50;
const MAX_LOOKED_PAGE = 5_000;

const EVERYTHING = requireCompiledFilter('');

type Tools = PageTools & { now: () => number };

type LogsOrder = Extract<EntryOrder, { do: 'logs' }>;
/** Names in their order; with `next` there may be more behind it. */
export type LogPage = { items: string[]; next?: string };

/** A call of `logs.list`: where its page begins, and what it answers. @throws Refusal for a page token that is none */
export function readLogsCall(tenant: Tenant, call: Call, { salt }: LogsOrder, nowMs: number) {
  const tokens = createPageTokens(call, tenant.id, salt, nowMs);
  const after = tokens.open()?.sort ?? '';
  const limit = readPageLimit(call.query['pageSize']);
  const answer = ({ items, next }: LogPage): JsonObject => ({
    ...(items.length > 0 && { logNames: items }),
    ...(next !== undefined && { nextPageToken: tokens.seal({ sort: next, id: '' }) }),
  });
  return { after, limit, answer };
}

/** `logs.list`: the names of logs that have entries, in their order. @throws Refusal for a page token that is none */
export function listLogs(tenant: Tenant, call: Call, order: LogsOrder, tools: Tools): JsonObject {
  const { answer, ...ask } = readLogsCall(tenant, call, order, tools.now());
  return answer(readLogPage(order, ask, tools));
}

/** So many names behind one. */
export function readLogPage(
  order: LogsOrder,
  { after, limit }: { after: string; limit: number },
  tools: PageTools,
): LogPage {
  const views = buildSourceViews(order.sources, tools.matchers);
  const logs = groupStreamRanges(order, views, tools);
  const items: string[] = [];
  const spent = { statements: 0 };
  let [last, looked] = ['', 0];
  for (const [log, lanes] of [...logs].filter(([name]) => name > after).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const isTired = looked >= MAX_LOOKED_PAGE || spent.statements >= MAX_READS_PER_PAGE;
    if (items.length >= limit || isTired) return { items, next: last };
    const found = look(lanes, views, spent, tools);
    looked += found.looked;
    last = log;
    if (found.isShown) items.push(log);
  }
  return { items };
}

/**
 * `logs.delete`: its entries in the `_Default` bucket go, wherever else they are they stay (the vendor's).
 * @throws Refusal for a log without entries
 */
export function deleteLog(
  { logName, buckets }: Extract<EntryOrder, { do: 'deleteLog' }>,
  { streams }: PageTools,
): void {
  const name = parseLogName(logName)?.name;
  if (name === undefined) throw vendorRefusals.invalid('Log name is not valid');
  const found = buckets.flatMap((bucket) => [...streams.inBucket(bucket.name)]).filter(({ log }) => log === name);
  if (found.length === 0) throw refuseMissingName(name);
  streams.drop(found.filter(({ bucket }) => bucket.endsWith('/buckets/_Default')));
}

function groupStreamRanges(
  order: LogsOrder,
  views: Views,
  tools: PageTools,
): ReadonlyMap<string, readonly StreamRange[]> {
  const containers = new Set(order.containers);
  const logs = new Map<string, StreamRange[]>();
  for (const lane of listStreamRanges(order, EVERYTHING, views, tools)) {
    const { log, container } = lane.stream;
    if (containers.size > 0 && !containers.has(container)) continue;
    const lanes = logs.get(log);
    if (lanes === undefined) logs.set(log, [lane]);
    else lanes.push(lane);
  }
  return logs;
}

/** Whether a log has an entry that is shown. Views may hide some of its entries: of those, only the first are looked at. */
function look(
  lanes: readonly StreamRange[],
  views: Views,
  spent: { statements: number },
  { sql }: PageTools,
): { isShown: boolean; looked: number } {
  const judge = createEntryJudge(EVERYTHING, views);
  let looked = 0;
  for (const read of readLanes(lanes, { isDescending: true, expected: 1, spent }, sql)) {
    looked += 1;
    if (judge(read) !== undefined) return { isShown: true, looked };
    if (looked >= MAX_LOOKED) break;
  }
  return { isShown: false, looked };
}

/** The vendor ignores sizes that are not positive. */
const readPageLimit = (size: unknown): number =>
  typeof size === 'number' && size > 0 ? Math.min(size, MAX_PAGE) : MAX_PAGE;
