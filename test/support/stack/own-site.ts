import { getStartOutcome } from '../../../src/audit/core/join-pages.ts';
import { type AuditOptions, gatherAudit, judgeSite } from '../../../src/audit/core/report.ts';
import { type CheckResult, computeScore } from '../../../src/audit/core/scores.ts';
import { type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { WORDS_CHANGED } from '../../../src/web/start/text.ts';

export type OwnScore = {
  /** Of the start page, and of all pages that were read. */
  start: number;
  score: number;
  /** Checks that failed, or passed in part only: `status weight id: note (pages)`. */
  left: readonly string[];
  /** Of these the failed ones of weight 2 or more. */
  heavy: readonly string[];
};

/** A month after its words were changed last the site is fresh: pages that nobody changes age, and lose for it rightly. */
const FRESH_MS = 30 * 86_400_000;

/** What an operator says of itself in the settings: these are of nobody, in names that are kept for examples. */
export const EXAMPLE_OPERATOR = {
  CONTACT_EMAIL: 'operator@audits.example',
  OPERATOR_IDENTITIES: 'https://github.com/example,https://audits.example/company',
} as const;

/** What our own engine says of our own site, check by check. */
export async function judgeOwnSite(
  url: string,
  fetch: GuardedFetch,
  scope: Pick<AuditOptions, 'scores' | 'maxPages'> = {},
): Promise<readonly CheckResult[]> {
  const clockMs = Math.min(Date.now(), Date.parse(WORDS_CHANGED) + FRESH_MS);
  return judgeSite(await gatherAudit(url, { ...scope, fetch, clockMs })).judged;
}

/** The four scores of our own site, by our own engine. */
export async function auditOwnSite(url: string, fetch: GuardedFetch): Promise<Record<ScoreName, OwnScore>> {
  const judged = await judgeOwnSite(url, fetch);
  const scores = scoreNames.map((name) => [name, ownScore(name, judged)] as const);
  return Object.fromEntries(scores) as Record<ScoreName, OwnScore>; // Holds because every name was put there.
}

function ownScore(name: ScoreName, judged: readonly CheckResult[]): OwnScore {
  const mine = judged.filter(({ check }) => check.scores.includes(name));
  const rows = mine.filter(({ outcome: { status } }) => status === 'fail' || status === 'partial');
  const text = ({ check, outcome }: CheckResult): string =>
    `${outcome.status} ${check.weight} ${check.id}: ${outcome.note} (${outcome.evidence.map((one) => new URL(one.url).pathname).join(' ')})`;
  return {
    start: computeScore(
      name,
      judged.map((one) => ({ check: one.check, outcome: getStartOutcome(one) })),
    ).score,
    score: computeScore(name, judged).score,
    left: rows.map(text),
    heavy: rows.filter(({ check, outcome }) => outcome.status === 'fail' && check.weight >= 2).map(text),
  };
}
