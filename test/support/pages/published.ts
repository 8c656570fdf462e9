import { type OutcomeStatus, type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { compareReports, type FourScores, type PublishedEntry } from '../../../src/capabilities/published/history.ts';
import type { HistoryShown } from '../../../src/web/history/page.tsx';

const START_MS = Date.UTC(2026, 8, 1, 12);
const WEEK_MS = 7 * 86_400_000;
const STATUSES: readonly OutcomeStatus[] = ['pass', 'partial', 'fail', 'not_applicable', 'unknown'];

const gradeOf = (score: number) =>
  score >= 90 ? 'A' : score >= 75 ? 'B' : score >= 60 ? 'C' : score >= 40 ? 'D' : 'F';

/** Scores that rise from report to report, each by itself. */
const scoresOf = (number: number): FourScores => {
  const one = (name: ScoreName) => {
    const score = Math.min(100, 30 + number * 9 + scoreNames.indexOf(name) * 7);
    return { score, grade: gradeOf(score) } as const;
  };
  return { aeo: one('aeo'), geo: one('geo'), agent: one('agent'), mcp: one('mcp') };
};

/** One published report, the higher its number the newer, with all checks of the rubric. */
export const publishedEntry = (number: number): PublishedEntry => ({
  reportId: number.toString(16).padStart(32, '0'),
  atMs: START_MS + number * WEEK_MS,
  capability: 'full_audit',
  scores: scoresOf(number),
  rubric: number < 2 ? '1.0.0' : '1.1.0',
  profile: 'product',
  statuses: Object.fromEntries(
    checks.map(({ id }, place) => [
      id,
      STATUSES[(place + (place % 11 === 0 ? number : 0)) % STATUSES.length] ?? 'pass',
    ]),
  ),
});

/** What the page of a history is made from. @param count of its reports */
export function shownHistory(host: string, count: number, baseUrl = 'https://sightline.test'): HistoryShown {
  const entries = Array.from({ length: count }, (_, index) => publishedEntry(count - index));
  const [to, from] = entries;
  return {
    host,
    siteUrl: `https://${host}/`,
    baseUrl,
    entries: entries.map((entry, index) => ({ ...entry, isReadable: index < 2 })),
    changes: to && from && { from, to, ...compareReports(from, to) },
  };
}
