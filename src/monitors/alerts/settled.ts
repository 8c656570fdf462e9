import { isAssessed } from '../../audit/core/scores.ts';
import type { SeenVerdict } from '../facts/verdict-letters.ts';

/** Runs back in which a verdict that came and went counts against a check. */
export const FLAPPING_RUNS = 6;
/** A verdict over several pages that moves the value of its check by less is worth a second run. */
const SMALL_CHANGE = 0.2;
/** Runs in a row that could not look, from which on that is news. */
const UNSEEN_RUNS = 2;

/** Verdicts of one run, by check. */
export type SeenRun<Run> = { run: Run; verdicts: ReadonlyMap<string, SeenVerdict> };

/** A check whose verdict counts as changed with the last run. `since`: the last run that showed the old verdict. */
export type SettledChange<Run> = { id: string; from: SeenVerdict; to: SeenVerdict; since: Run };

/**
 * What a run changed. `held`: checks whose last verdict differs from the settled one, and waits for another run. `before`: the
 * verdicts that had settled before the last run.
 */
export type SettledRuns<Run> = {
  changes: readonly SettledChange<Run>[];
  held: ReadonlySet<string>;
  before: ReadonlyMap<string, SeenVerdict>;
  /** Checks with a settled verdict that could not be looked at for the second run in a row. */
  unseen: readonly SettledGap<Run>[];
};

/** `since`: the last run that showed the settled verdict. */
export type SettledGap<Run> = { id: string; settled: SeenVerdict; since: Run };

type State<Run> = {
  settled: SeenVerdict | undefined;
  since: Run;
  last: SeenVerdict['status'];
  /** Runs in a row with that verdict. */
  streak: number;
  /** Places of the runs in which the verdict was another one than before. */
  flips: readonly number[];
  /** Runs in a row that could not look, and the place of the last such gap that was said. */
  gap: number;
  saidGap: number | undefined;
};

/**
 * Which verdicts changed with the last run, as far as they can be believed.
 *
 * Unknown and not applicable are no verdicts: a check keeps its last one over them, so that what fails after a gap is compared
 * with what was before it, and what was never judged rings nothing. A new verdict counts at once; it needs a second run in a row
 * where it is doubtful (the run had requests that failed in passing) or a small one over several pages, and one more for each time that the verdict
 * flipped within the six runs before. So a change that comes back is said once, and a check that hovers about its bound is silent.
 * @param runs of one rubric, oldest first
 * @param ofPages checks that are judged on several pages
 */
export function findSettledChanges<Run>(
  runs: readonly SeenRun<Run>[],
  ofPages: ReadonlySet<string> = new Set(),
): SettledRuns<Run> {
  const states = new Map<string, State<Run>>();
  let changes: SettledChange<Run>[] = [];
  let unseen: SettledGap<Run>[] = [];
  let before: ReadonlyMap<string, SeenVerdict> = new Map();
  for (const [at, { run, verdicts }] of runs.entries()) {
    [changes, unseen] = [[], []];
    if (at === runs.length - 1) before = listSettled(states);
    for (const [id, seen] of verdicts) {
      const known = states.get(id);
      if (!isAssessed(seen)) {
        if (known === undefined) continue;
        const gap = seen.status === 'unknown' ? known.gap + 1 : 0;
        const isNews = gap === UNSEEN_RUNS && (known.saidGap === undefined || at - known.saidGap > FLAPPING_RUNS);
        states.set(id, { ...known, gap, saidGap: gap >= UNSEEN_RUNS ? at : known.saidGap });
        if (isNews && known.settled !== undefined) unseen.push({ id, settled: known.settled, since: known.since });
        continue;
      }
      const state = advanceState(known, seen, at, run);
      const { settled } = state;
      const isOther = settled !== undefined && settled.status !== seen.status;
      if (isOther && hasSettled(state, at, isWeak(settled, seen, ofPages.has(id)))) {
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
  return { changes, held: new Set(held), before, unseen };
}

const listSettled = <Run>(states: ReadonlyMap<string, State<Run>>): ReadonlyMap<string, SeenVerdict> =>
  new Map([...states].flatMap(([id, { settled }]) => (settled === undefined ? [] : [[id, settled]])));

const NO_GAP = { gap: 0, saidGap: undefined } as const;

/** The first verdict settles silently, once it is no doubtful one. */
function advanceState<Run>(state: State<Run> | undefined, seen: SeenVerdict, at: number, run: Run): State<Run> {
  if (state === undefined)
    return {
      settled: seen.isDoubtful ? undefined : seen,
      since: run,
      last: seen.status,
      streak: 1,
      flips: [],
      ...NO_GAP,
    };
  const isSame = seen.status === state.last;
  const streak = isSame ? state.streak + 1 : 1;
  const first = state.settled === undefined && (!seen.isDoubtful || streak > 1) ? seen : state.settled;
  const isSettled = first?.status === seen.status;
  return {
    settled: isSettled ? seen : first,
    since: isSettled ? run : state.since,
    last: seen.status,
    streak,
    gap: 0,
    saidGap: state.saidGap,
    flips: isSame ? state.flips : [...state.flips, at].filter((flip) => flip > at - FLAPPING_RUNS),
  };
}

/** Whether a new verdict is worth a second run. */
const isWeak = (settled: SeenVerdict, seen: SeenVerdict, isOfPages: boolean): boolean =>
  seen.isDoubtful || (isOfPages && Math.abs(seen.value - settled.value) < SMALL_CHANGE);

function hasSettled<Run>({ streak, flips }: State<Run>, at: number, weak: boolean): boolean {
  const began = at - streak + 1;
  const earlier = flips.filter((flip) => flip < began && flip > began - FLAPPING_RUNS).length;
  return streak >= 1 + (weak ? 1 : 0) + earlier;
}
