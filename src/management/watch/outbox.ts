import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { sum } from '../../lib/numbers.ts';
import { SECOND_MS } from '../../lib/time.ts';
import { classifyHost } from '../../net/address.ts';
import type { RunStatement, SqlRow } from '../../lib/sqlite.ts';
import { createWatchTables, dropChannel, type WatchTools } from './channels.ts';
import { buildPushRequest } from './delivery.ts';
import type { PushKey, PushMessage, PushOutcome, PushRequest } from './push-message.ts';

/** A message of which nothing is heard for so long, beyond its delivery and the queue's own wait, is handed out again. */
const LEASE_MS = 30_000;
/** Messages that are on their way to a receiver at a time: of one channel, and of one tenant (rule K8). */
const CHANNEL_IN_FLIGHT = 2;
const TENANT_IN_FLIGHT = 10;

/**
 * Messages that are with the queue or on their way: each until it is heard of, or its lease is over. A receiver that
 * keeps them waiting is to hold few of them, so that it does not hold up those of other tenants.
 */
type Flights = {
  /** Handed to the queue. */
  handOut: (key: PushKey, nowMs: number) => void;
  /** On its way to the receiver. */
  start: (key: PushKey, nowMs: number) => void;
  /** Arrived, lost, or back in the outbox. */
  end: (key: PushKey) => void;
  /** Whether it is on its way by another copy of the queue's message. */
  isFlying: (key: PushKey, nowMs: number) => boolean;
  /** Whether one more message of the channel may be on its way. */
  hasRoom: (channel: string, nowMs: number) => boolean;
  /** How many more messages each channel may hand out whose receiver fails or is slow. Asked once for all of a claim. */
  roomOfFailing: (nowMs: number) => (channel: string) => number;
};

function createPushFlights(run: RunStatement): Flights {
  const put = ({ channelId, number }: PushKey, taken: 0 | 1, nowMs: number): void => {
    run('INSERT OR REPLACE INTO push_flight VALUES (?, ?, ?, ?)', channelId, number, taken, nowMs + LEASE_MS);
  };
  return {
    handOut: (key, nowMs) => put(key, 0, nowMs),
    start: (key, nowMs) => put(key, 1, nowMs),
    end: ({ channelId, number }) => {
      run('DELETE FROM push_flight WHERE channel = ? AND number = ?', channelId, number);
    },
    isFlying: ({ channelId, number }, nowMs) =>
      run(
        'SELECT 1 AS is_flying FROM push_flight WHERE channel = ? AND number = ? AND taken = 1 AND until_ms > ?',
        channelId,
        number,
        nowMs,
      ).length > 0,
    hasRoom: (channel, nowMs) => {
      const flying = run(
        'SELECT channel FROM push_flight WHERE taken = 1 AND until_ms > ? LIMIT ?',
        nowMs,
        TENANT_IN_FLIGHT,
      );
      const own = flying.filter((row) => row['channel'] === channel);
      return flying.length < TENANT_IN_FLIGHT && own.length < CHANNEL_IN_FLIGHT;
    },
    roomOfFailing: (nowMs) => countRoomOfFailing(run, nowMs),
  };
}

function countRoomOfFailing(run: RunStatement, nowMs: number): (channel: string) => number {
  const rows = run(
    `SELECT c.id, count(*) AS n FROM channel c CROSS JOIN push_flight f ON f.channel = c.id
     WHERE c.failures > 0 AND f.until_ms > ? GROUP BY c.id`,
    nowMs,
  );
  const flights = new Map(rows.map(({ id, n }) => [String(id), Number(n)]));
  let rest = TENANT_IN_FLIGHT - sum([...flights.values()]);
  return (channel) => {
    const room = Math.max(0, Math.min(CHANNEL_IN_FLIGHT - (flights.get(channel) ?? 0), rest));
    rest -= room;
    return room;
  };
}

/** Messages of one channel, and of one tenant to one host, that go out in a second (rules K8, F5). */
const CHANNEL_PER_SECOND = 20;
const HOST_PER_SECOND = 50;
/** Waits before a message is sent again; after the last one it is lost. As many as the queue brings a message back. */
export const BACKOFF_S = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;
/** Failures and slow answers in a row after which a channel pauses (rule K8), and how long: twice as long each time that a probe fails. */
const BREAKER_FAILURES = 20;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Wait after the queue could not be reached. */
const QUEUE_RETRY_MS = 5_000;
const ETAG_CHARS = 27;

/** Messages that are due, as the tenant's object hands them on. Each call is one transaction of its own. */
export type Outbox = {
  /** Messages to hand to the queue now, marked as handed out. The limits of each channel hold. */
  claim: () => readonly PushMessage[];
  /** The queue did not take them: they are due again soon. */
  unclaim: (messages: readonly PushMessage[]) => void;
  /** When the object must look again, in Unix milliseconds; undefined when nothing waits. */
  nextWakeMs: () => number | undefined;
  /** The request of a message that may go out now; see `PushCalls`. */
  take: (key: PushKey) => PushRequest | undefined;
  /** Books what came of it. @returns seconds after which the queue is to bring it again */
  pushed: (key: PushKey, outcome: PushOutcome) => number | undefined;
};

/** What the steps of the outbox work on. */
type OutboxContext = { run: RunStatement; flights: Flights; tools: WatchTools };

export function createPushOutbox(tools: WatchTools): Outbox {
  const run = createWatchTables(tools.sql);
  const context: OutboxContext = { run, flights: createPushFlights(run), tools };
  return {
    claim: () => claim(context),
    unclaim: (messages) => {
      for (const key of messages) putBack(context, key, tools.now() + QUEUE_RETRY_MS);
    },
    nextWakeMs: () => findNextWakeMs(run),
    take: (key) => take(key, context),
    pushed: (key, outcome) => recordPushOutcome(key, outcome, context),
  };
}

function claim({ run, flights, tools }: OutboxContext): readonly PushMessage[] {
  const nowMs = tools.now();
  const waiting = run(
    'SELECT * FROM channel c WHERE EXISTS (SELECT 1 FROM push WHERE channel = c.id AND wake_ms <= ?)',
    nowMs,
  );
  const roomOfFailing = flights.roomOfFailing(nowMs);
  return waiting.flatMap((channel): PushMessage[] => {
    const id = String(channel['id']);
    if (Number(channel['expires_ms']) <= nowMs) dropChannel(run, id);
    const room = Number(channel['expires_ms']) <= nowMs ? 0 : computeChannelRoom(channel, roomOfFailing, nowMs);
    const due = 'SELECT number FROM push WHERE channel = ? AND wake_ms <= ? ORDER BY wake_ms, number LIMIT ?';
    const numbers = run(due, id, nowMs, room).map(({ number }) => Number(number));
    for (const number of numbers) {
      postpone(run, id, number, nowMs + LEASE_MS);
      flights.handOut({ channelId: id, number }, nowMs);
    }
    if (isBroken(channel) && numbers[0] !== undefined) probe(run, id, numbers[0], nowMs);
    else if (numbers.length > 0) spend(run, 'sent', channel, nowMs, numbers.length);
    return numbers.map((number) => ({ tenant: tools.tenant.id, channelId: id, number }));
  });
}

/** How many messages of a channel may be handed out now. */
function computeChannelRoom(channel: SqlRow, roomOfFailing: (channel: string) => number, nowMs: number): number {
  if (isBroken(channel)) return nowMs < Number(channel['paused_until_ms']) ? 0 : 1;
  const room = CHANNEL_PER_SECOND - computeSpentRoom(channel['sent_ms'], channel['sent'], nowMs);
  return Number(channel['failures']) > 0 && room > 0 ? Math.min(room, roomOfFailing(String(channel['id']))) : room;
}

const isBroken = (channel: SqlRow): boolean => Number(channel['failures']) >= BREAKER_FAILURES;

const computeSpentRoom = (sinceMs: unknown, count: unknown, nowMs: number): number =>
  nowMs - Number(sinceMs) < SECOND_MS ? Number(count) : 0;

/** Columns are named here only (rule K9). */
const SPEND = {
  sent: 'UPDATE channel SET sent_ms = ?, sent = ? WHERE id = ?',
  taken: 'UPDATE channel SET taken_ms = ?, taken = ? WHERE id = ?',
} as const;

function spend(run: RunStatement, what: keyof typeof SPEND, channel: SqlRow, nowMs: number, count: number): void {
  const spent = computeSpentRoom(channel[`${what}_ms`], channel[what], nowMs);
  const sinceMs = spent === 0 ? nowMs : Number(channel[`${what}_ms`]);
  run(SPEND[what], sinceMs, spent + count, String(channel['id']));
}

/** One message finds out whether a paused channel works again; the others wait for what comes of it. */
function probe(run: RunStatement, id: string, number: number, nowMs: number): void {
  run('UPDATE channel SET probe = ?, paused_until_ms = ? WHERE id = ?', number, nowMs + LEASE_MS, id);
}

function postpone(run: RunStatement, channel: string, number: number, wakeMs: number): void {
  run('UPDATE push SET wake_ms = ? WHERE channel = ? AND number = ?', wakeMs, channel, number);
}

/** Back in the outbox until then. */
function putBack({ run, flights }: OutboxContext, key: PushKey, wakeMs: number): void {
  postpone(run, key.channelId, key.number, wakeMs);
  flights.end(key);
}

/** Reads one message of each channel, however many wait (rule K9). */
function findNextWakeMs(run: RunStatement): number | undefined {
  const [row] = run(
    `SELECT min(CASE WHEN failures >= ? THEN max(due, paused_until_ms)
       WHEN sent >= ? THEN max(due, sent_ms + ?) ELSE due END) AS wake
     FROM (SELECT failures, paused_until_ms, sent, sent_ms,
       (SELECT min(wake_ms) FROM push WHERE channel = c.id) AS due FROM channel c)`,
    BREAKER_FAILURES,
    CHANNEL_PER_SECOND,
    SECOND_MS,
  );
  return typeof row?.['wake'] === 'number' ? row['wake'] : undefined;
}

function take(key: PushKey, context: OutboxContext): PushRequest | undefined {
  const { run, flights, tools } = context;
  const { channelId, number } = key;
  const nowMs = tools.now();
  const [push] = run('SELECT state, user_id, email FROM push WHERE channel = ? AND number = ?', channelId, number);
  const [channel] = run('SELECT * FROM channel WHERE id = ?', channelId);
  if (push === undefined || channel === undefined) return undefined;
  if (Number(channel['expires_ms']) <= nowMs) {
    dropChannel(run, channelId);
    return undefined;
  }
  if (flights.isFlying(key, nowMs)) return undefined; // The queue brings a message twice now and then.
  const waitUntilMs = findEarliestSendMs(channel, number, context, nowMs);
  if (waitUntilMs !== undefined) {
    putBack(context, key, waitUntilMs);
    return undefined;
  }
  spend(run, 'taken', channel, nowMs, 1);
  flights.start(key, nowMs);
  run(
    'UPDATE push SET wake_ms = ?, attempts = attempts + 1 WHERE channel = ? AND number = ?',
    nowMs + LEASE_MS,
    channelId,
    number,
  );
  const text = [tools.salt, channelId, number].join('\n');
  const etag = `"${bytesToHex(sha256(new TextEncoder().encode(text))).slice(0, ETAG_CHARS)}"`;
  const user =
    push['state'] === 'sync' ? undefined : { id: String(push['user_id']), primaryEmail: String(push['email']) };
  const notification = { number, state: String(push['state']), etag, user };
  return buildPushRequest(readChannelRow(channel), notification, tools.settings.headerPrefix);
}

/** When a message may go out that may not go now: its channel pauses, or too much of it or of its host is on its way or went out in this second. */
function findEarliestSendMs(
  channel: SqlRow,
  number: number,
  { run, flights, tools: { tenant } }: OutboxContext,
  nowMs: number,
): number | undefined {
  if (isBroken(channel) && Number(channel['probe']) !== number)
    return Math.max(Number(channel['paused_until_ms']), nowMs + SECOND_MS);
  if (computeSpentRoom(channel['taken_ms'], channel['taken'], nowMs) >= CHANNEL_PER_SECOND) return nowMs + SECOND_MS;
  if (!flights.hasRoom(String(channel['id']), nowMs)) return nowMs + SECOND_MS;
  const host = String(channel['host']);
  if (tenant.mode === 'sandbox' && classifyHost(host).kind === 'loopback') return undefined;
  const [known] = run('SELECT taken_ms, taken FROM push_host WHERE host = ?', host);
  const spent = computeSpentRoom(known?.['taken_ms'] ?? 0, known?.['taken'] ?? 0, nowMs);
  if (spent >= HOST_PER_SECOND) return nowMs + SECOND_MS;
  run(
    'INSERT OR REPLACE INTO push_host VALUES (?, ?, ?)',
    host,
    spent === 0 ? nowMs : Number(known?.['taken_ms']),
    spent + 1,
  );
  return undefined;
}

function recordPushOutcome(
  key: PushKey,
  outcome: PushOutcome,
  { run, flights, tools }: OutboxContext,
): number | undefined {
  const nowMs = tools.now();
  const { channelId, number } = key;
  const [push] = run('SELECT attempts FROM push WHERE channel = ? AND number = ?', channelId, number);
  const [channel] = run('SELECT failures FROM channel WHERE id = ?', channelId);
  if (push === undefined || channel === undefined) return undefined;
  flights.end(key);
  if (outcome === 'delivered') {
    run('UPDATE channel SET failures = 0, paused_until_ms = 0, probe = 0 WHERE id = ?', channelId);
    finish(run, channelId, number);
    return undefined;
  }
  const pausedUntilMs = countFailure(channelId, Number(channel['failures']) + 1, run, nowMs);
  const delayS = outcome === 'retry' ? BACKOFF_S[Number(push['attempts']) - 1] : undefined;
  if (delayS === undefined) {
    if (outcome !== 'slow') run('UPDATE channel SET lost = lost + 1 WHERE id = ?', channelId);
    finish(run, channelId, number);
    return undefined;
  }
  if (pausedUntilMs > 0) {
    postpone(run, channelId, number, pausedUntilMs);
    return undefined;
  }
  postpone(run, channelId, number, nowMs + delayS * SECOND_MS + LEASE_MS);
  return delayS;
}

/** @returns until when the channel pauses; 0 when it does not */
function countFailure(channelId: string, failures: number, run: RunStatement, nowMs: number): number {
  const pausedUntilMs = failures < BREAKER_FAILURES ? 0 : nowMs + pauseMs(failures);
  run(
    'UPDATE channel SET failures = ?, paused_until_ms = ?, probe = 0 WHERE id = ?',
    failures,
    pausedUntilMs,
    channelId,
  );
  return pausedUntilMs;
}

const pauseMs = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - BREAKER_FAILURES, 10), LONGEST_PAUSE_MS);

function finish(run: RunStatement, channel: string, number: number): void {
  run('DELETE FROM push WHERE channel = ? AND number = ?', channel, number);
  run('UPDATE channel SET queued = queued - 1 WHERE id = ?', channel);
}

const readChannelRow = (row: SqlRow) => ({
  id: String(row['id']),
  resourceId: String(row['resource_id']),
  resourceUri: String(row['resource_uri']),
  address: String(row['address']),
  token: String(row['token']),
  expiresAtMs: Number(row['expires_ms']),
});
