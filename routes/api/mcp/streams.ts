/** Streams of `subscriptions/listen` that one account, or one network of callers without a token, may keep open. */
const MAX_STREAMS_OF_CALLER = 4;

const open = new Map<string, number>();

/** A place for one more stream of this caller: a function that gives it back, once; undefined when it has too many. */
export function takeStream(caller: string): (() => void) | undefined {
  const streams = open.get(caller) ?? 0;
  if (streams >= MAX_STREAMS_OF_CALLER) return undefined;
  open.set(caller, streams + 1);
  let isTaken = true;
  return () => {
    if (isTaken) leave(caller);
    isTaken = false;
  };
}

function leave(caller: string): void {
  const left = (open.get(caller) ?? 1) - 1;
  if (left > 0) open.set(caller, left);
  else open.delete(caller);
}

/** The same answer, which calls `ended` when its stream ends, fails, or is left by the client. */
export function watchStream(answer: Response, signal: AbortSignal, ended: () => void): Response {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!answer.body || !isStream) {
    ended();
    return answer;
  }
  signal.addEventListener('abort', ended, { once: true });
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel: (reason) => {
      ended();
      return reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}
