/** What a group commit stands on. */
export type CommitTools<In, Out> = {
  /** Keeps items in one transaction: as many results, in order. What it throws, every caller of these items gets. */
  write: (items: readonly In[]) => readonly Out[];
  /** Calls back after a time, as `setTimeout` does. */
  later: (work: () => void, delayMs: number) => void;
  /** Longest that an item waits for others. */
  waitMs: number;
  /** So many items are written without waiting. */
  most: number;
};

type Waiting<In, Out> = { item: In; resolve: (result: Out) => void; reject: (error: unknown) => void };

/**
 * Gathers items that come within a few milliseconds into one write: a transaction costs the same for one as for many.
 * @returns takes one item, and settles after the write that it was part of
 */
export function groupCommit<In, Out>(tools: CommitTools<In, Out>): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    if (group.length > 0) settle(group, tools.write);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= tools.most) flush();
      else if (waiting.length === 1) tools.later(flush, tools.waitMs);
    });
}

function settle<In, Out>(group: readonly Waiting<In, Out>[], write: (items: readonly In[]) => readonly Out[]): void {
  try {
    const results = write(group.map(({ item }) => item));
    if (results.length !== group.length) throw new Error(`${results.length} results of ${group.length} items`);
    for (const [at, { resolve }] of group.entries()) resolve(results[at] as Out); // As long as the group.
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
