import type { PlacedEntry } from '../routed-entry.ts';
import { tailBuffer } from './buffer.ts';

/** A session ends by itself after this; its array is closed, and the client opens another. */
export const MAX_SESSION_MS = 3_600_000;
/** White space between elements, so often, tells a client that is gone from one that has nothing to read. */
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
  /** How long entries wait for others that come late, to be told in order. */
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
export function tailSession({ bufferMs, wants }: TailPlan, tools: TailTools, ended: () => void): TailSession {
  const buffer = tailBuffer();
  const line = lineOf(tools, () => buffer.next(), ended);
  return {
    stream: line.stream,
    take(placed) {
      const nowMs = tools.now();
      const wanted = onceEach(placed.filter(wants));
      for (const each of wanted) buffer.put(each, nowMs);
      if (wanted.length > 0) line.sendAfter(bufferMs);
    },
  };
}

/** The same entry may come by several sinks. */
function onceEach(placed: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const byKey = new Map(placed.map((each) => [JSON.stringify([each.logName, each.ts, each.insertId]), each]));
  return [...byKey.values()];
}

type Line = { stream: ReadableStream<Uint8Array>; sendAfter: (ms: number) => void };

/** The stream of elements, and when they are sent: when their time has come and the reader takes them. */
function lineOf({ after }: TailTools, next: () => string | undefined, ended: () => void): Line {
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
