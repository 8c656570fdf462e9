import type { OutcomeStatus } from '../../audit/core/check.ts';
import { sum } from '../../lib/numbers.ts';
import type { AuditedPage, ComparedPageSide } from '../citation-evidence.ts';
import { citedPageChecks } from './cited-page-audit.ts';

/** Checks that are listed: those in which the two groups of pages differ most. */
export const MAX_COMPARED_CHECKS = 30;

/** How many pages of a group have each outcome of a check. */
export type OutcomeCounts = Readonly<Record<OutcomeStatus, number>>;

/** A check in which the groups differ: `ahead` is the group of which a larger share of the judged pages passes. */
export type ComparedCheck = {
  id: string;
  title: string;
  ahead: ComparedPageSide;
  cited: OutcomeCounts;
  own: OutcomeCounts;
  text: string;
};

/** Cited pages beside those of the buyer, by the same checks. It says what differs and nothing of why a page is cited. */
export type CitedPageComparison = {
  pages: readonly ({ url: string; side: ComparedPageSide } & (
    | { status: 'read' }
    | { status: 'unread'; reason: string }
  ))[];
  /** Those in which cited pages are ahead come first. */
  checks: readonly ComparedCheck[];
  /** Checks that differ beyond those listed; that do not differ; and that could be judged on no page of a group. */
  further: number;
  alike: number;
  not_compared: number;
  notes: readonly string[];
};

/**
 * Counts how cited and own pages do in each check. A page that could not be judged, or to which a check does not apply, counts neither for
 * nor against its group. Pure.
 */
export function compareCitedPages(audited: readonly AuditedPage[]): CitedPageComparison {
  const rows = citedPageChecks.map(({ id, title, weight }) => {
    const cited = countOutcomes(audited, 'cited', id);
    const own = countOutcomes(audited, 'own', id);
    return { id, title, weight, cited, own, lead: computeLead(cited, own) };
  });
  const compared = rows.flatMap((row) => (row.lead === undefined ? [] : [{ ...row, lead: row.lead }]));
  const different = compared
    .filter(({ lead }) => lead !== 0)
    .toSorted((one, other) => other.lead - one.lead || other.weight - one.weight || (one.id < other.id ? -1 : 1));
  const checks = selectEnds(different).map(({ id, title, cited, own, lead }): ComparedCheck => {
    const ahead = lead > 0 ? 'cited' : 'own';
    return { id, title, ahead, cited, own, text: `${describeGroup('cited', cited)} ${describeGroup('own', own)}` };
  });
  return {
    pages: audited.map((page) =>
      page.status === 'read'
        ? { url: page.url, side: page.side, status: 'read' }
        : { url: page.url, side: page.side, status: 'unread', reason: page.reason },
    ),
    checks,
    further: different.length - checks.length,
    alike: compared.length - different.length,
    not_compared: rows.length - compared.length,
    notes: [ONLY_DIFFERENCES],
  };
}

const ONLY_DIFFERENCES =
  'A few pages on each side: the table shows what differs between them. It does not show why a page is cited, and a check that your pages come to pass need not change that.';

/** Both ends of the list where it is too long: what cited pages do better goes first. */
function selectEnds<T extends { lead: number }>(different: readonly T[]): readonly T[] {
  const ahead = different.filter(({ lead }) => lead > 0).slice(0, MAX_COMPARED_CHECKS);
  const behind = different.filter(({ lead }) => lead < 0).toReversed();
  return [...ahead, ...behind.slice(0, MAX_COMPARED_CHECKS - ahead.length)];
}

function countOutcomes(audited: readonly AuditedPage[], side: ComparedPageSide, id: string): OutcomeCounts {
  const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
  for (const page of audited) {
    if (page.side !== side || page.status !== 'read') continue;
    const [status] = (Object.keys(counts) as OutcomeStatus[]).filter(
      (one) => page.outcomes[one]?.includes(id) === true,
    );
    if (status !== undefined) counts[status] += 1;
  }
  return counts;
}

/** Pages of a group that a check could judge. */
export const countJudged = ({ pass, partial, fail }: OutcomeCounts): number => sum([pass, partial, fail]);

/** By how much the share of pages that pass is larger among the cited; undefined where a group has none that could be judged. */
function computeLead(cited: OutcomeCounts, own: OutcomeCounts): number | undefined {
  const [ofCited, ofOwn] = [countJudged(cited), countJudged(own)];
  if (ofCited === 0 || ofOwn === 0) return undefined;
  return (cited.pass * ofOwn - own.pass * ofCited) / (ofCited * ofOwn);
}

function describeGroup(side: ComparedPageSide, counts: OutcomeCounts): string {
  const { pass, unknown } = counts;
  const judged = countJudged(counts);
  const whose = side === 'cited' ? 'Cited pages' : 'Your pages';
  const open = unknown > 0 ? `; ${unknown} could not be judged` : '';
  return `${whose}: ${pass} of ${judged} pass${open}.`;
}
