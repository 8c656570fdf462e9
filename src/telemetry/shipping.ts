import type { RecordBuffer, TelemetryBatchContent } from './buffer.ts';
import type { Dropped, NotKept } from './wire.ts';

const NONE: Dropped = { lines: 0, spans: 0 };

/**
 * What a port says of a batch. It is another Worker's, maybe of another version: what is no number of records says that
 * all were kept.
 */
function readRejectedCount(answer: unknown): NotKept {
  if (answer === 'all') return answer;
  if (typeof answer !== 'object' || answer === null) return NONE;
  const { lines, spans } = answer as Readonly<Record<string, unknown>>; // Its members can be looked at.
  return { lines: readCount(lines), spans: readCount(spans) };
}

const readCount = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** Wait for further records before a batch is sent: each batch costs its receiver the same, however little is in it. */
export const WAIT_MS = 1_000;
/** So many records are sent without waiting longer... */
export const SHIP_AT = 200;
/** ...but not sooner than this after the batch before: what telemetry costs has an upper limit. */
export const GAP_MS = 500;
/** Batches that one request sends in a row; then the next request goes on. */
export const MAX_ROUNDS = 20;
/** No round begins later than this: the platform ends an invocation 30 s after its answer, and a round takes 6 s at most. */
export const ROUNDS_MS = 20_000;
/** The sender is taken to be gone after this: its invocation was ended. */
export const STALE_MS = 15_000;

/** How one invocation sends: bound to its own I/O, so only ever used by code of its own. */
export type Carrier = {
  /** Sends a batch, within a time of its own. Answers as `TelemetryPort` does. */
  write: (taken: TelemetryBatchContent) => Promise<unknown>;
  /** Keeps the invocation alive until the promise settles. */
  waitUntil: (promise: Promise<unknown>) => void;
  /** Others wait until the invocation is over, as the next batch of a queue does: it sends at once what there is, and stops. */
  isAwaited?: boolean;
};

export type ShippingTools = {
  buffer: RecordBuffer;
  /** Unix milliseconds. */
  now: () => number;
  wait: (ms: number) => Promise<unknown>;
  /** Hears of a batch that could not be sent. */
  failed: (error: unknown, taken: TelemetryBatchContent) => void;
};

type Outcome = { notKept: ReturnType<typeof readRejectedCount> } | { error: unknown };

/**
 * Sends what a buffer holds, one batch at a time, by the invocation that finds no one at it. Only plain data crosses
 * between invocations: each waits and sends with its own I/O. What cannot be sent is dropped and counted, never
 * repeated.
 */
export function createShipping({ buffer, now, wait, failed }: ShippingTools): (carrier: Carrier) => void {
  let state: 'idle' | 'waiting' | 'sending' = 'idle';
  /** Who is at it: an earlier one that wakes up finds another number and stops. */
  let turn = 0;
  let staleMs = 0;
  let sentMs = -Infinity;
  /** The batch that is being written: if its invocation ends, no one else knows of it. */
  let underway: TelemetryBatchContent | undefined;

  const enter = (next: typeof state): void => {
    state = next;
    staleMs = now() + STALE_MS;
  };
  const settle = (taken: TelemetryBatchContent, outcome: Outcome): void => {
    underway = undefined;
    sentMs = now();
    if ('notKept' in outcome) return buffer.lost(taken, outcome.notKept);
    buffer.lost(taken, 'all');
    return failed(outcome.error, taken);
  };
  const run = async (carrier: Carrier, firstWaitMs: number, mine: number): Promise<void> => {
    const untilMs = now() + ROUNDS_MS;
    const goesOn = (): boolean => carrier.isAwaited !== true && buffer.size() > 0 && now() < untilMs;
    for (let round = 0; round < MAX_ROUNDS && (round === 0 || goesOn()); round += 1) {
      await wait(round === 0 ? firstWaitMs : WAIT_MS);
      if (mine !== turn) return;
      enter('sending');
      const taken = buffer.take();
      underway = taken;
      const outcome = await writeBatch(carrier, taken);
      if (mine !== turn) return; // It was taken to be lost, and is counted.
      settle(taken, outcome);
      enter('waiting');
    }
    state = 'idle';
  };
  const begin = (carrier: Carrier, waitMs: number): void => {
    turn += 1;
    if (underway !== undefined) buffer.lost(underway, 'all');
    underway = undefined;
    enter(waitMs === 0 ? 'sending' : 'waiting');
    const running = run(carrier, waitMs, turn);
    try {
      carrier.waitUntil(running);
    } catch {
      // The invocation is over; it may still get to send, and if not, the next one does. No answer fails for that.
    }
  };
  return (carrier) => {
    if (buffer.size() === 0) return;
    const nowMs = now();
    const isFree = state === 'idle' || nowMs >= staleMs;
    // What it leaves goes with the next invocation.
    if (isFree && carrier.isAwaited === true) return nowMs - sentMs >= GAP_MS ? begin(carrier, 0) : undefined;
    if (isFree) begin(carrier, WAIT_MS);
    else if (state === 'waiting' && carrier.isAwaited !== true && buffer.size() >= SHIP_AT && nowMs - sentMs >= GAP_MS)
      begin(carrier, 0);
  };
}

/** Never throws: what becomes of a batch is data. */
async function writeBatch({ write }: Carrier, taken: TelemetryBatchContent): Promise<Outcome> {
  try {
    return { notKept: readRejectedCount(await write(taken)) };
  } catch (error) {
    return { error };
  }
}
