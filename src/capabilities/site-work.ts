import type { CheckCapability, ScoreName } from '../audit/check.ts';
import { type AuditOptions, auditSite } from '../audit/report.ts';
import type { ProfileName } from '../audit/site.ts';
import type { WorkOutcome, WorkTools } from './capability.ts';

type UrlInput = { url: string; profile?: ProfileName | undefined };

/** Work of a cheap check capability: its checks and facts for one URL. */
export const checkWork = (capability: CheckCapability) => audit({ capability });

/** Work of a score capability: the named scores with all their checks. */
export const scoreWork = (scores: readonly ScoreName[]) => audit({ scores });

function audit(scope: Pick<AuditOptions, 'capability' | 'scores'>) {
  return (input: UrlInput, tools: WorkTools): Promise<WorkOutcome> =>
    tools.atTarget(input.url, async () => {
      const outcome = await auditSite(input.url, {
        ...scope,
        fetch: tools.guardedFetch(),
        clockMs: tools.clockMs,
        ...(input.profile === undefined ? {} : { profile: input.profile }),
        ...(tools.onProgress === undefined ? {} : { onProgress: tools.onProgress }),
      });
      if (!outcome.ok) return outcome;
      const { ok: _ok, warnings, ...result } = outcome;
      return { ok: true, result, warnings };
    });
}
