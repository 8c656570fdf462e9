import { auditSite, type WireScore } from '../../../src/audit/core/report.ts';
import type { ScoreName } from '../../../src/audit/core/check.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { WORDS_CHANGED } from '../../../src/web/start/text.ts';

export type OwnScore = {
  score: number;
  /** Checks that failed, or passed in part only: `status weight id: note`. */
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

/** The four scores of our own site, by our own engine. @throws Error when the start page gives no answer. */
export async function auditOwnSite(url: string, fetch: GuardedFetch): Promise<Record<ScoreName, OwnScore>> {
  const outcome = await auditSite(url, { fetch, clockMs: Math.min(Date.now(), Date.parse(WORDS_CHANGED) + FRESH_MS) });
  if (!outcome.ok || !('scores' in outcome)) throw new Error(`no scores: ${JSON.stringify(outcome).slice(0, 300)}`);
  const { aeo, geo, agent, mcp } = outcome.scores;
  if (!aeo || !geo || !agent || !mcp) throw new Error('a score is missing');
  return { aeo: ownScore(aeo), geo: ownScore(geo), agent: ownScore(agent), mcp: ownScore(mcp) };
}

function ownScore({ score, checks }: WireScore): OwnScore {
  const rows = checks.filter(({ status }) => status === 'fail' || status === 'partial');
  const text = ({ status, weight, id, note }: (typeof rows)[number]): string => `${status} ${weight} ${id}: ${note}`;
  return {
    score,
    left: rows.map(text),
    heavy: rows.filter(({ status, weight }) => status === 'fail' && weight >= 2).map(text),
  };
}
