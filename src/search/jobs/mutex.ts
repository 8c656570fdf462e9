/** What takes its turn, one after another. */
export type Lane = {
  /** Calls that wait for what they began here. */
  waiting: number;
  /** Does the work once all that came before is done, whatever became of it. */
  turn: <T>(work: () => Promise<T>) => Promise<T>;
};

export function laneOf(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    waiting: 0,
    turn: async (work) => {
      const done = last.then(work);
      last = done.catch(() => undefined); // It is for whoever began it to see.
      return done;
    },
  };
}
