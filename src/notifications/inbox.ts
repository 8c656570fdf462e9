import { over, raise } from './inbox-alerts.ts';
import { claimDeliveries, delivered, undelivered } from './inbox-deliveries.ts';
import { messages, status } from './inbox-list.ts';
import { keep } from './inbox-messages.ts';
import type { InboxState } from './inbox-port.ts';
import { nextDueMs, prune } from './inbox-prune.ts';
import { replay } from './inbox-replay.ts';
import { claimResync, listed, orderResync, resyncFailed } from './inbox-resync.ts';
import { type InboxLimits, openDesk, ownRow, textOr } from './inbox-tables.ts';
import { claimUnits, failed, found } from './inbox-units.ts';
import type { StateTools } from './sql.ts';

/**
 * The state of one customer's inbox over the SQLite of its object: each call is one transaction, and nothing is held
 * outside the tables, so it may be opened again at any moment.
 */
export function openInbox(tools: StateTools & { limits?: Partial<InboxLimits> }): InboxState {
  const desk = openDesk(tools, tools.limits ?? {});
  const { transaction } = tools;
  return {
    keep: (customer, list) => transaction(() => keep(desk, customer, list)),
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
    status: () => status(desk),
    prune: () => transaction(() => prune(desk)),
    nextDueMs: () => nextDueMs(desk),
  };
}
