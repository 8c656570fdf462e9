/** How many work at once, how many wait in all, and how many of those may be of one owner. */
export type TurnLimits = { places: number; waiting: number; waitingOfOwner: number };

/** A place to work at, which `leave` gives back; undefined where too many wait already. */
export type FairTurn = { leave: () => void } | undefined;

/**
 * Places that are shared between owners: each owner has one at a time, so that what one of them does for long keeps the
 * others from none but its own. Who has waited longest comes first.
 */
export function createFairTurns({ places, waiting, waitingOfOwner }: TurnLimits): (owner: string) => Promise<FairTurn> {
  const working = new Set<string>();
  const queue: { owner: string; begin: () => void }[] = [];
  const mayBegin = (owner: string): boolean => working.size < places && !working.has(owner);
  const leave = (owner: string): void => {
    working.delete(owner);
    const next = queue.findIndex((one) => mayBegin(one.owner));
    if (next !== -1) queue.splice(next, 1)[0]?.begin();
  };
  const begun = (owner: string): FairTurn => {
    working.add(owner);
    let isOver = false;
    return {
      leave: () => {
        if (isOver) return;
        isOver = true;
        leave(owner);
      },
    };
  };
  return async (owner) => {
    if (mayBegin(owner)) return begun(owner);
    const own = queue.filter((one) => one.owner === owner).length;
    if (queue.length >= waiting || own >= waitingOfOwner) return undefined;
    return new Promise((resolve) => {
      queue.push({ owner, begin: () => resolve(begun(owner)) });
    });
  };
}
