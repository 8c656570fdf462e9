import type { Journal } from './journal.ts';
import { tally } from './message-transitions.ts';
import { type Desk, KEEP_GONE_MS } from './tables.ts';

/** Deletes what was kept long enough, a bounded number of rows. @returns whether there is more */
export function prune(desk: Desk): boolean {
  const { run, limits } = desk;
  const nowMs = desk.now();
  const gone = run(
    `DELETE FROM known WHERE user_id IN (SELECT user_id FROM known WHERE prune_ms <= ? ORDER BY prune_ms LIMIT ?)
       RETURNING user_id`,
    nowMs,
    limits.pruneRows,
  ).length;
  // An alert that nobody ended may be raised again after as long a time.
  const alerts = run(
    `DELETE FROM alert WHERE (kind, subject) IN (SELECT kind, subject FROM alert WHERE raised_ms <= ?
       ORDER BY raised_ms LIMIT ?) RETURNING kind`,
    nowMs - KEEP_GONE_MS,
    limits.pruneRows,
  ).length;
  return Math.max(pruneMessages(desk, nowMs), alerts, gone) >= limits.pruneRows;
}

function pruneMessages(desk: Desk, nowMs: number): number {
  const gone = desk.run(
    `DELETE FROM message WHERE seq IN (SELECT seq FROM message WHERE prune_ms <= ? ORDER BY prune_ms LIMIT ?)
       RETURNING channel, state, effect`,
    nowMs,
    desk.limits.pruneRows,
  );
  for (const { channel, effect } of gone.filter(({ state }) => state === 'dead')) {
    tally(desk, String(channel), { dead: -1 });
    if (typeof effect === 'string') desk.run(DROP_DELIVERIES, effect, effect);
  }
  return gone.length;
}

/** Nobody can replay them any more. */
const DROP_DELIVERIES = `DELETE FROM delivery WHERE effect = ? AND due_ms IS NULL
  AND NOT EXISTS (SELECT 1 FROM message WHERE effect = ?)`;

const DUE = [
  'SELECT min(due_ms) AS due FROM unit',
  'SELECT min(due_ms) AS due FROM delivery WHERE due_ms IS NOT NULL',
  'SELECT min(due_ms) AS due FROM resync',
] as const;

/** When something is to be taken in, read, told or listed next. Pruning waits for the next visit. */
export function nextDueMs({ run, now }: Desk, journal: Journal): number | undefined {
  if (journal.messages > 0) return now();
  const due = DUE.map((query) => run(query)[0]?.['due']).filter((value) => typeof value === 'number');
  return due.length === 0 ? undefined : Math.min(...due);
}
