import { PUBLISHING_WORDS, type PublishingRefusal } from '../../capabilities/published/publishing.ts';
import { computeSha256Hex, isSameText } from '../../lib/digest.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { derivePublishToken } from '../answer.ts';
import { judgePublishable } from './published-store.ts';
import type { OpenReport, ReportRecord } from './report-store.ts';

/** Whether the token is one that the buyer of this report got, by any of the secrets; compared in a time that says nothing of it. */
export async function isBuyersToken(secrets: readonly string[], reportId: string, token: string): Promise<boolean> {
  const theirs = await computeSha256Hex(token);
  const own = await Promise.all(
    secrets.map(async (secret) => computeSha256Hex(await derivePublishToken(secret, reportId))),
  );
  return own.map((one) => isSameText(one, theirs)).includes(true);
}

/** Why a report cannot be read by its id. */
export function describeUnreadable(found: Exclude<OpenReport, { kind: 'open' }>): ProblemInput {
  if (found.kind === 'unavailable') return buildProblem('ledger_unavailable');
  return buildProblem(found.kind === 'expired' ? 'report_expired' : 'report_not_found');
}

/** `reason`: why the report is one that no buyer can publish, where that is so. */
export type PublishJudgement =
  | { ok: true; key: string; report: ReportRecord }
  | { ok: false; problem: ProblemInput; reason?: PublishingRefusal };

/** Whether a report may be published now by who holds this token, and under which key of its site. */
export function judgePublishing(found: OpenReport, isBuyer: boolean): PublishJudgement {
  if (found.kind !== 'open') return { ok: false, problem: describeUnreadable(found) };
  if (!isBuyer) return { ok: false, problem: buildProblem('publish_refused') };
  const { report } = found;
  const site = judgePublishable(report);
  return site.ok ? { ok: true, key: site.key, report } : refusePublishing(site.reason);
}

export const refusePublishing = (reason: PublishingRefusal) => ({
  ok: false as const,
  problem: buildProblem('not_publishable', { detail: PUBLISHING_WORDS[reason] }),
  reason,
});
