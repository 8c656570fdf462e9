/** Turns of the event loop that an answer waits at most. */
const MAX_TURNS = 12;

/** Numbers from 0 to `MAX_TURNS - 1`, the same for the same seed (a linear congruential generator). */
export function seededTurns(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * MAX_TURNS);
  };
}
