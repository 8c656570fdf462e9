import type { RecordBuffer } from './buffer.ts';
import { latest } from './latest.ts';
import { randomHex } from './random-hex.ts';
import { type Arrived, factsOf, finished, requestSpan, type Running, serverSpan, SPAN_BYTES } from './request-span.ts';
import { scrubbed } from './scrub.ts';
import type { Carrier } from './shipping.ts';
import type { AttributeValue, SpanKind } from './wire.ts';

/** Requests of this isolate that lines and spans find by their id; the oldest is forgotten. */
export const MAX_KNOWN = 1_000;

const TRACE_BYTES = 16;

export type RecorderTools = {
  buffer: RecordBuffer;
  ship: (carrier: Carrier) => void;
  /** Unix milliseconds. */
  now: () => number;
  random: (bytes: number) => Uint8Array;
  /** Whether the spans of one more trace may be kept. */
  mayKeep: () => boolean;
};

/** What is told of a request when it is answered: the template of its route, '' for none; the method's row of an interface. */
export type AnsweredFacts = { status: number; route: string; rpcMethod?: string };

/** Work that no request asked for: a batch of a queue, a tick of the clock. */
export type Task = {
  name: string;
  kind: SpanKind;
  attributes: Readonly<Record<string, AttributeValue>>;
};

/** Keeps lines and spans of one isolate until they are sent. Nothing here throws, and nothing waits for it. */
export type Recorder = {
  /** Begins a request. The carrier is its own. */
  arrived: (arrived: Arrived, carrier: Carrier) => { answered: (facts: AnsweredFacts) => void };
  /** Keeps a log line, with the trace of the request that it names. */
  line: (text: string, requestId: unknown) => void;
  /** Does a part of a request's work, with a span of its own. */
  timed: <T>(requestId: string, part: { name: string; kind: SpanKind }, work: () => Promise<T>) => Promise<T>;
  /** Does a task, with a span of its own. */
  task: <T>(task: Task, carrier: Carrier, work: () => Promise<T>) => Promise<T>;
};

type Known = { running: Running; carrier: Carrier };

export function recorder({ buffer, ship, now, random, mayKeep }: RecorderTools): Recorder {
  const known = latest<Known>(MAX_KNOWN);
  const hex = randomHex(random);
  /** Without a request there is nobody to send, and nobody who asked for it. */
  let isOn = false;
  return {
    arrived: (arrived, carrier) => {
      const running = serverSpan(arrived, { hex, startMs: now(), mayKeep });
      isOn = true;
      known.keep(arrived.requestId, { running, carrier });
      return {
        answered: ({ rpcMethod, ...answered }) => {
          const atMs = now();
          const http = factsOf(arrived, answered, Math.max(atMs - running.startMs, 0));
          const line = JSON.stringify({
            event: 'request',
            request_id: arrived.requestId,
            ...(rpcMethod === undefined ? {} : { method: rpcMethod }),
          });
          buffer.line({ atMs, line, trace: traceOf(running), http });
          if (running.isSampled) buffer.span(requestSpan(running, arrived, http, rpcMethod));
          ship(carrier);
        },
      };
    },
    line: (text, requestId) => {
      if (!isOn) return;
      const request = typeof requestId === 'string' ? known.find(requestId) : undefined;
      const trace = request === undefined ? {} : { trace: traceOf(request.running) };
      buffer.line({ atMs: now(), line: scrubbed(text), ...trace });
      if (request !== undefined) ship(request.carrier);
    },
    timed: (requestId, { name, kind }, work) => {
      const parent = known.find(requestId)?.running;
      if (parent?.isSampled !== true) return work();
      const { traceId, isSampled } = parent;
      const running = { traceId, spanId: hex(SPAN_BYTES), parentSpanId: parent.spanId, isSampled, startMs: now() };
      return measured(work, (error) => {
        const attributes: Record<string, AttributeValue> = error === undefined ? {} : { 'error.type': error };
        buffer.span(finished(running, { name, kind, attributes, isError: error !== undefined }, now()));
      });
    },
    task: ({ attributes, ...task }, carrier, work) => {
      isOn = true;
      const isSampled = mayKeep();
      const running = { traceId: hex(TRACE_BYTES), spanId: hex(SPAN_BYTES), isSampled, startMs: now() };
      return measured(work, (error) => {
        const all = error === undefined ? attributes : { ...attributes, 'error.type': error };
        const about = { ...task, attributes: all, isError: error !== undefined };
        if (isSampled) buffer.span(finished(running, about, now()));
        ship(carrier);
      });
    },
  };
}

const traceOf = ({ traceId, spanId, isSampled }: Running) => ({ traceId, spanId, isSampled });

/** Does the work and tells its end: the name of the error, if it threw one. */
async function measured<T>(work: () => Promise<T>, ended: (error: string | undefined) => void): Promise<T> {
  let error: string | undefined;
  try {
    return await work();
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.name : typeof thrown;
    throw thrown;
  } finally {
    ended(error);
  }
}
