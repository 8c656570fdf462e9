import type { PushRefusal, ReceiverChannel } from '../core/protocol.ts';
import type { SqlRow } from '../../lib/sqlite.ts';
import { formatMessage, parseJournalMessage } from './message.ts';
import { formatSubject, type InboxContext, parseSubject, requireOwner } from './tables.ts';

/**
 * A word of the registry may come late, after a newer one. What it says of a channel moves one way only: a resource that is
 * learnt stays, what is stopped stays stopped, and its end comes nearer.
 */
const LEARN = `INSERT INTO channel (id, watch, resource_id, accepts_ms, holds_ms, drops, subject) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET resource_id = coalesce(resource_id, excluded.resource_id),
    accepts_ms = min(accepts_ms, excluded.accepts_ms), holds_ms = max(holds_ms, excluded.holds_ms),
    drops = max(drops, excluded.drops)`;

/** Holds the registry's word of a channel; one that may change any moment is not held. */
export function recordChannelWord(context: InboxContext, customer: string, channel: ReceiverChannel): void {
  const { id, watch, resourceId, acceptsUntilMs, holdsUntilMs, drops, subject } = channel;
  if (holdsUntilMs === undefined) return;
  requireOwner(context, customer);
  const resource = resourceId ?? null;
  context.run(LEARN, id, watch, resource, acceptsUntilMs, holdsUntilMs, drops ? 1 : 0, formatSubject(subject));
}

/** `text`: the message as it is to be kept. */
export type PushAdmission = { text: string } | { refusal: PushRefusal };

/** Judges a message by the word that is held of its channel (rules W4, W5), as the receiver does by one that it asked for. */
export function admitMessage(context: InboxContext, text: string, resourceId: string): PushAdmission {
  const message = parseJournalMessage(text);
  const [held] = context.run(
    'SELECT watch, resource_id, accepts_ms, holds_ms, drops, subject FROM channel WHERE id = ?',
    message.channel,
  );
  const refusal = judgeByWord(held, { watch: message.watch, resourceId, nowMs: context.now() });
  if (held === undefined || refusal !== undefined) return { refusal: refusal ?? 'unknown' };
  const acceptsUntilMs = Number(held['accepts_ms']);
  return { text: formatMessage({ ...message, acceptsUntilMs, subject: parseSubject(String(held['subject'])) }) };
}

type Push = { watch: string; resourceId: string; nowMs: number };

function judgeByWord(held: SqlRow | undefined, { watch, resourceId, nowMs }: Push): PushRefusal | undefined {
  if (held === undefined) return 'unknown';
  if (nowMs >= Number(held['accepts_ms']) || held['watch'] !== watch) return 'forged';
  if (nowMs >= Number(held['holds_ms'])) return 'unknown';
  if (held['resource_id'] !== null && held['resource_id'] !== resourceId) return 'forged';
  if (held['drops'] === 1) return 'dropped';
  return held['resource_id'] === null ? 'unknown' : undefined;
}

/** Forgets channels whose token is dead, a bounded number. @returns how many */
export const forgetChannels = ({ run, limits }: InboxContext, nowMs: number): number =>
  run(
    `DELETE FROM channel WHERE id IN (SELECT id FROM channel WHERE accepts_ms <= ? ORDER BY accepts_ms LIMIT ?)
       RETURNING id`,
    nowMs,
    limits.pruneRows,
  ).length;
