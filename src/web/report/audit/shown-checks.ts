import { type ScoreName, scoreNames } from '../../../audit/core/check.ts';
import { checks as rubric } from '../../../audit/core/catalogue.ts';
import { formatCheckPath } from '../../../report/docs-links.ts';
import type { ShownCheck } from '../../audit/check.tsx';
import type { ReportedCheck, ReportedScores } from '../../audit/summary-data.ts';

export type StoredChecks = {
  /** The scores of the audit, each with its checks; or the checks of an audit without scores. */
  scores?: ReportedScores;
  checks?: readonly ReportedCheck[];
  /** Address of the fix of a check in the same page; undefined where there is none. */
  fixHrefOf?: ((fixId: string) => string | undefined) | undefined;
};

/** What our own table says of each check: no text of a site, and no fix that a pack would sell. */
const ours = new Map(rubric.map((check) => [check.id, check]));

/** Every check of a stored result once, with the scores it counts in, as pages show it. */
export function listShownChecks({ scores = {}, checks = [], fixHrefOf }: StoredChecks): readonly ShownCheck[] {
  const byId = new Map<string, { check: ReportedCheck; names: ScoreName[] }>();
  for (const check of checks) if (!byId.has(check.id)) byId.set(check.id, { check, names: [] });
  for (const name of scoreNames)
    for (const check of scores[name]?.checks ?? []) {
      const known = byId.get(check.id);
      if (known) known.names.push(name);
      else byId.set(check.id, { check, names: [name] });
    }
  return [...byId.values()].map(({ check, names }) => ({
    ...check,
    scores: names,
    fix: ours.get(check.id)?.fix,
    fixHref: fixHrefOf?.(check.fix_id),
    // A source that our table no longer has stays text, without a page about it.
    href: ours.get(check.id)?.source === check.source ? formatCheckPath(check.id) : undefined,
  }));
}
