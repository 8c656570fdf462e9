/** The latest of what was kept, by key; the oldest are forgotten, a half at a time. Keeping and finding cost the same at any size. */
export type Latest<T> = { keep: (key: string, value: T) => void; find: (key: string) => T | undefined };

/** @param max never more than so many, and never less than half of the latest so many */
export function latest<T>(max: number): Latest<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    keep: (key, value) => {
      if (young.size >= max / 2) {
        old = young; // A map whose oldest keys are deleted one by one is slow to find its first.
        young = new Map();
      }
      young.set(key, value);
    },
    find: (key) => young.get(key) ?? old.get(key),
  };
}
