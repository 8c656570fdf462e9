import * as z from 'zod';
import { type OutcomeStatus, scoreNames, type ScoreName } from '../../audit/core/check.ts';
import type { CheckEvidence } from '../../audit/core/evidence.ts';
import { isAssessed, type FiredGate } from '../../audit/core/scores.ts';
import type { WatchedRubric } from '../core/run.ts';

/** Longest report that is read back, in characters; one of a full audit has some 300,000. */
const MAX_REPORT_CHARS = 20_000_000;

/** A check as alerts read it. `evidence` is the site's own, hostile text. */
export type CheckFacts = {
  id: string;
  title: string;
  status: OutcomeStatus;
  value: number;
  weight: number;
  note: string;
  scores: readonly ScoreName[];
  evidence: readonly CheckEvidence[];
  /** It was judged on several pages, so that which pages were read may move its value. */
  isOfPages: boolean;
};

/** Null where the score does not apply. `interval`: where it would lie, 95 times of 100, had other pages been read. */
type ScoreFacts = {
  score: number;
  coverage: number;
  gates: readonly FiredGate[];
  interval?: { low: number; high: number };
} | null;

/** One request of the audit. `status` is null where there was no answer; `failure` says why. */
type RequestFacts = { role: string; url: string; status: number | null; failure?: string | undefined };

/** What an audit found, as far as a monitor reads it. Plain JSON. */
export type SiteFacts = {
  url: string | null;
  /** Null in reports of before, which do not say it. */
  rubric: WatchedRubric | null;
  profile: string | null;
  scores: Partial<Record<ScoreName, ScoreFacts>>;
  /** Each once, in the order of their ids. */
  checks: readonly CheckFacts[];
  requests: readonly RequestFacts[];
};

/** Version and hash: a rule may change without a weight, and a weight before its version. */
export const isSameRubric = (one: WatchedRubric, other: WatchedRubric): boolean =>
  one.version === other.version && one.sha256 === other.sha256;

const evidence = z.object({
  url: z.string(),
  status: z.int().optional(),
  header: z.string().optional(),
  selector: z.string().optional(),
  line: z.int().optional(),
  excerpt: z.string().optional(),
  sha256: z.string().optional(),
});
const check = z.object({
  id: z.string(),
  title: z.string().default(''),
  status: z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']),
  value: z.number().min(0).max(1),
  weight: z.number().min(0),
  note: z.string().default(''),
  evidence: z.array(evidence).default([]),
  pages: z.object({ judged: z.int() }).optional(),
});
const score = z.object({
  score: z.number(),
  coverage: z.number().default(1),
  applies: z.literal(false).optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  gates: z.array(z.object({ id: z.string(), cap: z.number() })).default([]),
  checks: z.array(check).default([]),
});
const report = z.object({
  url: z.string().optional(),
  rubric: z.object({ version: z.string(), sha256: z.string() }).optional(),
  profile: z.object({ name: z.string() }).optional(),
  scores: z.partialRecord(z.enum(scoreNames), score).refine((scores) => Object.keys(scores).length > 0),
  requests: z
    .array(z.object({ role: z.string(), url: z.string(), status: z.int().nullable(), failure: z.string().optional() }))
    .default([]),
});

/** The facts of a stored report with scores, of this rubric or of before; undefined for any other text. */
export function readSiteFacts(reportJson: string): SiteFacts | undefined {
  if (reportJson.length > MAX_REPORT_CHARS) return undefined;
  try {
    return readReportFacts(JSON.parse(reportJson));
  } catch {
    return undefined;
  }
}

/** The same of a report that was parsed. */
export function readReportFacts(json: unknown): SiteFacts | undefined {
  const parsed = report.safeParse(json);
  if (!parsed.success) return undefined;
  const { url, rubric, profile, scores, requests } = parsed.data;
  return {
    url: url ?? null,
    rubric: rubric ?? null,
    profile: profile?.name ?? null,
    scores: Object.fromEntries(
      scoreNames.flatMap((name) => {
        const one = scores[name];
        if (one === undefined) return [];
        const { score: points, coverage, gates, applies, interval } = one;
        const facts = { score: points, coverage, gates, ...(interval === undefined ? {} : { interval }) };
        return [[name, applies === false ? null : facts]];
      }),
    ),
    checks: mergeChecks(scores),
    requests,
  };
}

/** Each check once, though several scores may hold it. */
function mergeChecks(scores: z.infer<typeof report>['scores']): readonly CheckFacts[] {
  const merged = new Map<string, CheckFacts>();
  for (const name of scoreNames) {
    for (const { pages, evidence: seen, ...one } of scores[name]?.checks ?? []) {
      const known = merged.get(one.id);
      const first = (): CheckFacts => ({
        ...one,
        scores: [name],
        evidence: seen as readonly CheckEvidence[], // Holds because JSON has no undefined members.
        isOfPages: pages !== undefined && pages.judged > 1,
      });
      merged.set(one.id, known ? { ...known, scores: [...known.scores, name] } : first());
    }
  }
  return [...merged.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Answers that say "not now": a site that gives one is looked at again before anyone is alarmed. */
const isPassingStatus = (status: number): boolean => status >= 500 || status === 429 || status === 408;
const PASSING_FAILURES: ReadonlySet<string> = new Set(['timeout', 'connection_failed', 'body_failed']);

const hasPassingFailure = ({ status, failure }: RequestFacts): boolean =>
  status === null ? failure !== undefined && PASSING_FAILURES.has(failure) : isPassingStatus(status);

/**
 * Why the site counts as not read, though there is a report: its start page answered 5xx, 408 or 429. Undefined where it was read.
 */
export function explainUnread({ requests }: Pick<SiteFacts, 'requests'>): string | undefined {
  const start = requests.find(({ role }) => role === 'page');
  if (start === undefined || !hasPassingFailure(start)) return undefined;
  return start.status === null ? `no answer (${start.failure ?? 'unknown'})` : `status ${start.status}`;
}

/** Addresses that gave no answer, or one of 5xx, 408 or 429. */
export const listFailedUrls = ({ requests }: Pick<SiteFacts, 'requests'>): ReadonlySet<string> =>
  new Set(requests.filter(hasPassingFailure).map(({ url }) => url));

/**
 * Checks whose verdict may be that of a failure in passing: their evidence is from an address that failed, or an address of the
 * site failed and they have no evidence, or were judged on several pages, which may be other ones then.
 */
export function findDoubtfulChecks({ checks, requests }: Pick<SiteFacts, 'checks' | 'requests'>): ReadonlySet<string> {
  const failed = listFailedUrls({ requests });
  if (failed.size === 0) return new Set();
  const host = URL.parse(requests.find(({ role }) => role === 'page')?.url ?? '')?.host;
  const hasOwnFailure = [...failed].some((url) => URL.parse(url)?.host === host);
  const isDoubtful = ({ isOfPages, evidence: seen }: CheckFacts): boolean =>
    (hasOwnFailure && (isOfPages || seen.length === 0)) ||
    seen.some(({ url, status }) => failed.has(url) || (status !== undefined && isPassingStatus(status)));
  return new Set(checks.filter((one) => isAssessed(one) && isDoubtful(one)).map(({ id }) => id));
}
