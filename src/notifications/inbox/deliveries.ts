import { formatErrorText, moveMessages, type Next, insertDeadMessage } from './message-transitions.ts';
import type { Delivery } from './inbox-state.ts';
import { type InboxContext, MAX_TRIES, computeRetryWaitMs } from './tables.ts';
import type { Effect } from '../sinks/sink.ts';
import type { SqlRow } from '../../lib/sqlite.ts';

/** What is being delivered to the same sink of the same user comes first: `supersede` left nothing else. */
const WRITE = `INSERT INTO delivery (effect, sink, body, user_id, due_ms)
  VALUES (?, ?, ?, ?, max(?, coalesce((SELECT max(due_ms) FROM delivery WHERE user_id = ? AND sink = ?), 0)))`;

/** Writes an effect for each sink, to be delivered from now on; one of a user after `supersede`. */
export function writeDeliveries({ run, now }: InboxContext, effect: Effect, sinks: readonly string[]): void {
  const body = JSON.stringify(effect);
  const userId = effect.type === 'user' ? effect.userId : null;
  for (const sink of sinks) run(WRITE, effect.id, sink, body, userId, now(), userId, sink);
}

/**
 * A newer reading of the user found something else: what no sink took yet is not delivered any more, and the messages
 * that led to it go on with the newer reading. What is being delivered just now is not delivered again.
 */
export function supersedeEffects(context: InboxContext, userId: string, next: Next): void {
  const { run, now } = context;
  const older = run('SELECT effect FROM delivery WHERE user_id = ?', userId);
  for (const effect of new Set(older.map((row) => String(row['effect']))))
    for (const which of ['deliveringOfEffect', 'deadOfEffect'] as const) moveMessages(context, which, [effect], next);
  if (older.length === 0) return;
  run('DELETE FROM delivery WHERE user_id = ? AND (leased = 0 OR due_ms <= ?)', userId, now());
  run('UPDATE delivery SET superseded = 1 WHERE user_id = ?', userId);
}

const DUE = 'SELECT n, sink, body, tries FROM delivery WHERE due_ms <= ? ORDER BY due_ms, n LIMIT ?';
const DUE_OF_SINK =
  'SELECT n, sink, body, tries FROM delivery WHERE sink = ? AND due_ms <= ? ORDER BY due_ms, n LIMIT ?';

/** Deliveries that are due, the oldest effect first, leased. `sink`: only those of it. */
export function claimDeliveries({ run, now, limits }: InboxContext, limit: number, sink?: string): readonly Delivery[] {
  const nowMs = now();
  run('DELETE FROM delivery WHERE superseded = 1 AND due_ms <= ?', nowMs);
  const leasedUntilMs = nowMs + limits.leaseMs;
  const due = sink === undefined ? run(DUE, nowMs, limit) : run(DUE_OF_SINK, sink, nowMs, limit);
  return due.map((row): Delivery => {
    run('UPDATE delivery SET due_ms = ?, leased = 1 WHERE n = ?', leasedUntilMs, Number(row['n']));
    return { sink: String(row['sink']), effect: parseEffect(row['body']), tries: Number(row['tries']), leasedUntilMs };
  });
}

/** The column holds what `writeDeliveries` wrote, and nothing else. */
const parseEffect = (body: unknown): Effect => JSON.parse(String(body)) as Effect;

/** The row of a delivery that its holder may book; undefined where it is gone, or someone else is telling it now. */
function findLeasedDelivery({ run, now }: InboxContext, { sink, effect, leasedUntilMs }: Delivery): SqlRow | undefined {
  const [row] = run(
    'SELECT n, tries, due_ms, leased, superseded FROM delivery WHERE effect = ? AND sink = ?',
    effect.id,
    sink,
  );
  const dueMs = Number(row?.['due_ms'] ?? 0);
  return row?.['leased'] === 1 && dueMs > now() && dueMs !== leasedUntilMs ? undefined : row;
}

/** It is not delivered any more: what waited for its end is due. */
function remove({ run, now }: InboxContext, { n, superseded }: SqlRow, { sink, effect }: Delivery): void {
  run('DELETE FROM delivery WHERE n = ?', Number(n));
  if (superseded !== 1 || effect.type !== 'user') return;
  run(
    'UPDATE delivery SET due_ms = ? WHERE user_id = ? AND sink = ? AND due_ms > ?',
    now(),
    effect.userId,
    sink,
    now(),
  );
}

/** A sink took it. Once all have, the messages that led to it are worked. */
export function recordDelivered(context: InboxContext, delivery: Delivery): void {
  const { effect } = delivery;
  const row = findLeasedDelivery(context, delivery);
  if (row === undefined) return;
  remove(context, row, delivery);
  if (hasDeliveries(context, effect.id)) return;
  for (const which of ['deliveringOfEffect', 'deadOfEffect'] as const)
    moveMessages(context, which, [effect.id], { state: 'worked' });
}

const hasDeliveries = ({ run }: InboxContext, effect: string): boolean =>
  run('SELECT n FROM delivery WHERE effect = ? LIMIT 1', effect).length > 0;

/** A sink did not take it: see `InboxState`. */
export function recordFailedEffect(
  context: InboxContext,
  delivery: Delivery,
  why: { detail: string; refused: boolean; retryAfterMs?: number | undefined },
): 'again' | 'dead' {
  const { run, now } = context;
  const { sink, effect, tries: before } = delivery;
  const row = findLeasedDelivery(context, delivery);
  // The lease ran out and someone else has booked something since: that counts.
  if (row === undefined || row['due_ms'] === null || Number(row['tries']) !== before) return 'again';
  if (row['superseded'] === 1) {
    remove(context, row, delivery);
    return 'again';
  }
  const tries = before + 1;
  const isDead = why.refused || tries >= MAX_TRIES;
  run(
    'UPDATE delivery SET tries = ?, error = ?, due_ms = ?, leased = 0 WHERE n = ?',
    tries,
    formatErrorText(why.detail),
    isDead ? null : now() + computeRetryWaitMs(tries, why.retryAfterMs),
    Number(row['n']),
  );
  if (isDead) abandonDelivery(context, effect, tries, `${sink}: ${why.detail}`);
  return isDead ? 'dead' : 'again';
}

/** The messages that led to the effect are dead. Where none did, one is inserted for them, once. */
function abandonDelivery(context: InboxContext, effect: Effect, tries: number, error: string): void {
  if (moveMessages(context, 'deliveringOfEffect', [effect.id], { state: 'dead', effect: effect.id, tries, error }) > 0)
    return;
  const [dead] = context.run(`SELECT seq FROM message WHERE effect = ? AND state = 'dead' LIMIT 1`, effect.id);
  if (dead !== undefined) return;
  const [userId, event] = effect.type === 'user' ? [effect.userId, effect.causes[0] ?? 'resync'] : [null, 'alert'];
  insertDeadMessage(context, { userId, effect: effect.id, event, tries, error });
}

/** Sets the dead deliveries of an effect going again: same effect, same id. */
export function revive({ run, now }: InboxContext, effect: string): void {
  run('UPDATE delivery SET tries = 0, error = NULL, due_ms = ? WHERE effect = ? AND due_ms IS NULL', now(), effect);
}
