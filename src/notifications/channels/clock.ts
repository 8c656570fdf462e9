import { type Desk, setSetting, settingOf } from './context.ts';
import { LONGEST_ERRAND_WAIT_MS } from './inbox-commands.ts';
import { IS_STEP, IS_STOP } from './tables.ts';

const SEEN = 'clock_ms';
/** Our clock is written down when it went on by so much, and counts as set back when it lost as much. */
const STEP_MS = 60_000;

/**
 * Notices that our clock was set back after it had been ahead: what was dated by it then would lie too far ahead, and
 * nothing would be renewed until then.
 */
export function seeClock(desk: Desk): void {
  const nowMs = desk.tools.now();
  const seenMs = Number(settingOf(desk, SEEN) ?? 0);
  if (Math.abs(nowMs - seenMs) < STEP_MS) return;
  setSetting(desk, SEEN, String(nowMs));
  if (nowMs < seenMs) redate(desk, nowMs, seenMs);
}

/**
 * What is due later than it can be is due now, and so is the successor of what was asked for at a time that is yet to
 * come; a life without an answer that seems to begin then begins now. Rare: it looks at all open channels.
 */
function redate(desk: Desk, nowMs: number, seenMs: number): void {
  const { run, tools, limits } = desk;
  tools.log({ event: 'clock_set_back', by_ms: seenMs - nowMs });
  run(
    `UPDATE watch SET due_ms = ?1, claimed_until_ms = 0 WHERE due_ms > ?1 AND ended_ms IS NULL
       AND (current_id IS NULL OR tries > 0 OR claimed_until_ms > ?2 OR due_ms > ?1 + ttl_s * 1000)`,
    nowMs,
    nowMs + limits.leaseMs,
  );
  run(
    `UPDATE watch SET due_ms = ?1, claimed_until_ms = 0 WHERE ended_ms IS NULL AND seq IN
       (SELECT watch_seq FROM channel WHERE due_ms > ?1 AND ${IS_STEP} AND asked_ms > ?1 AND ended_ms IS NULL)`,
    nowMs,
  );
  run(
    `UPDATE channel SET expires_ms = expires_ms - (asked_ms - ?1), asked_ms = ?1, due_ms = expires_ms - (asked_ms - ?1)
       WHERE due_ms > ?1 AND ${IS_STEP} AND asked_ms > ?1 AND state = 'pending'`,
    nowMs,
  );
  run(`UPDATE channel SET due_ms = ?1 WHERE due_ms > ?1 AND ${IS_STOP}`, nowMs);
  run('UPDATE errand SET due_ms = ?1 WHERE due_ms > ?2', nowMs, nowMs + LONGEST_ERRAND_WAIT_MS);
  run('UPDATE customer SET resync_ms = ?1 WHERE resync_ms > ?1', nowMs + limits.resyncEveryMs);
}
