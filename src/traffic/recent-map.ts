import { copyText } from './byte-string.ts';

/** A map of what was asked for lately: at most twice as many entries as its limit, the oldest go first. */
export type RecentMap<V> = {
  get: (key: string) => V | undefined;
  set: (key: string, value: V) => void;
};

/**
 * Two generations: when the younger one is full, it becomes the older one, and what was not asked for since is forgotten.
 * Cheaper than an order of use, and bounded whatever comes. Keys are copied: those that are asked for are parts of lines.
 */
export function createRecentMap<V>(limit: number): RecentMap<V> {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  const set = (key: string, value: V): void => {
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    young.set(copyText(key), value);
  };
  return {
    set,
    get: (key) => {
      const found = young.get(key);
      if (found !== undefined) return found;
      const before = old.get(key);
      if (before !== undefined) set(key, before);
      return before;
    },
  };
}
