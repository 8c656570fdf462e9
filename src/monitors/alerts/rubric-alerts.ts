import { scoreNames } from '../../audit/core/check.ts';
import { isAssessed } from '../../audit/core/scores.ts';
import type { AlertChange, AlertDraft } from '../core/alert.ts';
import type { WatchedRubric } from '../core/run.ts';
import type { SiteFacts } from '../facts/site-facts.ts';
import { formatAlertTitle } from './alert-words.ts';
import { formatPoints } from './site-changes.ts';

/** Changes of a rubric that its alert lists. */
const MAX_RUBRIC_CHANGES = 40;

/** A new rubric between two runs, and what it alone moved on the snapshot of before. */
export type RubricChange = { from: WatchedRubric; to: WatchedRubric; changes: readonly AlertChange[] };

/**
 * What the rubric alone moved: a report, and the same snapshot judged again. Checks that the snapshot cannot say any more, or could
 * not say before, are left out.
 */
export function compareRubrics(reported: SiteFacts, again: SiteFacts): RubricChange | undefined {
  if (reported.rubric === null || again.rubric === null) return undefined;
  const scores = scoreNames.flatMap((name): readonly AlertChange[] => {
    const [was, is] = [reported.scores[name], again.scores[name]];
    if (!was || !is || was.score === is.score) return [];
    return [
      {
        id: name,
        title: name.toUpperCase(),
        before: { text: formatPoints(was.score), value: was.score },
        after: { text: formatPoints(is.score), value: is.score },
      },
    ];
  });
  const known = new Map(reported.checks.map((one) => [one.id, one]));
  const verdicts = again.checks.flatMap((now): readonly AlertChange[] => {
    const then = known.get(now.id);
    if (then === undefined || !isAssessed(then) || !isAssessed(now) || then.status === now.status) return [];
    const [before, after] = [then, now].map(({ status, value }) => ({ text: status, status, value }));
    return [{ id: now.id, title: now.title, weight: now.weight, before: before ?? null, after: after ?? null }];
  });
  return { from: reported.rubric, to: again.rubric, changes: [...scores, ...verdicts].slice(0, MAX_RUBRIC_CHANGES) };
}

/** Said once for a rubric. */
export function buildRubricAlert(
  { from, to, changes }: RubricChange,
  since: AlertDraft['since'],
  reportId: string | undefined,
): AlertDraft {
  const draft: Omit<AlertDraft, 'title'> = {
    kind: 'rubric_changed',
    severity: 'info',
    key: `rubric ${to.version} ${to.sha256}`,
    changes: [
      { id: 'rubric', title: 'Rubric', before: { text: from.version }, after: { text: to.version } },
      ...changes,
    ],
    since,
    ...(reportId === undefined ? {} : { reportId }),
  };
  return { ...draft, title: formatAlertTitle(draft) };
}
