import type * as z from 'zod';
import type { AlertKind } from '../../notifications/core/alert.ts';
import { alertRows } from '../../notifications/core/alerts-data.ts';
import type { channelsShape, messagesShape, PrintedChannel, replayedShape, statusShape } from './shapes.ts';
import { safeLine } from '../core/safe-text.ts';

/** Widest cell of a table. */
const MAX_CELL = 64;
const NONE = '-';

/** A channel: one line for each thing known about it. */
export function channelLines(channel: PrintedChannel): string[] {
  const rows = Object.entries({ ...channel, event: channel.event ?? 'all' }).filter(([, value]) => value !== null);
  return table(rows.map(([name, value]) => [name.replaceAll('_', ' '), safeLine(String(value))]));
}

/** Channels as a table; what went wrong last stands below its channel. */
export function channelsLines({ channels, next_page_token: next }: z.infer<typeof channelsShape>): string[] {
  if (channels.length === 0) return ['No channels.'];
  const rows = channels.map(({ state, customer, domain, event, expires_at: expires, id, watch }) =>
    [state, customer, domain ?? NONE, event ?? 'all', shortTime(expires), id, watch].map(cell),
  );
  const lines = table([['state', 'customer', 'domain', 'event', 'expires', 'id', 'watch'], ...rows]);
  return [...below(lines, channels), ...more(next)];
}

/** Messages as a table; why the last try failed stands below its message. */
export function messagesLines({ messages, next_page_token: next }: z.infer<typeof messagesShape>): string[] {
  if (messages.length === 0) return ['No messages.'];
  const rows = messages.map(({ seq, received_at: at, state, event, user_id: user, tries, channel }) =>
    [String(seq), shortTime(at), state, event, user ?? NONE, String(tries), channel].map(cell),
  );
  const lines = table([['seq', 'received', 'state', 'event', 'user', 'tries', 'channel'], ...rows]);
  return [...below(lines, messages), ...more(next)];
}

export function replayedLines({ replayed, more: hasMore }: z.infer<typeof replayedShape>): string[] {
  const what = replayed === 1 ? '1 message is' : `${replayed} messages are`;
  return [`${what} worked again.`, ...(hasMore ? ['There are more: run the same again.'] : [])];
}

/** What waits, then each open alert with its meaning and what to do. */
export function statusLines(status: z.infer<typeof statusShape>): string[] {
  const { customer, waiting, delivering, dead, alerts, resync, last_resync_at: last } = status;
  const under = resync && `${resync.reason}, since ${shortTime(resync.since)}, ${resync.tries} failed tries`;
  return [
    ...table([
      ['customer', cell(customer)],
      ['waiting', String(waiting)],
      ['delivering', String(delivering)],
      ['dead', String(dead)],
      ['resync', safeLine(under ?? 'none under way')],
      ['last resync', shortTime(last)],
    ]),
    '',
    ...(alerts.length === 0 ? ['No open alerts.'] : alerts.flatMap(alertLines)),
  ];
}

type OpenAlert = z.infer<typeof statusShape>['alerts'][number];

function alertLines({ kind, subject, raised_at: at, detail }: OpenAlert): string[] {
  const row = Object.hasOwn(alertRows, kind) ? alertRows[kind as AlertKind] : undefined;
  const head = [row?.severity ?? 'ALERT', kind, subject, `since ${shortTime(at)}:`, detail];
  return [safeLine(head.join(' ')), ...(row ? [`  ${row.means}`, `  ${row.todo}`] : [])];
}

/** Lines of a table with the rows' errors between them. The first line is the heading. */
const below = (lines: readonly string[], rows: readonly { last_error: string | null }[]): string[] =>
  lines.flatMap((line, index) => {
    const error = rows[index - 1]?.last_error ?? null;
    return error === null ? [line] : [line, `  ${safeLine(error)}`];
  });

const more = (next: string | undefined): string[] =>
  next === undefined ? [] : ['', `There are more: --page ${safeLine(next)}`];

const cell = (text: string): string => safeLine(text, MAX_CELL);

/** `2026-11-22T09:30:00Z`: milliseconds tell a person nothing. */
const shortTime = (iso: string | null): string =>
  iso === null ? NONE : safeLine(iso, MAX_CELL).replace(/\.\d{1,9}Z$/, 'Z');

/** Cells in columns, two spaces apart. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
