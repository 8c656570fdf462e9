import { isAssessed } from '../../audit/core/scores.ts';
import type { SeenVerdict } from '../facts/verdict-letters.ts';

/** Runs back in which a verdict that came and went counts against a check. */
export const FLAPPING_RUNS = 6;
/** A verdict that moves the value of its check by less is worth a second run. */
const SMALL_CHANGE = 0.2;

/** Verdicts of one run, by check. */
export type SeenRun<Run> = { run: Run; verdicts: ReadonlyMap<string, SeenVerdict> };

/** A check whose verdict counts as changed with the last run. `since`: the last run that showed the old verdict. */
export type SettledChange<Run> = { id: string; from: SeenVerdict; to: SeenVerdict; since: Run };

/**
 * `held`: checks whose last verdict differs from the settled one, and waits for another run. `before`: the verdicts that had
 * settled before the last run.
 */
export type SettledRuns<Run> = {
  changes: readonly SettledChange<Run>[];
  held: ReadonlySet<string>;
  before: ReadonlyMap<string, SeenVerdict>;
};

type State<Run> = {
  settled: SeenVerdict | undefined;
  since: Run;
  last: SeenVerdict['status'];
  /** Runs in a row with that verdict. */
  streak: number;
  /** Places of the runs in which the verdict was another one than before. */
  flips: readonly number[];
};

/**
 * Which verdicts changed with the last run, as far as they can be believed.
 *
 * Unknown and not applicable are no verdicts: a check keeps its last one over them, so that what fails after a gap is compared
 * with what was before it, and what was never judged rings nothing. A new verdict counts at once; it needs a second run in a row
 * where it is doubtful (the run had requests that failed in passing) or small, and one more for each time that the verdict
 * flipped within the six runs before. So a change that comes back is said once, and a check that hovers about its bound is silent.
 * @param runs of one rubric, oldest first
 */
export function findSettledChanges<Run>(runs: readonly SeenRun<Run>[]): SettledRuns<Run> {
  const states = new Map<string, State<Run>>();
  let changes: SettledChange<Run>[] = [];
  let before: ReadonlyMap<string, SeenVerdict> = new Map();
  for (const [at, { run, verdicts }] of runs.entries()) {
    changes = [];
    if (at === runs.length - 1) before = listSettled(states);
    for (const [id, seen] of verdicts) {
      if (!isAssessed(seen)) continue;
      const state = advanceState(states.get(id), seen, at, run);
      const { settled } = state;
      if (settled !== undefined && settled.status !== seen.status && hasSettled(state, settled, seen, at)) {
        changes.push({ id, from: settled, to: seen, since: state.since });
        states.set(id, { ...state, settled: seen, since: run });
      } else states.set(id, state);
    }
  }
  const last = runs.at(-1)?.verdicts;
  const held = [...states].flatMap(([id, { settled }]) => {
    const seen = last?.get(id);
    return seen !== undefined && isAssessed(seen) && seen.status !== settled?.status ? [id] : [];
  });
  return { changes, held: new Set(held), before };
}

const listSettled = <Run>(states: ReadonlyMap<string, State<Run>>): ReadonlyMap<string, SeenVerdict> =>
  new Map([...states].flatMap(([id, { settled }]) => (settled === undefined ? [] : [[id, settled]])));

/** The first verdict settles silently, once it is no doubtful one. */
function advanceState<Run>(state: State<Run> | undefined, seen: SeenVerdict, at: number, run: Run): State<Run> {
  if (state === undefined)
    return { settled: seen.isDoubtful ? undefined : seen, since: run, last: seen.status, streak: 1, flips: [] };
  const isSame = seen.status === state.last;
  const streak = isSame ? state.streak + 1 : 1;
  const first = state.settled === undefined && (!seen.isDoubtful || streak > 1) ? seen : state.settled;
  const isSettled = first?.status === seen.status;
  return {
    settled: isSettled ? seen : first,
    since: isSettled ? run : state.since,
    last: seen.status,
    streak,
    flips: isSame ? state.flips : [...state.flips, at].filter((flip) => flip > at - FLAPPING_RUNS),
  };
}

function hasSettled<Run>({ streak, flips }: State<Run>, settled: SeenVerdict, seen: SeenVerdict, at: number): boolean {
  const began = at - streak + 1;
  const earlier = flips.filter((flip) => flip < began && flip > began - FLAPPING_RUNS).length;
  const isWeak = seen.isDoubtful || Math.abs(seen.value - settled.value) < SMALL_CHANGE;
  return streak >= 1 + (isWeak ? 1 : 0) + earlier;
}
