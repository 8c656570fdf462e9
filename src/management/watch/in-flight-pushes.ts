import type { PushKey } from './push-message.ts';
import type { Run } from './tables.ts';

/** A message of which nothing is heard for so long, beyond its delivery and the queue's own wait, is handed out again. */
export const LEASE_MS = 30_000;
/** Messages that are on their way to a receiver at a time: of one channel, and of one tenant (rule K8). */
const CHANNEL_IN_FLIGHT = 2;
const TENANT_IN_FLIGHT = 10;

/**
 * Messages that are with the queue or on their way: each until it is heard of, or its lease is over. A receiver that
 * keeps them waiting is to hold few of them, so that it does not hold up those of other tenants.
 */
export type Flights = {
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

export function flightsOf(run: Run): Flights {
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
    roomOfFailing: (nowMs) => roomOfFailing(run, nowMs),
  };
}

function roomOfFailing(run: Run, nowMs: number): (channel: string) => number {
  const rows = run(
    `SELECT c.id, count(*) AS n FROM channel c CROSS JOIN push_flight f ON f.channel = c.id
     WHERE c.failures > 0 AND f.until_ms > ? GROUP BY c.id`,
    nowMs,
  );
  const flights = new Map(rows.map(({ id, n }) => [String(id), Number(n)]));
  let rest = TENANT_IN_FLIGHT - [...flights.values()].reduce((sum, n) => sum + n, 0);
  return (channel) => {
    const room = Math.max(0, Math.min(CHANNEL_IN_FLIGHT - (flights.get(channel) ?? 0), rest));
    rest -= room;
    return room;
  };
}
