import type { AlertChange, AlertDraft, MonitorAlertKind, MonitorAlertSeverity } from '../core/alert.ts';
import type { AlertRules } from '../core/monitor.ts';
import type { MonitorRun } from '../core/run.ts';
import { explainUnread, type SiteFacts } from '../facts/site-facts.ts';
import { formatAlertTitle } from './alert-words.ts';
import { buildRubricAlert, type RubricChange } from './rubric-alerts.ts';
import { findScoreMoves } from './score-moves.ts';
import { findSettledChanges } from './settled.ts';
import { getRunTime, listCheckChanges, listScoreChanges, listUnseenChanges } from './site-changes.ts';
import { type SiteAlertInput, traceVerdicts } from './site-trace.ts';

/** Changes that one alert lists; it says how many more there are. */
export const MAX_CHANGES_OF_ALERT = 40;

/** Rules that a monitor does not give. */
const DEFAULTS = { min_weight: 2, score_points: 3, improvements: true, competitors: false } as const;

/** A competitor of both runs, judged by the present rubric. */
type ComparedCompetitor = { url: string; before: SiteFacts | undefined; after: SiteFacts };

/**
 * What changed on a site since the run before, in one alert however many checks say it: verdicts that settled (`settled.ts`), gates
 * that fired or were lifted, scores that named checks moved. A site that was not read now, or was never read before, rings nothing.
 * A new rubric is an alert of its own.
 */
export function findSiteAlerts(
  input: SiteAlertInput & {
    rubricChanged?: RubricChange | undefined;
    competitors?: readonly ComparedCompetitor[] | undefined;
  },
): readonly AlertDraft[] {
  const { rubricChanged, competitors = [], ...own } = input;
  const { rules } = own.monitor;
  if (explainUnread(own.after) !== undefined) return [];
  const rivals = (rules.competitors ?? DEFAULTS.competitors) ? competitors : [];
  return [
    ...(rubricChanged === undefined ? [] : [buildRubricAlert(rubricChanged, buildSince(own.beforeRun), own.reportId)]),
    ...buildSiteAlert(own, listChanges(own)),
    ...rivals.flatMap(({ url, before, after }) => {
      if (explainUnread(after) !== undefined) return [];
      const theirs = { ...own, before, after };
      return buildSiteAlert(theirs, listChanges(theirs, url), url);
    }),
  ];
}

function listChanges(input: SiteAlertInput, competitor?: string): readonly AlertChange[] {
  const { after, beforeRun, monitor } = input;
  const trace = traceVerdicts(input, ({ verdicts, competitors }) =>
    competitor === undefined ? verdicts : competitors.find(({ url }) => url === competitor)?.verdicts,
  );
  const ofPages = new Set(after.checks.flatMap(({ id, isOfPages }) => (isOfPages ? [id] : [])));
  const settled = findSettledChanges(trace, ofPages);
  const isRead = input.before !== undefined && explainUnread(input.before) === undefined;
  const facts = { before: isRead ? input.before : undefined, after };
  const rules = readRules(monitor.rules);
  const moves = facts.before === undefined ? [] : findScoreMoves(facts.before, after, settled, trace);
  const changes = [
    ...listCheckChanges(facts, settled, { minWeight: rules.min_weight, beforeRun }),
    ...listUnseenChanges(facts, settled, { minWeight: rules.min_weight, beforeRun }),
    ...listScoreChanges(facts, moves, rules.score_points),
  ];
  return sortChanges(rules.improvements ? changes : changes.filter(({ isWorse }) => isWorse === true));
}

const readRules = (rules: AlertRules): { min_weight: number; score_points: number; improvements: boolean } => ({
  min_weight: rules.min_weight ?? DEFAULTS.min_weight,
  score_points: rules.score_points ?? DEFAULTS.score_points,
  improvements: rules.improvements ?? DEFAULTS.improvements,
});

/** What got worse first; of it gates, then checks by weight, then scores. */
const RANKS: Readonly<Partial<Record<MonitorAlertKind, number>>> = {
  gate_fired: 0,
  gate_lifted: 0,
  verdict_changed: 1,
};
const LAST_RANK = 2;

const sortChanges = (changes: readonly AlertChange[]): readonly AlertChange[] =>
  changes.toSorted(
    (a, b) =>
      Number(b.isWorse === true) - Number(a.isWorse === true) ||
      rankChange(a) - rankChange(b) ||
      (b.weight ?? 0) - (a.weight ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );

const rankChange = ({ kind }: AlertChange): number => (kind === undefined ? LAST_RANK : (RANKS[kind] ?? LAST_RANK));

function buildSiteAlert(
  { beforeRun, reportId }: SiteAlertInput,
  changes: readonly AlertChange[],
  competitor?: string,
): readonly AlertDraft[] {
  const [first] = changes;
  if (first === undefined) return [];
  const listed = changes.slice(0, MAX_CHANGES_OF_ALERT);
  const more = changes.length - listed.length;
  // Each run that read its site is compared with the one before, so that a pair of runs has one alert.
  const pair = beforeRun?.id ?? changes.map(({ id }) => id).join(' ');
  const draft: Omit<AlertDraft, 'title'> = {
    kind: first.kind ?? 'verdict_changed',
    severity: chooseSeverity(first),
    key: `site since ${pair}${competitor === undefined ? '' : ` ${competitor}`}`,
    changes: listed,
    since: buildSince(beforeRun),
    ...(reportId === undefined ? {} : { reportId }),
    ...(more === 0 ? {} : { more }),
    ...(competitor === undefined ? {} : { competitor }),
  };
  return [{ ...draft, title: formatAlertTitle(draft) }];
}

const chooseSeverity = ({ kind, isWorse }: AlertChange): MonitorAlertSeverity => {
  if (isWorse !== true) return 'info';
  return kind === 'gate_fired' ? 'critical' : 'warning';
};

function buildSince(run: MonitorRun | undefined): AlertDraft['since'] {
  if (run === undefined) return null;
  const reportId = run.parts.find(({ role }) => role === 'subject')?.reportId;
  return { runId: run.id, atMs: getRunTime(run), ...(reportId === undefined ? {} : { reportId }) };
}
