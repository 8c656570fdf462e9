import type { Journal } from './journal.ts';
import { countUnworked } from './message-transitions.ts';
import { type InboxContext, formatIsoTime, findOwnRow, getTextOr } from './tables.ts';
import { decodeCauses } from './pending-users.ts';
import type { BodyState, MessageState, MessageView } from './message.ts';
import type { SqlRow } from '../../lib/sqlite.ts';
import type { InboxStatus, MessageQuery, ListPage } from '../core/protocol.ts';

const MAX_PAGE = 1_000;
const MAX_ALERTS = 100;
const CURSOR = /^[1-9]\d{0,14}$/;

const SELECT = `SELECT seq, channel, watch, number, event, received_ms, m.user_id, body, raw, m.state, effect,
  CASE m.state WHEN 'waiting' THEN u.tries
    WHEN 'delivering' THEN (SELECT max(d.tries) FROM delivery d WHERE d.effect = m.effect) ELSE m.tries END AS tries,
  CASE m.state WHEN 'waiting' THEN u.error
    WHEN 'delivering' THEN (SELECT max(d.error) FROM delivery d WHERE d.effect = m.effect) ELSE m.error END AS error
  FROM message m LEFT JOIN unit u ON u.user_id = m.user_id AND m.state = 'waiting' WHERE seq >= ? AND seq < ?`;
const NEWEST = 'ORDER BY seq DESC LIMIT ?';
/** By what a list is narrowed to. */
const LISTS = {
  all: `${SELECT} ${NEWEST}`,
  state: `${SELECT} AND m.state = ? ${NEWEST}`,
  channel: `${SELECT} AND channel = ? ${NEWEST}`,
  both: `${SELECT} AND m.state = ? AND channel = ? ${NEWEST}`,
} as const;

/** Messages, the newest first. A cursor that is not ours answers an empty page. */
export function listMessages(context: InboxContext, query: MessageQuery): ListPage<MessageView> {
  if (query.cursor !== undefined && !CURSOR.test(query.cursor)) return { items: [], next: undefined };
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MAX_PAGE);
  const { from, to } = findSequenceRange(context, query);
  const before = Math.min(to, Number(query.cursor ?? to));
  const narrowed = [query.state, query.channel].filter((value) => value !== undefined);
  const rows = context.run(LISTS[selectListIndex(query)], from, before, ...narrowed, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    items: shown.map(toMessageView),
    next: rows.length > limit ? String(shown.at(-1)?.['seq']) : undefined,
  };
}

function selectListIndex({ state, channel }: MessageQuery): keyof typeof LISTS {
  if (state === undefined) return channel === undefined ? 'all' : 'channel';
  return channel === undefined ? 'state' : 'both';
}

function toMessageView(row: SqlRow): MessageView {
  const raw = getTextOr(row['raw'], undefined);
  return {
    seq: Number(row['seq']),
    channel: String(row['channel']),
    watch: String(row['watch']),
    number: getTextOr(row['number'], null),
    event: String(row['event']),
    received_at: formatIsoTime(row['received_ms']),
    user_id: getTextOr(row['user_id'], null),
    // Both columns hold what `takeIn` and the moves wrote.
    body: String(row['body']) as BodyState,
    state: String(row['state']) as MessageState,
    tries: Number(row['tries'] ?? 0),
    last_error: getTextOr(row['error'], null),
    ...(raw === undefined ? {} : { raw }),
  };
}

/** The rows of a time range: `from` inclusive, `to` exclusive. Times grow with the rows, so both are found by halving. */
export function findSequenceRange(
  context: InboxContext,
  { fromMs, toMs }: { fromMs?: number | undefined; toMs?: number | undefined },
) {
  const end = Number(findOwnRow(context)?.['seq'] ?? 0) + 1;
  return {
    from: fromMs === undefined ? 0 : findFirstSince(context, fromMs, end),
    to: toMs === undefined ? end : findFirstSince(context, toMs, end),
  };
}

/** The first row that was received at that time or later; `end` where there is none. */
function findFirstSince({ run }: InboxContext, ms: number, end: number): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = run('SELECT seq, received_ms FROM message WHERE seq >= ? ORDER BY seq LIMIT 1', middle);
    if (row === undefined || Number(row['received_ms']) >= ms) high = middle;
    else low = Number(row['seq']) + 1;
  }
  return low;
}

/** Messages of the inbox, counted, with those that wait in the journal; and its open alerts, the oldest first. */
export function readInboxStatus(context: InboxContext, journal: Journal): InboxStatus {
  const { run } = context;
  const counts = countUnworked(context, '');
  const alerts = run('SELECT kind, subject, raised_ms, detail FROM alert ORDER BY raised_ms LIMIT ?', MAX_ALERTS);
  const [resync] = run('SELECT reasons, since_ms, tries FROM resync ORDER BY tries DESC, due_ms LIMIT 1');
  const resyncedMs = findOwnRow(context)?.['resynced_ms'];
  return {
    ...counts,
    waiting: counts.waiting + journal.messages,
    alerts: alerts.map((row) => ({
      kind: String(row['kind']),
      subject: String(row['subject']),
      raised_at: formatIsoTime(row['raised_ms']),
      detail: String(row['detail']),
    })),
    resync:
      resync === undefined
        ? null
        : {
            reason: decodeCauses(resync['reasons']).join(', '),
            since: formatIsoTime(resync['since_ms']),
            tries: Number(resync['tries']),
          },
    last_resync_at: typeof resyncedMs === 'number' ? formatIsoTime(resyncedMs) : null,
  };
}
