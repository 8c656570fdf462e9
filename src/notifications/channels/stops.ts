import { answerOf, isOutage } from './attempt.ts';
import { move } from './channel-rows.ts';
import { countCall } from './customers.ts';
import type { Desk } from './context.ts';
import { accessOf, raise, settle } from './inbox-commands.ts';
import type { ChannelRow } from './tables.ts';
import { longestWaitMs, waitMs } from './renewal.ts';
import type { VendorFailure } from '../vendor/vendor.ts';

const MAX_DETAIL_CHARS = 300;

/** Asks the vendor to stop a channel that nobody needs any more. @returns whether the claim was ours */
export async function stopChannel(desk: Desk, channel: ChannelRow): Promise<boolean> {
  const { run, tools, limits } = desk;
  const { id, seq, dueMs, resourceId, subject } = channel;
  if (resourceId === null) return false;
  const [won] = run(
    "UPDATE channel SET state = 'stopping', due_ms = ? WHERE seq = ? AND due_ms = ? AND state = ? RETURNING seq",
    Math.max(tools.now() + limits.leaseMs, dueMs + 1),
    seq,
    dueMs,
    channel.state,
  );
  if (won === undefined) return false;
  const answer = await answerOf(desk, () =>
    tools.vendor.stop({ id, resourceId, ...(subject === '' ? {} : { subject }) }),
  );
  tools.transaction(() => book(desk, { ...channel, state: 'stopping' }, answer));
  return true;
}

/** Nobody else writes to a channel that is claimed, unless its life ends meanwhile: then it is not touched. */
function book(desk: Desk, channel: ChannelRow, answer: { ok: true } | VendorFailure): void {
  countCall(desk, channel.customer, isOutage(answer));
  if (answer.ok || answer.reason === 'not_found') {
    move(desk, channel, 'stop_taken', { lastError: null });
    if (channel.tries > 0) settle(desk, accessOf(channel));
    return;
  }
  const { customer, expiresMs } = channel;
  if (answer.reason === 'credentials_refused')
    raise(desk, { customer, kind: 'credentials_refused', subject: accessOf(channel) }, answer.detail);
  const tries = channel.tries + 1;
  const longestMs = longestWaitMs(channel.leadMs, channel.leadMs);
  const backoffMs = waitMs({ tries, longestMs, retryAfterMs: answer.retryAfterMs }, desk.chance());
  const delayMs = isOutage(answer) ? backoffMs : desk.limits.credentialsMs;
  desk.run(
    "UPDATE channel SET tries = ?, last_error = ?, due_ms = ? WHERE seq = ? AND state = 'stopping'",
    tries,
    answer.detail.slice(0, MAX_DETAIL_CHARS),
    Math.ceil(Math.min(expiresMs, desk.tools.now() + delayMs)),
    channel.seq,
  );
}
