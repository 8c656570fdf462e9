import { isObject, parseJson } from '../lib/json.ts';
import { readAtMost } from '../net/read-body.ts';
import { SECOND_MS } from '../lib/time.ts';
import { countParcelRecords, type OtlpParcel } from './otlp-records.ts';
import type { Dropped } from './wire.ts';

/** Parcels that wait in one isolate, and their characters; beyond either the oldest is left out and counted. */
export const MAX_WAITING_PARCELS = 16;
const MAX_WAITING_CHARS = 4 * 1_048_576;
/** Times that a parcel is sent before it is given up. */
export const MAX_SENDS = 3;
/** Parcels that one invocation sends in a row. */
const MAX_PARCELS_A_FLUSH = 8;
const SEND_TIMEOUT_MS = 4_000;
/** Wait after a failure that does not say how long, and the longest that one may ask for. */
const USUAL_WAIT_MS = 5 * SECOND_MS;
const MAX_WAIT_MS = 60 * SECOND_MS;
/** The invocation that sends a parcel is taken to be gone after this: the parcel is lost. */
const STALE_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;
/** Statuses after which the same may work (OTLP/HTTP, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Where telemetry goes: an address without path, or with one that the paths of the signals follow; and secret headers. */
export type OtlpDestination = { endpoint: string; headers: Readonly<Record<string, string>> };

export type OtlpSenderTools = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Unix milliseconds. */
  now: () => number;
  /** Hears why something is not sent: a word, never an address or a header. */
  failed: (reason: string) => void;
};

/** Sends parcels to an OTLP address, one after the other. */
export type OtlpSender = {
  /** Keeps parcels to be sent. Never waits. */
  put: (parcels: readonly OtlpParcel[]) => void;
  /** Sends what waits, by the I/O of the invocation that calls it. Never throws. */
  flush: (destination: OtlpDestination) => Promise<void>;
  /** Records that were left out since the last time that this was asked: no room, given up, or rejected there. */
  takeDropped: () => Dropped;
  /** Parcels that wait. */
  size: () => number;
};

type Waiting = OtlpParcel & { sends: number };
type Sent = { done: true; rejected: number } | { done: false; again: boolean; waitMs: number; reason: string };

/** Counts what does not get there. */
function createLossCounter() {
  let dropped: Dropped = { lines: 0, spans: 0 };
  const count = ({ signal }: OtlpParcel, records: number): void =>
    void (dropped[signal === 'logs' ? 'lines' : 'spans'] += records);
  return {
    count,
    /** A parcel is lost with what it said of earlier ones. */
    lose: (parcel: OtlpParcel): void => {
      count(parcel, parcel.records);
      dropped.lines += parcel.dropped.lines;
      dropped.spans += parcel.dropped.spans;
    },
    take: (): Dropped => {
      const taken = dropped;
      dropped = { lines: 0, spans: 0 };
      return taken;
    },
  };
}

/** Plain data of one isolate: any of its invocations may send it. */
export function createOtlpSender(tools: OtlpSenderTools): OtlpSender {
  const { now, failed } = tools;
  let waiting: Waiting[] = [];
  let notBeforeMs = -Infinity;
  const { count, lose, take } = createLossCounter();
  const underway = new Map<Waiting, number>();
  const shorten = (): void => {
    let chars = waiting.reduce((sum, { body }) => sum + body.length, 0);
    while (waiting.length > MAX_WAITING_PARCELS || chars > MAX_WAITING_CHARS) {
      const oldest = waiting.shift();
      if (oldest === undefined) return;
      chars -= oldest.body.length;
      lose(oldest);
      failed('full');
    }
  };
  /** What an invocation that is gone was sending is lost. */
  const sweep = (): void => {
    for (const [parcel, sinceMs] of underway) {
      if (now() - sinceMs < STALE_MS) continue;
      underway.delete(parcel);
      lose(parcel);
    }
  };
  const settle = (parcel: Waiting, sent: Sent): boolean => {
    if (!underway.delete(parcel)) return true; // It was taken to be lost, and is counted.
    if (sent.done) {
      if (sent.rejected < countParcelRecords(parcel)) count(parcel, Math.min(sent.rejected, parcel.records));
      else lose(parcel);
      if (sent.rejected > 0) failed('rejected');
      return true;
    }
    failed(sent.reason);
    notBeforeMs = now() + sent.waitMs;
    if (sent.again && parcel.sends < MAX_SENDS) waiting.unshift(parcel);
    else lose(parcel);
    shorten();
    return false;
  };
  return {
    put: (parcels) => {
      waiting.push(...parcels.map((parcel) => ({ ...parcel, sends: 0 })));
      shorten();
    },
    flush: async (destination) => {
      sweep();
      if (underway.size > 0) return; // Another invocation is at it.
      for (let sent = 0; sent < MAX_PARCELS_A_FLUSH && now() >= notBeforeMs; sent += 1) {
        const parcel = waiting.shift();
        if (parcel === undefined) return;
        underway.set(parcel, now());
        parcel.sends += 1;
        if (!settle(parcel, await sendParcel(parcel, destination, tools))) return;
      }
    },
    takeDropped: take,
    size: () => waiting.length,
  };
}

/** Never throws: what becomes of a parcel is data. */
async function sendParcel(
  { signal, body }: OtlpParcel,
  { endpoint, headers }: OtlpDestination,
  tools: Pick<OtlpSenderTools, 'fetch'>,
): Promise<Sent> {
  try {
    const response = await tools.fetch(`${endpoint.replace(/\/$/, '')}/v1/${signal}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual', // The headers are for this address.
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    const answer = await readAnswer(response);
    if (response.ok) return { done: true, rejected: readRejected(answer) };
    const again = RETRYABLE.has(response.status);
    return { done: false, again, waitMs: readWait(response), reason: `status ${response.status}` };
  } catch (error) {
    const reason = error instanceof Error ? error.name : typeof error;
    return { done: false, again: true, waitMs: USUAL_WAIT_MS, reason };
  }
}

/** The body of an answer; undefined where it is too long or breaks off: its status has said what becomes of the parcel. */
async function readAnswer({ body }: Response): Promise<Uint8Array | undefined> {
  try {
    return body === null ? undefined : await readAtMost(body, MAX_ANSWER_BYTES);
  } catch {
    return undefined;
  }
}

function readWait({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds * SECOND_MS, MAX_WAIT_MS) : USUAL_WAIT_MS;
}

/** Records that the answer says were not kept. */
function readRejected(answer: Uint8Array | undefined): number {
  const said = answer === undefined ? undefined : parseJson(new TextDecoder().decode(answer));
  const partial = isObject(said) ? said['partialSuccess'] : undefined;
  if (!isObject(partial)) return 0;
  const count = Number(partial['rejectedSpans'] ?? partial['rejectedLogRecords'] ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
