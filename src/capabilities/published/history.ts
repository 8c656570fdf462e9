import * as z from 'zod';
import { type OutcomeStatus, type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { explainRuleChange } from '../../audit/rubric/changes.ts';

/** One check that came to something else. A status is absent where the report has no such check. */
export type Change = { id: string; from?: OutcomeStatus; to?: OutcomeStatus };

/** One that the rubrics judge by different rules. */
export type RuleChange = Change & { why: string };

/** What became of the checks of a site between two reports. Each check is in one list, or did not change. */
export type Changes = {
  /** Of the scores that apply in both; none where the rubrics differ, whose scores do not compare. */
  points: Readonly<Partial<Record<ScoreName, number>>>;
  /** Their versions. */
  rubrics: { from: string; to: string };
  sameRubric: boolean;
  sameProfile: boolean;
  newPasses: readonly Change[];
  newPartials: readonly Change[];
  newFailures: readonly Change[];
  /** Judged before, and now does not apply, could not be looked at, or is no longer asked. Never a failure. */
  notJudgedAnyMore: readonly Change[];
  /** The rule of the check is another in the second rubric, so that the difference is not called the site's. */
  byRubric: readonly RuleChange[];
};

export type ComparedReport = Pick<PublishedEntry, 'rubric' | 'profile' | 'statuses'> & { scores: ComparedScores };

type ComparedScores = Readonly<Partial<Record<ScoreName, { score: number; applies?: false | undefined }>>>;

export function compareReports(from: ComparedReport, to: ComparedReport): Changes {
  const ids = [...new Set([...Object.keys(from.statuses), ...Object.keys(to.statuses)])].toSorted();
  const all = ids
    .map((id) => describeChange(id, from.statuses[id], to.statuses[id]))
    .filter((change) => change.from !== change.to);
  const byRubric = all.flatMap((change) => {
    const why = explainRuleChange(change.id, from.rubric, to.rubric);
    return why === undefined ? [] : [{ ...change, why }];
  });
  const moved = new Set(byRubric.map(({ id }) => id));
  const changed = all.filter(({ id }) => !moved.has(id));
  const sameRubric = from.rubric === to.rubric;
  const now = (status: OutcomeStatus): readonly Change[] => changed.filter((change) => change.to === status);
  return {
    points: sameRubric ? computePoints(from.scores, to.scores) : {},
    rubrics: { from: from.rubric, to: to.rubric },
    sameRubric,
    sameProfile: from.profile === to.profile,
    newPasses: now('pass'),
    newPartials: now('partial'),
    newFailures: now('fail'),
    notJudgedAnyMore: changed.filter((change) => isJudged(change.from) && !isJudged(change.to)),
    byRubric,
  };
}

/** Changes as JSON has them, of a history or of two files. */
export const formatChangesJson = (changes: Changes): object => ({
  points: changes.points,
  same_rubric: changes.sameRubric,
  rubrics: changes.rubrics,
  same_profile: changes.sameProfile,
  new_passes: changes.newPasses,
  new_partials: changes.newPartials,
  new_failures: changes.newFailures,
  not_judged_any_more: changes.notJudgedAnyMore,
  changed_by_rubric: changes.byRubric,
});

function computePoints(from: ComparedScores, to: ComparedScores): Changes['points'] {
  const points = scoreNames.flatMap((name) => {
    const [before, after] = [from[name], to[name]];
    return before && after && hasScore(before) && hasScore(after) ? [[name, after.score - before.score] as const] : [];
  });
  return Object.fromEntries(points);
}

const describeChange = (id: string, from: OutcomeStatus | undefined, to: OutcomeStatus | undefined): Change => ({
  id,
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const isJudged = (status: OutcomeStatus | undefined): boolean =>
  status === 'pass' || status === 'partial' || status === 'fail';

/** Reports of one site that are kept: the newest. */
export const MAX_ENTRIES = 50;
/** Checks of one report; a rubric has a few hundred. */
const MAX_CHECKS = 2_000;

const scoreName = z.enum(scoreNames);
const shortScore = z.object({
  score: z.int().min(0).max(100),
  grade: z.enum(['A', 'B', 'C', 'D', 'F']),
  /** `false` where the score does not apply to the site; absent otherwise, and in what was written before it was kept. */
  applies: z.literal(false).optional(),
});
const fourScores = z.record(scoreName, shortScore);
export type FourScores = z.infer<typeof fourScores>;

/** Whether a score says something of the site. */
export const hasScore = ({ applies }: { applies?: false | undefined }): boolean => applies !== false;

/** One published report, as far as badge and history need it: nothing of it is text of the site. */
export type PublishedEntry = {
  reportId: string;
  /** When the result was stored, in Unix milliseconds. */
  atMs: number;
  capability: string;
  scores: FourScores;
  /** Version of the rubric: reports of two versions are compared with care. */
  rubric: string;
  profile: string;
  /** By check id. */
  statuses: Readonly<Record<string, OutcomeStatus>>;
};

/** Newest first. */
export type History = readonly PublishedEntry[];

/** The history with a report in it, once, however often it is added. */
export const withEntry = (history: History, entry: PublishedEntry): History =>
  [entry, ...withoutEntry(history, entry.reportId)]
    .toSorted((a, b) => b.atMs - a.atMs || (a.reportId < b.reportId ? 1 : -1))
    .slice(0, MAX_ENTRIES);

export const withoutEntry = (history: History, reportId: string): History =>
  history.filter((entry) => entry.reportId !== reportId);

/** Reports that were taken back and are remembered as such: the newest. */
export const MAX_WITHDRAWN = 50;

/** What is kept of a site. Each change of it gives the very same record where nothing is changed. */
export type SiteRecord = {
  history: History;
  /** Ids of reports that were taken back, the last one first: a repeat of their purchase does not publish them again. */
  withdrawn: readonly string[];
  /** Ids of reports that the operator took down, the last one first: their buyers cannot publish them again. */
  takenDown: readonly string[];
};

export const EMPTY_RECORD: SiteRecord = { history: [], withdrawn: [], takenDown: [] };

/** Reports of one site that were taken down and are remembered as such: the newest. */
export const MAX_TAKEN_DOWN = 200;

/** Published because its buyer says so now: that it was taken back before counts no longer. */
export const addPublished = (record: SiteRecord, entry: PublishedEntry): SiteRecord =>
  record.takenDown.includes(entry.reportId)
    ? record
    : {
        ...record,
        history: withEntry(record.history, entry),
        withdrawn: record.withdrawn.filter((id) => id !== entry.reportId),
      };

/** Published because its purchase asked for it: a repeat of that is no new word of its buyer. */
export const addPublishedBySale = (record: SiteRecord, entry: PublishedEntry): SiteRecord =>
  record.withdrawn.includes(entry.reportId) ? record : addPublished(record, entry);

export const withdrawReport = (record: SiteRecord, reportId: string): SiteRecord => ({
  ...record,
  history: withoutEntry(record.history, reportId),
  withdrawn: putFirst(record.withdrawn, reportId, MAX_WITHDRAWN),
});

/** Withdrawn by the operator: it stays so. The very same record where the site does not list it. */
export const takeDownReport = (record: SiteRecord, reportId: string): SiteRecord =>
  record.history.some((entry) => entry.reportId === reportId)
    ? { ...withdrawReport(record, reportId), takenDown: putFirst(record.takenDown, reportId, MAX_TAKEN_DOWN) }
    : record;

const putFirst = (ids: readonly string[], id: string, limit: number): readonly string[] =>
  [id, ...ids.filter((other) => other !== id)].slice(0, limit);

/** Of a site that only its history knows as that of the report: others must not fill its list of what was taken back. */
export const withdrawListedReport = (record: SiteRecord, reportId: string): SiteRecord =>
  record.history.some((entry) => entry.reportId === reportId) ? withdrawReport(record, reportId) : record;

const wireCheck = z.object({
  id: z.string(),
  status: z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']),
});
const wireScore = z.object({ ...shortScore.shape, checks: z.array(wireCheck).max(MAX_CHECKS) });
const storedResult = z.object({
  capability: z.string(),
  report_id: z.string(),
  scores: z.record(scoreName, wireScore),
  profile: z.object({ name: z.string() }),
  rubric: z.object({ version: z.string() }),
});

/** What is published of a stored result. @throws ZodError for a result without four scores: ask `readPublishing` first */
export function readPublishedEntry(json: string, atMs: number): PublishedEntry {
  const { capability, report_id, scores, profile, rubric } = storedResult.parse(JSON.parse(json));
  const checks = scoreNames.flatMap((name) => scores[name].checks);
  return {
    reportId: report_id,
    atMs,
    capability,
    scores: toShortScores(scores),
    rubric: rubric.version,
    profile: profile.name,
    statuses: Object.fromEntries(checks.map(({ id, status }) => [id, status])),
  };
}

const toShortScores = (scores: Record<ScoreName, z.infer<typeof wireScore>>): FourScores => {
  const one = (name: ScoreName): FourScores[ScoreName] => ({
    score: scores[name].score,
    grade: scores[name].grade,
    ...(scores[name].applies === false ? { applies: false } : {}),
  });
  return { aeo: one('aeo'), geo: one('geo'), agent: one('agent'), mcp: one('mcp') };
};

/** A letter for each status, so that fifty reports of all checks are stored in few bytes. */
const LETTERS = { pass: 'p', partial: 'h', fail: 'f', not_applicable: 'n', unknown: 'u' } as const satisfies Record<
  OutcomeStatus,
  string
>;
const STATUSES: ReadonlyMap<string, OutcomeStatus> = new Map(
  Object.entries(LETTERS).map(([status, letter]) => [letter, status as OutcomeStatus]), // The keys of LETTERS.
);
/** Marks a check that a report does not have. */
const ABSENT = '-';

const reportId = z.string().regex(/^[0-9a-f]{32}$/);
/** Of the form in which a site's published reports are stored. */
export const PUBLISHED_VERSION = 1;

const kept = z.object({
  version: z.literal(PUBLISHED_VERSION),
  /** Ids of the checks that the letters represent, in their order. */
  checks: z.array(z.string()),
  entries: z
    .array(
      z.object({
        report_id: reportId,
        at: z.int().min(0),
        capability: z.string(),
        scores: fourScores,
        rubric: z.string(),
        profile: z.string(),
        statuses: z.string(),
      }),
    )
    .max(MAX_ENTRIES),
  /** Absent in what was written before it was kept. */
  withdrawn: z.array(reportId).max(MAX_WITHDRAWN).default([]),
  taken_down: z.array(reportId).max(MAX_TAKEN_DOWN).default([]),
});

/** A record as it is kept. */
export function recordJson({ history, withdrawn, takenDown }: SiteRecord): string {
  const checks = [...new Set(history.flatMap(({ statuses }) => Object.keys(statuses)))];
  const entries = history.map(({ reportId: report_id, atMs, statuses, ...rest }) => ({
    report_id,
    at: atMs,
    ...rest,
    statuses: checks.map((id) => getStatusLetter(statuses[id])).join(''),
  }));
  return JSON.stringify({
    version: PUBLISHED_VERSION,
    checks,
    entries,
    withdrawn: [...withdrawn],
    taken_down: [...takenDown],
  } satisfies z.infer<typeof kept>);
}

const getStatusLetter = (status: OutcomeStatus | undefined): string =>
  status === undefined ? ABSENT : LETTERS[status];

/** Reads what `recordJson` wrote. @throws ZodError for anything else: only we write it */
export function parseRecord(text: string): SiteRecord {
  const { checks, entries, withdrawn, taken_down: takenDown } = kept.parse(JSON.parse(text));
  const history = entries.map(({ report_id, at, statuses, ...rest }) => ({
    reportId: report_id,
    atMs: at,
    ...rest,
    statuses: Object.fromEntries(
      checks.flatMap((id, place) => {
        const status = STATUSES.get(statuses[place] ?? ABSENT);
        return status === undefined ? [] : [[id, status] as const];
      }),
    ),
  }));
  return { history, withdrawn, takenDown };
}

/** What a badge needs, small enough for the metadata of the object: `87B,64C,55D,-`, in the order of the scores; `-` does not apply. */
export const formatBadgeText = (history: History): string => {
  const [newest] = history;
  return newest === undefined ? '' : scoreNames.map((name) => formatBadgePart(newest.scores[name])).join();
};

const NO_SCORE = '-';
const formatBadgePart = (one: FourScores[ScoreName]): string => (hasScore(one) ? `${one.score}${one.grade}` : NO_SCORE);

const BADGE_PART = /^(\d{1,3})([ABCDF])$/;

/** Reads a `formatBadgeText`; undefined when nothing is published. */
export function parseBadgeText(text: string | undefined): FourScores | undefined {
  const parts = (text ?? '').split(',', scoreNames.length + 1);
  if (parts.length !== scoreNames.length) return undefined;
  const read = parts.map((part) => {
    const [, score, grade] = BADGE_PART.exec(part) ?? [];
    return part === NO_SCORE ? { score: 0, grade: 'F', applies: false } : { score: Number(score), grade };
  });
  const parsed = fourScores.safeParse(Object.fromEntries(scoreNames.map((name, place) => [name, read[place]])));
  return parsed.success ? parsed.data : undefined;
}
