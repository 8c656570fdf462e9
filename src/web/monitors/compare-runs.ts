import { scoreNames } from '../../audit/core/check.ts';
import { type Changes, type ComparedReport, compareReports } from '../../capabilities/published/history.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import type { SiteFacts } from '../../monitors/facts/site-facts.ts';

/** A score or a rate of one run, 0 to 1; a rate with its interval. */
export type RunReading = { value: number; low?: number; high?: number };

/** Two runs side by side. `changes`: what checks came to, where both reports of a site could be read. */
export type RunComparison = {
  from: MonitorRun;
  to: MonitorRun;
  readings: readonly { name: string; before: RunReading | null; after: RunReading | null }[];
  changes: Changes | undefined;
};

/** Undefined for runs that have nothing to compare. @param facts of both reports of a site, where they can be read */
export function compareRuns(
  from: MonitorRun,
  to: MonitorRun,
  facts?: { from: SiteFacts; to: SiteFacts },
): RunComparison | undefined {
  const [before, after] = [listReadings(from), listReadings(to)];
  if (before === undefined || after === undefined) return undefined;
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return {
    from,
    to,
    readings: names.map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null })),
    changes: facts && compareReports(toComparedReport(facts.from), toComparedReport(facts.to)),
  };
}

/** By the name of a score or an engine. */
function listReadings({ summary }: MonitorRun): ReadonlyMap<string, RunReading> | undefined {
  if (summary === null) return undefined;
  if (summary.kind === 'site')
    return new Map(
      scoreNames.flatMap((name) => {
        const score = summary.scores[name];
        return score ? [[name, { value: score.score / 100 }] as const] : [];
      }),
    );
  return new Map(
    summary.rates.flatMap(({ engine, rate }) =>
      rate === null ? [] : [[engine, { value: rate.value, low: rate.low, high: rate.high }] as const],
    ),
  );
}

const UNKNOWN = 'unknown';

const toComparedReport = ({ rubric, profile, checks, scores }: SiteFacts): ComparedReport => ({
  rubric: rubric?.version ?? UNKNOWN,
  profile: profile ?? UNKNOWN,
  statuses: Object.fromEntries(checks.map(({ id, status }) => [id, status])),
  scores: Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [
      name,
      score === null ? { score: 0, applies: false as const } : { score: score.score },
    ]),
  ),
});

/** The report of what is watched, beside those of competitors. */
export const findSubjectReport = ({ parts }: Pick<MonitorRun, 'parts'>): string | undefined =>
  parts.find(({ role }) => role === 'subject')?.reportId;
