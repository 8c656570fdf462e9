import { getErrorName } from './errors.ts';

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

/** Does some work for each item, a number of them at a time, in order. The work handles its own failures. */
export async function runForEach<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const MAX_ERROR_NAME_CHARS = 60;

/** How a call ended. `name`: of what it threw, or `Late`; nothing else of it, since its message may hold anything. */
export type SettledCall<T> = { ok: true; value: T } | { ok: false; name: string };

/** Waits for a call of something foreign: never throws, and never waits longer than `limitMs`. */
export async function callWithTimeout<T>(call: () => Promise<T>, limitMs: number): Promise<SettledCall<T>> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<SettledCall<T>>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, name: 'Late' }), limitMs);
  });
  try {
    return await Promise.race([late, call().then((value): SettledCall<T> => ({ ok: true, value }))]);
  } catch (error) {
    return { ok: false, name: getErrorName(error).slice(0, MAX_ERROR_NAME_CHARS) };
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

/**
 * What the first use loads, such as a module. Only what is loaded is kept, never a pending promise: a request must not wait
 * for another request's promise, which may never settle.
 */
export function loadOnce<T extends object>(load: () => Promise<T>): () => Promise<T> {
  let loaded: T | undefined;
  return async () => (loaded ??= await load());
}
