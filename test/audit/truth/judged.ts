import { gatherSite } from '../../../src/audit/core/gather.ts';
import { type AuditReport, judgeSite, reportOn } from '../../../src/audit/core/report.ts';
import { type CheckOutcome, type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import { getStartOutcome } from '../../../src/audit/core/join-pages.ts';
import { type AuditScore, type CheckResult, computeScore } from '../../../src/audit/core/scores.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { DEFAULT_LIMITS } from '../../../src/net/fetch-budget.ts';
import type { FetchTarget, GuardedFetch } from '../../../src/net/fetched.ts';
import { SITE, siteFetch } from '../../support/audit/site-fetch.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import type { TruthSite } from './truth-site.ts';

/**
 * What our engine says of one site: outcomes by check id, the four scores, and the requests it made. Planted facts are of
 * the start page; `joined` has what checks that are judged on every page say of all pages together.
 */
export type JudgedSite = {
  outcomes: ReadonlyMap<string, CheckOutcome>;
  joined: ReadonlyMap<string, CheckResult>;
  scores: Readonly<Record<ScoreName, AuditScore>>;
  asked: readonly FetchTarget[];
  snapshot: Snapshot;
};

const known = new Map<TruthSite, Promise<JudgedSite>>();

/** Audits a fixture site with all checks, once. */
export function judged(site: TruthSite): Promise<JudgedSite> {
  const running = known.get(site) ?? judge(site);
  known.set(site, running);
  return running;
}

async function judge(site: TruthSite): Promise<JudgedSite> {
  const { snapshot, asked } = await gathered(site);
  const rows = judgeSite(snapshot, optionsOf(site)).judged;
  const scores = Object.fromEntries(scoreNames.map((name) => [name, computeScore(name, rows)]));
  return {
    outcomes: new Map(rows.map((one) => [one.check.id, getStartOutcome(one)])),
    joined: new Map(rows.map((one) => [one.check.id, one])),
    scores: scores as Record<ScoreName, AuditScore>, // Holds because every name of scoreNames was put there.
    asked,
    snapshot,
  };
}

/** A fresh audit as it goes over the wire, in bytes without the times of the requests. */
export async function reportBytes(site: TruthSite): Promise<string> {
  const { snapshot } = await gathered(site);
  const report = await reportOn(snapshot, optionsOf(site));
  if (!report.ok) return JSON.stringify(report);
  return JSON.stringify(withoutTimes(report));
}

const withoutTimes = (report: { ok: true } & AuditReport): unknown => ({
  ...report,
  requests: report.requests.map((request) => ({ ...request, ms: 0 })),
});

async function gathered(site: TruthSite): Promise<{ snapshot: Snapshot; asked: readonly FetchTarget[] }> {
  const fetch = siteFetch(site.map, site.catchAll === undefined ? {} : { catchAll: site.catchAll });
  const read = await gatherSite(SITE + (site.path ?? '/'), { fetch: budgeted(fetch), clockMs: CLOCK_MS });
  const snapshot = site.rendered === undefined ? read : { ...read, rendered: site.rendered };
  return { snapshot, asked: fetch.requests };
}

/** The fixtures' fetch with the budget of the real one: redirects count, and what is over it is not asked. */
function budgeted(fetch: GuardedFetch): GuardedFetch {
  let used = 0;
  return async (target) => {
    if (used >= DEFAULT_LIMITS.requests)
      return { ok: false, reason: 'budget_exhausted', detail: 'no requests left', redirects: [], elapsedMs: 0 };
    used += 1;
    const answer = await fetch(target);
    used += answer.redirects.length;
    return answer;
  };
}

const optionsOf = (site: TruthSite) => (site.profile === undefined ? {} : { profile: site.profile });
