/** What another object did not answer is asked again after this. */
export const RETRY_MS = 5_000;

/** Work that another object has a part in: what fails is not done again at once, however early it is due. */
export type Retry = {
  attempt: <T>(work: () => Promise<T>) => Promise<T>;
  /** When what is due at this time may be done, Unix milliseconds. */
  delay: (dueMs: number) => number;
};

export function createRetry(now: () => number): Retry {
  let notBeforeMs = 0;
  return {
    async attempt(work) {
      notBeforeMs = now() + RETRY_MS;
      const done = await work();
      notBeforeMs = 0;
      return done;
    },
    delay: (dueMs) => Math.max(dueMs, notBeforeMs),
  };
}
