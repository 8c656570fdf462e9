/**
 * One kind of work of a run. Each call does a bounded part of what is due of it, and calls `changed` after each thing that
 * may have left something for another lane. @returns how much was done
 */
export type QueueWork = (changed: () => void) => Promise<number>;

export type ConcurrencyLimits = {
  /** Nothing new is begun when this says so. */
  isOver: () => boolean;
  /** What one lane does before it ends by itself. A clock may not advance meanwhile. */
  most: number;
  /** A lane that found nothing looks again so often while another one is busy. */
  lookMs: number;
};

/**
 * Does all lanes side by side, each at its own pace: none waits for another, so a slow one holds up no one. They end
 * when none finds anything, or the time is over. All have ended then, also when one of them threw.
 * @returns how much was done
 */
export function runConcurrentQueues(lanes: readonly QueueWork[], limits: ConcurrencyLimits): Promise<number> {
  const board = createConcurrentQueues(lanes.length, limits.lookMs);
  return sumAll(lanes.map((lane) => runQueue(lane, board, limits)));
}

async function runQueue(
  lane: QueueWork,
  board: ConcurrentQueues,
  { isOver, most }: ConcurrencyLimits,
): Promise<number> {
  let total = 0;
  try {
    while (total < most && !isOver() && !board.isBroken()) {
      const seen = board.changes();
      const done = await lane(board.changed);
      total += done;
      if (done === 0 && !(await board.waitForNews(seen))) break;
    }
    return total;
  } catch (error) {
    board.break();
    throw error;
  } finally {
    board.leave();
  }
}

/** Where lanes tell each other that something changed. */
type ConcurrentQueues = {
  changes: () => number;
  changed: () => void;
  /**
   * Waits for a change after `seen`, or until it is time to look. @returns false when no one is left who could bring
   * one
   */
  waitForNews: (seen: number) => Promise<boolean>;
  /** A lane threw: no other goes on. */
  break: () => void;
  isBroken: () => boolean;
  leave: () => void;
};

function createConcurrentQueues(lanes: number, lookMs: number): ConcurrentQueues {
  let [changes, going, waiting, isBroken] = [0, lanes, 0, false];
  let news = Promise.withResolvers<boolean>();
  const tell = (isNews: boolean): void => {
    news.resolve(isNews);
    news = Promise.withResolvers<boolean>();
    waiting = 0; // Now, and not when they come to it: one that is woken already waits no longer.
  };
  const endIfAllWait = (): void => {
    if (waiting === going) tell(false);
  };
  return {
    changes: () => changes,
    changed: () => {
      changes += 1;
      if (waiting > 0) tell(true);
    },
    waitForNews: async (seen) => {
      if (changes !== seen) return true;
      const { promise } = news;
      waiting += 1;
      endIfAllWait();
      const isNews = await waitForChange(promise, lookMs);
      if (promise === news.promise) waiting -= 1; // Nothing was signalled: it only looks.
      return isNews;
    },
    break: () => void (isBroken = true),
    isBroken: () => isBroken,
    leave: () => {
      going -= 1;
      endIfAllWait();
    },
  };
}

/** The value of `changed`, or true after `waitMs`. */
async function waitForChange(changed: Promise<boolean>, waitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const look = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), waitMs);
  });
  try {
    return await Promise.race([changed, look]);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

type Steps = {
  /** Nothing new is begun when this says so. */
  isOver: () => boolean;
  most: number;
  atOnce: number;
  /** Takes one thing that is due and does it. @returns false when there was none */
  step: () => Promise<boolean>;
  changed: () => void;
};

/** Does step after step, a number of them at once. @returns how many there were */
export function runInSteps({ isOver, most, atOnce, step, changed }: Steps): Promise<number> {
  let begun = 0;
  const go = async (): Promise<number> => {
    for (let done = 0; ; done += 1) {
      if (begun >= most || isOver()) return done;
      begun += 1;
      if (!(await step())) return done;
      changed();
    }
  };
  return sumAll(Array.from({ length: atOnce }, go));
}

/** The sum of what all did. All have ended then, also when one of them threw. */
export async function sumAll(counts: readonly Promise<number>[]): Promise<number> {
  const outcomes = await Promise.allSettled(counts);
  return outcomes.reduce((sum, outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return sum + outcome.value;
  }, 0);
}
