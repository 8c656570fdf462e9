/** How far the work of a purchase is: only counts, since it is not paid yet (rule P11). */
export type ProgressCounts = { done: number; total?: number; failed?: number };

/** Receives the progress of a purchase. */
export type Watcher = {
  /** The payment is good: from here on the answer is a stream. */
  accepted: () => void;
  progress: (counts: ProgressCounts) => void;
};

export type EventChannel = Watcher & {
  /** Resolves with the first call of `accepted`. */
  whenAccepted: Promise<void>;
  readable: ReadableStream<Uint8Array>;
  /** Sends the last event, `result` or `problem`, and ends the stream. */
  finish: (event: 'result' | 'problem', json: string) => void;
};

/** Proxies drop a connection on which nothing comes; a comment every so often, in milliseconds, keeps it. */
const KEEP_ALIVE_MS = 15_000;

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** A stream of server-sent events. A reader that goes away ends the stream, and nothing else. */
export type EventStream = {
  readable: ReadableStream<Uint8Array>;
  send: (text: string) => void;
  /** From here on a comment comes every so often. */
  keepAlive: () => void;
  end: () => void;
};

export function openEventStream(): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let timer: ReturnType<typeof setInterval> | null = null;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    controller = undefined;
  };
  const readable = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: stop,
  });
  const send = (text: string): void => controller?.enqueue(encoder.encode(text));
  return {
    readable,
    send,
    keepAlive: () => {
      if (controller) timer ??= setInterval(() => send(': still working\n\n'), KEEP_ALIVE_MS);
    },
    end: () => {
      controller?.close();
      stop();
    },
  };
}

/** The events of one purchase. A reader that goes away ends the stream, not the purchase. */
export function createEventChannel(): EventChannel {
  const accepted = Promise.withResolvers<void>();
  const { readable, send, keepAlive, end } = openEventStream();
  return {
    readable,
    whenAccepted: accepted.promise,
    accepted: () => {
      accepted.resolve();
      keepAlive();
    },
    progress: (counts) => send(formatServerSentEvent('progress', JSON.stringify(counts))),
    finish: (event, json) => {
      send(formatServerSentEvent(event, json));
      end();
    },
  };
}

/** JSON has no raw line breaks, so one `data:` line holds it. */
export const formatServerSentEvent = (event: string, json: string): string => `event: ${event}\ndata: ${json}\n\n`;
