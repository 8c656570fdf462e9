import { eventOf } from '../../../src/sales/event-stream.ts';

/** A connection whose client is gone is found out by writing to it: a comment every so often, in milliseconds. */
const HEARTBEAT_MS = 1_000;

/** The events of one answer, and whether anybody still reads them. */
export type LiveEvents = {
  readable: ReadableStream<Uint8Array>;
  /** Sends one event; its data is one line of JSON (rule X6). Nothing once the reader is gone. */
  send: (event: string, data: unknown) => void;
  end: () => void;
  /** Aborts when the reader goes away. */
  signal: AbortSignal;
};

/**
 * A stream of server-sent events whose reader decides how long the work goes on: nothing is made for nobody.
 * @param request whose client may go away before the stream is read
 */
export function liveEvents(request: Pick<Request, 'signal'>): LiveEvents {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string): void => controller?.enqueue(encoder.encode(text));
  const timer = setInterval(() => write(': still working\n\n'), HEARTBEAT_MS);
  const stop = (): void => {
    clearInterval(timer);
    controller = undefined;
  };
  const left = (): void => {
    stop();
    leaving.abort();
  };
  request.signal.addEventListener('abort', left, { once: true });
  const readable = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: left,
  });
  return {
    readable,
    signal: leaving.signal,
    send: (event, data) => write(eventOf(event, JSON.stringify(data))),
    end: () => {
      request.signal.removeEventListener('abort', left);
      const open = controller;
      stop();
      open?.close();
    },
  };
}
