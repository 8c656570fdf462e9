import { SECOND_MS, DAY_MS, formatIsoTimestamp } from '../../lib/time.ts';
import type {
  ChannelAnswer,
  ChannelQuery,
  ChannelRefusal,
  ReceiverChannel,
  ListPage,
  RegistryCalls,
  RegistrySurvey,
} from '../core/protocol.ts';
import { requestChannel } from './attempt.ts';
import { findChannel, coverDueMs, openChannels, release, supersedeChannels, findWatch } from './channel-rows.ts';
import {
  type ChannelContext,
  createChannelContext,
  type RegistryTools,
  setSetting,
  readRegistrySetting,
} from './context.ts';
import { listCustomersInTurn, addCustomer, settleUnwatched } from './customers.ts';
import { settle } from './inbox-commands.ts';
import { announceStop, toReceiverChannel } from './receiver-channel.ts';
import { computeNextPassMs, runRenewalPass, type PassReport } from './renewal-pass.ts';
import { computeLeadMs } from './renewal.ts';
import type { ChannelRow, WatchRow } from './tables.ts';
import { find, listChannels, findKnownChannel, toChannelView } from './views.ts';
import { claimChannelWords, deliverChannelWords } from './word-queue.ts';
import { CHANNEL_STATES, type ChannelState, type ChannelView, type NewWatch } from './channel.ts';

/** Counting ends here: the rest of a state is "and more". */
const MOST_COUNTED = 10_000;
const MAX_CUSTOMERS = 1_000;

const COUNT = 'SELECT count(*) AS n FROM (SELECT 1 FROM channel WHERE state = ? LIMIT ?)';
const NEXT = 'SELECT id, customer, due_ms FROM watch WHERE ended_ms IS NULL ORDER BY due_ms LIMIT 1';

/** How many channels are in which state, and which watch asks for its next channel first. */
function survey({ run }: ChannelContext): RegistrySurvey {
  const counts = Object.fromEntries(
    CHANNEL_STATES.map((state) => [state, Number(run(COUNT, state, MOST_COUNTED)[0]?.['n'] ?? 0)]),
  ) as Record<ChannelState, number>; // One for each of the states.
  const [first] = run(NEXT);
  return {
    counts,
    most_counted: MOST_COUNTED,
    next:
      first === undefined
        ? null
        : {
            watch: String(first['id']),
            customer: String(first['customer']),
            due_at: formatIsoTimestamp(Number(first['due_ms'])),
          },
  };
}

/** Customers that are or were watched, in the order of their ids. @param after the last one of the page before */
function listCustomersAfter({ run }: ChannelContext, after: string, limit: number): readonly string[] {
  const most = Math.min(Math.max(Math.trunc(limit), 1), MAX_CUSTOMERS);
  return run('SELECT id FROM customer WHERE id > ? ORDER BY id LIMIT ?', after, most).map(({ id }) => String(id));
}

export type { RegistryTools } from './context.ts';

const WATCH_ID_BYTES = 16;
const OPEN_WATCHES = 'open_watches';

/** All watches and channels. What has no Promise is one transaction. See `RegistryCalls`. */
export type Registry = Pick<RegistryCalls, 'open' | 'renew'> & {
  lookup: (channelId: string) => ReceiverChannel | null;
  synced: (channelId: string, resourceId: string) => 'ok' | 'mismatch' | 'unknown';
  list: (query: ChannelQuery) => ListPage<ChannelView>;
  get: (id: string, customer?: string) => ChannelView | null;
  stop: (id: string, customer?: string) => ChannelAnswer;
  /** Takes the words of channels that wait for a customer's inbox there now; what it does not take, passes try again. */
  deliver: (customer: string) => Promise<void>;
  survey: () => RegistrySurvey;
  customersAfter: (after: string, limit: number) => readonly string[];
  /** Does what is due. While one pass runs, a call for another waits for that one, unless it is stuck. */
  pass: () => Promise<PassReport>;
  /** Customers whose inbox is to be looked after: others with each call. */
  customers: () => readonly string[];
  /** When there is something to do next, Unix milliseconds; undefined for never. */
  nextDueMs: () => number | undefined;
};

export function openRegistry(tools: RegistryTools): Registry {
  const context = createChannelContext(tools);
  const { transaction } = tools;
  let running: { report: Promise<PassReport>; sinceMs: number } | undefined;
  return {
    lookup: (channelId) => findKnownChannel(context, channelId),
    synced: (channelId, resourceId) => transaction(() => recordSync(context, channelId, resourceId)),
    open: (order) => open(context, order),
    list: (query) => listChannels(context, query),
    get: (id, customer) => {
      const found = find(context, id, customer);
      return found === undefined ? null : toChannelView(context, found.watch, found.channel);
    },
    survey: () => survey(context),
    customersAfter: (after, limit) => listCustomersAfter(context, after, limit),
    renew: (id, customer) => renew(context, id, customer),
    stop: (id, customer) => transaction(() => stop(context, id, customer)),
    deliver: async (customer) => {
      const words = claimChannelWords(context, customer).get(customer) ?? [];
      await deliverChannelWords(context, words, tools.now() + context.limits.commandMs);
    },
    pass: () => {
      const nowMs = tools.now();
      if (running !== undefined && Math.abs(nowMs - running.sinceMs) < context.limits.stuckMs) return running.report;
      const report = runRenewalPass(context).finally(() => {
        if (running?.report === report) running = undefined;
      });
      running = { report, sinceMs: nowMs };
      return report;
    },
    customers: () => transaction(() => listCustomersInTurn(context)),
    nextDueMs: () => computeNextPassMs(context),
  };
}

/** Only here and in the watch response a resource id is learnt (rule W5). */
function recordSync(context: ChannelContext, channelId: string, resourceId: string): 'ok' | 'mismatch' | 'unknown' {
  const channel = findChannel(context, channelId);
  if (channel === undefined || toReceiverChannel(context, channel) === null) return 'unknown';
  if (channel.resourceId !== null && channel.resourceId !== resourceId) return 'mismatch';
  if (channel.syncedMs !== null) return 'ok';
  const nowMs = context.tools.now();
  const known = { ...channel, resourceId, syncedMs: nowMs };
  const covers = channel.state === 'active' || channel.state === 'renewing';
  const dueMs = covers ? coverDueMs(known, context.limits, nowMs) : channel.dueMs;
  const sql = 'UPDATE channel SET resource_id = ?, synced_ms = ?, due_ms = ? WHERE seq = ?';
  context.run(sql, resourceId, nowMs, dueMs, channel.seq);
  settle(context, channelId);
  if (covers) supersedeChannels(context, channel.watchSeq, channel.seq);
  if (channel.drops || isOrphan(context, channel)) release(context, { ...known, dueMs });
  return 'ok';
}

/** Its answer was lost, and a later one covers the watch. */
function isOrphan(context: ChannelContext, { state, lost, watch, seq }: ChannelRow): boolean {
  if (state !== 'pending' || !lost) return false;
  const current = findChannel(context, findWatch(context, watch)?.currentId ?? null);
  return current !== undefined && current.seq > seq;
}

async function open(context: ChannelContext, order: NewWatch): Promise<ChannelAnswer> {
  const made = context.tools.transaction(() => make(context, order));
  if (!made.ok) return made;
  const watch = findWatch(context, made.id);
  if (watch !== undefined) await requestChannel(context, watch);
  return context.tools.transaction(() => findFinalRefusal(context, made.id) ?? describeWatchAnswer(context, made.id));
}

/** What the vendor will never take is refused to anyone who asks for it, and not watched. */
function findFinalRefusal(context: ChannelContext, watchId: string): ChannelRefusal | undefined {
  const sql = "SELECT kind FROM raised WHERE subject = ? AND kind = 'watch_refused'";
  const watch = context.run(sql, watchId).length === 0 ? undefined : findWatch(context, watchId);
  if (watch === undefined) return undefined;
  endWatch(context, watch);
  return { ok: false, reason: 'watch_refused', detail: watch.lastError ?? '' };
}

type CreatedWatch = { ok: true; id: string } | ChannelRefusal;

function make(context: ChannelContext, { target, event, ttlSeconds, subject }: NewWatch): CreatedWatch {
  const { run, tools, limits } = context;
  const domain = target.domain ?? '';
  const same = 'SELECT id FROM watch WHERE customer = ? AND domain = ? AND event = ? AND ended_ms IS NULL';
  const [known] = run(same, target.customer, domain, event ?? '');
  if (known !== undefined)
    return { ok: false, reason: 'already_watched', detail: `Watch ${String(known['id'])} watches the same` };
  const count = Number(readRegistrySetting(context, OPEN_WATCHES) ?? 0);
  if (count >= limits.watches)
    return { ok: false, reason: 'limit_reached', detail: `At most ${limits.watches} watches may be open` };
  const id = tools.random(WATCH_ID_BYTES);
  const ttlS = ttlSeconds ?? tools.ttlSeconds;
  const dueMs = tools.now();
  run(
    `INSERT INTO watch (id, customer, domain, event, subject, ttl_s, lead_ms, due_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    target.customer,
    domain,
    event ?? '',
    subject ?? '',
    ttlS,
    computeLeadMs(ttlS * SECOND_MS),
    dueMs,
  );
  setSetting(context, OPEN_WATCHES, String(count + 1));
  addCustomer(context, target.customer);
  return { ok: true, id };
}

/** Asks for a successor now, whatever the backoff or the circuit say; not while one is being asked for. */
async function renew(context: ChannelContext, id: string, customer: string | undefined): Promise<ChannelAnswer> {
  const found = find(context, id, customer);
  if (found === undefined) return notFound;
  const { watch } = found;
  if (watch.endedMs !== null) return notOpen;
  if (watch.claimedUntilMs <= context.tools.now()) await requestChannel(context, watch);
  return describeWatchAnswer(context, watch.id);
}

function stop(context: ChannelContext, id: string, customer: string | undefined): ChannelAnswer {
  const found = find(context, id, customer);
  if (found === undefined) return notFound;
  const { watch, channel } = found;
  if (watch.endedMs !== null) return notOpen;
  endWatch(context, watch);
  const after = find(context, channel.id, undefined);
  return after === undefined ? notFound : { ok: true, channel: toChannelView(context, after.watch, after.channel) };
}

/**
 * Its channels send nothing that anyone wants any more (rule W4); those without a resource id are stopped once it is
 * known.
 */
function endWatch(context: ChannelContext, watch: WatchRow): void {
  const { run, tools, limits } = context;
  const nowMs = tools.now();
  const goesMs = nowMs + limits.keptMs + DAY_MS;
  run('UPDATE watch SET ended_ms = ?, claimed_until_ms = 0, due_ms = ? WHERE id = ?', nowMs, goesMs, watch.id);
  setSetting(context, OPEN_WATCHES, String(Math.max(0, Number(readRegistrySetting(context, OPEN_WATCHES) ?? 0) - 1)));
  run('UPDATE channel SET drops = 1 WHERE watch_seq = ? AND ended_ms IS NULL', watch.seq);
  for (const channel of openChannels(context, watch.seq)) {
    announceStop(context, channel);
    release(context, channel);
  }
  settle(context, watch.id);
  settleUnwatched(context, watch);
}

function describeWatchAnswer(context: ChannelContext, watchId: string): ChannelAnswer {
  const found = find(context, watchId, undefined);
  return found === undefined ? notFound : { ok: true, channel: toChannelView(context, found.watch, found.channel) };
}

const notFound: ChannelRefusal = { ok: false, reason: 'not_found', detail: 'No such channel or watch' };
const notOpen: ChannelRefusal = { ok: false, reason: 'not_open', detail: 'Its watch was stopped' };
