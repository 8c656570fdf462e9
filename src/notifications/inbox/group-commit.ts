/** What a group commit needs from its object. */
export type CommitTools<In, Out> = {
  /** Keeps items in one transaction: as many results, in order. What it throws, every caller of these items gets. */
  write: (items: readonly In[]) => readonly Out[];
  /** Settles when what was written is durable. */
  durable: () => Promise<unknown>;
  /** Most items of one write; further ones are the next. */
  most: number;
};

type QueuedWrite<In, Out> = { item: In; resolve: (result: Out) => void; reject: (error: unknown) => void };

/**
 * Gathers the items that come while a write becomes durable into the next write: a transaction costs the same for one
 * as for many, and no one waits for a timer. Results are given before the write is durable: the platform holds the
 * answers of an object back until then.
 * @returns takes one item, and settles after the write that it was part of
 */
export function groupCommit<In, Out>({ write, durable, most }: CommitTools<In, Out>): (item: In) => Promise<Out> {
  const waiting: QueuedWrite<In, Out>[] = [];
  let isWriting = false;
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      settle(waiting.splice(0, most), write);
      await durable().catch(() => undefined); // The platform then ends the object, and with it every call that waits.
    }
    isWriting = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      queueMicrotask(() => void flush()); // What came in the same turn is of the same write.
    });
}

function settle<In, Out>(
  group: readonly QueuedWrite<In, Out>[],
  write: (items: readonly In[]) => readonly Out[],
): void {
  try {
    const results = write(group.map(({ item }) => item));
    if (results.length !== group.length) throw new Error(`${results.length} results of ${group.length} items`);
    for (const [at, { resolve }] of group.entries()) resolve(results[at] as Out); // As long as the group.
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
