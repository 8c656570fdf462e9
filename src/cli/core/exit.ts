/** Exit statuses of every command: done, judged too low (or refused), wrong usage, unreachable. */
export const EXIT = { done: 0, below: 1, usage: 2, unreachable: 3 } as const;
