/** A binary heap: the least of what it holds comes first. */
export type Heap<T> = {
  push: (item: T) => void;
  peek: () => T | undefined;
  pop: () => T | undefined;
  size: () => number;
};

export function heapOf<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const isLess = (a: T | undefined, b: T | undefined): boolean =>
    a !== undefined && b !== undefined && compare(a, b) < 0;
  const swap = (a: number, b: number): void => {
    const [left, right] = [items[a], items[b]];
    if (left === undefined || right === undefined) return;
    items[a] = right;
    items[b] = left;
  };
  const rise = (from: number): void => {
    let at = from;
    for (let parent = (at - 1) >> 1; at > 0 && isLess(items[at], items[parent]); parent = (at - 1) >> 1) {
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      const least = isLess(items[right], items[left]) ? right : left;
      if (!isLess(items[least], items[at])) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    push(item) {
      items.push(item);
      rise(items.length - 1);
    },
    peek: () => items[0],
    pop() {
      swap(0, items.length - 1);
      const least = items.pop();
      sink();
      return least;
    },
    size: () => items.length,
  };
}
