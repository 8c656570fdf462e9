import type { ArtifactName, Artifacts } from './artifacts.ts';
import type { CheckEvidence } from './evidence.ts';
import type { Site } from './site.ts';

export const scoreNames = ['aeo', 'geo', 'agent', 'mcp'] as const;
export type ScoreName = (typeof scoreNames)[number];

/** `unknown`: we could not look. `not_applicable`: nothing to assess. Neither counts for or against the site. */
export type OutcomeStatus = 'pass' | 'partial' | 'fail' | 'not_applicable' | 'unknown';

/** The verdict of one check: `value` in [0, 1] (1 for pass, 0 for fail), `note` in our words, evidence for it. */
export type CheckOutcome = { status: OutcomeStatus; value: number; note: string; evidence: readonly CheckEvidence[] };

/** `capabilities` that report a check by itself, beside the scores it counts in. */
export type CheckCapability = 'check_health' | 'check_llms_txt' | 'check_schema' | 'check_agent_files' | 'check_mcp';

/**
 * Caps a score at `caps` when the check's outcome satisfies `when` (default: it failed). With `inProportion` that is the
 * cap of a value of 0, and the cap of a better value lies as far above it as the value says.
 */
export type Gate = {
  caps: Partial<Record<ScoreName, number>>;
  when?: (outcome: CheckOutcome) => boolean;
  inProportion?: true;
};

/**
 * How a check that is judged on every page joins its outcomes: `share`, the mean over the pages; `worst`, the verdict of
 * the worst page, for what must be nowhere.
 */
export type PageJoin = 'share' | 'worst';

/**
 * One check of the catalogue: what it asks, why it matters, who says so, and how it judges.
 * It counts in the score that its id begins with; one that counts in others too names all of them in `scores`. Weight 0
 * means "reported, not scored". `judge` is pure and synchronous and sees only the artifacts in `needs`, all of which were read: the runner
 * answers `unknown` for it when one of them could not be.
 * With `each`, `judge` sees one page at a time under the names of the start page's artifacts, and needs no others.
 */
export type AuditCheck<Name extends ArtifactName = ArtifactName> = {
  id: `${ScoreName}.${string}`;
  /** What holds where the check passes. */
  title: string;
  /** What to do where it does not, as an order: the title of a failed check, and of its fix. */
  failureTitle: string;
  scores?: readonly [ScoreName, ...ScoreName[]];
  weight: number;
  grade: 'A' | 'B' | 'C' | 'D';
  why: string;
  source: string;
  /** The day on which the source was read, `YYYY-MM-DD`; that of the whole catalogue (`radar/sources-data.ts`) when absent. */
  read?: string;
  fix: string;
  capabilities?: readonly CheckCapability[];
  gate?: Gate;
  /** It judges refusals themselves, so that its verdict holds where a site refuses every reader. */
  ofRefusals?: true;
  each?: PageJoin;
  needs: readonly Name[];
  judge: (artifacts: FactsOf<Name>, site: Site) => CheckOutcome;
};

/** The facts of these artifacts, by name, as a check gets them. */
export type FactsOf<Name extends ArtifactName> = { [K in Name]: Artifacts[K] };

/** A check whose `needs` are forgotten, as the registry holds it. */
export type AnyCheck = Omit<AuditCheck, 'id' | 'judge' | 'scores'> & {
  id: string;
  scores: readonly ScoreName[];
  judge: (artifacts: Artifacts, site: Site) => CheckOutcome;
};

/** Infers `needs` of a check literal, then forgets them: the runner passes every artifact the check named. */
export function defineCheck<const Name extends ArtifactName>(check: AuditCheck<Name>): AnyCheck {
  const scores = check.scores ?? scoreNames.filter((name) => check.id.startsWith(`${name}.`));
  return { ...check, scores }; // Holds because the runner passes all of `needs`, and a judge reads no other.
}

/** Where a verdict was seen: once, several times, or (left out) nowhere in particular. */
type Seen = CheckEvidence | readonly CheckEvidence[];

const createOutcome = (status: OutcomeStatus, value: number, note: string, evidence: Seen): CheckOutcome => ({
  status,
  value,
  note,
  evidence: 'url' in evidence ? [evidence] : evidence,
});

/** The verdicts that a check can give. `note` is one sentence in our words. */
export const verdict = {
  pass: (note: string, evidence: Seen = []): CheckOutcome => createOutcome('pass', 1, note, evidence),
  fail: (note: string, evidence: Seen = []): CheckOutcome => createOutcome('fail', 0, note, evidence),
  /** @param value what the site gets of the check's weight, between 0 and 1. */
  partial: (value: number, note: string, evidence: Seen = []): CheckOutcome =>
    createOutcome('partial', value, note, evidence),
  /** There is nothing to assess. */
  notApplicable: (note: string): CheckOutcome => createOutcome('not_applicable', 0, note, []),
  /** We could not look. */
  unknown: (note: string, evidence: Seen = []): CheckOutcome => createOutcome('unknown', 0, note, evidence),
  /** Turns a measured share into pass (>= `passAt`), partial (>= `partialAt`, with the share as its value) or fail. */
  byShare(share: number, bounds: ShareBounds, note: string, evidence: Seen = []): CheckOutcome {
    if (share >= bounds.passAt) return verdict.pass(note, evidence);
    if (share >= bounds.partialAt) return verdict.partial(Math.round(share * 1000) / 1000, note, evidence);
    return verdict.fail(note, evidence);
  },
};

/** The lowest shares for pass and for partial. */
export type ShareBounds = { passAt: number; partialAt: number };

/** How a judged check is named: by what to do where it asks for a fix, else by what it asks. */
export const selectCheckTitle = (
  check: Pick<AnyCheck, 'title' | 'failureTitle'>,
  { status }: Pick<CheckOutcome, 'status'>,
): string => (status === 'fail' || status === 'partial' ? check.failureTitle : check.title);

/** `3 links`, `1 link`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A share as a percentage with one decimal, `4.2%`. */
export const formatShare = (share: number): string => `${Math.round(share * 1000) / 10}%`;
