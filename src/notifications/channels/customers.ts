import { judgeCircuit, type Circuit, CLOSED, countFailure, postponeProbe } from './breaker.ts';
import { type ChannelContext, setSetting, readRegistrySetting } from './context.ts';
import { formatAccessSubject, queueResync, raise, settleKind } from './inbox-commands.ts';

const TICK_CURSOR = 'tick_cursor';
/** Domains and subjects of one customer that a daily resync orders: the vendor allows a customer 600 domains. */
const MAX_SCOPES = 2_000;
/** What waited for a circuit comes back within this time after it may be tried. */
const AFTER_OPEN_MS = 10_000;

/** Knows a customer from now on; its daily resync comes at a time of day of its own. */
export function addCustomer(context: ChannelContext, customer: string): void {
  const firstMs = Math.ceil(context.tools.now() + context.limits.resyncEveryMs * context.chance());
  context.run(
    `INSERT INTO customer (id, resync_ms) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET resync_ms = coalesce(resync_ms, excluded.resync_ms)`,
    customer,
    firstMs,
  );
}

/**
 * Whether the vendor may be asked something for a customer now.
 * @returns undefined for yes, or when to come again, Unix milliseconds
 */
export function findHoldEnd(context: ChannelContext, customer: string): number | undefined {
  const nowMs = context.tools.now();
  const circuit = getCircuit(context, customer);
  const may = judgeCircuit(circuit, nowMs);
  if (may === 'go') return undefined;
  if (may === 'wait') return Math.ceil(circuit.openUntilMs + AFTER_OPEN_MS * context.chance());
  keep(context, customer, postponeProbe(circuit, nowMs));
  return undefined;
}

/** Books that the vendor failed to answer, or did answer, a call for a customer. */
export function countCall(context: ChannelContext, customer: string, didFail: boolean): void {
  if (!didFail) {
    if (!context.circuits.has(customer)) return;
    keep(context, customer, CLOSED);
    settleKind(context, 'circuit_open', customer);
    return;
  }
  const after = countFailure(getCircuit(context, customer), context.tools.now());
  keep(context, customer, after);
  if (!after.opened) return;
  const detail = `${after.failures} vendor calls in a row failed: one a minute is tried until one succeeds`;
  raise(context, { customer, kind: 'circuit_open', subject: customer }, detail);
}

const getCircuit = ({ circuits }: ChannelContext, customer: string): Circuit => circuits.get(customer) ?? CLOSED;

function keep({ run, circuits }: ChannelContext, customer: string, { failures, openUntilMs }: Circuit): void {
  if (failures === 0) circuits.delete(customer);
  else circuits.set(customer, { failures, openUntilMs });
  run('UPDATE customer SET failures = ?, open_until_ms = ? WHERE id = ?', failures, openUntilMs, customer);
}

/** Nothing more is asked for a customer, or for a subject of it, that is watched no more: their alerts are over. */
export function settleUnwatched(
  context: ChannelContext,
  { customer, subject }: { customer: string; subject: string },
): void {
  const open = 'SELECT subject FROM watch WHERE customer = ? AND ended_ms IS NULL';
  const subjects = context.run(open, customer).map((row) => String(row['subject']));
  if (!subjects.includes(subject))
    settleKind(context, 'credentials_refused', formatAccessSubject({ customer, subject }));
  if (subjects.length === 0) settleKind(context, 'circuit_open', customer);
}

/** Orders the daily resync of customers whose time has come. @returns how many */
export function startDailyResyncs(context: ChannelContext): number {
  const { run, limits } = context;
  const nowMs = context.tools.now();
  const due = run('SELECT id, resync_ms FROM customer WHERE resync_ms <= ? LIMIT ?', nowMs, limits.passSize);
  for (const row of due) {
    const customer = String(row['id']);
    const scopes = listWatchedScopes(context, customer);
    for (const scope of scopes) queueResync(context, customer, { reason: 'daily', ...scope });
    const lateMs = nowMs - Number(row['resync_ms']);
    const nextMs = nowMs + limits.resyncEveryMs - (lateMs % limits.resyncEveryMs);
    run('UPDATE customer SET resync_ms = ? WHERE id = ?', scopes.length === 0 ? null : nextMs, customer);
  }
  return due.length;
}

/** Watches of the whole customer that work replace those of its domains, each with what its subject may see. */
function listWatchedScopes(
  { run }: ChannelContext,
  customer: string,
): readonly { domain?: string; subject?: string }[] {
  const rows = run(
    `SELECT domain, subject, max(current_id IS NOT NULL) AS works FROM watch WHERE customer = ? AND ended_ms IS NULL
       GROUP BY domain, subject ORDER BY domain, subject LIMIT ?`,
    customer,
    MAX_SCOPES,
  );
  const whole = rows.filter(({ domain, works }) => domain === '' && works === 1);
  return (whole.length > 0 ? whole : rows).map(({ domain, subject }) => ({
    ...(domain === '' ? {} : { domain: String(domain) }),
    ...(subject === '' ? {} : { subject: String(subject) }),
  }));
}

/** Some customers, others each time until all had their turn. */
export function listCustomersInTurn(context: ChannelContext): readonly string[] {
  const after = readRegistrySetting(context, TICK_CURSOR) ?? '';
  const page = (from: string): readonly string[] =>
    context
      .run('SELECT id FROM customer WHERE id > ? ORDER BY id LIMIT ?', from, context.limits.customers)
      .map(({ id }) => String(id));
  const following = page(after);
  const customers = following.length > 0 || after === '' ? following : page('');
  const last = customers.length < context.limits.customers ? '' : (customers.at(-1) ?? '');
  if (last !== after) setSetting(context, TICK_CURSOR, last);
  return customers;
}
