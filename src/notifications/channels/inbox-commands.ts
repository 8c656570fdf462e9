import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import type { AlertKind } from '../core/alerts.ts';
import type { SqlRow } from '../../lib/sqlite.ts';
import type { InboxCommand, ResyncOrder } from '../core/protocol.ts';
import type { ChannelContext } from './context.ts';

/** Waits of a customer's commands after its inbox did not take one. */
const FIRST_WAIT_MS = 5_000;
export const LONGEST_ERRAND_WAIT_MS = 5 * 60_000;
const MAX_DOUBLINGS = 10;
const MAX_DETAIL_CHARS = 300;

/** A command that is due, claimed until then. */
export type DueCommand = {
  seq: number;
  customer: string;
  tries: number;
  command: InboxCommand;
  leasedUntilMs: number;
};

/** Whatever happens to a watch is reported under its id, what happens to access under `formatAccessSubject`. */
export type About = { customer: string; kind: AlertKind; subject: string };

const ACCESS_CHARS = 12;

/**
 * What alerts of access are about: a customer, and whom the service account acts for, of whom a log may hold no address.
 */
export const formatAccessSubject = ({ customer, subject }: { customer: string; subject: string }): string =>
  subject === '' ? customer : `${customer}/${bytesToHex(sha256(subject)).slice(0, ACCESS_CHARS)}`;

/** Asks for everything of a customer to be read again, unless that waits to be asked already. */
export function queueResync(context: ChannelContext, customer: string, order: ResyncOrder): void {
  const scope = JSON.stringify([order.domain ?? '', order.subject ?? '']);
  const [waiting] = context.run('SELECT seq FROM errand WHERE customer = ? AND scope = ? LIMIT 1', customer, scope);
  if (waiting === undefined) leave(context, customer, { do: 'resync', order }, scope);
}

/** Reports an alert, unless it is open. @returns whether it was not */
export function raise(context: ChannelContext, { customer, kind, subject }: About, detail: string): boolean {
  const sql = 'INSERT INTO raised (subject, kind, customer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING kind';
  if (context.run(sql, subject, kind, customer).length === 0) return false;
  const alert = { kind, subject, raisedAtMs: context.tools.now(), detail: detail.slice(0, MAX_DETAIL_CHARS) };
  leave(context, customer, { do: 'alert', alert }, null);
  return true;
}

/** Ends the alerts of a subject, or of two. */
export function settle(context: ChannelContext, subject: string, other = subject): void {
  reportEndedWatches(
    context,
    context.run('DELETE FROM raised WHERE subject IN (?, ?) RETURNING subject, kind, customer', subject, other),
  );
}

/** Ends one kind of them. */
export function settleKind(context: ChannelContext, kind: AlertKind, subject: string): void {
  const sql = 'DELETE FROM raised WHERE subject = ? AND kind = ? RETURNING subject, kind, customer';
  reportEndedWatches(context, context.run(sql, subject, kind));
}

function reportEndedWatches(context: ChannelContext, ended: readonly SqlRow[]): void {
  for (const { subject: about, kind, customer } of ended)
    leave(context, String(customer), { do: 'over', kind: String(kind) as AlertKind, subject: String(about) }, null);
}

/** Commands of a customer come in the order in which they were left, also after one was not taken. */
function leave(context: ChannelContext, customer: string, command: InboxCommand, scope: string | null): void {
  context.run(
    `INSERT INTO errand (customer, scope, body, due_ms)
       SELECT ?1, ?2, ?3, max(?4, coalesce((SELECT max(due_ms) FROM errand WHERE customer = ?1), 0))`,
    customer,
    scope,
    JSON.stringify(command),
    context.tools.now(),
  );
}

const DUE = 'SELECT seq, customer, tries, body FROM errand WHERE due_ms <= ? ORDER BY due_ms, seq LIMIT ?';

/**
 * Claims commands that are due, by customer and in order. A resync that is on its way no longer replaces one that is
 * ordered from now on.
 */
export function claimCommands(context: ChannelContext): ReadonlyMap<string, readonly DueCommand[]> {
  const nowMs = context.tools.now();
  const leasedUntilMs = nowMs + context.limits.leaseMs;
  const byCustomer = new Map<string, DueCommand[]>();
  context.tools.transaction(() => {
    for (const row of context.run(DUE, nowMs, context.limits.commands)) {
      const due = parseDueCommand(row, leasedUntilMs);
      context.run('UPDATE errand SET scope = NULL, due_ms = ? WHERE seq = ?', leasedUntilMs, due.seq);
      byCustomer.set(due.customer, [...(byCustomer.get(due.customer) ?? []), due]);
    }
  });
  return byCustomer;
}

/**
 * Takes a customer's commands to its inbox, one after the other; the first that is not taken, in time, holds up the rest.
 * Those that are left at `untilMs` are due again.
 */
export async function deliverInboxCommands(
  context: ChannelContext,
  customer: string,
  commands: readonly DueCommand[],
  untilMs: number,
): Promise<void> {
  for (const { seq, command, tries } of commands) {
    if (context.tools.now() >= untilMs) break;
    const outcome = await context.within(() => context.tools.command(customer, command), context.limits.commandMs);
    if (!outcome.ok) {
      const waitMs = computeInboxWaitMs(tries, LONGEST_ERRAND_WAIT_MS);
      context.run('UPDATE errand SET tries = tries + 1 WHERE seq = ?', seq);
      context.run('UPDATE errand SET due_ms = ? WHERE customer = ?', context.tools.now() + waitMs, customer);
      context.tools.log({ event: 'errand_not_taken', do: command.do, tries: tries + 1, error: outcome.name });
      return;
    }
    context.run('DELETE FROM errand WHERE seq = ?', seq);
  }
  // What was left meanwhile waits for the end of this claim: it may go now.
  const [nowMs, leasedUntilMs] = [context.tools.now(), commands[0]?.leasedUntilMs ?? 0];
  if (nowMs >= leasedUntilMs) return; // It is over, and another may have them.
  context.run('UPDATE errand SET due_ms = ? WHERE customer = ? AND due_ms = ?', nowMs, customer, leasedUntilMs);
}

/** How long an inbox that did not take something is left alone. */
export const computeInboxWaitMs = (tries: number, longestMs: number): number =>
  Math.min(longestMs, FIRST_WAIT_MS * 2 ** Math.min(tries, MAX_DOUBLINGS));

function parseDueCommand(row: Record<string, unknown>, leasedUntilMs: number): DueCommand {
  const command = JSON.parse(String(row['body'])) as InboxCommand; // Written by `leave`.
  const [seq, tries] = [Number(row['seq']), Number(row['tries'])];
  return { seq, customer: String(row['customer']), tries, command, leasedUntilMs };
}
