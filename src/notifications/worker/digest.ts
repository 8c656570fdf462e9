import { type Run, sinksFor } from './run.ts';

const COLLAPSED = 'too many messages wait: all users are read again in their place';

/** Who tells of what collapsed. */
type Teller = Pick<Run, 'state' | 'sinks' | 'now'>;

/**
 * Takes in what stands in the journal, `most` bounded numbers of messages, and tells of channels that had no room.
 * @returns how many messages left the journal
 */
export function digestJournal(teller: Teller, { most, untilMs }: { most: number; untilMs: number }): number {
  let total = 0;
  for (let step = 0; step < most; step += 1) {
    const { digested, collapsed, more } = teller.state.digest();
    total += digested;
    for (const channel of collapsed) raiseCollapsed(teller, channel);
    if (!more || teller.now() >= untilMs) break;
  }
  return total;
}

/** Opens the alert that messages of a channel collapsed into a resync (rule W3). */
export function raiseCollapsed({ state, sinks, now }: Teller, channel: string): void {
  const customer = state.customer();
  if (customer === undefined) return; // Nobody wrote: nothing can have collapsed.
  const alert = { kind: 'messages_collapsed', subject: channel, raisedAtMs: now(), detail: COLLAPSED } as const;
  state.raise(customer, alert, sinksFor({ sinks }));
}
