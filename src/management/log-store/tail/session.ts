import { MINUTE_MS } from '../../../lib/time.ts';
import type { PlacedEntry } from '../routing.ts';

/** Entries that one session receives in a minute, as at the vendor; any beyond that are left out and counted. */
const MAX_ENTRIES_PER_MINUTE = 60_000;
/** What waits for a reader: beyond either, entries are left out and counted. Characters as JSON. */
const MAX_WAITING_ENTRIES = 10_000;
const MAX_WAITING_CHARS = 4 * 1024 * 1024;
/** An element of the answer has no more entries than that, and ends with the entry that passes so many characters. */
const MAX_ELEMENT_ENTRIES = 1_000;
const ELEMENT_CHARS = 256 * 1024;

/** Why entries are left out (SuppressionInfo.Reason): too many came, or the reader takes too few. */
type Reason = 'RATE_LIMIT' | 'NOT_CONSUMED';

type QueuedTailEntry = { ts: string; insertId: string; json: string };

/** What a session has for its reader, bounded by number, size and rate. */
type TailBuffer = {
  put: (placed: PlacedEntry, nowMs: number) => void;
  /** A TailLogEntriesResponse as JSON: the oldest of what waits, by timestamp and then insertId. Undefined: nothing does. */
  next: () => string | undefined;
};

function createTailBuffer(): TailBuffer {
  let waiting: QueuedTailEntry[] = [];
  let chars = 0;
  let isSorted = true;
  let minute = { sinceMs: 0, count: 0 };
  const suppressed = new Map<Reason, number>();

  const isTooMany = (nowMs: number): boolean => {
    // A clock that was set back begins a new minute as well.
    if (nowMs < minute.sinceMs || nowMs - minute.sinceMs >= MINUTE_MS) minute = { sinceMs: nowMs, count: 0 };
    minute.count += 1;
    return minute.count > MAX_ENTRIES_PER_MINUTE;
  };
  const leaveOut = (reason: Reason): void => {
    suppressed.set(reason, (suppressed.get(reason) ?? 0) + 1);
  };
  const take = (): QueuedTailEntry[] => {
    if (!isSorted) waiting.sort(compareEntryTimes);
    isSorted = true;
    const count = countElementEntries(waiting);
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const { json } of taken) chars -= json.length;
    return taken;
  };
  return {
    put({ ts, insertId, entry }, nowMs) {
      if (isTooMany(nowMs)) {
        leaveOut('RATE_LIMIT');
        return;
      }
      const json = JSON.stringify(entry);
      if (waiting.length >= MAX_WAITING_ENTRIES || chars + json.length > MAX_WAITING_CHARS) {
        leaveOut('NOT_CONSUMED');
        return;
      }
      waiting.push({ ts, insertId, json });
      chars += json.length;
      isSorted = false;
    },
    next() {
      const entries = take();
      const info = [...suppressed].map(([reason, suppressedCount]) => ({ reason, suppressedCount }));
      suppressed.clear();
      return formatTailElement(entries, info);
    },
  };
}

/** How many of the first make an element. */
function countElementEntries(waiting: readonly QueuedTailEntry[]): number {
  let chars = 0;
  for (const [at, { json }] of waiting.entries()) {
    chars += json.length;
    if (at + 1 >= MAX_ELEMENT_ENTRIES || chars >= ELEMENT_CHARS) return at + 1;
  }
  return waiting.length;
}

/** Empty lists are left out, as protobuf's JSON does. */
function formatTailElement(entries: readonly QueuedTailEntry[], info: readonly object[]): string | undefined {
  const members = [
    ...(entries.length === 0 ? [] : [`"entries":[${entries.map(({ json }) => json).join(',')}]`]),
    ...(info.length === 0 ? [] : [`"suppressionInfo":${JSON.stringify(info)}`]),
  ];
  return members.length === 0 ? undefined : `{${members.join(',')}}`;
}

/** Timestamps have one width: their order as texts is that in time. */
function compareEntryTimes(a: QueuedTailEntry, b: QueuedTailEntry): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? -1 : 1;
  if (a.insertId === b.insertId) return 0;
  return a.insertId < b.insertId ? -1 : 1;
}

/** A session ends by itself after this; its array is closed, and the client opens another. */
export const MAX_SESSION_MS = 3_600_000;
/** White space between elements, so often, lets the service find a client that is gone rather than idle. */
const HEARTBEAT_MS = 15_000;
/** What is handed to the reader ahead of its reading. */
const AHEAD_BYTES = 64 * 1024;

/** What a session asks of where it runs. */
export type TailTools = {
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Does the work after a time. @returns what calls it off */
  after: (ms: number, work: () => void) => () => void;
};

export type TailPlan = {
  /** How long entries wait for late ones, so that they are sent in order. */
  bufferMs: number;
  wants: (placed: PlacedEntry) => boolean;
};

/** A client that follows what is written. */
export type TailSession = {
  /** The bytes of a JSON array of TailLogEntriesResponse: elements come while it is read. */
  stream: ReadableStream<Uint8Array>;
  take: (placed: readonly PlacedEntry[]) => void;
};

/** Opens a session. @param ended called once, when it is over: its time is up or the reader is gone */
export function openTailSession({ bufferMs, wants }: TailPlan, tools: TailTools, ended: () => void): TailSession {
  const buffer = createTailBuffer();
  const line = createElementStream(tools, () => buffer.next(), ended);
  return {
    stream: line.stream,
    take(placed) {
      const nowMs = tools.now();
      const wanted = deduplicateEntries(placed.filter(wants));
      for (const each of wanted) buffer.put(each, nowMs);
      if (wanted.length > 0) line.sendAfter(bufferMs);
    },
  };
}

/** The same entry may come by several sinks. */
function deduplicateEntries(placed: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const byKey = new Map(placed.map((each) => [JSON.stringify([each.logName, each.ts, each.insertId]), each]));
  return [...byKey.values()];
}

type Line = { stream: ReadableStream<Uint8Array>; sendAfter: (ms: number) => void };

/** The stream of elements, and when they are sent: when their time has come and the reader takes them. */
function createElementStream({ after }: TailTools, next: () => string | undefined, ended: () => void): Line {
  const encoder = new TextEncoder();
  let controller: ReadableByteStreamController | undefined;
  let separator = '';
  let isDue = false;
  let callOff: (() => void) | undefined;

  const put = (text: string): void => controller?.enqueue(encoder.encode(text));
  const hasRoom = (): boolean => (controller?.desiredSize ?? 0) > 0;
  /** @returns whether there was one */
  const sendOne = (): boolean => {
    const element = next();
    if (element === undefined) return false;
    put(`${separator}${element}`);
    separator = ',\n';
    return true;
  };
  const send = (): void => {
    while (isDue && hasRoom()) isDue = sendOne();
  };
  const over = (): void => {
    for (const stop of [callOff, stopBeat, stopEnd]) stop?.();
    controller = undefined;
    ended();
  };
  const end = (): void => {
    const open = controller;
    while (sendOne()); // As much as waits at most: the reader is not asked any more.
    put(']\n');
    over();
    open?.close();
  };
  const beat = (): void => {
    if (hasRoom()) put('\n');
    stopBeat = after(HEARTBEAT_MS, beat);
  };
  const stream = new ReadableStream(
    {
      type: 'bytes',
      start: (given) => {
        controller = given;
        put('[');
      },
      pull: send,
      cancel: over,
    },
    { highWaterMark: AHEAD_BYTES },
  );
  let stopBeat = after(HEARTBEAT_MS, beat);
  const stopEnd = after(MAX_SESSION_MS, end);
  return {
    stream,
    sendAfter(ms) {
      callOff ??= after(ms, () => {
        callOff = undefined;
        isDue = true;
        send();
      });
    },
  };
}
