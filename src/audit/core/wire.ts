import { encodePercent } from '../../lib/percent.ts';
import { accuracy, type LabelledVerdicts } from './accuracy-data.ts';
import { type OutcomeStatus, selectCheckTitle } from './check.ts';
import { countPages, type PageCounts } from './join-pages.ts';
import { type CheckEvidence, MAX_EXCERPT_CHARS } from './evidence.ts';
import { parityAgents } from '../crawlers/facts/ai-agents.ts';
import type { CheckResult } from './scores.ts';
import type { Exchange } from './snapshot.ts';

/** Pieces of evidence of one check on the wire. */
export const MAX_EVIDENCE = 10;

/**
 * From `verdicts` labelled ones on, a check says so in reports where less than `said` of them were right or arguable, and
 * weighs at most `weight` under `heavy`.
 */
export const ACCURACY_BOUNDS = { verdicts: 20, said: 0.9, heavy: 0.8, weight: 1 } as const;

/** How the verdicts of a check fared on labelled pages; those that were neither right nor wrong were arguable. */
export type AccuracyCounts = Pick<LabelledVerdicts, 'n' | 'right' | 'wrong'>;

/** The share of labelled verdicts that were not wrong; undefined where too few were labelled to say it. */
export const computeAccuracy = ({ n, wrong }: Pick<AccuracyCounts, 'n' | 'wrong'>): number | undefined =>
  n < ACCURACY_BOUNDS.verdicts ? undefined : (n - wrong) / n;

/** Whether a check was wrong so often on labelled pages that each of its verdicts says so. */
export const isOftenWrong = (verdicts: Pick<AccuracyCounts, 'n' | 'wrong'>): boolean =>
  (computeAccuracy(verdicts) ?? 1) < ACCURACY_BOUNDS.said;

/** Whether a check was wrong so often on labelled pages that it may not weigh what it weighs. */
export const isTooHeavy = (verdicts: Pick<AccuracyCounts, 'n' | 'wrong'>, weight: number): boolean =>
  (computeAccuracy(verdicts) ?? 1) < ACCURACY_BOUNDS.heavy && weight > ACCURACY_BOUNDS.weight;

/**
 * One check as a response shows it. `title` says what to do where the check failed or passed in part. `fix_id` names the fix in a fix pack; it is the id of the
 * check.
 */
export type WireCheck = {
  id: string;
  title: string;
  status: OutcomeStatus;
  value: number;
  weight: number;
  evidence_grade: 'A' | 'B' | 'C' | 'D';
  /** Of a check that was often wrong on labelled pages. */
  accuracy?: AccuracyCounts;
  note: string;
  /** Of a check that was judged on several pages. */
  pages?: PageCounts;
  evidence: readonly CheckEvidence[];
  reproduce: string;
  why: string;
  source: string;
  fix_id: string;
};

/** One request of an audit on the wire; `ms` is the only value that differs between two runs over the same site. */
export type AuditWireRequest = {
  role: string;
  url: string;
  status: number | null;
  bytes: number;
  ms: number;
  failure?: string;
};

/** @param start the audited URL: `reproduce` never leaves its origin. */
export function toWireCheck({ check, outcome, pages }: CheckResult, start: URL): WireCheck {
  const counts = countPages(pages);
  const evidence = outcome.evidence
    .slice(0, MAX_EVIDENCE)
    .map((one) => (one.excerpt === undefined ? one : { ...one, excerpt: one.excerpt.slice(0, MAX_EXCERPT_CHARS) }));
  return {
    id: check.id,
    title: selectCheckTitle(check, outcome),
    status: outcome.status,
    value: outcome.value,
    weight: check.weight,
    evidence_grade: check.grade,
    ...findDoubts(check.id),
    note: outcome.note,
    ...(counts === undefined ? {} : { pages: counts }),
    evidence,
    reproduce: formatReproduceCommand(
      start,
      evidence[0]?.url,
      check.needs.includes('userAgents') ? parityAgents[1].userAgent : undefined,
    ),
    why: check.why,
    source: check.source,
    fix_id: check.id,
  };
}

function findDoubts(id: string): Pick<WireCheck, 'accuracy'> {
  const verdicts = accuracy.checks[id];
  if (verdicts === undefined || !isOftenWrong(verdicts)) return {};
  const { n, right, wrong } = verdicts;
  return { accuracy: { n, right, wrong } };
}

export function toWireRequest({ role, url, answer, ms }: Exchange): AuditWireRequest {
  if (!answer.ok) return { role, url, status: null, bytes: 0, ms, failure: answer.reason };
  return { role, url, status: answer.status, bytes: answer.bodyBytes, ms };
}

/**
 * A command that repeats the request behind a verdict. People and agents paste it, and the site chose its addresses:
 * so it holds only fixed words, the audited origin and a percent-encoded path, in single quotes (rule X1). A query is
 * left out, and evidence from another origin is reproduced by the start page.
 */
export function formatReproduceCommand(start: URL, evidenceUrl?: string, userAgent?: string): string {
  const other = evidenceUrl !== undefined && URL.canParse(evidenceUrl) ? new URL(evidenceUrl) : undefined;
  const { pathname } = other?.origin === start.origin ? other : start;
  // A host may hold shell characters: the URL parser lets a quote or a dollar sign pass.
  const host = encodeOutside(start.host, /[^A-Za-z0-9.:[\]-]/gu);
  const path = encodeOutside(pathname, /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~/%-]/gu);
  const scheme = start.protocol === 'http:' ? 'http' : 'https';
  const agent = userAgent === undefined ? '' : `-A '${userAgent}' `;
  return `curl -sSiL ${agent}'${scheme}://${host}${path}'`;
}

const encodeOutside = (text: string, unsafe: RegExp): string => text.toWellFormed().replace(unsafe, encodePercent);
