import { answerOf, isOutage } from './registry-attempt.ts';
import { channelOf, move } from './registry-channels.ts';
import { countCall } from './registry-customers.ts';
import type { Desk } from './registry-desk.ts';
import { raise } from './registry-errands.ts';
import { watchOf } from './registry-channels.ts';
import type { ChannelRow } from './registry-tables.ts';
import { longestWaitMs, waitMs } from './renewal.ts';
import type { VendorFailure } from './vendor.ts';

const MAX_DETAIL_CHARS = 300;

/** Asks the vendor to stop a channel. @returns whether the claim was ours */
export async function stopChannel(desk: Desk, channel: ChannelRow): Promise<boolean> {
  const { run, tools, limits } = desk;
  const { id, seq, dueMs, resourceId } = channel;
  if (resourceId === null) return false;
  const [won] = run(
    "UPDATE channel SET due_ms = ? WHERE seq = ? AND due_ms = ? AND state = 'stopping' RETURNING seq",
    Math.max(tools.now() + limits.leaseMs, dueMs + 1),
    seq,
    dueMs,
  );
  if (won === undefined) return false;
  const subject = watchOf(desk, channel.watch)?.subject;
  const asked = { id, resourceId, ...(subject === undefined || subject === '' ? {} : { subject }) };
  const answer = await answerOf(desk, () => tools.vendor.stop(asked));
  tools.transaction(() => book(desk, id, answer));
  return true;
}

function book(desk: Desk, channelId: string, answer: { ok: true } | VendorFailure): void {
  const channel = channelOf(desk, channelId);
  if (channel === undefined) return;
  countCall(desk, channel.customer, isOutage(answer));
  if (answer.ok || answer.reason === 'not_found') {
    move(desk, channel, 'stop_taken', { lastError: null });
    return;
  }
  const { customer, expiresMs } = channel;
  if (answer.reason === 'credentials_refused')
    raise(desk, { customer, kind: 'credentials_refused', subject: customer }, answer.detail);
  const tries = channel.tries + 1;
  const longestMs = longestWaitMs(channel.leadMs, channel.leadMs);
  const backoffMs = waitMs({ tries, longestMs, retryAfterMs: answer.retryAfterMs }, desk.chance());
  const delayMs = isOutage(answer) ? backoffMs : desk.limits.credentialsMs;
  desk.run(
    'UPDATE channel SET tries = ?, last_error = ?, due_ms = ? WHERE seq = ?',
    tries,
    answer.detail.slice(0, MAX_DETAIL_CHARS),
    Math.ceil(Math.min(expiresMs, desk.tools.now() + delayMs)),
    channel.seq,
  );
}
