import { errorText, move, standIn } from './inbox-moves.ts';
import type { Delivery } from './inbox-port.ts';
import { type Desk, MAX_TRIES, waitMs } from './inbox-tables.ts';
import type { Effect } from './sinks/sink.ts';

/** Writes an effect for each sink, to be told from now on. @returns how many there are */
export function writeDeliveries({ run, now }: Desk, effect: Effect, sinks: readonly string[]): number {
  const body = JSON.stringify(effect);
  for (const sink of sinks)
    run('INSERT INTO delivery (effect, sink, body, due_ms) VALUES (?, ?, ?, ?)', effect.id, sink, body, now());
  return sinks.length;
}

const DUE = 'SELECT n, sink, body, tries FROM delivery WHERE due_ms <= ? ORDER BY due_ms, n LIMIT ?';
const DUE_OF_SINK =
  'SELECT n, sink, body, tries FROM delivery WHERE sink = ? AND due_ms <= ? ORDER BY due_ms, n LIMIT ?';

/** Deliveries that are due, the oldest effect first, leased. `sink`: only those of it. */
export function claimDeliveries({ run, now, limits }: Desk, limit: number, sink?: string): readonly Delivery[] {
  const nowMs = now();
  const due = sink === undefined ? run(DUE, nowMs, limit) : run(DUE_OF_SINK, sink, nowMs, limit);
  return due.map((row): Delivery => {
    run('UPDATE delivery SET due_ms = ? WHERE n = ?', nowMs + limits.leaseMs, Number(row['n']));
    return { sink: String(row['sink']), effect: effectIn(row['body']), tries: Number(row['tries']) };
  });
}

/** The column holds what `writeDeliveries` wrote, and nothing else. */
const effectIn = (body: unknown): Effect => JSON.parse(String(body)) as Effect;

/** A sink took it. Once all have, the messages that led to it are worked. */
export function delivered(desk: Desk, { sink, effect }: Delivery): void {
  const { run } = desk;
  const told = run('DELETE FROM delivery WHERE effect = ? AND sink = ? RETURNING n', effect.id, sink);
  if (told.length === 0 || hasDeliveries(desk, effect.id)) return;
  for (const which of ['deliveringOfEffect', 'deadOfEffect'] as const)
    move(desk, which, [effect.id], { state: 'worked' });
}

const hasDeliveries = ({ run }: Desk, effect: string): boolean =>
  run('SELECT n FROM delivery WHERE effect = ? LIMIT 1', effect).length > 0;

/** A sink did not take it: see `InboxState`. */
export function undelivered(
  desk: Desk,
  { sink, effect, tries: before }: Delivery,
  why: { detail: string; refused: boolean; retryAfterMs?: number | undefined },
): 'again' | 'dead' {
  const { run, now } = desk;
  const [row] = run('SELECT n, tries, due_ms FROM delivery WHERE effect = ? AND sink = ?', effect.id, sink);
  // The lease ran out and somebody else has booked something since: that counts.
  if (row === undefined || row['due_ms'] === null || Number(row['tries']) !== before) return 'again';
  const tries = before + 1;
  const isDead = why.refused || tries >= MAX_TRIES;
  run(
    'UPDATE delivery SET tries = ?, error = ?, due_ms = ? WHERE n = ?',
    tries,
    errorText(why.detail),
    isDead ? null : now() + waitMs(tries, why.retryAfterMs),
    Number(row['n']),
  );
  if (isDead) giveUp(desk, effect, tries, `${sink}: ${why.detail}`);
  return isDead ? 'dead' : 'again';
}

/** The messages that led to the effect are dead. Where none did, one stands in for them, once. */
function giveUp(desk: Desk, effect: Effect, tries: number, error: string): void {
  if (move(desk, 'deliveringOfEffect', [effect.id], { state: 'dead', effect: effect.id, tries, error }) > 0) return;
  const [dead] = desk.run(`SELECT seq FROM message WHERE effect = ? AND state = 'dead' LIMIT 1`, effect.id);
  if (dead !== undefined) return;
  const [userId, event] = effect.type === 'user' ? [effect.userId, effect.causes[0] ?? 'resync'] : [null, 'alert'];
  standIn(desk, { userId, effect: effect.id, event, tries, error });
}

/** Sets the dead deliveries of an effect going again: same effect, same id. */
export function revive({ run, now }: Desk, effect: string): void {
  run('UPDATE delivery SET tries = 0, error = NULL, due_ms = ? WHERE effect = ? AND due_ms IS NULL', now(), effect);
}
