import { scoreNames, type ScoreName, type Status } from '../../audit/core/check.ts';
import type { PublishedEntry } from './history.ts';

/** One check that came to something else. A status is absent where the report has no such check. */
export type Change = { id: string; from?: Status; to?: Status };

/** What became of the checks of a site between two reports. Each check stands in one list, or came to the same. */
export type Changes = {
  points: Readonly<Record<ScoreName, number>>;
  /** The rubrics differ: some changes may be those of the rubric. */
  sameRubric: boolean;
  sameProfile: boolean;
  newPasses: readonly Change[];
  newPartials: readonly Change[];
  newFailures: readonly Change[];
  /** Judged before, and now does not apply, could not be looked at, or is no longer asked. Never a failure. */
  notJudgedAnyMore: readonly Change[];
};

type Compared = Pick<PublishedEntry, 'scores' | 'rubric' | 'profile' | 'statuses'>;

export function changesBetween(from: Compared, to: Compared): Changes {
  const ids = [...new Set([...Object.keys(from.statuses), ...Object.keys(to.statuses)])].toSorted();
  const changed = ids
    .map((id) => changeOf(id, from.statuses[id], to.statuses[id]))
    .filter((change) => change.from !== change.to);
  const now = (status: Status): readonly Change[] => changed.filter((change) => change.to === status);
  const difference = (name: ScoreName): number => to.scores[name].score - from.scores[name].score;
  return {
    points: Object.fromEntries(scoreNames.map((name) => [name, difference(name)])) as Record<ScoreName, number>,
    sameRubric: from.rubric === to.rubric,
    sameProfile: from.profile === to.profile,
    newPasses: now('pass'),
    newPartials: now('partial'),
    newFailures: now('fail'),
    notJudgedAnyMore: changed.filter((change) => isJudged(change.from) && !isJudged(change.to)),
  };
}

const changeOf = (id: string, from: Status | undefined, to: Status | undefined): Change => ({
  id,
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const isJudged = (status: Status | undefined): boolean =>
  status === 'pass' || status === 'partial' || status === 'fail';
