import { setImmediate } from 'node:timers/promises';

type Happening = { atMs: number; order: number; run: () => void };

/** Time that passes only from one thing that happens to the next. */
export type SimulatedClock = {
  now: () => number;
  at: (atMs: number, run: () => void) => void;
  sleep: (ms: number) => Promise<void>;
  /** Lets everything happen up to a time; `after` runs after each thing, once what it set off has settled. */
  runUntil: (endMs: number, after: () => void) => Promise<void>;
};

export function simulatedClock(startMs: number): SimulatedClock {
  let nowMs = startMs;
  let order = 0;
  const heap: Happening[] = [];
  const at = (atMs: number, run: () => void): void => {
    order += 1;
    push(heap, { atMs: Math.max(atMs, nowMs), order, run });
  };
  return {
    now: () => Math.floor(nowMs),
    at,
    sleep: (ms) => new Promise((resolve) => at(nowMs + ms, resolve)),
    runUntil: async (endMs, after) => {
      while ((heap[0]?.atMs ?? Infinity) <= endMs) {
        const happening = pop(heap);
        if (happening === undefined) break;
        nowMs = happening.atMs;
        happening.run();
        await setImmediate();
        after();
      }
      nowMs = endMs;
    },
  };
}

const isBefore = (left: Happening, right: Happening): boolean =>
  left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order);

function push(heap: Happening[], happening: Happening): void {
  let index = heap.push(happening) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(happening, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = happening;
}

function pop(heap: Happening[]): Happening | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const [one, other] = [heap[left], heap[left + 1]];
    const child = other !== undefined && one !== undefined && isBefore(other, one) ? left + 1 : left;
    const below = heap[child];
    if (below === undefined || !isBefore(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
  return first;
}

/** Random numbers of a seed, 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const hexOf =
  (random: () => number) =>
  (bytes: number): string =>
    Array.from({ length: bytes }, () =>
      Math.floor(random() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('');
