import type { Digested } from './inbox-state.ts';
import type { KeepOutcome, NewMessage } from './message.ts';
import { takeIn } from './messages.ts';
import { requestResync } from './resync.ts';
import { requireOwner, type InboxContext, findOwnRow, getTextOr } from './tables.ts';

/** Of one row, and one message more: the SQLite of an object takes 2 MB, and a character is up to 3 bytes. */
const MAX_ROW_CHARS = 500_000;
/** Rows that one digestion looks at. */
const MAX_ROWS = 1_000;

/** What is remembered of the table between calls, so that keeping reads nothing. */
export type Journal = {
  /** The customer whose row is written. */
  customer: string | undefined;
  /** Messages that are in it. */
  messages: number;
};

/** The rows of the table: to be asked again after every opening. */
export function openJournal(context: InboxContext): Journal {
  const [row] = context.run('SELECT sum(count) AS messages FROM journal');
  return {
    customer: getTextOr(findOwnRow(context)?.['customer'], undefined),
    messages: Number(row?.['messages'] ?? 0),
  };
}

/** Writes messages down as they are: one row for many. See `InboxState`. */
export function appendToJournal(
  context: InboxContext,
  journal: Journal,
  { customer, texts }: { customer: string; texts: readonly string[] },
): readonly KeepOutcome[] {
  if (journal.customer !== customer) requireOwner(context, customer);
  const room = Math.max(context.limits.unworkedPerChannel - journal.messages, 0);
  if (Math.min(room, texts.length) > 0) write(context, texts.slice(0, room));
  if (texts.length > room) requestResync(context, customer, { reason: 'messages_collapsed' });
  return texts.map((_text, at) => (at < room ? 'kept' : 'collapsed'));
}

function write(context: InboxContext, texts: readonly string[]): void {
  const joined = texts.join(',');
  if (joined.length <= MAX_ROW_CHARS || texts.length === 1) {
    context.run('INSERT INTO journal (count, messages) VALUES (?, ?)', texts.length, `[${joined}]`);
    return;
  }
  const half = Math.ceil(texts.length / 2);
  write(context, texts.slice(0, half));
  write(context, texts.slice(half));
}

/** Takes the oldest rows in, as many as hold a bounded number of messages: at least one. See `InboxState`. */
export function digestJournalRows(context: InboxContext, journal: Journal): Digested {
  if (journal.messages === 0 || journal.customer === undefined) return { digested: 0, collapsed: [], more: false };
  const { last, digested } = selectFirstRows(context);
  const rows = context.run('DELETE FROM journal WHERE n <= ? RETURNING n, messages', last);
  const messages = rows
    .toSorted((left, right) => Number(left['n']) - Number(right['n']))
    // The column holds what `write` wrote, and nothing else.
    .flatMap((row) => JSON.parse(String(row['messages'])) as NewMessage[]);
  const collapsed = takeIn(context, journal.customer, messages);
  return { digested, collapsed, more: journal.messages > digested };
}

function selectFirstRows({ run, limits }: InboxContext): { last: number; digested: number } {
  let [last, digested] = [0, 0];
  for (const { n, count } of run('SELECT n, count FROM journal WHERE n > 0 ORDER BY n LIMIT ?', MAX_ROWS)) {
    if (digested > 0 && digested + Number(count) > limits.digestMessages) break;
    [last, digested] = [Number(n), digested + Number(count)];
  }
  return { last, digested };
}
