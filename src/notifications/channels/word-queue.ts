import { MINUTE_MS } from '../../lib/time.ts';
import type { ReceiverChannel } from '../core/protocol.ts';
import type { ChannelContext } from './context.ts';
import { computeInboxWaitMs } from './inbox-commands.ts';

/** Shorter than for other commands: together with a slow pass a stop is in effect within 5 minutes (rule W4). */
export const LONGEST_WORD_WAIT_MS = MINUTE_MS;

/** A word that waits to be taken to its inbox. */
export type QueuedWord = { seq: number; tries: number; channel: ReceiverChannel };

/**
 * Hands the inbox what is to be known of a channel from now on. The inbox takes words in any order and more than once, so
 * they wait for no other command. They have a table of their own: an earlier version would take them for other commands.
 */
export function queueChannelWord({ run, tools }: ChannelContext, channel: ReceiverChannel): void {
  const sql = 'INSERT INTO channel_word (customer, body, due_ms) VALUES (?, ?, ?)';
  run(sql, channel.customer, JSON.stringify(channel), tools.now());
}

const DUE = 'SELECT seq, tries, body FROM channel_word WHERE due_ms <= ? ORDER BY due_ms, seq LIMIT ?';
const OF_CUSTOMER = 'SELECT seq, tries, body FROM channel_word WHERE customer = ? ORDER BY seq DESC LIMIT ?';

/**
 * Claims words that are due, by customer; where a customer is named, all of it, the newest first, whether or not they are
 * due or claimed already: that is a stop which waits for its answer.
 */
export function claimChannelWords(
  context: ChannelContext,
  customer?: string,
): ReadonlyMap<string, readonly QueuedWord[]> {
  const { run, tools, limits } = context;
  const nowMs = tools.now();
  const byCustomer = new Map<string, QueuedWord[]>();
  tools.transaction(() => {
    const rows =
      customer === undefined ? run(DUE, nowMs, limits.commands) : run(OF_CUSTOMER, customer, limits.commands);
    for (const row of rows) {
      const channel = JSON.parse(String(row['body'])) as ReceiverChannel; // Written by `queueChannelWord`.
      const word = { seq: Number(row['seq']), tries: Number(row['tries']), channel };
      postponeWord(context, word, nowMs + limits.leaseMs);
      byCustomer.set(channel.customer, [...(byCustomer.get(channel.customer) ?? []), word]);
    }
  });
  return byCustomer;
}

/**
 * Takes words of one customer to its inbox. After one that is not taken, in time, the rest is tried later; those that are
 * left at `untilMs` are due again.
 */
export async function deliverChannelWords(
  context: ChannelContext,
  words: readonly QueuedWord[],
  untilMs: number,
): Promise<void> {
  const { run, tools, limits } = context;
  for (const [at, { seq, tries, channel }] of words.entries()) {
    const rest = words.slice(at);
    if (tools.now() >= untilMs) {
      for (const word of rest) postponeWord(context, word, tools.now());
      return;
    }
    const learn = () => tools.command(channel.customer, { do: 'channel', channel });
    const outcome = await context.within(learn, limits.commandMs);
    if (!outcome.ok) {
      run('UPDATE channel_word SET tries = tries + 1 WHERE seq = ?', seq);
      const againMs = tools.now() + computeInboxWaitMs(tries, LONGEST_WORD_WAIT_MS);
      for (const word of rest) postponeWord(context, word, againMs);
      tools.log({ event: 'errand_not_taken', do: 'channel', tries: tries + 1, error: outcome.name });
      return;
    }
    run('DELETE FROM channel_word WHERE seq = ?', seq);
  }
}

const postponeWord = ({ run }: ChannelContext, { seq }: QueuedWord, dueMs: number): void => {
  run('UPDATE channel_word SET due_ms = ? WHERE seq = ?', dueMs, seq);
};
