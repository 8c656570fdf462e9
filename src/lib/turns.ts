/** A turn of the event loop: whatever is ready elsewhere goes first. */
export const yieldToEventLoop = (): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), 0);
  });

/** Between two looks whether it is one's turn, in milliseconds. */
const LOOK_EVERY_MS = 10;
/** A holder without a sign of life for so long is gone: its request was cancelled. */
const GONE_AFTER_MS = 5_000;
/** Longest wait for a turn. */
const MAX_WAIT_MS = 30_000;

/** A turn that was taken. */
export type SerialTurn = {
  /** Called now and then while the work goes on, at least each second. */
  isAlive: () => void;
  end: () => void;
};

export type Turns = {
  /** Waits for a turn; undefined when too many wait already, or it took too long. */
  take: () => Promise<SerialTurn | undefined>;
};

type Holder = { seenMs: number };

/**
 * Lets one request of an isolate work at a time, the others in their order. Each waits by looking, with a timer of its
 * own: on Workers a request that waits for another one's promise is ended as hung, and a request that is cancelled never
 * runs its `finally`, so that a turn is also over when its holder has not been seen for five seconds.
 */
export function createTurns(maxWaiting: number, nowMs: () => number = Date.now): Turns {
  const waiting: Holder[] = [];
  let running: Holder | undefined;
  const isGone = ({ seenMs }: Holder): boolean => nowMs() - seenMs > GONE_AFTER_MS;
  const mayRun = (me: Holder): boolean => {
    if (!waiting.includes(me)) waiting.push(me); // It was taken for gone: the isolate was busy.
    while (waiting[0] !== undefined && waiting[0] !== me && isGone(waiting[0])) waiting.shift();
    return waiting[0] === me && (running === undefined || isGone(running));
  };
  return {
    async take() {
      if (waiting.length >= maxWaiting) waiting.splice(0, waiting.length, ...waiting.filter((one) => !isGone(one)));
      if (waiting.length >= maxWaiting) return undefined;
      const me: Holder = { seenMs: nowMs() };
      const endMs = me.seenMs + MAX_WAIT_MS;
      waiting.push(me);
      while (!mayRun(me)) {
        if (me.seenMs >= endMs) {
          if (waiting.includes(me)) waiting.splice(waiting.indexOf(me), 1);
          return undefined;
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        me.seenMs = nowMs();
      }
      waiting.shift();
      running = me;
      return {
        isAlive: () => {
          me.seenMs = nowMs();
        },
        end: () => {
          if (running === me) running = undefined;
        },
      };
    },
  };
}
