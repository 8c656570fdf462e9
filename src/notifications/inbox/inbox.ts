import { over, raise } from './alerts.ts';
import { claimDeliveries, delivered, undelivered } from './deliveries.ts';
import { messages, status } from './list-queries.ts';
import type { Digested, InboxState } from './inbox-state.ts';
import { digest, keep, openJournal } from './journal.ts';
import { nextDueMs, prune } from './prune.ts';
import { replay } from './replay.ts';
import { claimResync, listed, orderResync, resyncFailed } from './resync.ts';
import { type InboxLimits, openDesk, ownRow, textOr } from './tables.ts';
import { claimUnits, failed, found } from './pending-users.ts';
import type { StateTools } from '../core/sql.ts';

/**
 * The state of one customer's inbox over the SQLite of its object: each call is one transaction, and nothing is held
 * outside the tables but a count of the journal, so it may be opened again at any moment. One of them is open at a time.
 */
export function openInbox(tools: StateTools & { limits?: Partial<InboxLimits> }): InboxState {
  const desk = openDesk(tools, tools.limits ?? {});
  const journal = openJournal(desk);
  const { transaction } = tools;
  return {
    keep: (customer, list) => {
      const outcomes = transaction(() => keep(desk, journal, { customer, texts: list }));
      // Only now: what is rolled back is not there.
      journal.customer = customer;
      journal.messages += outcomes.filter((outcome) => outcome === 'kept').length;
      return outcomes;
    },
    digest: () => {
      const outcome: Digested = transaction(() => digest(desk, journal));
      journal.messages -= outcome.digested;
      return outcome;
    },
    customer: () => textOr(ownRow(desk)?.['customer'], undefined),
    claimUnits: (limit) => transaction(() => claimUnits(desk, limit)),
    found: (outcome) => transaction(() => found(desk, outcome)),
    failed: (unit, why) => transaction(() => failed(desk, unit, why)),
    claimDeliveries: (limit, sink) => transaction(() => claimDeliveries(desk, limit, sink)),
    delivered: (delivery) => transaction(() => delivered(desk, delivery)),
    undelivered: (delivery, why) => transaction(() => undelivered(desk, delivery, why)),
    resync: (customer, order) => transaction(() => orderResync(desk, customer, order)),
    claimResync: () => transaction(() => claimResync(desk)),
    listed: (step, users, nextPageToken) => transaction(() => listed(desk, step, { users, nextPageToken })),
    resyncFailed: (step, why) => transaction(() => resyncFailed(desk, step, why)),
    raise: (customer, alert, sinksFor) => transaction(() => raise(desk, customer, { alert, sinksFor })),
    over: (kind, subject) => transaction(() => over(desk, kind, subject)),
    messages: (query) => messages(desk, query),
    replay: (range) => transaction(() => replay(desk, range)),
    status: () => status(desk, journal),
    prune: () => transaction(() => prune(desk)),
    nextDueMs: () => nextDueMs(desk, journal),
  };
}
